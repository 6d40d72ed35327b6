#include <spillway/hw/feedback/memory_monitor.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

void temperature_rule::check() const {
  if (hot_at < 1 || cool_below < 1 || cool_below > hot_at)
    throw std::invalid_argument(
        "a queue turns hot at 1 flit or more and cool below so many or fewer, found " +
        std::to_string(hot_at) + " and " + std::to_string(cool_below));
  if (delay < 1) throw std::invalid_argument("a line tells of a length 1 cycle later or more, found 0");
}

memory_monitor::memory_monitor(const sc_core::sc_module_name& name, const temperature_rule& rule)
    : clocked(name), rule_(rule) {
  rule_.check();
}

void memory_monitor::reset() {
  hot_ = false;
  said_ = 0;
  under_way_.clear();
  hot.write(false);
}

void memory_monitor::tick() {
  const bool was = hot_;
  hot_ = rule_.next(hot_, length.read());
  if (hot_ != was) under_way_.push_back({cycle() + rule_.delay - 1, hot_});
  if (!under_way_.empty() && under_way_.front().at == cycle()) {
    hot.write(under_way_.front().hot);
    under_way_.pop_front();
  }
  if (!under_way_.empty()) wake_at(under_way_.front().at);
  if (length.read() == said_) return;  // then it is no hotter or cooler either
  said_ = length.read();
  if (on_change) on_change(cycle(), said_, hot_);
}

}  // namespace spillway
