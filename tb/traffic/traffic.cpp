#include <algorithm>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/tb/traffic/traffic.hpp>

namespace spillway {

namespace {

unsigned bits_of(std::uint32_t terminals) {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < terminals) ++bits;
  return bits;
}

}  // namespace

random_stream make_stream(std::uint64_t seed, std::uint64_t terminal, std::uint64_t purpose) {
  std::uint64_t z = draw(seed, terminal, purpose);
  std::array<std::uint32_t, 8> words;
  for (std::uint32_t& w : words) w = static_cast<std::uint32_t>((z = scatter(z)) >> 32);
  random_stream stream;
  auto first = words.begin();
  stream.seed(first, words.end());
  return stream;
}

namespace {

/// All terminals in a random order.
std::vector<std::uint32_t> shuffled(std::uint32_t terminals, random_stream stream) {
  std::vector<std::uint32_t> order(terminals);
  std::iota(order.begin(), order.end(), 0);
  for (std::uint32_t i = terminals; i > 1; --i)
    std::swap(order[i - 1], order[boost::random::uniform_int_distribution<std::uint32_t>(0, i - 1)(stream)]);
  return order;
}

}  // namespace

std::vector<bool> choose_terminals(double share, std::uint32_t terminals, bool random, std::uint64_t seed) {
  const auto wanted = static_cast<std::uint32_t>(std::lround(share * terminals));
  std::vector<bool> chosen(terminals);
  if (!random) {
    std::fill_n(chosen.begin(), wanted, true);
    return chosen;
  }
  const auto order = shuffled(terminals, make_stream(seed, 0, 2));
  for (std::uint32_t i = 0; i < wanted; ++i) chosen[order[i]] = true;
  return chosen;
}

std::vector<std::uint32_t> choose_stopped(std::uint32_t count, std::uint32_t terminals, std::uint64_t seed) {
  auto chosen = shuffled(terminals, make_stream(seed, 0, 3));
  chosen.resize(std::min(count, terminals));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

bool is_permutation(pattern p) {
  return p != pattern::uniform && p != pattern::hotspot && p != pattern::cshift && p != pattern::trace &&
         p != pattern::locality;
}

batch_plan::batch_plan(std::uint32_t terminals, std::uint32_t senders, std::uint32_t batches,
                       std::uint64_t seed)
    : first_(terminals + std::size_t{1}) {
  random_stream stream = make_stream(seed, 0, 2);
  std::vector<std::uint32_t> all(terminals);
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::uint32_t> chosen;  // batch after batch
  for (std::uint32_t b = 0; b < batches; ++b)
    for (std::uint32_t i = 0; i < senders; ++i) {
      const boost::random::uniform_int_distribution<std::uint32_t> rest(i, terminals - 1);
      std::swap(all[i], all[rest(stream)]);
      chosen.push_back(all[i]);
      ++first_[all[i] + 1];
    }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  batches_.resize(chosen.size());
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    batches_[next[chosen[i]]++] = static_cast<std::uint32_t>(i / senders);
}

bool needs_power_of_two(pattern p) {
  return p == pattern::transpose || p == pattern::bit_reversal || p == pattern::bit_complement ||
         p == pattern::shuffle;
}

std::uint32_t permute(pattern p, std::uint32_t source, std::uint32_t terminals, std::uint64_t offset) {
  const unsigned bits = bits_of(terminals);
  const std::uint32_t all = terminals - 1;
  switch (p) {
    case pattern::shift:
      return static_cast<std::uint32_t>((source + offset) % terminals);
    case pattern::all_to_one:
      return static_cast<std::uint32_t>(offset);
    case pattern::tornado:
      return static_cast<std::uint32_t>((source + (std::uint64_t{terminals} + 1) / 2 - 1) % terminals);
    case pattern::transpose:
      return ((source >> bits / 2) | (source << bits / 2)) & all;
    case pattern::bit_complement:
      return ~source & all;
    case pattern::shuffle:
      return bits ? ((source << 1) | (source >> (bits - 1))) & all : 0;
    case pattern::bit_reversal: {
      std::uint32_t reversed = 0;
      for (unsigned b = 0; b < bits; ++b) reversed |= (source >> b & 1) << (bits - 1 - b);
      return reversed;
    }
    default:
      return source;
  }
}

traffic_supply::traffic_supply(std::shared_ptr<const std::vector<traffic_entry>> entries,
                               std::uint32_t terminal, std::uint32_t terminals, std::uint16_t length,
                               std::uint64_t seed)
    : entries_(std::move(entries)),
      terminal_(terminal),
      terminals_(terminals),
      length_(length),
      when_(make_stream(seed, terminal, 0)),
      where_(make_stream(seed, terminal, 1)) {
  enter(0, 0);
}

double traffic_supply::uniform_time() { return boost::random::uniform_01<double>()(when_); }

std::uint32_t traffic_supply::below(std::uint32_t n) {
  return boost::random::uniform_int_distribution<std::uint32_t>(0, n - 1)(where_);
}

void traffic_supply::enter(std::size_t entry, std::uint64_t cycle) {
  entry_ = entry;
  begin_ = cycle;
  sent_ = 0;
  line_ = 0;
  burst_left_ = 0;
  clock_ = static_cast<double>(cycle);
  next_ = never;
  if (exhausted()) return;
  const traffic_entry& e = current();
  const bool silent =
      (e.where == pattern::hotspot && e.targets.empty() && e.fraction == 1) ||
      (is_permutation(e.where) && permute(e.where, terminal_, terminals_, e.offset) == terminal_) ||
      ((e.where == pattern::uniform || e.where == pattern::cshift) && !e.include_self && terminals_ == 1);
  if (!silent) draw_next(cycle);
}

bool traffic_supply::over(std::uint64_t cycle) const {
  const traffic_entry& e = current();
  if (e.cycles && cycle >= begin_ + e.cycles) return true;
  if (e.messages && sent_ >= e.messages) return true;
  if (e.when == injection::batch) return next_ == never;
  if (e.where == pattern::cshift) return sent_ >= e.per_phase * (terminals_ - 1);
  // A terminal that sends nothing waits for the end of the entry only if it has one in cycles.
  return next_ == never && !e.cycles;
}

void traffic_supply::draw_next(std::uint64_t now) {
  const traffic_entry& e = current();
  if (e.where == pattern::trace) {
    while (line_ < e.trace->size() && (*e.trace)[line_].source != terminal_) ++line_;
    next_ = line_ < e.trace->size() ? begin_ + (*e.trace)[line_].cycle : never;
    return;
  }
  const double p = e.rate / length_;
  const bool first = next_ == never;
  switch (e.when) {
    case injection::batch: {
      const std::uint64_t last = e.plan ? e.plan->count(terminal_) : e.batches;
      const std::uint64_t batch = e.plan && sent_ < last ? e.plan->batch(terminal_, sent_) : sent_;
      next_ = sent_ < last ? begin_ + batch * e.every : never;
      return;
    }
    case injection::saturated:
      next_ = now;
      return;
    case injection::bernoulli: {
      // Geometric gap: at least one cycle after the last packet.
      const double gap = p >= 1 ? 0 : std::floor(std::log1p(-uniform_time()) / std::log1p(-p));
      next_ = p <= 0 ? never : (first ? now : std::max(next_, now) + 1) + cycles_of(gap);
      return;
    }
    case injection::blocking:
      clock_ = std::max(clock_, static_cast<double>(now));
      [[fallthrough]];
    case injection::exponential:
      clock_ += p <= 0 ? 0 : -std::log1p(-uniform_time()) / p;
      next_ = p <= 0 ? never : cycles_of(clock_);
      return;
    case injection::burst: {
      if (p <= 0) return;
      if (burst_left_ > 1) {
        --burst_left_;
        next_ += length_;
        return;
      }
      // Mean gap between bursts that gives the mean rate when a burst runs at full speed.
      const double quiet = std::max(0.0, e.burst_length * length_ * (1 / e.rate - 1));
      const double gap = -std::log1p(-uniform_time()) * quiet;
      burst_left_ =
          e.burst_length <= 1
              ? 1
              : 1 + static_cast<std::uint64_t>(std::log1p(-uniform_time()) / std::log1p(-1 / e.burst_length));
      next_ = (first ? now : next_ + length_) + cycles_of(gap);
      return;
    }
  }
}

std::uint64_t traffic_supply::due(std::uint64_t now, std::size_t backlog) {
  while (!exhausted()) {
    const traffic_entry& e = current();
    if (over(now)) {
      enter(entry_ + 1, now);
      continue;
    }
    const std::uint64_t end = e.cycles ? begin_ + e.cycles : never;
    if (e.when == injection::saturated && e.where != pattern::trace && next_ != never)
      return backlog == 0 ? now : end;
    if (next_ < end) return std::max(next_, now);
    if (end > now) return end;  // come again when the next entry begins
  }
  return never;
}

packet_order traffic_supply::take(std::uint64_t now) {
  const traffic_entry& e = current();
  packet_order order;
  order.length = length_;
  order.flags = e.flags;
  if (e.where == pattern::trace) {
    order.destination = (*e.trace)[line_].destination;
    order.length = (*e.trace)[line_].length;
    ++line_;
  } else {
    order.destination = destination(order.kind);
    if (e.where == pattern::locality && order.kind == flit_kind::combinable) order.flags = hot_message;
  }
  ++sent_;
  draw_next(now);
  return order;
}

std::uint32_t traffic_supply::any_terminal(bool or_itself) {
  const std::vector<bool>& spared = current().spared;
  while (true) {
    const std::uint32_t t =
        or_itself ? below(terminals_) : (terminal_ + 1 + below(terminals_ - 1)) % terminals_;
    if (spared.empty() || !spared[t]) return t;
  }
}

std::uint32_t traffic_supply::destination(flit_kind& kind) {
  const traffic_entry& e = current();
  switch (e.where) {
    case pattern::uniform:
      return any_terminal(e.include_self || terminals_ == 1);
    case pattern::hotspot:
      if ((e.hot_sources.empty() || e.hot_sources[terminal_]) &&
          boost::random::uniform_01<double>()(where_) < e.fraction) {
        kind = flit_kind::combinable;
        return e.targets[e.targets.size() == 1 ? 0 : below(static_cast<std::uint32_t>(e.targets.size()))];
      }
      return any_terminal(true);
    case pattern::locality: {
      const double u = boost::random::uniform_01<double>()(where_);
      if (u < e.fraction) {
        kind = flit_kind::combinable;
        return e.targets[e.targets.size() == 1 ? 0 : below(static_cast<std::uint32_t>(e.targets.size()))];
      }
      const std::uint32_t first = terminal_ - terminal_ % e.cluster;
      const bool stays = u < e.fraction + e.local || e.cluster == terminals_;
      if (stays) return first + below(e.cluster);
      return (first + e.cluster + below(terminals_ - e.cluster)) % terminals_;
    }
    case pattern::cshift:
      return static_cast<std::uint32_t>((terminal_ + 1 + sent_ / e.per_phase) % terminals_);
    default:
      return permute(e.where, terminal_, terminals_, e.offset);
  }
}

}  // namespace spillway
