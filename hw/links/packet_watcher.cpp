#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/links/packet_watcher.hpp>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace spillway {

namespace {

/// The reset of a watcher with such a configuration: what throws does so before the domain knows it.
wire<bool>& reset_of(const packet_checker_config& config, wire<bool>& reset) {
  config.check();
  detail::need(!config.link.empty(), "who watches a link needs a name for it");
  return reset;
}

}  // namespace

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

packet_watcher::packet_watcher(packet_wires& link, wire<bool>& reset, packet_checker_config config,
                               violation_handler handler)
    : wire_watcher(reset_of(config, reset)), link_(link), rules_(std::move(config), std::move(handler)) {}

void packet_watcher::join() {
  packet_wires::each([this](auto& w) { watch(w); }, link_);
}

void packet_watcher::take_places() {
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

}  // namespace spillway
