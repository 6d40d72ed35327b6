#include <algorithm>
#include <spillway/hw/dampening/waiting_lists.hpp>

namespace spillway {

void waiting_lists::clear() {
  std::fill(heads_.begin(), heads_.end(), none);
  std::fill(tails_.begin(), tails_.end(), none);
  nodes_.clear();
  waiters_.clear();
  free_node_ = free_waiter_ = none;
  waiting_ = 0;
}

std::uint32_t waiting_lists::new_node() {
  if (free_node_ == none) {
    nodes_.emplace_back();
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  const std::uint32_t n = free_node_;
  free_node_ = nodes_[n].sibling;
  return n;
}

void waiting_lists::append(unsigned list, waiter w) {
  ++work_;
  const std::uint32_t n = new_node();
  nodes_[n] = {tails_[list], none, waiters_[w].nodes, w, static_cast<std::uint16_t>(list)};
  waiters_[w].nodes = n;
  (tails_[list] == none ? heads_[list] : nodes_[tails_[list]].after) = n;
  tails_[list] = n;
}

void waiting_lists::unlink(std::uint32_t n) {
  ++work_;
  const node& it = nodes_[n];
  (it.before == none ? heads_[it.list] : nodes_[it.before].after) = it.after;
  (it.after == none ? tails_[it.list] : nodes_[it.after].before) = it.before;
}

waiting_lists::waiter waiting_lists::add(message_key processor, buffer_span buffers) {
  waiter w = free_waiter_;
  if (w == none) {
    w = static_cast<waiter>(waiters_.size());
    waiters_.emplace_back();
  } else {
    free_waiter_ = waiters_[w].nodes;
  }
  waiters_[w] = {processor, none, turn_++};
  ++waiting_;
  if (buffers.count == 0) append(static_cast<unsigned>(heads_.size() - 1), w);
  for (const std::uint16_t b : buffers) append(b, w);
  return w;
}

void waiting_lists::remove(waiter w) {
  for (std::uint32_t n = waiters_[w].nodes; n != none;) {
    unlink(n);
    const std::uint32_t next = nodes_[n].sibling;
    nodes_[n].sibling = free_node_;
    free_node_ = n;
    n = next;
  }
  waiters_[w].nodes = free_waiter_;
  free_waiter_ = w;
  --waiting_;
}

waiting_lists::waiter waiting_lists::first(unsigned buffer) const {
  const std::uint32_t own = heads_[buffer], any = heads_.back();
  if (own == none) return any == none ? nobody : nodes_[any].owner;
  if (any == none) return nodes_[own].owner;
  const waiter a = nodes_[own].owner, b = nodes_[any].owner;
  return waiters_[a].since < waiters_[b].since ? a : b;
}

std::vector<message_key> waiting_lists::list(unsigned buffer) const {
  std::vector<message_key> processors;
  for (std::uint32_t n = heads_[buffer]; n != none; n = nodes_[n].after)
    processors.push_back(waiters_[nodes_[n].owner].processor);
  return processors;
}

}  // namespace spillway
