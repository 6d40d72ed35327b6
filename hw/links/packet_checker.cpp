#include <spillway/hw/links/packet_checker.hpp>
#include <utility>

namespace spillway {

namespace {

packet_checker_config called(packet_checker_config config, const char* name) {
  if (config.link.empty()) config.link = name;
  return config;
}

}  // namespace

std::unique_ptr<clocked> packet_link::make_checker(const violation_handler& handler) {
  packet_checker_config config;
  config.link = path();
  auto checker = std::make_unique<packet_checker>(checker_name().c_str(), std::move(config), handler);
  connect(*checker);
  return checker;
}

packet_checker::packet_checker(const sc_core::sc_module_name& name, packet_checker_config config,
                               violation_handler handler)
    : clocked(name), packet_watch(""), rules_(called(std::move(config), this->name()), std::move(handler)) {}

void packet_checker::end_of_elaboration() {
  clocked::end_of_elaboration();
  rules_.limit_lanes(lanes().count());
}

void packet_checker::reset() { rules_.reset(seen()); }

void packet_checker::tick() {
  crossed_ = rules_.tick(seen());
  if (crossed_) wake_at(cycle() + 1);
  if (const std::uint64_t alarm = rules_.new_alarm(); alarm != packet_rules::never) wake_at(alarm);
}

void packet_checker::fail(const char* rule, const std::string& what) { rules_.fail(rule, what, seen()); }

}  // namespace spillway
