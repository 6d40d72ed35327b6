#include <spillway/hw/dampening/bank_checker.hpp>
#include <spillway/hw/dampening/banked_switch.hpp>
#include <string>

namespace spillway {

banked_switch::banked_switch(const sc_core::sc_module_name& name, const dampening_switch_config& config,
                             unsigned node, std::shared_ptr<const routing> routes,
                             const std::vector<link_end>& neighbours,
                             const std::shared_ptr<const assignment_plan>& plan)
    : dampening_switch(name, config, node, std::move(routes), neighbours, plan) {
  const unsigned ports = config.inputs_a_pool();
  for (unsigned p = 0; p < config.pools(); ++p) {
    banks_.push_back(std::make_unique<emergency_bank>(("bank" + std::to_string(p)).c_str(), ports, slots(p)));
    banks_[p]->clk(clk), banks_[p]->rst(rst);
    for (unsigned i = 0; i < ports; ++i) join(p, i, ports);
  }
}

void banked_switch::join(unsigned pool, unsigned port, unsigned ports) {
  emergency_bank& bank = *banks_[pool];
  const unsigned input = pool * ports + port;
  const std::string end = std::to_string(pool) + "_" + std::to_string(port);
  spills_.push_back(std::make_unique<spill_link>(link_place{"spill_" + end}, bank.slots()));
  refills_.push_back(std::make_unique<refill_link>(link_place{"refill_" + end}, bank.slots()));
  spills_[input]->connect(spill[input]), spills_[input]->connect(bank.spill[port]);
  refills_[input]->connect(refill[input]), refills_[input]->connect(bank.refill[port]);
}

std::vector<network_link*> banked_switch::links() {
  std::vector<network_link*> all;
  for (std::size_t i = 0; i < spills_.size(); ++i) {
    all.push_back(spills_[i].get());
    all.push_back(refills_[i].get());
  }
  return all;
}

std::vector<std::unique_ptr<clocked>> banked_switch::make_checkers(const violation_handler& handler) {
  std::vector<std::unique_ptr<clocked>> all = dampening_switch::make_checkers(handler);
  const auto ports = static_cast<unsigned>(spills_.size() / banks_.size());
  for (unsigned p = 0; p < banks_.size(); ++p) {
    auto checker = std::make_unique<bank_checker>(
        ("check_" + std::string(basename()) + "_bank" + std::to_string(p)).c_str(), ports, slots(p),
        banks_[p]->name(), handler);
    for (unsigned i = 0; i < ports; ++i) {
      spills_[p * ports + i]->connect(checker->spill[i]);
      refills_[p * ports + i]->connect(checker->refill[i]);
    }
    all.push_back(std::move(checker));
  }
  return all;
}

}  // namespace spillway
