#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <iterator>
#include <map>
#include <numeric>
#include <spillway/platforms/topology/certificate.hpp>
#include <stdexcept>
#include <vector>

namespace spillway {

namespace {

using vertex_id = graph::vertex_descriptor;
using number = std::uint32_t;
constexpr number none = ~number{0};

/// A channel that a packet asks for next.
struct wish {
  number channel;
  bool sure;  ///< the packet may wait for this one alone; otherwise it never needs it
};
bool operator==(const wish& a, const wish& b) { return a.channel == b.channel && a.sure == b.sure; }

/// What packets of some flows do that have come as far as one channel.
struct rule {
  number label = 0;  ///< the highest order of what such a packet may hold
  std::vector<wish> wishes;
};
bool operator==(const rule& a, const rule& b) { return a.label == b.label && a.wishes == b.wishes; }

/// The rules of a channel, and which of them each flow keeps to. Flows come in ascending order.
class rule_book {
public:
  void add(std::uint64_t flow, const rule& what) {
    const number at = number_of(what);
    if (!runs_.empty() && runs_.back().rule == at && runs_.back().last + 1 == flow)
      runs_.back().last = flow;
    else
      runs_.push_back({flow, flow, at});
  }
  const std::vector<rule>& rules() const { return rules_; }
  bool empty() const { return rules_.empty(); }
  /// The flows of a rule: `0-3,7`.
  std::vector<std::string> flows() const {
    std::vector<std::string> sets(rules_.size());
    for (const run& r : runs_) {
      std::string& set = sets[r.rule];
      if (!set.empty()) set += ',';
      fmt::format_to(std::back_inserter(set), r.first == r.last ? "{}" : "{}-{}", r.first, r.last);
    }
    return sets;
  }

private:
  struct run {
    std::uint64_t first, last;
    number rule;
  };
  number number_of(const rule& what) {
    if (!runs_.empty() && rules_[runs_.back().rule] == what) return runs_.back().rule;
    const auto found = std::find(rules_.begin(), rules_.end(), what);
    const auto at = static_cast<number>(found - rules_.begin());
    if (found == rules_.end()) rules_.push_back(what);
    return at;
  }
  std::vector<rule> rules_;
  std::vector<run> runs_;
};

/// Follows one flow after the other: packets to one terminal, or of one terminal to another with one route
/// that is written at the entry. Channel c of link l has the number l * channels + c.
class certifier {
public:
  certifier(const topology& shape, const routing& routes, const analysis_options& options)
      : shape_(shape),
        routes_(routes),
        shared_pools_(options.shared_pools),
        together_(routes.memoryless() && routes.entry_routes() == 0),
        channels_(options.channels),
        words_(std::max(routes.entry_routes(), 1u)),
        all_(channels_ >= 64 ? ~channel_mask{0} : (channel_mask{1} << channels_) - 1),
        escape_(routes.escape() & all_),
        flows_(together_ ? shape.terminals.size() : pairs(shape) * words_),
        leaving_(num_vertices(shape.g)) {
    for (const auto e : boost::make_iterator_range(edges(shape.g))) {
      auto& ports = leaving_[source(e, shape.g)];
      ports.resize(std::max<std::size_t>(ports.size(), shape.g[e].from_port + 1u), none);
      ports[shape.g[e].from_port] = static_cast<number>(links_.size());
      links_.push_back(e);
    }
    const std::size_t channels = links_.size() * channels_;
    seen_.resize(channels);
    at_.resize(channels);
    label_.resize(channels);
    books_.resize(channels);
    order_.resize(std::max<std::size_t>(channels, num_vertices(shape.g)));
  }

  std::string certify(std::uint64_t most) {
    if (!together_ && flows_ > most)
      throw std::length_error(
          fmt::format("this routing has a way for each pair of terminals: expected at most {} for a "
                      "certificate, found {}",
                      most, flows_));
    if (escape_) {
      settle_orders(flows_, ~0u, true);
    } else {
      for (std::uint64_t flow = 0; flow < flows_; ++flow) {
        follow(flow);
        record(flow);
      }
      sort_places();
    }
    return text();
  }

  /// Looked for in a few rounds through all flows or, past so many pairs, as many as there is time for.
  escape_order find_order(std::uint64_t most) {
    constexpr std::uint64_t steps = 16;  // as a pair's in analyse(), about
    std::uint64_t sample = flows_;
    if (pairs(shape_) > most) {
      follow(0);
      sample = std::clamp<std::uint64_t>(most * steps / (steps_.size() + 1), 1, flows_);
    }
    if (!settle_orders(sample, 8, false)) return escape_order::none;
    return sample == flows_ ? escape_order::of_all : escape_order::of_a_sample;
  }

private:
  struct step {
    number channel, source;     // source: of a packet that came so
    number first = 0, end = 0;  // its wishes, of all
  };
  auto wishes_of(const step& s) const {
    return boost::make_iterator_range(wishes_.data() + s.first, wishes_.data() + s.end);
  }
  static std::uint64_t pairs(const topology& shape) {
    return std::uint64_t{shape.terminals.size()} * shape.terminals.size();
  }

  number link_of(number channel) const { return channel / channels_; }
  vertex_id end_of(number link) const { return target(links_[link], shape_.g); }
  bool into_terminal(number link) const { return shape_.g[end_of(link)].role == vertex::terminal; }
  bool is_escape(number channel) const { return escape_ >> channel % channels_ & 1; }
  /// What a packet in the channel holds: the buffers of its own, or those that the switch has for all.
  number place(number channel) const {
    return shared_pools_ ? static_cast<number>(end_of(link_of(channel))) : channel;
  }
  /// Of what the packet holds there, as far as an order is kept of it.
  number order(number channel) const { return !escape_ || is_escape(channel) ? order_[place(channel)] : 0; }

  void reach(number channel, number source) {
    if (seen_[channel] == round_) return;
    seen_[channel] = round_;
    label_[channel] = order(channel);
    at_[channel] = static_cast<number>(steps_.size());
    steps_.push_back({channel, source});
  }

  void enter(number source) {
    const auto& ports = leaving_[shape_.terminals[source]];
    if (ports.empty())
      throw std::invalid_argument(fmt::format("terminal {} has no link into the network", source));
    for (unsigned c = 0; c < channels_; ++c) reach(ports[0] * channels_ + c, source);
  }

  /// All channels that packets of the flow come to, with what they ask for there.
  void follow(std::uint64_t flow) {
    ++round_;
    steps_.clear();
    wishes_.clear();
    const auto n = static_cast<number>(shape_.terminals.size());
    if (together_) {
      flit_.destination = static_cast<number>(flow);
      for (number source = 0; source < n; ++source) enter(source);
    } else {
      flit_.route = static_cast<number>(flow % words_);
      flit_.destination = static_cast<number>(flow / words_ % n);
      enter(static_cast<number>(flow / words_ / n));
    }
    for (std::size_t at = 0; at < steps_.size(); ++at) {
      steps_[at].first = static_cast<number>(wishes_.size());
      go_on(at);
      steps_[at].end = static_cast<number>(wishes_.size());
    }
  }

  void go_on(std::size_t at) {
    const number channel = steps_[at].channel, link = link_of(channel);
    const vertex_id v = end_of(link);
    if (shape_.g[v].role == vertex::terminal) {
      if (shape_.g[v].index != flit_.destination)
        throw std::invalid_argument(
            fmt::format("a packet to terminal {} ends at {}", number{flit_.destination}, shape_.name(v)));
      return;
    }
    flit_.source = steps_[at].source;
    flit_.lane = static_cast<std::uint8_t>(channel % channels_);
    const unsigned node = shape_.g[v].index, input = shape_.g[links_[link]].to_port;
    bool sure = false;
    for (port_mask rest = routes_.outputs(node, input, flit_); rest; rest &= rest - 1) {
      const auto o = static_cast<unsigned>(__builtin_ctzll(rest));
      if (o >= leaving_[v].size() || leaving_[v][o] == none) continue;
      const number onward = leaving_[v][o];
      channel_mask allowed = into_terminal(onward) ? 1 : routes_.channels(node, input, o, flit_) & all_;
      for (; allowed; allowed &= allowed - 1) {
        const number next = onward * channels_ + static_cast<number>(__builtin_ctzll(allowed));
        reach(next, steps_[at].source);
        wishes_.push_back({next, !escape_ || is_escape(next) || into_terminal(onward)});
        sure |= wishes_.back().sure;
      }
    }
    if (!sure)
      throw std::invalid_argument(fmt::format("{} has no way on, or no escape, for a packet to terminal {}",
                                              shape_.name(v), number{flit_.destination}));
  }

  /// The channels of the flow, each after all that lead to it; last those on circles and behind them.
  void sort_steps() {
    sorted_.clear();
    before_.assign(steps_.size(), 0);
    for (const wish& w : wishes_) ++before_[at_[w.channel]];
    for (number at = 0; at < steps_.size(); ++at)
      if (before_[at] == 0) sorted_.push_back(at);
    for (std::size_t done = 0; done < sorted_.size(); ++done)
      for (const wish& w : wishes_of(steps_[sorted_[done]]))
        if (--before_[at_[w.channel]] == 0) sorted_.push_back(at_[w.channel]);
    for (number at = 0; at < steps_.size(); ++at)
      if (before_[at] != 0) sorted_.push_back(at);
  }

  /// Carries what packets of the flow hold on to where they go. Returns whether every channel that they wait
  /// for is higher; those that were not are then.
  bool relax() {
    bool kept = true;
    sort_steps();
    const bool circles = std::any_of(before_.begin(), before_.end(), [](number left) { return left != 0; });
    for (bool again = true; again;) {
      again = false;
      for (const number at : sorted_) again |= carry_on(steps_[at], kept);
      again = again && circles;
    }
    return kept;
  }

  /// Returns whether a label has changed.
  bool carry_on(const step& from, bool& kept) {
    bool changed = false;
    for (const wish& w : wishes_of(from)) {
      if (into_terminal(link_of(w.channel))) continue;
      const number held = label_[from.channel];
      number& waited = order_[place(w.channel)];
      if (w.sure && waited <= held) {
        kept = false;
        waited = held + 1;
        if (waited > seen_.size()) throw std::invalid_argument(no_order());
      }
      const number to = std::max(held, order(w.channel));
      if (label_[w.channel] >= to) continue;
      label_[w.channel] = to;
      changed = true;
    }
    return changed;
  }

  /// The lowest orders of escape channels, by going through so many of the flows until nothing changes: first
  /// through a few, as what they find holds for most of the others. Returns whether either took no more than
  /// so many rounds. `keep`: what flows do in the last round is recorded.
  bool settle_orders(std::uint64_t sample, unsigned rounds, bool keep) {
    for (number channel = 0; channel < seen_.size(); ++channel) order_[place(channel)] = is_escape(channel);
    constexpr std::uint64_t few = 64;
    unsigned left = rounds;
    while (left && !one_round(std::min(few, sample), false)) --left;
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
    // One that no size of a network divides, so that a few are not all of one row.
    std::uint64_t stride = sample == flows_ ? 1 : flows_ * 618 / 1000 + 1;
    while (std::gcd(stride, flows_) != 1) ++stride;
    bool kept = true;
    for (std::uint64_t k = 0; k < sample; ++k) {
      const std::uint64_t flow = k * stride % flows_;
      follow(flow);
      kept &= relax();
      if (keep && kept) record(flow);
    }
    return kept;
  }
  void forget_rules() {
    for (rule_book& book : books_) book = {};
  }

  void record(std::uint64_t flow) {
    for (const step& s : steps_)
      if (s.first != s.end) {
        rule_.label = escape_ ? label_[s.channel] : 0;
        rule_.wishes.assign(wishes_of(s).begin(), wishes_of(s).end());
        books_[s.channel].add(flow, rule_);
      }
  }

  /// Without escapes: from each place to those that packets in it wait for, the longest way so far.
  void sort_places() {
    std::vector<std::vector<number>> next(order_.size());
    std::vector<number> before(order_.size());
    for (number channel = 0; channel < books_.size(); ++channel)
      for (const rule& r : books_[channel].rules())
        for (const wish& w : r.wishes)
          if (!into_terminal(link_of(w.channel))) next[place(channel)].push_back(place(w.channel));
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
                    shape_.terminals.size(), shape_.switches.size(), links_.size(), channels_);
    out += together_ ? "flows destinations\n" : fmt::format("flows pairs {}\n", words_);
    const auto end = [this](vertex_id v, unsigned port) {
      const vertex& what = shape_.g[v];
      return fmt::format("{}{}:{}", what.role == vertex::terminal ? 't' : 's', what.index, port);
    };
    for (const auto& link : links_)
      out += fmt::format("link {} {}\n", end(source(link, shape_.g), shape_.g[link].from_port),
                         end(target(link, shape_.g), shape_.g[link].to_port));
    std::map<std::string, std::size_t> sets;
    for (number channel = 0; channel < books_.size(); ++channel) write(channel, sets, out);
    return out + fmt::format("end {}\n", std::count(out.begin(), out.end(), '\n') + 1);
  }
  void write(number channel, std::map<std::string, std::size_t>& sets, std::string& out) const {
    const number link = link_of(channel);
    if (into_terminal(link)) {
      if (channel % channels_ == 0) out += fmt::format("sink {} {}\n", channel, link);
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
    out += fmt::format("channel {} {} {} {} {}\n", channel, link, channel % channels_, place(channel),
                       order(channel));
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      const rule& what = book.rules()[r];
      out += fmt::format("rule {} {}", numbers[r], escape_ ? what.label : order(channel));
      for (const wish& w : what.wishes) out += fmt::format(" {}{}", w.sure ? "" : "?", w.channel);
      out += '\n';
    }
  }

  const topology& shape_;
  const routing& routes_;
  const bool shared_pools_, together_;
  const unsigned channels_, words_;
  const channel_mask all_, escape_;
  const std::uint64_t flows_;
  std::vector<graph::edge_descriptor> links_;
  std::vector<std::vector<number>> leaving_;  // by vertex and output port: the link
  flit flit_;
  rule rule_;
  // Of the flow that is followed: its channels, and what packets in them ask for.
  std::vector<step> steps_;
  std::vector<wish> wishes_;
  std::vector<number> sorted_, before_;  // by step: those that lead to it and are not sorted yet
  number round_ = 0;
  std::vector<number> seen_, at_, label_;  // by channel: last round, its step, the highest order held
  std::vector<number> order_;              // by place
  std::vector<rule_book> books_;           // by channel
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
