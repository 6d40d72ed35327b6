#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/topology/certificate.hpp>
#include <spillway/platforms/topology/flow_block.hpp>
#include <stdexcept>
#include <vector>

namespace spillway {

namespace {

using namespace masks;
using number = flow_block::number;
using mask = flow_block::mask;
constexpr number none = flow_block::none;

/// Calls f(first, end) for every run of numbers in the set: what is done for each of them goes side by side.
template <class F>
void each_run(mask set, F&& f) {
  while (set) {
    const unsigned first = lowest(set);
    const mask behind = ~(set >> first);
    const unsigned length = behind ? lowest(behind) : flow_block::most;
    f(first, first + length);
    set &= ~(low_bits(length) << first);
  }
}

/// The highest of the labels from `first` on.
number highest(const number* labels, unsigned first, unsigned end) {
  number most = 0;
  for (unsigned i = first; i < end; ++i) most = std::max(most, labels[i]);
  return most;
}

/// Raises the labels to `held` and to `own`. Returns whether one has changed.
bool raise_to(number* labels, const number* held, number own, unsigned first, unsigned end) {
  number differs = 0;
  for (unsigned i = first; i < end; ++i) {
    const number now = std::max(std::max(labels[i], held[i]), own);
    differs |= now ^ labels[i];
    labels[i] = now;
  }
  return differs != 0;
}

// A count a flow, all side by side: bit by bit, the lowest first. A switch has at most 64 inputs of 64
// channels.
constexpr unsigned count_bits = 13;

/// One more of each of these flows.
void count_up(mask* bits, mask flows) {
  for (; flows; ++bits) {
    const mask carry = *bits & flows;
    *bits ^= flows;
    flows = carry;
  }
}

/// One less of each of these flows, of which there is one.
void count_down(mask* bits, mask flows) {
  for (; flows; ++bits) {
    const mask borrow = ~*bits & flows;
    *bits ^= flows;
    flows = borrow;
  }
}

/// Flows of which there is any.
mask counted(const mask* bits) {
  mask any = 0;
  for (unsigned b = 0; b < count_bits; ++b) any |= bits[b];
  return any;
}

/// Follows one block of flows after the other, and looks for an order of what packets hold.
class certifier {
public:
  certifier(const topology& shape, const routing& routes, const analysis_options& options)
      : shape_(shape),
        shared_pools_(options.shared_pools),
        block_(shape, routes, options),
        links_(block_.links()),
        flows_(block_.flows()),
        order_(std::max<std::size_t>(channels(), num_vertices(shape.g))),
        books_(channels()) {}

  std::string certify(std::uint64_t most) {
    if (!block_.together() && flows_ > most)
      throw std::length_error(
          fmt::format("this routing has a way for each pair of terminals: expected at most {} for a "
                      "certificate, found {}",
                      most, flows_));
    if (block_.adaptive()) {
      settle_orders(flows_, ~0u, true);
    } else {
      for (std::uint64_t first = 0; first < flows_; first += flow_block::most) {
        follow(first, flows_, 1);
        record();
      }
      sort_places();
    }
    return text();
  }

  /// Looked for in a few rounds through all flows or, past so many pairs, as many as there is time for.
  escape_order find_order(std::uint64_t most) {
    constexpr std::uint64_t steps = 16;  // as a pair's in analyse(), about
    std::uint64_t sample = flows_;
    if (const std::uint64_t n = shape_.terminals.size(); n * n > most) {
      follow(0, 1, 1);
      sample = std::clamp<std::uint64_t>(most * steps / (block_.stops().size() + 1), 1, flows_);
    }
    if (!settle_orders(sample, 8, false)) return escape_order::none;
    return sample == flows_ ? escape_order::of_all : escape_order::of_a_sample;
  }

private:
  std::size_t channels() const { return links_.size() * block_.channels(); }
  bool into_terminal(number channel) const { return links_.into_terminal(block_.link_of(channel)); }
  /// What a packet in the channel holds: the buffers of its own, or those that the switch has for all.
  number place(number channel) const {
    return shared_pools_ ? static_cast<number>(links_.to(block_.link_of(channel))) : channel;
  }
  /// Of what the packet holds there, as far as an order is kept of it.
  number order(number channel) const {
    return !block_.adaptive() || block_.is_escape(channel) ? order_[place(channel)] : 0;
  }

  /// A block of those flows of `sample` that are counted from k on, each a stride behind the one before.
  void follow(std::uint64_t k, std::uint64_t sample, std::uint64_t stride) {
    chosen_.clear();
    for (; k < sample && chosen_.size() < flow_block::most; ++k) chosen_.push_back(k * stride % flows_);
    block_.follow(chosen_);
  }

  // --- adaptive routes: labels, by stop and flow

  number* labels(number stop) { return labels_.data() + std::size_t{stop} * flow_block::most; }
  mask* before(number stop) { return before_.data() + std::size_t{stop} * count_bits; }

  /// Carries what packets of the block hold on to where they go, from each channel after all that lead to it;
  /// last from those on circles and behind them. Returns whether every channel that they wait for is higher;
  /// those that were not are then.
  bool relax() {
    bool kept = true;
    count_before();
    ready_.clear();
    for (number s = 0; s < left_.size(); ++s) make_ready(s, left_[s]);
    for (std::size_t done = 0; done < ready_.size();) {
      const auto [stop, flows] = ready_[done++];
      carry_on(stop, flows, kept, [this](number to, mask these) {
        count_down(before(to), these);
        make_ready(to, these);
      });
    }
    for (bool again = true; again;) {
      again = false;
      for (number s = 0; s < left_.size(); ++s)
        if (left_[s]) again |= carry_on(s, left_[s], kept, [](number, mask) {});
    }
    return kept;
  }

  /// How many ways lead to each stop, by flow; all are left to be carried on.
  void count_before() {
    const std::size_t stops = block_.stops().size();
    labels_.resize(stops * flow_block::most);
    before_.assign(stops * count_bits, 0);
    left_.resize(stops);
    for (number s = 0; s < stops; ++s) {
      const auto& stop = block_.stops()[s];
      left_[s] = into_terminal(stop.channel) ? 0 : block_.reached(stop.channel);
      std::fill_n(labels(s), flow_block::most, order(stop.channel));
      for (number g = stop.first_group; g != none; g = block_.groups()[g].next)
        for (const channel_wish& w : block_.wishes_of(block_.groups()[g]))
          count_up(before(block_.stop_at(w.channel)), block_.groups()[g].flows);
    }
  }

  /// Of these flows those that nothing leads to any more.
  void make_ready(number stop, mask flows) {
    const mask now = flows & left_[stop] & ~counted(before(stop));
    left_[stop] &= ~now;
    if (now) ready_.push_back({stop, now});
  }

  /// Tells `f` each stop and the flows that have gone there. Returns whether a label has changed.
  template <class F>
  bool carry_on(number stop, mask flows, bool& kept, F&& f) {
    bool changed = false;
    const number* const held = labels(stop);
    for (number g = block_.stops()[stop].first_group; g != none; g = block_.groups()[g].next) {
      const mask these = flows & block_.groups()[g].flows;
      if (!these) continue;
      number most = 0;
      each_run(these, [&most, held](unsigned first, unsigned end) {
        most = std::max(most, highest(held, first, end));
      });
      for (const channel_wish& w : block_.wishes_of(block_.groups()[g])) {
        if (into_terminal(w.channel)) continue;
        if (w.sure) raise_above(most, place(w.channel), kept);
        const number to = block_.stop_at(w.channel), own = order(w.channel);
        number* const label = labels(to);
        each_run(these,
                 [&](unsigned first, unsigned end) { changed |= raise_to(label, held, own, first, end); });
        f(to, these);
      }
    }
    return changed;
  }

  void raise_above(number held, number waited, bool& kept) {
    if (order_[waited] > held) return;
    kept = false;
    order_[waited] = held + 1;
    if (order_[waited] > channels()) throw std::invalid_argument(no_order());
  }

  /// The lowest orders of escape channels, by going through so many of the flows until nothing changes: first
  /// through a few, as what they find holds for most of the others. Returns whether either took no more than
  /// so many rounds. `keep`: what flows do in the last round is recorded.
  bool settle_orders(std::uint64_t sample, unsigned rounds, bool keep) {
    for (number channel = 0; channel < channels(); ++channel)
      order_[place(channel)] = block_.is_escape(channel);
    // A stride that no size of a network divides, so that a few are not all of one row.
    std::uint64_t stride = flows_ * 618 / 1000 + 1;
    while (std::gcd(stride, flows_) != 1) ++stride;
    follow(0, flows_, stride);
    unsigned left = rounds;
    while (left && !relax()) --left;
    if (!left) return false;
    for (left = rounds; left; --left) {
      if (one_round(sample, keep)) return true;
      forget_rules();
    }
    return false;
  }

  /// Through so many of the flows. Returns whether all kept to the orders, which are raised where they did
  /// not.
  bool one_round(std::uint64_t sample, bool keep) {
    const std::uint64_t blocks = (sample + flow_block::most - 1) / flow_block::most;
    const std::uint64_t all = (flows_ + flow_block::most - 1) / flow_block::most;
    bool kept = true;
    for (std::uint64_t k = 0; k < blocks; ++k) {
      follow(k * all / blocks * flow_block::most, flows_, 1);
      kept &= relax();
      if (keep && kept) record();
    }
    return kept;
  }
  void forget_rules() {
    for (rule_book& book : books_) book = {};
  }

  /// Flows that keep to the same rule at a stop.
  struct part {
    mask flows;
    number label, group;
    number rule = none;  // in the book of the channel
  };

  /// What the flows of the block, which are all in a row, do at each stop.
  void record() {
    for (number s = 0; s < block_.stops().size(); ++s) {
      const auto& stop = block_.stops()[s];
      parts_.clear();
      for (number g = stop.first_group; g != none; g = block_.groups()[g].next) add_parts(s, g);
      if (parts_.empty()) continue;  // it leads into a terminal
      rule_book& book = books_[stop.channel];
      for (mask rest = block_.reached(stop.channel); rest;) {
        const unsigned first = lowest(rest);
        part& p =
            *std::find_if(parts_.begin(), parts_.end(), [=](const part& q) { return q.flows & bit(first); });
        if (p.rule == none) p.rule = book.number_of(rule_of(p));
        const mask others = ~(p.flows >> first);
        const unsigned length = others ? lowest(others) : flow_block::most;
        book.add(chosen_[first], chosen_[first + length - 1], p.rule);
        rest &= ~(low_bits(length) << first);
      }
    }
  }
  void add_parts(number stop, number g) {
    mask rest = block_.groups()[g].flows;
    if (!block_.adaptive()) return parts_.push_back({rest, 0, g});
    const std::size_t mine = parts_.size();
    for (; rest; rest &= rest - 1) {
      const number label = labels(stop)[lowest(rest)];
      auto p = parts_.begin() + static_cast<std::ptrdiff_t>(mine);
      while (p != parts_.end() && p->label != label) ++p;
      if (p == parts_.end()) p = parts_.insert(p, {0, label, g});
      p->flows |= bit(lowest(rest));
    }
  }
  channel_rule rule_of(const part& p) const {
    const auto wishes = block_.wishes_of(block_.groups()[p.group]);
    return {p.label, {wishes.begin(), wishes.end()}};
  }

  /// Without escapes: from each place to those that packets in it wait for, the longest way so far.
  void sort_places() {
    std::vector<std::vector<number>> next(order_.size());
    std::vector<number> before(order_.size());
    for (number channel = 0; channel < books_.size(); ++channel)
      for (const channel_rule& r : books_[channel].rules())
        for (const channel_wish& w : r.wishes)
          if (!into_terminal(w.channel)) next[place(channel)].push_back(place(w.channel));
    for (auto& list : next) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      for (const number to : list) ++before[to];
    }
    std::vector<number> ready;
    for (number p = 0; p < next.size(); ++p)
      if (before[p] == 0) ready.push_back(p);
    for (std::size_t at = 0; at < ready.size(); ++at)
      for (const number to : next[ready[at]]) {
        order_[to] = std::max(order_[to], order_[ready[at]] + 1);
        if (--before[to] == 0) ready.push_back(to);
      }
    if (ready.size() != next.size()) throw std::invalid_argument(no_order());
  }

  static std::string no_order() {
    return "there is no certificate: the channels wait for each other in a cycle";
  }

  std::string text() const {
    std::string out =
        fmt::format("spillway-certificate 1\nterminals {}\nswitches {}\nlinks {}\nchannels {}\n",
                    shape_.terminals.size(), shape_.switches.size(), links_.size(), block_.channels());
    out += block_.together() ? "flows destinations\n" : fmt::format("flows pairs {}\n", block_.words());
    const auto end = [this](link_table::vertex_id v, unsigned port) {
      const vertex& what = shape_.g[v];
      return fmt::format("{}{}:{}", what.role == vertex::terminal ? 't' : 's', what.index, port);
    };
    for (number l = 0; l < links_.size(); ++l)
      out += fmt::format("link {} {}\n", end(links_.from(l), links_.from_port(l)),
                         end(links_.to(l), links_.to_port(l)));
    std::map<std::string, std::size_t> sets;
    for (number channel = 0; channel < books_.size(); ++channel) write(channel, sets, out);
    return out + fmt::format("end {}\n", std::count(out.begin(), out.end(), '\n') + 1);
  }
  void write(number channel, std::map<std::string, std::size_t>& sets, std::string& out) const {
    const number link = block_.link_of(channel), lane = channel % block_.channels();
    if (into_terminal(channel)) {
      if (lane == 0) out += fmt::format("sink {} {}\n", channel, link);
      return;
    }
    const rule_book& book = books_[channel];
    if (book.empty()) return;
    std::vector<std::size_t> numbers;
    for (const std::string& flows : book.flows()) {
      const auto [set, added] = sets.emplace(flows, sets.size());
      if (added) out += fmt::format("set {} {}\n", set->second, flows);
      numbers.push_back(set->second);
    }
    out += fmt::format("channel {} {} {} {} {}\n", channel, link, lane, place(channel), order(channel));
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      const channel_rule& what = book.rules()[r];
      out += fmt::format("rule {} {}", numbers[r], block_.adaptive() ? what.label : order(channel));
      for (const channel_wish& w : what.wishes) out += fmt::format(" {}{}", w.sure ? "" : "?", w.channel);
      out += '\n';
    }
  }

  const topology& shape_;
  const bool shared_pools_;
  flow_block block_;
  const link_table& links_;
  const std::uint64_t flows_;
  std::vector<number> order_;          // by place
  std::vector<rule_book> books_;       // by channel
  std::vector<std::uint64_t> chosen_;  // flows of the block
  std::vector<part> parts_;
  std::vector<number> labels_;  // by stop and flow: the highest order that is held
  std::vector<mask> before_;    // by stop: counts of the ways to there that have not been followed yet
  std::vector<mask> left_;      // by stop: flows that have not gone on
  struct step {
    number stop;
    mask flows;
  };
  std::vector<step> ready_;
};

}  // namespace

std::string certificate(const topology& shape, const routing& routes, const analysis_options& options) {
  if (options.rejects || options.unbounded)
    throw std::invalid_argument("nothing waits for room in this network: there is nothing to certify");
  if (options.hop_classes)
    throw std::invalid_argument("no certificate is written of buffers that are ordered by hops");
  return certifier(shape, routes, options).certify(options.most);
}

escape_order order_of_escapes(const topology& shape, const routing& routes,
                              const analysis_options& options) try {
  return certifier(shape, routes, options).find_order(options.most);
} catch (const std::invalid_argument&) {
  return escape_order::none;
}

}  // namespace spillway
