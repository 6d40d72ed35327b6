#include <algorithm>
#include <spillway/hw/reduction/contribution.hpp>
#include <spillway/hw/reduction/reduction_group.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <sstream>
#include <stdexcept>

namespace spillway {

using namespace masks;

reduction_group::reduction_group(const reduction_place& place, unsigned rounds, std::string name)
    : place_(place), name_(std::move(name)) {
  for (port_mask rest = place.children; rest; rest &= rest - 1) inputs_.push_back(lowest(rest));
  children_.resize(inputs_.size());
  table_.resize(rounds);
  for (round_state& r : table_) r.contributions.resize(children_.size());
}

void reduction_group::clear() {
  first_ = open_ = up_ = answered_ = 0;
  for (child_state& c : children_) c = {};
}

void reduction_group::fail(const char* what, const flit& f) const {
  std::ostringstream text;
  text << name_ << ": " << what << ": " << f << " of round " << round_of(f);
  throw std::logic_error(text.str());
}

void reduction_group::answer(const flit& result) {
  round_state* const r = find(answered_);
  if (!r || !r->sent || round_of(result) != answered_) fail("a result that nobody waits for", result);
  r->answered = true;
  r->data = data_of(result);
  ++answered_;
}

void reduction_group::fill() {
  for (unsigned c = 0; c < children_.size(); ++c)
    if (children_[c].waiting) place(c);
  most_rounds_ = std::max(most_rounds_, open_);
}

void reduction_group::place(unsigned number) {
  child_state& from = children_[number];
  const flit f = *from.waiting;
  const std::uint64_t round = round_of(f);
  if (round < first_) fail("a contribution to a round that is over", f);
  if (round - first_ >= table_.size()) return;
  while (open_ <= round - first_) open_round();
  round_state& r = *find(round);
  std::optional<flit>& mine = r.contributions[number];
  if (mine) fail("a second contribution to a round", f);
  r.data = r.came ? reduced(reduction_of(f), r.data, data_of(f)) : data_of(f);
  mine = f;
  from.waiting.reset();
  if (++r.came < children_.size()) return;
  merged_ += r.came - 1;
  if (!place_.parent) r.answered = true;
}

/// The next round has a place.
void reduction_group::open_round() {
  round_state& r = place_of(first_ + open_++);
  std::fill(r.contributions.begin(), r.contributions.end(), std::nullopt);
  r.came = r.served = 0;
  r.sent = r.answered = false;
}

std::optional<flit> reduction_group::upward() const {
  const round_state* const r = place_.parent ? find(up_) : nullptr;
  if (!r || r->came < children_.size()) return std::nullopt;
  return with_data(*r->contributions.front(), r->data);
}

void reduction_group::went_up() {
  find(up_)->sent = true;
  ++up_;
}

std::optional<flit> reduction_group::downward(unsigned child) const {
  const round_state* const r = find(children_[child].next);
  if (!r || !r->answered) return std::nullopt;
  return with_data(*r->contributions[child], r->data);
}

void reduction_group::went_down(unsigned child) { ++find(children_[child].next++)->served; }

void reduction_group::close() {
  for (; open_ && place_of(first_).served == children_.size(); --open_) ++first_;
}

unsigned reduction_group::level() const {
  unsigned held = 0;
  for (std::uint64_t round = first_; round < first_ + open_; ++round) {
    const round_state& r = *find(round);
    held += r.came - r.served - (r.sent && !r.answered);
  }
  for (const child_state& c : children_) held += c.waiting.has_value();
  return held;
}

unsigned reduction_group::capacity() const {
  return static_cast<unsigned>(children_.size() * (table_.size() + 1));
}

hardware_size reduction_group::storage() const {
  const std::uint64_t children = children_.size(), rounds = table_.size();
  // Of a round: who has come and been served, whether it is sent and answered, and its data; of each child
  // its next.
  return {capacity(), 0, rounds * (2 * children + 2 + 32) + (children + 4) * bits_below(rounds)};
}

}  // namespace spillway
