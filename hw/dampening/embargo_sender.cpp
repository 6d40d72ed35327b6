#include <spillway/hw/dampening/embargo_sender.hpp>
#include <stdexcept>
#include <string>

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
  changed_ = true;
}

void embargo_sender::leave_turns(std::uint32_t q) {
  queue& it = queues_[q];
  it.in_turn = false;
  (it.before == none ? first_ : queues_[it.before].after) = it.after;
  (it.after == none ? last_ : queues_[it.after].before) = it.before;
}

void embargo_sender::drop_if_idle(std::uint32_t q) {
  queue& it = queues_[q];
  if (it.first != none || it.embargoed) return;
  index_.erase(it.key);
  it.after = free_;
  free_ = q;
}

void embargo_sender::receive_control(const control_message& m) {
  if (!m.any()) return;
  changed_ = true;
  if (m.report) on_report(m);
  if (!m.embargo && !m.release) return;
  const std::uint32_t q = queue_of(m.terminal);
  queues_[q].embargoed = m.embargo;
  if (m.embargo && queues_[q].in_turn) leave_turns(q);
  if (m.release && queues_[q].first != none && !queues_[q].in_turn) join_turns(q);
  drop_if_idle(q);
}

void embargo_sender::on_report(const control_message& m) {
  // The link's checker says what is wrong.
  if (!pool_ || m.place >= pool_->buffers() || !pool_->holds(m.place, m.terminal)) return;
  pool_->release(m.place);
  pool_->forget_declarations();
}

std::uint16_t embargo_sender::charge(message_key key) {
  if (!pool_) return no_place;
  const unsigned place = pool_->take(key);
  pool_->forget_declarations();
  return static_cast<std::uint16_t>(place);
}

void embargo_sender::add(message_table::id m) {
  messages_[m].next = none;
  const std::uint32_t q = queue_of(messages_[m].key_ahead);
  queue& it = queues_[q];
  if (it.first == none) {
    it.first = it.last = m;
    if (!it.embargoed) join_turns(q);
  } else {
    messages_[it.last].next = m;
    it.last = m;
  }
}

bool embargo_sender::passes(message_key key) const {
  if (interdicted_) return false;
  // A key with a queue has messages there, or is embargoed.
  return !(index_.size() && index_.find(key)) && (!pool_ || pool_->admits(key));
}

bool embargo_sender::may_send(message_table::id m) const {
  const queue& it = queues_[*index_.find(messages_[m].key_ahead)];
  return !interdicted_ && !it.embargoed && it.first == m && admits(it);
}

std::uint16_t embargo_sender::send(message_table::id m) {
  const message_key key = messages_[m].key_ahead;
  const std::uint32_t q = *index_.find(key);
  queue& it = queues_[q];
  it.first = messages_[m].next;
  leave_turns(q);
  if (it.first == none)
    it.last = none;
  else
    join_turns(q);
  changed_ = true;
  drop_if_idle(q);
  return charge(key);
}

void embargo_sender::clear() {
  queues_.clear();
  index_.clear();
  if (pool_) pool_->clear();
  free_ = first_ = last_ = none;
  interdicted_ = changed_ = false;
}

void receive_control(embargo_sender& sender, const control_message& m, const sc_core::sc_object& block,
                     unsigned output) {
  try {
    sender.receive_control(m);
  } catch (const std::length_error& full) {
    const std::string what = std::string(block.name()) + ": the receiver at output " +
                             std::to_string(output) + " embargoes processor " + std::to_string(m.terminal) +
                             ", one too many: " + full.what();
    SC_REPORT_ERROR("spillway/embargo", what.c_str());
    sc_core::sc_abort();  // only if errors have been told not to throw
  }
}

}  // namespace spillway
