#include <algorithm>
#include <spillway/hw/nifdy/nifdy_rank.hpp>

namespace spillway {

namespace {

bool is_bulk(const std::optional<flit>& f) { return f && nifdy::has(*f, nifdy::bulk); }
bool is_scalar(const std::optional<flit>& f) {
  return f && !nifdy::has(*f, nifdy::bulk) && !nifdy::has(*f, nifdy::bypass);
}

}  // namespace

nifdy_rank::nifdy_rank(const nifdy_config& config) : config_(config), slots_(config.pool) {}

void nifdy_rank::clear() {
  for (slot_state& s : slots_) s = slot_state{};
  used_ = 0;
  turn_.clear();
}

unsigned nifdy_rank::enter(const flit& head) {
  unsigned slot = 0;
  while (slots_[slot].used) ++slot;
  slots_[slot] = {head, entered_++, true, false};
  ++used_;
  return slot;
}

void nifdy_rank::remove(unsigned slot) {
  slots_[slot].used = false;
  --used_;
}

unsigned nifdy_rank::waiting_in_front(unsigned slot) const {
  unsigned front = 0;
  for (const slot_state& s : slots_)
    front += s.used && s.order < slots_[slot].order && !nifdy::has(s.head, nifdy::bypass) &&
             s.head.destination == slots_[slot].head.destination;
  return front;
}

bool nifdy_rank::another_waits_behind(unsigned slot) const {
  return std::any_of(slots_.begin(), slots_.end(), [&, to = slots_[slot].head.destination](auto& s) {
    return s.used && s.order > slots_[slot].order && !nifdy::has(s.head, nifdy::bypass) &&
           s.head.destination == to;
  });
}

bool nifdy_rank::is_of_several(unsigned slot) const {
  if (config_.automatic_requests) return another_waits_behind(slot);
  return nifdy::has(slots_[slot].head, nifdy::request);
}

bool nifdy_rank::is_last(unsigned slot) const {
  if (config_.automatic_requests) return !another_waits_behind(slot);
  return nifdy::has(slots_[slot].head, nifdy::exit);
}

unsigned nifdy_rank::rank(unsigned slot, const view& v) const {
  return waiting_in_front(slot) + is_taken(slots_[slot].head.destination, v);
}

bool nifdy_rank::is_taken(std::uint32_t destination, const view& v) {
  return v.tags.holds(destination) || (is_scalar(v.last) && v.last->destination == destination) ||
         std::find(v.resting.begin(), v.resting.end(), destination) != v.resting.end();
}

bool nifdy_rank::in_dialog(std::uint32_t destination, const view& v) const {
  return v.dialog.open && v.dialog.peer == destination;
}

std::uint16_t nifdy_rank::next_sequence(const view& v) const {
  return static_cast<std::uint16_t>(v.dialog.next + is_bulk(v.last));
}

bool nifdy_rank::leaving(const view& v) const {
  return v.dialog.leaving || (is_bulk(v.last) && nifdy::has(*v.last, nifdy::exit));
}

bool nifdy_rank::bulk_may_go(const view& v) const {
  return !leaving(v) &&
         nifdy::ahead(next_sequence(v), v.dialog.acknowledged) < static_cast<int>(config_.window);
}

bool nifdy_rank::scalar_may_go(std::uint32_t destination, const view& v) const {
  return !is_taken(destination, v) &&
         v.tags.count + v.resting.size() + (is_scalar(v.last) ? 1u : 0u) < config_.outstanding;
}

bool nifdy_rank::eligible(unsigned slot, const view& v) const {
  const slot_state& s = slots_[slot];
  if (!s.used || !s.complete) return false;
  if (!config_.protocol || nifdy::has(s.head, nifdy::bypass)) return true;
  if (waiting_in_front(slot)) return false;
  return in_dialog(s.head.destination, v) ? bulk_may_go(v) : scalar_may_go(s.head.destination, v);
}

std::optional<unsigned> nifdy_rank::choose(unsigned network, const view& v) {
  std::uint64_t candidates = 0;
  std::optional<unsigned> oldest;
  for (unsigned slot = 0; slot < slots_.size(); ++slot) {
    if (!slots_[slot].used || slots_[slot].head.network != network || !eligible(slot, v)) continue;
    candidates |= std::uint64_t{1} << slot;
    if (!oldest || slots_[slot].order < slots_[*oldest].order) oldest = slot;
  }
  // Without the protocol the buffers are a queue.
  if (!oldest || config_.choice == nifdy_choice::oldest || !config_.protocol) return oldest;
  const unsigned winner = turn_.pick(candidates);
  turn_.granted(winner);
  return winner;
}

flit nifdy_rank::header(unsigned slot, const view& v) const {
  flit f = slots_[slot].head;
  if (!config_.protocol || nifdy::has(f, nifdy::bypass)) {
    nifdy::set_header(f, {nifdy::bypass});
  } else if (in_dialog(f.destination, v)) {
    const bool last = is_last(slot) || v.dialog.ending;
    nifdy::set_header(f, bulk_header(last, v));
  } else {
    // One request at a time, and none in the last packet of a message: the grant would be for nothing.
    const bool unanswered = v.dialog.requested || (is_scalar(v.last) && nifdy::has(*v.last, nifdy::request));
    const bool asks =
        config_.bulk() && is_of_several(slot) && !is_last(slot) && !v.dialog.open && !unanswered;
    nifdy::set_header(f, {asks ? nifdy::request : std::uint8_t{0}});
  }
  return f;
}

bool nifdy_rank::can_leave(const view& v) const {
  if (!v.dialog.open || !v.dialog.ending || !bulk_may_go(v)) return false;
  for (const slot_state& s : slots_)
    if (s.used && s.head.destination == v.dialog.peer && !nifdy::has(s.head, nifdy::bypass)) return false;
  return true;
}

flit nifdy_rank::leave_header(const view& v) const {
  flit f;
  f.kind = flit_kind::acknowledge;
  f.source = config_.terminal;
  f.destination = v.dialog.peer;
  nifdy::set_header(f, bulk_header(true, v));
  return f;
}

nifdy::header nifdy_rank::bulk_header(bool last, const view& v) const {
  const std::uint8_t flags = last ? nifdy::bulk | nifdy::exit : nifdy::bulk;
  return {flags, next_sequence(v), v.dialog.name};
}

}  // namespace spillway
