#pragma once
#include <memory>
#include <spillway/hw/packet/flit_store.hpp>
#include <spillway/hw/switching/arbiter.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <vector>

namespace spillway {

/// Size of a destination_switch.
struct destination_switch_config {
  unsigned inputs = 2;         ///< 1 to 64
  unsigned outputs = 2;        ///< 1 to 64
  unsigned queues = 64;        ///< of an input, 1 to 64: as many as destinations, or those that share them
  unsigned depth = 4;          ///< flits a queue; 65,535 in all
  unsigned packet_length = 1;  ///< flits of the longest packet; a queue must hold one
  bool marked = false;         ///< what waits for its outputs is shown, and its heads get marks

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// The queue, of so many, that packets to a destination wait in, and their lane on every link.
inline std::uint8_t destination_queue(const flit& f, unsigned queues) {
  return static_cast<std::uint8_t>(f.destination % queues);
}

/// Switch with a queue a destination at every input (virtual output queues for the whole network, VOQnet): a
/// packet never waits for one to another destination. Each queue is a lane of its link, so it has a ready bit
/// of its own. With fewer queues than destinations those share one whose numbers leave the same remainder
/// (destination-based buffer management).
///
/// A flit takes one cycle. A head is admitted when there is room for the longest packet in its queue. Of the
/// queues whose lane takes a flit an output serves one after the other, and of the inputs for a lane
/// likewise.
class destination_switch : public switch_block {
public:
  /// `node`: the number that `routes` knows this switch by. `neighbours[o]`: what output o leads to: a link
  /// of as many lanes as there are queues, to a terminal of one. Throws as
  /// destination_switch_config::check().
  destination_switch(const sc_core::sc_module_name& name, const destination_switch_config& config,
                     unsigned node, std::shared_ptr<const routing> routes,
                     const std::vector<link_end>& neighbours);

  unsigned level() const override { return store_.used(); }
  unsigned capacity() const override { return store_.slots(); }
  hardware_size storage() const override;
  double fullest() const override;

private:
  static constexpr std::uint8_t none = 0xff;

  struct queue_state {
    std::uint16_t free = 0;     // places not promised to a packet
    std::uint16_t to_come = 0;  // flits of the packet under way into it
    std::uint8_t output = 0;    // of that packet
  };
  struct lane_state {            // of an output: the packets of one queue number
    std::uint64_t requests = 0;  // inputs with one
    std::uint8_t owner = none;   // input whose packet is being sent
    round_robin_arbiter arbiter;
  };
  struct output_state {
    lane_mask wanted = 0;      // queue numbers with a packet
    std::uint16_t flits = 0;   // of packets that leave by it
    std::uint8_t shown = 0;    // queue number of the flit that is shown
    bool several = false;      // its link has a lane a queue
    round_robin_arbiter turn;  // of the queue numbers
  };

  void reset() override;
  void tick() override;
  void clear();
  void send();
  void admit(unsigned input, const flit& f);
  bool show();
  lane_mask with_flits(unsigned o, lane_mask queues);
  bool choose(unsigned o, lane_mask ready);
  void show_front(unsigned o);
  void request(unsigned input, unsigned queue);
  void offer();
  void show_waiting();

  unsigned number(unsigned input, unsigned queue) const { return input * config_.queues + queue; }
  lane_state& lane(unsigned output, unsigned queue) { return lanes_[output * config_.queues + queue]; }

  const destination_switch_config config_;
  const unsigned node_;
  const std::shared_ptr<const routing> routes_;
  std::uint64_t showing_ = 0;  // outputs whose valid pin is high
  std::uint64_t changed_ = 0;  // inputs that may have to show other lanes
  state_memory memory_;
  state_array<queue_state> queues_;  // by input and queue
  state_array<lane_state> lanes_;    // by output and queue
  state_array<output_state> outputs_;
  state_array<lane_mask> ready_;  // by input: what its pin shows
  flit_store store_;
};

}  // namespace spillway
