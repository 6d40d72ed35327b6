#include <spillway/hw/dampening/embargo_logic.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

embargo_logic::embargo_logic(std::unique_ptr<assignment> rule, unsigned slots, unsigned reserve)
    : rule_(std::move(rule)), slots_(slots), reserve_(reserve), waiting_(rule_->buffers()), bank_(slots) {
  if (slots >= none || reserve >= slots)
    throw std::invalid_argument("expected more than " + std::to_string(reserve) +
                                " emergency buffers, for messages under way, found " + std::to_string(slots));
  embargo_logic::clear();
}

void embargo_logic::clear() {
  rule_->clear();
  waiting_.clear();
  processors_.clear();
  news_.clear();
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
    processor& p = processors_[key];
    bank_[to.slot] = {key, p.newest, none};
    (p.newest == none ? p.oldest : bank_[p.newest].newer) = to.slot;
    p.newest = to.slot;
    if (p.waiter == waiting_lists::nobody) p.waiter = waiting_.add(key, rule_->waits_for(key));
    settle(key);
  }
  take_declarations();
  return to;
}

std::optional<embargo_logic::move> embargo_logic::leave_buffer(unsigned buffer) {
  rule_->release(buffer);
  std::optional<move> result;
  if (const waiting_lists::waiter w = waiting_.first(buffer); w != waiting_lists::nobody) {
    const message_key key = waiting_.processor(w);
    const unsigned taken = rule_->take(key);
    if (taken != assignment::none) {
      processor& p = *processors_.find(key);
      result = move{p.oldest, static_cast<std::uint16_t>(taken)};
      unlink(p, p.oldest);
      waiting_.remove(w);
      p.waiter = waiting_lists::nobody;
      // With more messages in the bank it goes to the end of its lists.
      if (p.oldest != none) p.waiter = waiting_.add(key, rule_->waits_for(key));
      settle(key);
    }
  }
  take_declarations();
  return result;
}

void embargo_logic::leave_slot(unsigned slot) {
  const message_key key = bank_[slot].key;
  processor& p = *processors_.find(key);
  unlink(p, slot);
  if (p.oldest == none) {
    waiting_.remove(p.waiter);
    p.waiter = waiting_lists::nobody;
  }
  vacate(slot);
  settle(key);
}

void embargo_logic::unlink(processor& p, unsigned slot) {
  const auto [key, older, newer] = bank_[slot];
  (older == none ? p.oldest : bank_[older].newer) = newer;
  (newer == none ? p.newest : bank_[newer].older) = older;
}

void embargo_logic::take_declarations() {
  for (const assignment::declaration& d : rule_->declarations()) {
    processors_[d.key].declared = d.hot;
    settle(d.key);
  }
  rule_->forget_declarations();
}

/// Queues the processor if the senders believe something else, forgets it if there is nothing to remember.
void embargo_logic::settle(message_key key) {
  processor& p = *processors_.find(key);
  if (p.embargoed() != p.told && !p.queued) {
    p.queued = true;
    news_.push_back(key);
  }
  if (!p.embargoed() && !p.told && !p.queued) processors_.erase(key);
}

std::optional<embargo_logic::notice> embargo_logic::next_notice() {
  while (!news_.empty()) {
    const message_key key = news_.front();
    news_.pop_front();
    processor& p = *processors_.find(key);
    p.queued = false;
    const bool embargo = p.embargoed();
    const bool changed = embargo != p.told;
    p.told = embargo;
    settle(key);
    if (changed) return notice{key, embargo};
  }
  return std::nullopt;
}

}  // namespace spillway
