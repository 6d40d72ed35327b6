#include <algorithm>
#include <spillway/tb/traffic/traffic.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace spillway {

traffic_supply::traffic_supply(std::shared_ptr<const traffic_list> entries, std::uint32_t terminal,
                               std::uint64_t seed, unsigned stream)
    : entries_(std::move(entries)),
      terminal_(terminal),
      when_(make_stream(seed, terminal, purpose_of(purpose::times, stream))),
      where_(make_stream(seed, terminal, purpose_of(purpose::destinations, stream))),
      how_long_(make_stream(seed, terminal, purpose_of(purpose::lengths, stream))) {
  enter(0, 0);
}

void traffic_supply::enter(std::size_t entry, std::uint64_t cycle) {
  entry_ = entry;
  sent_ = 0;
  left_ = 0;
  next_ = never;
  if (exhausted()) return;
  const traffic_entry& e = current();
  const std::uint64_t begin = std::max(cycle, e.start);
  end_ = e.cycles ? begin + e.cycles : never;
  limit_ = std::min(e.messages ? e.messages : never, e.where->packets());
  waits_ = e.when->waits_for_room();
  over_when_done_ = !e.cycles || e.when->ends();
  if ((!e.senders.empty() && !e.senders[terminal_]) || e.where->silent(terminal_)) return;
  arrivals_ = e.when->start(terminal_);
  if (!arrivals_)
    throw std::logic_error("an injection has no arrivals for terminal " + std::to_string(terminal_) +
                           ", which is not silent");
  next_ = arrivals_->first(begin, when_);
}

std::uint64_t traffic_supply::due(std::uint64_t now, std::size_t backlog) {
  while (!exhausted()) {
    if (over(now)) {
      enter(entry_ + 1, now);
      continue;
    }
    if (waits_ && backlog && !left_ && next_ <= now) return end_;  // the rest of a message comes at once
    if (next_ < end_) return std::max(next_, now);
    return end_;  // come again when the next entry begins
  }
  return never;
}

packet_order traffic_supply::take(std::uint64_t now) {
  const traffic_entry& e = current();
  if (!left_) {
    left_ = e.message;
    flits_ = 0;
    last_ = {};
    last_.length = e.lengths.draw(how_long_);
    last_.interface_word = e.interface_word;
    e.where->address(last_, terminal_, sent_ / e.message, where_);
  } else {
    last_.length = e.lengths.draw(how_long_);
  }
  ++sent_;
  flits_ += last_.length;
  if (--left_ == 0) next_ = arrivals_->next(next_, now, flits_, when_);
  return last_;
}

merged_supply::merged_supply(std::vector<std::unique_ptr<timed_supply>> streams)
    : streams_(std::move(streams)), due_(streams_.size(), never) {}

std::uint64_t merged_supply::due(std::uint64_t now, std::size_t backlog) {
  for (std::size_t s = 0; s < streams_.size(); ++s) due_[s] = streams_[s]->due(now, backlog);
  return *std::min_element(due_.begin(), due_.end());
}

packet_order merged_supply::take(std::uint64_t now) {
  std::size_t first = 0;
  const auto rank = [&](std::size_t s) { return std::pair(due_[s] > now, streams_[s]->scheduled()); };
  for (std::size_t s = 1; s < streams_.size(); ++s)
    if (rank(s) < rank(first)) first = s;
  due_[first] = never;  // until it is asked again
  return streams_[first]->take(now);
}

bool merged_supply::exhausted() const {
  return std::all_of(streams_.begin(), streams_.end(), [](const auto& s) { return s->exhausted(); });
}

bool merged_supply::depends_on_backlog() const {
  return std::any_of(streams_.begin(), streams_.end(), [](const auto& s) { return s->depends_on_backlog(); });
}

std::uint64_t merged_supply::scheduled() const {
  std::uint64_t first = never;
  for (const auto& s : streams_) first = std::min(first, s->scheduled());
  return first;
}

}  // namespace spillway
