#pragma once
#include <memory>
#include <spillway/hw/dampening/dampening_switch.hpp>
#include <spillway/hw/dampening/emergency_bank.hpp>
#include <vector>

namespace spillway {

/// A dampening switch whose receiver calculates, with its emergency banks: one a pool, with a place for each
/// that the switch takes it to have, joined to it by spill and refill links.
class banked_switch final : public dampening_switch {
public:
  /// As those of dampening_switch.
  banked_switch(const sc_core::sc_module_name& name, const dampening_switch_config& config, unsigned node,
                std::shared_ptr<const routing> routes, const std::vector<link_end>& neighbours,
                const std::shared_ptr<const assignment_plan>& plan);

  /// The spill and refill links of its banks.
  std::vector<network_link*> links() override;
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;
  /// That of pool `pool`; for testbenches.
  const emergency_bank& bank(unsigned pool) const { return *banks_[pool]; }

private:
  void join(unsigned pool, unsigned port, unsigned ports);

  std::vector<std::unique_ptr<emergency_bank>> banks_;  // by pool
  std::vector<std::unique_ptr<spill_link>> spills_;     // by input
  std::vector<std::unique_ptr<refill_link>> refills_;
};

}  // namespace spillway
