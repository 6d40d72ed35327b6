#include <algorithm>
#include <spillway/hw/dampening/assignment.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

namespace {

unsigned checked_number(std::uint64_t buffers) {
  if (buffers < 1 || buffers >= assignment::none)
    throw std::invalid_argument("a pool has 1 to 65534 buffers, found " + std::to_string(buffers));
  return static_cast<unsigned>(buffers);
}

unsigned checked_limit(unsigned j, unsigned buffers) {
  if (j < 1 || j > buffers)
    throw std::invalid_argument("expected 1 to " + std::to_string(buffers) + " buffers a processor, found " +
                                std::to_string(j));
  return j;
}

}  // namespace

assignment::assignment(unsigned buffers) : owner_(checked_number(buffers), nobody) {}

void assignment::mark(unsigned buffer, message_key key) {
  if (taken(buffer)) throw std::logic_error("buffer " + std::to_string(buffer) + " is given to two messages");
  owner_[buffer] = key;
  ++used_;
}

void assignment::unmark(unsigned buffer) {
  if (!taken(buffer)) throw std::logic_error("buffer " + std::to_string(buffer) + " is freed, which is free");
  owner_[buffer] = nobody;
  --used_;
}

unsigned assignment::first_free(buffer_span set) const {
  for (const std::uint16_t b : set) {
    ++work_;
    if (!taken(b)) return b;
  }
  return none;
}

void assignment::clear() {
  std::fill(owner_.begin(), owner_.end(), nobody);
  used_ = 0;
  declarations_.clear();
}

set_table::set_table(const buffer_sets& sets, unsigned buffers) : buffers_(checked_number(buffers)) {
  for (const auto& set : sets) {
    largest_ = std::max(largest_, static_cast<unsigned>(set.size()));
    start_.push_back(static_cast<std::uint32_t>(list_.size()));
    for (const std::uint32_t b : set) {
      if (b >= buffers)
        throw std::invalid_argument("a set names buffer " + std::to_string(b) + " of " +
                                    std::to_string(buffers));
      list_.push_back(static_cast<std::uint16_t>(b));
    }
  }
  start_.push_back(static_cast<std::uint32_t>(list_.size()));
}

set_assignment::set_assignment(std::shared_ptr<const set_table> sets)
    : assignment(sets->buffers()), sets_(std::move(sets)) {}

unsigned set_assignment::take(message_key key) {
  const unsigned b = first_free((*sets_)[key]);
  if (b != none) mark(b, key);
  return b;
}

discovered_assignment::discovered_assignment(std::shared_ptr<const set_table> sets)
    : assignment(sets->buffers()), sets_(std::move(sets)), order_(sets_->size()) {}

buffer_span discovered_assignment::waits_for(message_key key) const {
  const std::uint32_t* const known = order_.find(key);
  const auto number = known ? *known : static_cast<std::uint32_t>(order_.size());
  return (*sets_)[number % sets_->size()];
}

void discovered_assignment::meet(message_key key) {
  if (order_.find(key)) return;
  const auto next = static_cast<std::uint32_t>(order_.size());
  order_[key] = next;
}

buffer_span discovered_assignment::set_of(message_key key) {
  meet(key);
  return waits_for(key);
}

unsigned discovered_assignment::take(message_key key) {
  meet(key);
  const unsigned b = first_free(waits_for(key));
  if (b != none) mark(b, key);
  return b;
}

void discovered_assignment::clear() {
  assignment::clear();
  order_.clear();
}

any_buffer_assignment::any_buffer_assignment(unsigned buffers) : assignment(buffers) {
  any_buffer_assignment::clear();
}

void any_buffer_assignment::clear() {
  assignment::clear();
  free_.resize(buffers());
  for (unsigned b = 0; b < buffers(); ++b) free_[b] = static_cast<std::uint16_t>(buffers() - 1 - b);
}

unsigned any_buffer_assignment::take_any(message_key key) {
  const unsigned b = free_.back();
  free_.pop_back();
  mark(b, key);
  return b;
}

void any_buffer_assignment::release(unsigned buffer) {
  unmark(buffer);
  free_.push_back(static_cast<std::uint16_t>(buffer));
}

counting_assignment::counting_assignment(unsigned buffers, unsigned limit)
    : any_buffer_assignment(buffers),
      limit_(checked_limit(limit, buffers)),
      held_(buffers),
      chain_(buffers) {}

unsigned counting_assignment::count(message_key key) const {
  ++work_;
  const holding* const h = held_.find(key);
  return h ? h->count : 0;
}

unsigned counting_assignment::take(message_key key) {
  if (!admits(key)) return none;
  const auto b = static_cast<std::uint16_t>(take_any(key));
  holding& held = held_[key];
  if (held.count++ == 0) {
    held.first = b;
    chain_[b] = {b, b};
  } else {
    const std::uint16_t last = chain_[held.first].before;
    chain_[b] = {last, held.first};
    chain_[last].after = chain_[held.first].before = b;
  }
  // With the limit at B the pool is full when it is reached, which stops all senders anyway.
  if (held.count == limit_ && limit_ < buffers()) declarations_.push_back({key, true});
  return b;
}

void counting_assignment::release(unsigned buffer) {
  const message_key key = owner(buffer);
  holding& held = *held_.find(key);
  if (held.count == limit_ && limit_ < buffers()) declarations_.push_back({key, false});
  const neighbours beside = chain_[buffer];
  chain_[beside.before].after = beside.after;
  chain_[beside.after].before = beside.before;
  held.first = beside.after;
  if (--held.count == 0) held_.erase(key);
  any_buffer_assignment::release(buffer);
}

void counting_assignment::clear() {
  any_buffer_assignment::clear();
  held_.clear();
}

buffer_span counting_assignment::waits_for(message_key key) const {
  const holding* const h = held_.find(key);
  if (!h || h->count < limit_ || limit_ == buffers()) return {};  // the pool is full
  waits_.clear();
  for (std::uint16_t b = h->first; waits_.size() < h->count; b = chain_[b].after) waits_.push_back(b);
  return {waits_.data(), waits_.size()};
}

modified_counting_assignment::modified_counting_assignment(unsigned buffers, unsigned j)
    : any_buffer_assignment(buffers), rule_(buffers, j), impact_(buffers), is_declared_(buffers) {}

unsigned modified_counting_assignment::take(message_key key) {
  if (!admits(key)) return none;
  const unsigned b = take_any(key);
  impact_.increment(key);
  count_hotspots();
  return b;
}

void modified_counting_assignment::release(unsigned buffer) {
  impact_.decrement(owner(buffer));
  any_buffer_assignment::release(buffer);
  count_hotspots();
}

void modified_counting_assignment::clear() {
  any_buffer_assignment::clear();
  impact_.clear();
  declared_.clear();
  is_declared_.clear();
  hotspots_ = 0;
}

/// A full pool stops everybody and leaves the declared hotspots as they are.
void modified_counting_assignment::count_hotspots() {
  if (full()) return;
  work_ += std::min<std::size_t>(impact_.size(), rule_.most_hotspots());
  hotspots_ = rule_.hotspots(impact_, used());
  declare();
}

/// The first k entries are the declared ones.
void modified_counting_assignment::declare() {
  std::size_t kept = 0;
  for (const message_key key : declared_) {
    ++work_;
    if (impact_.is_among_first(key, hotspots_)) {
      declared_[kept++] = key;
    } else {
      is_declared_.erase(key);
      declarations_.push_back({key, false});
    }
  }
  declared_.resize(kept);
  for (unsigned at = 0; at < hotspots_; ++at) {
    const message_key key = impact_[at].processor;
    if (is_declared_.find(key)) continue;
    is_declared_[key] = true;
    declared_.push_back(key);
    declarations_.push_back({key, true});
  }
}

}  // namespace spillway
