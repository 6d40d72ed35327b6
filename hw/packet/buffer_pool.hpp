#pragma once
#include <array>
#include <memory>
#include <spillway/hw/packet/buffer_admission.hpp>
#include <spillway/hw/packet/flit_store.hpp>
#include <spillway/hw/switching/arbiter.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <string>
#include <vector>

namespace spillway {

/// How the storage of a pool is organised.
enum class buffering : std::uint8_t {
  fifo,    ///< one FIFO an input: head-of-line blocking
  voq,     ///< one queue an input and output: virtual output queues
  damq,    ///< as voq, but the queues of an input draw on one room (Tamir and Frazier, 1988)
  output,  ///< one queue an output, written by every input in the same cycle
  shared,  ///< as output, but all queues draw on one pool of buffers
};

/// Which buffers a destination may use in a shared pool.
enum class buffer_assignment : std::uint8_t {
  any,        ///< every buffer
  partition,  ///< an equal part for each output
};

/// When a packet may leave the switch.
enum class switching : std::uint8_t {
  store_and_forward,  ///< after its tail has come
  cut_through,        ///< as soon as its head has come
};

/// Size and organisation of a buffer_pool.
struct buffer_pool_config {
  unsigned inputs = 2;                                    ///< 1 to 64
  unsigned outputs = 2;                                   ///< 1 to 64
  buffering organisation = buffering::fifo;               ///< one FIFO an input, unless said otherwise
  buffer_assignment assignment = buffer_assignment::any;  ///< of `shared` only
  switching mode = switching::cut_through;                ///< when the head, or the tail, must have come
  unsigned depth =
      4;  ///< flits a queue; with `shared`, of the whole pool; with `damq`, of an input; 65,535 in all
  unsigned packet_length = 1;     ///< flits of the longest packet, at least 1; a queue must hold one
  unsigned memory_depth = 0;      ///< of queues that lead to a terminal, `output` only; 0: as all the others
  port_mask terminal_inputs = 0;  ///< those that packets enter the network by
  arbiter_maker arbiter = {};     ///< of the packets for an output; empty: round robin
  bool marked = false;            ///< what waits for its outputs is shown, and its heads get marks
  std::uint64_t seed = 1;         ///< of draws: `damq` sends by one of several outputs that may do
  /// Who may take a place of a shared pool, with `buffer_assignment::any`; null: whoever comes first.
  std::shared_ptr<const buffer_admission> admission = {};

  unsigned queues() const;  ///< as the organisation has it: one an input, an output, or an input and output
  unsigned spaces() const;  ///< separate rooms that the queues draw on
  unsigned places() const;  ///< flits a room holds
  /// One lane an output on the inputs' links, so that the sender looks ahead.
  bool lanes() const { return organisation != buffering::fifo && organisation != buffering::damq; }
  /// From the queue of an input to one output to that to the next output: a power of two.
  unsigned damq_step() const;
  /// Every input writes the queues.
  bool common_queues() const {
    return organisation == buffering::output || organisation == buffering::shared;
  }
  /// Even an empty queue is not offered to all inputs at once: a head that comes to another is shown for a
  /// cycle before it gets its place.
  bool offers_to_some() const;
  /// Packets for different outputs draw on the same buffers.
  bool shares_pool() const {
    return organisation == buffering::shared && assignment == buffer_assignment::any;
  }
  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// Buffer pool, which is also the plain packet switch: the switch's links are the pool's own, so a flit
/// takes one cycle from input to output.
///
/// Every queue holds whole packets in order. A head is admitted only when there is room for the longest
/// packet (virtual cut-through), and a queue that several inputs write takes one packet at a time when
/// packets have more than one flit. With fewer free places than inputs that could use them, those that
/// already show a flit for one come first, round robin after the last that got one of the queue; then the
/// others, round robin after the last that got one of the room that it draws on. Where packets have several
/// flits the one that wrote the queue last comes before these: its next packet loses no cycle.
class buffer_pool : public switch_block {
public:
  /// `node`: the number that `routes` knows this switch by. `neighbours[o]`: what output o leads to. Throws
  /// as buffer_pool_config::check(), and std::invalid_argument unless there is a neighbour an output.
  buffer_pool(const sc_core::sc_module_name& name, const buffer_pool_config& config, unsigned node,
              std::shared_ptr<const routing> routes, std::vector<link_end> neighbours);

  unsigned level() const override { return store_.used(); }
  unsigned capacity() const override { return store_.slots(); }  ///< places for flits, over all queues
  hardware_size storage() const override;
  double fullest() const override;
  /// Flits of one queue.
  unsigned level(unsigned queue) const { return store_.flits(queue); }

protected:
  void reset() override;
  void tick() override;

private:
  class load_of_outputs;
  class rivals;
  static constexpr std::uint8_t none = 0xff;

  struct input_state {
    lane_mask ready = 0;          // what the ready pin shows
    std::uint16_t to_come = 0;    // flits of the packet under way still to come
    std::uint8_t output = 0;      // where it goes
    std::uint8_t lane_ahead = 0;  // its lane at the next switch
  };
  struct output_state {
    std::uint64_t requests = 0;  // inputs with a packet for it that is not being sent
    std::uint16_t queue = 0;     // whose packet it sends, if it is busy
    std::uint8_t lane = 0;       // of the flit that it shows
    round_robin_arbiter arbiter;
    bool looks_ahead = false;  // the neighbour has lanes
  };
  struct queue_state {
    std::uint8_t writer = none;  // input whose packet of several flits is under way into this queue
    bool sending = false;        // an output has chosen it
  };
  struct space {             // room that one or more queues draw on
    std::uint16_t free = 0;  // places not promised to a packet
  };
  unsigned places(unsigned s) const;
  unsigned all_places() const;
  void clear();
  std::uint64_t shown_inputs() const;
  std::uint64_t send();
  std::uint64_t receive(std::uint64_t shown);
  void admit(unsigned i, const flit& f);
  /// The head with the route that it takes from here on.
  bool writes_route_of(unsigned i, const flit& head) const;
  flit entered(unsigned i, flit head) const;
  void route(input_state& from, unsigned i, const flit& head) const;
  unsigned output_of(unsigned i, const flit& head) const;
  void request(unsigned o, unsigned i);
  void arbitrate();
  void choose(unsigned o);
  unsigned arbitrated(unsigned o);
  bool show(std::uint64_t sent);
  void mark_heads(std::uint64_t shown);
  void show_waiting();
  void offer_room(std::uint64_t waiting);
  void offer_common_room(std::uint64_t waiting);
  void offer(unsigned i, lane_mask lanes);
  lane_mask own_queues_with_room(unsigned i) const;
  void offer_common_queues(std::uint64_t waiting, std::array<lane_mask, 64>& offer);
  unsigned open_places(unsigned queue);
  /// Calls f with an output and how many flits wait for it, once or more for each output.
  template <class F>
  void each_waiting(F&& f) const;
  std::uint64_t first_claims(unsigned last, std::uint64_t inputs, std::uint64_t wanted_by,
                             unsigned places) const;

  bool lanes() const { return looks_ahead_; }
  bool common_queues() const { return queue_step_in_ == 0; }  // queues that every input writes
  unsigned queue_of(unsigned i, unsigned o) const { return i * queue_step_in_ + o * queue_step_out_; }
  /// As what an input's packets compete for an output; in queues that every input writes they have no rivals.
  unsigned rival(unsigned i) const { return common_queues() ? 0 : i; }
  space& space_of(unsigned queue) { return spaces_[queue & space_mask_]; }
  bool sendable(unsigned q) const { return cut_through_ ? !store_.empty(q) : store_.packets(q) != 0; }

  // What a cycle seldom needs, apart from what it always needs and what is copied below.
  struct rarely_used {
    const buffer_pool_config config;
    const std::vector<link_end> neighbours;
    std::vector<std::unique_ptr<arbiter>> arbiters;  // by output, or none
  };
  const std::unique_ptr<rarely_used> rarely_;
  const unsigned node_;
  const std::shared_ptr<const routing> routes_;
  const std::uint16_t queue_step_in_, queue_step_out_;  // from the queue of one input, or output, to the next
  const std::uint16_t space_mask_;  // of a queue number: all have one room, or each its own
  const unsigned packet_length_;
  const buffering organisation_;
  const bool cut_through_;
  const bool looks_ahead_;   // one lane an output on the inputs' links
  const bool writes_route_;  // the routing writes the route part of heads that enter
  const bool round_robin_;   // else arbiters choose
  // One bit a port, so that a cycle looks only at ports with something to do.
  std::uint64_t open_ = 0;       // inputs whose ready pin shows some lane
  std::uint64_t changed_ = 0;    // inputs that may have to show another
  std::uint64_t showing_ = 0;    // outputs whose valid pin is high
  std::uint64_t busy_ = 0;       // outputs that have chosen a packet
  std::uint64_t requested_ = 0;  // outputs with requests
  state_memory memory_;
  state_array<input_state> inputs_;
  state_array<output_state> outputs_;
  state_array<queue_state> queues_;
  state_array<space> spaces_;
  state_array<std::uint8_t> last_in_;  // by queue, if all inputs write it: which did last
  std::uint8_t last_in_pool_ = 0;      // which wrote any of them last
  flit_store store_;
};

}  // namespace spillway
