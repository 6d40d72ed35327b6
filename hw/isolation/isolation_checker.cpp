#include <spillway/hw/isolation/isolation_checker.hpp>
#include <sstream>
#include <utility>

namespace spillway {

std::unique_ptr<clocked> isolation_link::make_checker(const violation_handler& handler) {
  isolation_checker_config config;
  config.packet.link = path();
  config.packet.lanes = 1;
  config.queues = queues_;
  auto checker = std::make_unique<isolation_checker>(checker_name().c_str(), std::move(config), handler);
  connect(*checker);
  return checker;
}

isolation_checker::isolation_checker(const sc_core::sc_module_name& name, isolation_checker_config config,
                                     violation_handler handler)
    : packet_checker(name, config.packet, std::move(handler)), rules_(std::move(config)) {}

void isolation_checker::reset() {
  packet_checker::reset();
  // At the first edge of a reset the blocks have not seen it yet.
  if (was_in_reset_ && (stop.read().any() || token.read().any()) && !reset_reported_ && rules_.quiet) {
    reset_reported_ = true;
    fail("IS4", "something is told of a tree during reset");
  }
  was_in_reset_ = true;
  stopped_.clear(), set_aside_.clear();
}

void isolation_checker::tick() {
  if (was_in_reset_) {
    if ((stop.read().any() || token.read().any()) && !reset_reported_ && rules_.quiet)
      fail("IS4", "something is told of a tree at the first edge after reset");
    was_in_reset_ = reset_reported_ = false;
  }
  packet_checker::tick();
  check("IS1", rules_.stops, stopped_, stop.read());
  check("IS2", rules_.tokens, set_aside_, token.read());
  if (rules_.queues && stop.read().set && stopped_.size() == rules_.queues + 1u)
    fail("IS5", std::to_string(stopped_.size()) + " roots are stopped, the receiver has " +
                    std::to_string(rules_.queues) + " queues for them");
  if (stop.read().any() || token.read().any()) wake_at(cycle() + 1);
}

void isolation_checker::check(const char* rule, bool enforced, std::set<std::uint32_t>& roots,
                              const tree_message& m) {
  if (!m.any()) return;
  std::ostringstream what;
  what << m << " is told";
  if (m.set && m.clear) {
    if (rules_.one_word) fail("IS3", what.str());
    return;
  }
  const bool changes = m.set ? roots.insert(m.root).second : roots.erase(m.root) != 0;
  if (!changes && enforced)
    fail(rule, what.str() + (m.set ? ", which is set already" : ", which is not set"));
}

}  // namespace spillway
