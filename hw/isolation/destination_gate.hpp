#pragma once
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/packet/flit_store.hpp>
#include <spillway/hw/switching/arbiter.hpp>

namespace spillway {

/// Size of a destination_gate.
struct destination_gate_config {
  unsigned lanes = 64;          ///< of the link into the network, one a queue of the switch there
  unsigned depth = 2;           ///< flits that it holds, 1 to 65,535; 2 or more for one a cycle
  bool by_destination = false;  ///< a queue a lane, so that one does not hold up the others; else one FIFO

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// What stands between a terminal and a destination_switch: puts flits into the lane of their destination.
/// One cycle from `in` to `out` where nothing is in the way.
class destination_gate : public clocked {
public:
  packet_in in{"in"};     ///< from the terminal; one lane
  packet_out out{"out"};  ///< into the network

  /// Throws as destination_gate_config::check().
  destination_gate(const sc_core::sc_module_name& name, const destination_gate_config& config);

  unsigned level() const { return store_.used(); }  ///< flits in it
  hardware_size storage() const override;
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits thrown away by resets so far

private:
  void reset() override;
  void tick() override;
  bool choose(lane_mask ready);

  const destination_gate_config config_;
  state_memory memory_;
  flit_store store_;
  lane_mask waiting_ = 0;     // queues with flits
  round_robin_arbiter turn_;  // of the queues
  unsigned shown_ = 0;        // queue of the flit that is shown
  bool valid_ = false, open_ = false, in_packet_ = false;
  std::uint64_t lost_ = 0;
};

}  // namespace spillway
