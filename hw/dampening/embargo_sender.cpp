#include <spillway/hw/dampening/embargo_sender.hpp>

namespace spillway {

std::uint32_t embargo_sender::queue_of(message_key key) {
  if (const std::uint32_t* const known = index_.find(key)) return *known;
  std::uint32_t q = free_;
  if (q == none) {
    q = static_cast<std::uint32_t>(queues_.size());
    queues_.emplace_back();
  } else {
    free_ = queues_[q].after;
  }
  queues_[q] = queue{};
  queues_[q].key = key;
  index_[key] = q;
  return q;
}

void embargo_sender::join_turns(std::uint32_t q) {
  queues_[q].in_turn = true;
  queues_[q].before = last_;
  queues_[q].after = none;
  (last_ == none ? first_ : queues_[last_].after) = q;
  last_ = q;
  look_ = true;
}

void embargo_sender::leave_turns(std::uint32_t q) {
  queue& it = queues_[q];
  it.in_turn = false;
  (it.before == none ? first_ : queues_[it.before].after) = it.after;
  (it.after == none ? last_ : queues_[it.after].before) = it.before;
}

void embargo_sender::drop_if_idle(std::uint32_t q) {
  queue& it = queues_[q];
  if (it.first != none || it.embargoed || it.held) return;
  index_.erase(it.key);
  it.after = free_;
  free_ = q;
}

void embargo_sender::hear(const control_message& m) {
  if (!m.any()) return;
  look_ = true;
  const std::uint32_t q = queue_of(m.terminal);
  if (m.report) report(q);
  if (m.embargo) {
    queues_[q].embargoed = true;
    if (queues_[q].in_turn) leave_turns(q);
  } else if (m.release) {
    queues_[q].embargoed = false;
    if (queues_[q].first != none && !queues_[q].in_turn) join_turns(q);
  }
  drop_if_idle(q);
}

void embargo_sender::report(std::uint32_t q) {
  queue& it = queues_[q];
  if (it.held == 0) return;  // the link's checker says what is wrong
  const std::uint16_t oldest = it.oldest_held;
  it.oldest_held = held_[oldest];
  --it.held;
  pool_->release(oldest);
  pool_->forget_declarations();
}

void embargo_sender::charge(std::uint32_t q) {
  if (pool_) {
    queue& it = queues_[q];
    const auto b = static_cast<std::uint16_t>(pool_->take(it.key));
    pool_->forget_declarations();
    (it.held++ ? held_[it.newest_held] : it.oldest_held) = b;
    it.newest_held = b;
  }
  drop_if_idle(q);
}

void embargo_sender::add(message_store::id m) {
  store_[m].next = none;
  const std::uint32_t q = queue_of(key_of(store_[m].data));
  queue& it = queues_[q];
  if (it.first == none) {
    it.first = it.last = m;
    if (!it.embargoed) join_turns(q);
  } else {
    store_[it.last].next = m;
    it.last = m;
  }
}

bool embargo_sender::passes(const flit& f) const {
  if (interdicted_) return false;
  const message_key key = key_of(f);
  if (const std::uint32_t* const q = index_.find(key))
    if (queues_[*q].first != none || queues_[*q].embargoed) return false;
  return !pool_ || pool_->admits(key);
}

bool embargo_sender::may_send(message_store::id m) const {
  const queue& it = queues_[*index_.find(key_of(store_[m].data))];
  return !interdicted_ && !it.embargoed && it.first == m && admits(it);
}

void embargo_sender::send(message_store::id m) {
  const std::uint32_t q = queue_of(key_of(store_[m].data));
  queue& it = queues_[q];
  it.first = store_[m].next;
  leave_turns(q);
  if (it.first == none)
    it.last = none;
  else
    join_turns(q);
  look_ = true;
  charge(q);
}

void embargo_sender::clear() {
  queues_.clear();
  index_.clear();
  if (pool_) pool_->clear();
  free_ = first_ = last_ = none;
  interdicted_ = look_ = false;
}

}  // namespace spillway
