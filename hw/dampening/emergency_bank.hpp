#pragma once
#include <spillway/hw/dampening/bank_link.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/state_memory.hpp>

namespace spillway {

/// The emergency-backup buffers of a pool (Kuszmaul and Kuszmaul, section VIII.B): the messages that found
/// none of their buffers free. Their flits lie here and nowhere else; embargo_logic, which their pool owns,
/// decides what comes in and out. Each spill link takes a flit a cycle and each refill link gives one; what
/// was spilled in a cycle may be fetched in the same. A place that does not exist is an SC_REPORT_ERROR.
class emergency_bank : public clocked {
public:
  row<spill_in> spill;     ///< spill0, ...
  row<refill_out> refill;  ///< refill0, ...

  /// `ports`: spill links, and as many refill links. `slots`: places, 1 to 65,535, else
  /// std::invalid_argument.
  emergency_bank(const sc_core::sc_module_name& name, unsigned ports, unsigned slots);

  unsigned slots() const { return static_cast<unsigned>(places_.size()); }  ///< places, one flit each
  /// What lies at a place; for testbenches.
  const flit& at(unsigned slot) const { return places_[slot]; }

private:
  flit& place(unsigned slot);
  void reset() override;
  void tick() override;

  state_memory memory_;
  state_array<flit> places_;
};

}  // namespace spillway
