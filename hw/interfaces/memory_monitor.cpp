#include <spillway/hw/interfaces/memory_monitor.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

void temperature_rule::check() const {
  if (hot_at < 1 || cool_below < 1 || cool_below > hot_at)
    throw std::invalid_argument(
        "a queue turns hot at 1 request or more and cool below so many or fewer, found " +
        std::to_string(hot_at) + " and " + std::to_string(cool_below));
}

memory_monitor::memory_monitor(const sc_core::sc_module_name& name, const temperature_rule& rule)
    : clocked(name), rule_(rule) {
  rule_.check();
}

void memory_monitor::reset() {
  hot_ = false;
  hot.write(false);
}

bool memory_monitor::tick() {
  hot_ = rule_.next(hot_, length.read());
  hot.write(hot_);
  if (on_change) on_change(cycle(), length.read(), hot_);
  return false;
}

}  // namespace spillway
