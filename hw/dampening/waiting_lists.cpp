#include <algorithm>
#include <spillway/hw/dampening/waiting_lists.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

waiting_lists::waiting_lists(unsigned buffers, unsigned slots, unsigned choices)
    : choices_(choices),
      heads_(buffers + 1),
      tails_(buffers + 1),
      nodes_(std::size_t{slots} * choices),
      used_(slots) {
  clear();
}

void waiting_lists::clear() {
  std::fill(heads_.begin(), heads_.end(), none);
  std::fill(tails_.begin(), tails_.end(), none);
  std::fill(used_.begin(), used_.end(), std::uint16_t{0});
  waiting_ = 0;
}

void waiting_lists::append(std::uint32_t n, unsigned list) {
  ++work_;
  nodes_[n] = {tails_[list], none, static_cast<std::uint16_t>(list)};
  (tails_[list] == none ? heads_[list] : nodes_[tails_[list]].after) = n;
  tails_[list] = n;
}

void waiting_lists::unlink(std::uint32_t n) {
  ++work_;
  const node& it = nodes_[n];
  (it.before == none ? heads_[it.list] : nodes_[it.before].after) = it.after;
  (it.after == none ? tails_[it.list] : nodes_[it.after].before) = it.before;
}

void waiting_lists::add(unsigned slot, buffer_span buffers) {
  if (buffers.count > choices_)
    throw std::length_error("a message waits for " + std::to_string(buffers.count) +
                            " buffers, its place in the bank has nodes for " + std::to_string(choices_));
  std::uint32_t n = slot * choices_;
  if (buffers.count == 0) append(n++, static_cast<unsigned>(heads_.size() - 1));
  for (const std::uint16_t b : buffers) append(n++, b);
  used_[slot] = static_cast<std::uint16_t>(n - slot * choices_);
  ++waiting_;
}

void waiting_lists::remove(unsigned slot) {
  const std::uint32_t first = slot * choices_;
  for (std::uint32_t n = first; n < first + used_[slot]; ++n) unlink(n);
  used_[slot] = 0;
  --waiting_;
}

std::vector<std::uint16_t> waiting_lists::list(unsigned buffer) const {
  std::vector<std::uint16_t> slots;
  each_waiting(buffer, [&slots](std::uint16_t slot) { slots.push_back(slot); });
  return slots;
}

}  // namespace spillway
