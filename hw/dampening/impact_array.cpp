#include <spillway/hw/dampening/impact_array.hpp>
#include <utility>

namespace spillway {

impact_array::run& impact_array::run_of(std::uint32_t value) {
  if (value >= runs_.size()) runs_.resize(value + 1);
  return runs_[value];
}

void impact_array::swap(std::uint32_t a, std::uint32_t b) {
  if (a == b) return;
  work_ += 2;
  std::swap(entries_[a], entries_[b]);
  *position_.find(entries_[a].processor) = a;
  *position_.find(entries_[b].processor) = b;
}

void impact_array::increment(std::uint32_t processor) {
  ++work_;
  const std::uint32_t* const known = position_.find(processor);
  std::uint32_t at = known ? *known : static_cast<std::uint32_t>(entries_.size());
  if (known) {
    run& old = run_of(entries_[at].value);
    swap(at, static_cast<std::uint32_t>(old.first));
    at = static_cast<std::uint32_t>(old.first++);
  } else {
    entries_.push_back({processor, 0});
    position_[processor] = at;
  }
  run& now = run_of(++entries_[at].value);
  if (now.empty()) now.first = at;
  now.last = at;
}

void impact_array::decrement(std::uint32_t processor) {
  ++work_;
  std::uint32_t at = *position_.find(processor);
  run& old = run_of(entries_[at].value);
  swap(at, static_cast<std::uint32_t>(old.last));
  at = static_cast<std::uint32_t>(old.last--);
  if (--entries_[at].value == 0) {  // the last entry of all
    entries_.pop_back();
    position_.erase(processor);
    return;
  }
  run& now = run_of(entries_[at].value);
  if (now.empty()) now.last = at;
  now.first = at;
}

void impact_array::clear() {
  entries_.clear();
  position_.clear();
  runs_.clear();
}

}  // namespace spillway
