#include <algorithm>
#include <spillway/hw/links/packet_checker.hpp>
#include <spillway/hw/links/packet_watcher.hpp>
#include <type_traits>
#include <typeinfo>
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

std::unique_ptr<stepped> packet_link::make_watcher(wire<bool>& reset, const violation_handler& handler) {
  if (typeid(*this) != typeid(packet_link))
    return nullptr;  // a kind that derives from it has rules of its own
  return with([&](auto& pins) -> std::unique_ptr<stepped> {
    if constexpr (std::is_same_v<std::decay_t<decltype(pins)>, packet_wires>) {
      packet_checker_config config;
      config.link = path();
      return std::make_unique<packet_watcher>(pins, reset, std::move(config), handler);
    }
    return nullptr;
  });
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

packet_watcher::packet_watcher(packet_wires& link, wire<bool>& reset, packet_checker_config config,
                               violation_handler handler)
    : wire_watcher(reset), link_(link), rules_(std::move(config), std::move(handler)) {}

void packet_watcher::join() {
  packet_wires::each([this](auto& w) { watch(w); }, link_);
}

void packet_watcher::settle() {
  valid_ = place_of(link_.valid);
  data_ = place_of(link_.data);
  ready_ = place_of(link_.ready);
  rules_.limit_lanes(link_.lanes().count());
}

void packet_watcher::reset() { rules_.reset(seen()); }

void packet_watcher::tick() {
  if (rules_.tick(seen())) wake_at(cycle() + 1);
  if (const std::uint64_t alarm = rules_.new_alarm(); alarm != packet_rules::never) wake_at(alarm);
}

void packet_checker::fail(const char* rule, const std::string& what) { rules_.fail(rule, what, seen()); }

}  // namespace spillway
