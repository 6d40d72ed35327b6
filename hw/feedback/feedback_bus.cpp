#include <algorithm>
#include <spillway/hw/feedback/feedback_bus.hpp>

namespace spillway {

namespace {

constexpr unsigned width = feedback_lines::lines_a_word;
constexpr feedback_lines::word line_of(unsigned module) { return feedback_lines::word{1} << module % width; }

}  // namespace

void feedback_bus::reset() {
  std::fill(last_announced_.begin(), last_announced_.end(), 0);
  std::fill(waits_.begin(), waits_.end(), 0);
  queue_.clear();
  next_ = 0;
  out.said.write({});
}

bool feedback_bus::changed(unsigned module) const {
  return ((lines[module / width].read() ^ last_announced_[module / width]) & line_of(module)) != 0;
}

void feedback_bus::tick() {
  join();
  announcement said;
  while (!queue_.empty() && !said.valid) {
    const std::uint32_t module = queue_.front();
    queue_.pop_front();
    waits_[module / width] &= ~line_of(module);
    if (!changed(module)) continue;
    last_announced_[module / width] ^= line_of(module);
    said = {true, (last_announced_[module / width] & line_of(module)) != 0, module};
    ++announced_;
  }
  out.said.write(said);
  cycles_waited_ += queue_.size();
  if (said.valid || !queue_.empty()) wake_at(cycle() + 1);
}

void feedback_bus::join() {
  const std::size_t before = queue_.size();
  for (unsigned w = 0; w < lines.size(); ++w) {
    for (auto fresh = (lines[w].read() ^ last_announced_[w]) & ~waits_[w]; fresh; fresh &= fresh - 1)
      queue_.push_back(w * width + static_cast<unsigned>(__builtin_ctzll(fresh)));
    waits_[w] |= lines[w].read() ^ last_announced_[w];
  }
  if (queue_.size() == before) return;
  // In ascending order from next_.
  const auto first = queue_.begin() + static_cast<std::ptrdiff_t>(before);
  std::rotate(first, std::lower_bound(first, queue_.end(), next_), queue_.end());
  next_ = (queue_.back() + 1) % modules_;
  most_waiting_ = std::max(most_waiting_, queue_.size());
}

}  // namespace spillway
