#include <algorithm>
#include <spillway/hw/dampening/embargo_logic.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

embargo_logic::embargo_logic(std::unique_ptr<assignment> rule, unsigned slots, unsigned reserve)
    : rule_(std::move(rule)),
      slots_(slots),
      reserve_(reserve),
      waiting_(rule_->buffers(), slots, std::max(1u, rule_->most_choices())),
      bank_(slots),
      // Who is embargoed no more stays until the senders know. Notices are told in the order of the changes,
      // so those that they believe to be embargoed were all so at a time, but for who is embargoed again
      // before his release is told. Only a message under way does that, which the reserve has a place for.
      processors_(2 * most_embargoed(*rule_, slots)) {
  if (slots >= none)
    throw std::invalid_argument("expected less than " + std::to_string(none) + " emergency buffers, found " +
                                std::to_string(slots));
  if (reserve >= slots)
    throw std::invalid_argument("expected more than " + std::to_string(reserve) +
                                " emergency buffers, for messages under way, found " + std::to_string(slots));
  embargo_logic::clear();
}

void embargo_logic::clear() {
  rule_->clear();
  waiting_.clear();
  processors_.clear();
  notices_.clear();
  std::fill(bank_.begin(), bank_.end(), bank_place{});
  free_.clear();
  for (unsigned s = slots_; s > 0; --s) free_.push_back(static_cast<std::uint16_t>(s - 1));
}

bool embargo_logic::embargoed(message_key key) const {
  const processor* const p = processors_.find(key);
  return p && p->embargoed();
}

embargo_logic::place embargo_logic::arrive(message_key key) {
  place to;
  to.buffer = static_cast<std::uint16_t>(rule_->take(key));
  if (to.buffer == none && !free_.empty()) {
    to.slot = free_.back();
    free_.pop_back();
    bank_[to.slot] = {key, use::waits};
    waiting_.add(to.slot, rule_->waits_for(key));
    ++processors_[key].banked;
    update_embargo(key);
  }
  take_declarations();
  return to;
}

std::optional<embargo_logic::move> embargo_logic::leave_buffer(unsigned buffer) {
  rule_->release(buffer);
  std::optional<move> result;
  const auto admitted = [this](std::uint16_t s) { return rule_->admits(bank_[s].key); };
  if (const std::uint16_t slot = waiting_.first(buffer, admitted); slot != waiting_lists::nobody) {
    result = move{slot, static_cast<std::uint16_t>(rule_->take(bank_[slot].key))};
    stop_waiting(slot, use::moves);
  }
  take_declarations();
  return result;
}

void embargo_logic::leave_slot(unsigned slot) {
  stop_waiting(slot, use::moves);
  vacate(slot);
}

void embargo_logic::vacate(unsigned slot) {
  if (bank_[slot].now != use::moves)
    throw std::logic_error("place " + std::to_string(slot) + " of the bank is freed, " +
                           (bank_[slot].now == use::free ? "which is free" : "whose message waits"));
  bank_[slot].now = use::free;
  free_.push_back(static_cast<std::uint16_t>(slot));
}

void embargo_logic::stop_waiting(unsigned slot, use next) {
  if (bank_[slot].now != use::waits)
    throw std::logic_error("no message waits at place " + std::to_string(slot) + " of the bank");
  waiting_.remove(slot);
  bank_[slot].now = next;
  --processors_.find(bank_[slot].key)->banked;
  update_embargo(bank_[slot].key);
}

void embargo_logic::take_declarations() {
  for (const assignment::declaration& d : rule_->declarations()) {
    processors_[d.key].declared = d.hot;
    update_embargo(d.key);
  }
  rule_->forget_declarations();
}

/// Queues the processor while the senders believe something else, forgets it if there is nothing to remember.
void embargo_logic::update_embargo(message_key key) {
  processor& p = *processors_.find(key);
  const bool news = p.embargoed() != p.reported;
  if (news && !p.queued) notices_.push_back(key);
  if (!news && p.queued) notices_.erase(std::find(notices_.begin(), notices_.end(), key));
  p.queued = news;
  if (!p.embargoed() && !p.reported) processors_.erase(key);
}

std::optional<embargo_logic::notice> embargo_logic::next_notice() {
  if (notices_.empty()) return std::nullopt;
  const message_key key = notices_.front();
  notices_.pop_front();
  processor& p = *processors_.find(key);
  p.queued = false;
  p.reported = p.embargoed();
  const notice news{key, p.reported};
  update_embargo(key);
  return news;
}

}  // namespace spillway
