#pragma once
#include <memory>
#include <spillway/hw/flow_pause/flow_table.hpp>
#include <spillway/hw/packet/flit_store.hpp>
#include <spillway/hw/switching/arbiter.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <vector>

namespace spillway {

/// Size of a flow_pause_switch.
struct flow_pause_config {
  unsigned inputs = 2;     ///< 1 to 64
  unsigned outputs = 2;    ///< 1 to 64
  unsigned queues = 8;     ///< of an output, 1 to 64: as many lanes as its link to a switch has
  unsigned lanes = 8;      ///< of the inputs' links; with one none is paused
  unsigned places = 32;    ///< flits of an input, in whichever queues they wait; 65,535 in all
  unsigned threshold = 2;  ///< flits that the queues of an output which send may have together before lanes
                           ///< are paused: a hop's round trip; 0: none is
  unsigned flows = 1024;   ///< lines of the table of an output, 1 to 65,536
  flow_key key = flow_key::pair;  ///< what a flow is
  unsigned packet_length = 1;     ///< flits of the longest packet; an input must have places for one
  bool marked = false;            ///< what waits for its outputs is shown, and its heads get marks

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// Switch that pauses single queues of the switch before it (per-hop flow control by backpressure, BFC; Goyal
/// and others, NSDI 2022). An output has a few queues. A flow that has no packet here gets one that is empty,
/// or shares the one that its hash says; it stays there until all its packets have left. The queue is the
/// packet's lane on the link to the next switch, which shows for each lane whether it takes packets.
///
/// While as many flits as the queue's share of `threshold` are before a packet in its queue, the lane that it
/// came in is paused.
///
/// A flit takes one cycle. A head is admitted when its input has places for the longest packet; all inputs
/// write a queue in the same cycle. Queues whose lane takes a packet have turns. One input and output make
/// the gate of a terminal.
class flow_pause_switch : public switch_block {
public:
  /// `node`: the number that `routes` knows this switch by. `neighbours[o]`: what output o leads to: a link
  /// of as many lanes as there are queues, to a terminal of one. Throws as flow_pause_config::check().
  flow_pause_switch(const sc_core::sc_module_name& name, const flow_pause_config& config, unsigned node,
                    std::shared_ptr<const routing> routes, const std::vector<link_end>& neighbours);

  void connect_input(unsigned port, network_link& l) override;
  void connect_output(unsigned port, network_link& l) override;
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;
  unsigned level() const override { return store_.used(); }
  unsigned capacity() const override { return store_.slots(); }
  hardware_size storage() const override;
  double fullest() const override;
  void count(counters& all) const override;

private:
  static constexpr std::uint16_t none = 0xffff;

  struct packet {            // one that is here in whole or in part
    std::uint16_t next = 0;  // of its queue, or in the list of the unused
    std::uint16_t line = 0;  // of its flow
    std::uint16_t to_come = 0;
    std::uint16_t position = 0;          // in its queue: the flits before it, counted from the reset on
    std::uint8_t input = 0, lane = 0;    // that it came in by
    std::uint8_t output = 0, queue = 0;  // that it leaves by
    bool marked = false;                 // it keeps its lane paused
    bool shown = false;                  // its head has been, with its marks
  };
  struct lane_state {             // of an input
    std::uint16_t packet = none;  // whose flits are still coming
    bool paused = false;          // by its last packet: no other comes before that has let it go on
  };
  struct queue_state {
    std::uint16_t first = none, last = none;  // packets
    std::uint16_t marked = none;              // the first that may be
    // Flits of packets that have joined, and that have left, counted from the reset on.
    std::uint16_t promised = 0, gone = 0;
  };
  struct output_state {
    lane_mask wanted = 0;      // queues with a packet
    std::uint16_t flits = 0;   // of their packets
    std::uint8_t shown = 0;    // queue of the flit that is shown
    bool several = false;      // its link has a lane a queue
    bool in_packet = false;    // its head has gone
    round_robin_arbiter turn;  // of the queues
  };

  void reset() override;
  void tick() override;
  void clear();
  void send();
  void leave(unsigned number);
  void release(unsigned output, queue_state& from);
  void admit(unsigned input, const flit& f);
  unsigned enter(unsigned input, const flit& head);
  unsigned assigned(unsigned output, unsigned line);
  unsigned limit(unsigned output) const;
  bool show();
  bool choose(unsigned o, lane_mask ready);
  void mark(unsigned o, unsigned number);
  void offer();
  void show_waiting();

  queue_state& queue(unsigned output, unsigned q) { return queues_[output * config_.queues + q]; }

  const flow_pause_config config_;
  const unsigned node_;
  const std::shared_ptr<const routing> routes_;
  std::vector<network_link*> links_in_, links_out_;
  std::uint64_t showing_ = 0;  // outputs whose valid pin is high
  std::uint64_t changed_ = 0;  // inputs that may have to show other lanes
  std::uint16_t unused_ = 0;   // the first of the packet numbers that are
  struct {
    std::uint64_t pauses = 0, shared = 0;
  } counted_;
  state_memory memory_;
  state_array<packet> packets_;
  state_array<lane_state> lanes_;    // by input and lane
  state_array<queue_state> queues_;  // by output and queue
  state_array<output_state> outputs_;
  state_array<std::uint16_t> free_;  // by input: places not promised to a packet
  state_array<lane_mask> ready_;     // by input: what its pin shows
  flow_table flows_;
  flit_store store_;  // a list a packet
};

}  // namespace spillway
