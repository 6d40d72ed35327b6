#pragma once
#include <spillway/hw/dampening/bank_link.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <vector>

namespace spillway {

/// The emergency-backup buffers of a pool (Kuszmaul and Kuszmaul, section VIII.B): the messages that found
/// none of their buffers free. The bank stores; embargo_logic, which its pool owns, decides what comes in
/// and out. Each spill link takes a flit a cycle and each refill link gives one; what was spilled in a cycle
/// may be fetched in the same.
class emergency_bank : public clocked {
public:
  row<spill_in> spill;     ///< spill<i>
  row<refill_out> refill;  ///< refill<i>

  /// `ports`: spill links, and as many refill links. `slots`: places, 1 to 65,535.
  emergency_bank(const sc_core::sc_module_name& name, unsigned ports, unsigned slots);

  /// What lies at a place; for testbenches.
  const flit& at(unsigned slot) const { return places_[slot]; }

private:
  void reset() override;
  void tick() override;

  std::vector<flit> places_;
};

}  // namespace spillway
