#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <optional>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/distances.hpp>
#include <utility>

namespace spillway {

namespace {

using vertex_id = graph::vertex_descriptor;
constexpr std::uint32_t no_link = ~std::uint32_t{0}, no_step = no_link;

/// The links by number, and which one leaves each output port.
class link_table {
public:
  explicit link_table(const topology& t) : shape_(t), by_port_(num_vertices(t.g)) {
    for (const auto e : boost::make_iterator_range(edges(t.g))) {
      const auto from = source(e, t.g);
      const unsigned port = t.g[e].from_port;
      if (by_port_[from].size() <= port) by_port_[from].resize(port + 1, no_link);
      by_port_[from][port] = static_cast<std::uint32_t>(to_.size());
      from_.push_back(from);
      to_.push_back(target(e, t.g));
      from_port_.push_back(t.g[e].from_port);
      to_port_.push_back(t.g[e].to_port);
    }
  }
  std::uint32_t leaving(vertex_id v, unsigned port) const {
    return port < by_port_[v].size() ? by_port_[v][port] : no_link;
  }
  vertex_id from(std::uint32_t link) const { return from_[link]; }
  vertex_id to(std::uint32_t link) const { return to_[link]; }
  unsigned to_port(std::uint32_t link) const { return to_port_[link]; }
  std::size_t size() const { return to_.size(); }
  std::string name(std::uint32_t link) const {
    return fmt::format("{}:{} -> {}:{}", shape_.name(from_[link]), from_port_[link], shape_.name(to_[link]),
                       to_port_[link]);
  }

private:
  const topology& shape_;
  std::vector<std::vector<std::uint32_t>> by_port_;
  std::vector<vertex_id> from_, to_;
  std::vector<std::uint16_t> from_port_, to_port_;
};

using dependencies = std::vector<std::vector<std::uint32_t>>;

void add(std::vector<std::uint32_t>& list, std::uint32_t link) {
  if (std::find(list.begin(), list.end(), link) == list.end()) list.push_back(link);
}

/// A cycle of the graph, or nothing: depth first, without recursion.
std::vector<std::uint32_t> find_cycle(const dependencies& next) {
  enum : std::uint8_t { fresh, open, done };
  std::vector<std::uint8_t> state(next.size(), fresh);
  std::vector<std::pair<std::uint32_t, std::size_t>> path;
  for (std::uint32_t start = 0; start < next.size(); ++start) {
    if (state[start] != fresh) continue;
    path.assign(1, {start, 0});
    state[start] = open;
    while (!path.empty()) {
      auto& [link, at] = path.back();
      if (at == next[link].size()) {
        state[link] = done;
        path.pop_back();
        continue;
      }
      const std::uint32_t to = next[link][at++];
      if (state[to] == fresh) {
        state[to] = open;
        path.emplace_back(to, 0);
      } else if (state[to] == open) {
        std::vector<std::uint32_t> cycle;
        auto from = std::find_if(path.begin(), path.end(), [&](const auto& p) { return p.first == to; });
        for (; from != path.end(); ++from) cycle.push_back(from->first);
        return cycle;
      }
    }
  }
  return {};
}

/// Follows the routes of one pair of terminals after the other. What a packet can hold is numbered: channel c
/// of link l as l * channels + c, or the switch that a link leads to where its queues share their buffers.
class walker {
public:
  walker(const topology& shape, const routing& routes, const analysis_options& options)
      : shape_(shape),
        routes_(routes),
        shared_pools_(options.shared_pools),
        fifo_queues_(options.fifo_queues),
        unbounded_(options.unbounded),
        channels_(options.channels),
        distances_(distances_of(shape, options)),
        // Nothing waits for buffers below the last ones, as many as the longest way has switches.
        classes_(distances_ ? std::min(options.hop_classes, distances_->longest() + 1) : 0),
        free_buffers_(options.hop_classes - classes_),
        escape_(routes.escape() & all_channels()),
        links_(shape),
        seen_(links_.size() * channels_),
        next_(std::max<std::size_t>(seen_.size(), num_vertices(shape.g) * std::max(classes_, 1u))) {
    if (classes_) waits_.resize(links_.size());
  }

  /// Takes every way that the routing allows, with every route that may be written at the entry; returns the
  /// switches on the shortest, or 0 and says why not.
  unsigned follow(std::uint32_t source, std::uint32_t destination, std::string& why) {
    flit_.source = source;
    flit_.destination = destination;
    unsigned shortest = ~0u;
    for (unsigned route = 0; route < std::max(routes_.entry_routes(), 1u); ++route) {
      flit_.route = route;
      const unsigned hops = follow_route(why);
      if (!hops) return 0;
      shortest = std::min(shortest, hops);
    }
    return shortest;
  }
  /// The same for all sources at once, where ways that meet go on alike: the switches on the shortest way of
  /// each. Returns none if one of them does not arrive.
  std::vector<unsigned> follow_all(std::uint32_t destination) {
    flit_.destination = destination;
    std::vector<unsigned> shortest;
    for (unsigned route = 0; route < std::max(routes_.entry_routes(), 1u); ++route) {
      flit_.route = route;
      std::vector<unsigned> hops = follow_all_routes();
      if (hops.empty()) return {};
      if (route == 0)
        shortest = std::move(hops);
      else
        std::transform(hops.begin(), hops.end(), shortest.begin(), shortest.begin(),
                       [](unsigned a, unsigned b) { return std::min(a, b); });
    }
    return shortest;
  }

  std::vector<std::string> cycle() {
    std::vector<std::string> names;
    spread_waits();
    for (const std::uint32_t what : find_cycle(next_)) names.push_back(name(what));
    return names;
  }
  const std::string& no_escape() const { return no_escape_; }
  /// Channels looked at so far: the work done.
  std::uint64_t visited() const { return visited_; }

private:
  struct place {
    std::uint32_t channel, source;
    unsigned switches;  // before it
  };

  /// Takes every way of the packet, the nearest first.
  unsigned follow_route(std::string& why) {
    const std::uint32_t source = flit_.source, destination = flit_.destination;
    ++round_;
    const std::uint32_t link = links_.leaving(shape_.terminals[source], 0);
    if (link == no_link) return why = "the terminal has no link into the network", 0;
    std::vector<place> reached;  // in the order of their distance
    for (unsigned c = 0; c < channels_; ++c) visit(reached, {link * channels_ + c, source, 0});
    if (classes_ && !has_class(source, destination, why)) return 0;
    unsigned hops = 0;
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const place here = reached[at];
      const vertex_id v = links_.to(link_of(here.channel));
      if (shape_.g[v].role == vertex::terminal) {
        if (shape_.g[v].index != destination) return why = "the route ends at " + shape_.name(v), 0;
        if (!hops) hops = here.switches;
        continue;
      }
      bool leads_on = false;
      go_on(here, [&](std::uint32_t to_link, unsigned c) {
        leads_on = true;
        visit(reached, {to_link * channels_ + c, source, here.switches + 1});
      });
      if (!leads_on) return why = shape_.name(v) + " has no way on", 0;
    }
    if (!hops) return why = "the route runs in a circle", 0;
    if (escape_) add_escapes(reached);
    return hops;
  }

  /// Follows the packets of all sources to the flit's destination.
  std::vector<unsigned> follow_all_routes() {
    const std::uint32_t destination = flit_.destination;
    ++round_;
    std::vector<place> reached;
    std::vector<std::uint32_t> first;
    std::string ignored;
    for (std::uint32_t source = 0; source < shape_.terminals.size(); ++source) {
      first.push_back(links_.leaving(shape_.terminals[source], 0));
      if (first.back() == no_link || (classes_ && !has_class(source, destination, ignored))) return {};
      for (unsigned c = 0; c < channels_; ++c) visit(reached, {first.back() * channels_ + c, source, 0});
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> steps;  // channels, the later one first
    std::vector<std::uint32_t> arrived;
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const place here = reached[at];
      const vertex_id v = links_.to(link_of(here.channel));
      if (shape_.g[v].role == vertex::terminal) {
        if (shape_.g[v].index != destination) return {};
        arrived.push_back(here.channel);
        continue;
      }
      flit_.source = here.source;
      const std::size_t before = steps.size();
      go_on(here, [&](std::uint32_t link, unsigned c) {
        steps.emplace_back(link * channels_ + c, here.channel);
        visit(reached, {link * channels_ + c, here.source, 0});
      });
      if (steps.size() == before) return {};
    }
    if (escape_) add_escapes(reached);
    return hops_back(first, std::move(arrived), steps);
  }

  /// Calls f for everything that a packet there may ask for, having noted that it holds one and waits for the
  /// other.
  template <class F>
  void go_on(const place& here, F&& f) {
    bool escapes = false, leads_on = false;
    each_next(here.channel, [&](std::uint32_t to_link, unsigned c) {
      leads_on = true;
      escapes |= is_escape(to_link, c);
      if (classes_)
        add_wait(to_link);
      else if (!escape_ && !unbounded_)
        add(next_[resource(here.channel)], resource(to_link * channels_ + c));
      f(to_link, c);
    });
    if (escape_ && leads_on && !escapes && no_escape_.empty())
      no_escape_ = fmt::format("{} offers no escape from terminal {} to {}",
                               shape_.name(links_.to(link_of(here.channel))), unsigned{flit_.source},
                               unsigned{flit_.destination});
  }

  /// Switches from each of the links `first` to the end of the steps, which are pairs of channels, later and
  /// earlier.
  std::vector<unsigned> hops_back(const std::vector<std::uint32_t>& first, std::vector<std::uint32_t> reached,
                                  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& steps) {
    // The steps to a channel as a list: the last of them, and of each the one before.
    last_step_.resize(seen_.size());
    std::vector<std::uint32_t> before(steps.size());
    for (const auto& [later, earlier] : steps) last_step_[later] = no_step;
    for (const std::uint32_t channel : reached) last_step_[channel] = no_step;
    for (const auto& [later, earlier] : steps) last_step_[earlier] = no_step;
    for (std::uint32_t s = 0; s < steps.size(); ++s) before[s] = std::exchange(last_step_[steps[s].first], s);
    ++round_;
    distance_.resize(seen_.size());
    for (const std::uint32_t channel : reached) seen_[channel] = round_, distance_[channel] = 0;
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const std::uint32_t here = reached[at];
      for (std::uint32_t s = last_step_[here]; s != no_step; s = before[s])
        if (const std::uint32_t earlier = steps[s].second; seen_[earlier] != round_) {
          seen_[earlier] = round_;
          distance_[earlier] = distance_[here] + 1;
          reached.push_back(earlier);
        }
    }
    std::vector<unsigned> hops;
    for (const std::uint32_t link : first) {
      hops.push_back(0);
      for (std::uint32_t channel = link * channels_; channel < (link + 1) * channels_; ++channel)
        if (seen_[channel] == round_ && (hops.back() == 0 || distance_[channel] < hops.back()))
          hops.back() = distance_[channel];
      if (hops.back() == 0) return {};
    }
    return hops;
  }

  static std::optional<distance_table> distances_of(const topology& shape, const analysis_options& options) {
    if (!options.hop_classes) return std::nullopt;
    return std::make_optional<distance_table>(shape);
  }
  channel_mask all_channels() const {
    return channels_ >= 64 ? ~channel_mask{0} : (channel_mask{1} << channels_) - 1;
  }
  std::uint32_t link_of(std::uint32_t channel) const { return channel / channels_; }
  bool into_terminal(std::uint32_t link) const { return shape_.g[links_.to(link)].role == vertex::terminal; }
  /// Into a terminal every way is an escape: it takes all that comes.
  bool is_escape(std::uint32_t link, unsigned c) const { return into_terminal(link) || (escape_ >> c & 1); }

  void visit(std::vector<place>& reached, const place& next) {
    if (seen_[next.channel] == round_) return;
    seen_[next.channel] = round_;
    ++visited_;
    reached.push_back(next);
  }

  /// Calls f(link, channel of it) for everything that a packet which holds `channel` may ask for.
  template <class F>
  void each_next(std::uint32_t channel, F&& f) {
    const std::uint32_t link = link_of(channel);
    const vertex_id v = links_.to(link);
    if (shape_.g[v].role == vertex::terminal) return;
    flit_.lane = static_cast<std::uint8_t>(channel % channels_);
    const unsigned node = shape_.g[v].index, input = links_.to_port(link);
    for (port_mask rest = routes_.outputs(node, input, flit_); rest; rest &= rest - 1) {
      const auto o = static_cast<unsigned>(__builtin_ctzll(rest));
      const std::uint32_t onward = links_.leaving(v, o);
      if (onward == no_link) continue;
      channel_mask allowed =
          into_terminal(onward) ? 1 : routes_.channels(node, input, o, flit_) & all_channels();
      for (; allowed; allowed &= allowed - 1) f(onward, static_cast<unsigned>(__builtin_ctzll(allowed)));
    }
  }

  /// Duato's extended dependencies: from an escape channel to the escape channels that are asked for next, at
  /// once or after any number of other channels.
  void add_escapes(const std::vector<place>& reached) {
    for (const place& start : reached) {
      if (!is_escape(link_of(start.channel), start.channel % channels_)) continue;
      ++round_;
      std::vector<std::uint32_t> open{start.channel};
      while (!open.empty()) {
        const std::uint32_t from = open.back();
        open.pop_back();
        each_next(from, [&](std::uint32_t link, unsigned c) {
          const std::uint32_t to = link * channels_ + c;
          if (is_escape(link, c)) {
            add(next_[start.channel], to);
          } else if (seen_[to] != round_) {
            seen_[to] = round_;
            open.push_back(to);
          }
        });
      }
    }
  }

  bool has_class(std::uint32_t source, std::uint32_t destination, std::string& why) const {
    const vertex_id first = links_.to(links_.leaving(shape_.terminals[source], 0));
    const unsigned far = distances_->from(shape_.g[first].index, destination);
    if (far < classes_) return true;
    why = fmt::format("{} hops need {} buffers a node, found {}", far, far + 1, classes_);
    return false;
  }
  /// The message of this round holds a buffer before `link` and waits for one behind it.
  void add_wait(std::uint32_t link) {
    if (into_terminal(link)) return;
    const unsigned here = distances_->from(shape_.g[links_.from(link)].index, flit_.destination);
    const unsigned there = distances_->from(shape_.g[links_.to(link)].index, flit_.destination);
    add(waits_[link], here * classes_ + there);
  }
  void spread_waits() {
    for (std::uint32_t link = 0; link < waits_.size(); ++link) {
      const auto& waits = waits_[link];
      const auto nearest = std::min_element(waits.begin(), waits.end());
      for (const std::uint32_t wait : waits)
        for (unsigned g = 0; g + (fifo_queues_ ? *nearest : wait) / classes_ < classes_; ++g)
          add(next_[links_.from(link) * classes_ + g],
              static_cast<std::uint32_t>(links_.to(link) * classes_ + classes_ - 1 - wait % classes_));
    }
  }

  std::uint32_t resource(std::uint32_t channel) const {
    return shared_pools_ ? static_cast<std::uint32_t>(links_.to(link_of(channel))) : channel;
  }
  std::string name(std::uint32_t what) const {
    if (classes_)
      return fmt::format("{} buffer {}", shape_.name(what / classes_), free_buffers_ + what % classes_);
    if (shared_pools_) return shape_.name(what);
    const std::string link = links_.name(link_of(what));
    return channels_ > 1 ? fmt::format("{} channel {}", link, what % channels_) : link;
  }

  const topology& shape_;
  const routing& routes_;
  const bool shared_pools_, fifo_queues_, unbounded_;
  const unsigned channels_;
  const std::optional<distance_table> distances_;  // with classes of buffers
  const unsigned classes_, free_buffers_;
  const channel_mask escape_;
  const link_table links_;
  flit flit_;
  std::vector<std::uint32_t> seen_;  // by channel: last round that came here
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> distance_;   // by channel: switches to the end
  std::vector<std::uint32_t> last_step_;  // by channel: the last step to it
  dependencies next_;
  dependencies waits_;  // by link: hops before it and behind it, of messages that take it
  std::string no_escape_;
  std::uint64_t visited_ = 0;
};

/// Takes away switches that no link enters until none is left; those on a cycle stay.
bool is_feed_forward(const topology& t) {
  std::vector<std::size_t> entering(num_vertices(t.g));
  for (const auto e : boost::make_iterator_range(edges(t.g)))
    if (t.g[source(e, t.g)].role == vertex::switch_) ++entering[target(e, t.g)];
  std::vector<vertex_id> ready;
  for (const vertex_id v : t.switches)
    if (entering[v] == 0) ready.push_back(v);
  std::size_t taken = 0;
  for (; !ready.empty(); ++taken) {
    const vertex_id v = ready.back();
    ready.pop_back();
    for (const auto e : boost::make_iterator_range(out_edges(v, t.g)))
      if (const vertex_id to = target(e, t.g); t.g[to].role == vertex::switch_ && --entering[to] == 0)
        ready.push_back(to);
  }
  return taken == t.switches.size();
}

/// Adds up what is found of each pair.
class tally {
public:
  explicit tally(analysis& a) : a_(a) {}

  /// @param hops 0: there is no route, and `why` says why
  void add(std::uint32_t source, std::uint32_t destination, unsigned hops, const std::string& why) {
    ++a_.pairs;
    if (hops == 0) {
      if (a_.unreachable++ == 0)
        a_.example = fmt::format("terminal {} cannot reach terminal {}: {}", source, destination, why);
      return;
    }
    hops_ += hops;
    a_.diameter = std::max(a_.diameter, hops);
  }
  void finish() const {
    if (a_.pairs > a_.unreachable)
      a_.mean_hops = static_cast<double>(hops_) / static_cast<double>(a_.pairs - a_.unreachable);
  }

private:
  analysis& a_;
  std::uint64_t hops_ = 0;
};

void follow_pair(walker& walk, std::uint32_t source, std::uint32_t destination, tally& found) {
  std::string why;
  const unsigned hops = walk.follow(source, destination, why);
  found.add(source, destination, hops, why);
}

/// Pair by pair, of as many sources as there is time for. Returns whether of all.
bool follow_pairs(walker& walk, std::uint32_t n, std::uint64_t most, tally& found) {
  std::uint64_t sources = std::clamp<std::uint64_t>(most / std::max(n, 1u), 1, n);
  for (std::uint64_t k = 0; k < sources; ++k) {
    const auto source = static_cast<std::uint32_t>(k * n / sources);
    for (std::uint32_t destination = 0; destination < n; ++destination)
      follow_pair(walk, source, destination, found);
    // Where there are many ways from one terminal to another the work is that of many pairs.
    constexpr std::uint64_t ways = 64;
    if (k == 0) sources = std::clamp<std::uint64_t>(most * ways / (walk.visited() + 1), 1, sources);
  }
  return sources == n;
}

/// All sources together, to as many destinations as there is time for. Returns whether to all.
bool follow_together(walker& walk, std::uint32_t n, std::uint64_t most, tally& found) {
  std::uint64_t destinations = n;
  for (std::uint64_t k = 0; k < destinations; ++k) {
    const auto destination = static_cast<std::uint32_t>(k * n / destinations);
    const std::vector<unsigned> hops = walk.follow_all(destination);
    for (std::uint32_t source = 0; source < n; ++source)
      if (hops.empty())
        follow_pair(walk, source, destination, found);
      else
        found.add(source, destination, hops[source], {});
    constexpr std::uint64_t steps = 16;  // a pair's, about
    if (k == 0) destinations = std::clamp<std::uint64_t>(most * steps / (walk.visited() + 1), 1, n);
  }
  return destinations == n;
}

}  // namespace

analysis analyse(const topology& shape, const routing& routes, const analysis_options& options) {
  analysis a;
  const auto n = static_cast<std::uint32_t>(shape.terminals.size());
  for (const vertex_id v : shape.switches)
    a.max_ports = std::max({a.max_ports, shape.input_ports(v), shape.output_ports(v)});
  walker walk(shape, routes, options);
  tally found(a);
  a.together = routes.memoryless();
  a.sampled = !(a.together ? follow_together(walk, n, options.most, found)
                           : follow_pairs(walk, n, options.most, found));
  found.finish();
  a.cycle = walk.cycle();
  a.acyclic = a.cycle.empty();
  a.no_escape = walk.no_escape();
  a.unbounded = options.unbounded;
  a.feed_forward = is_feed_forward(shape);
  if (shape.known) a.bisection = shape.known->bisection();
  return a;
}

std::string describe(const analysis& a) {
  std::string text;
  if (a.unreachable)
    text +=
        fmt::format("reachable: no: {} of {} pairs have no route; {}\n", a.unreachable, a.pairs, a.example);
  else
    text += fmt::format("reachable: all {} pairs{}\n", a.pairs,
                        !a.sampled   ? ""
                        : a.together ? " of a sample of the destinations"
                                     : " of a sample of the sources");
  text += fmt::format("diameter: {} switches, mean {:.3f}\nports: at most {} a switch\n", a.diameter,
                      a.mean_hops, a.max_ports);
  if (a.bisection) text += fmt::format("bisection: {} links, both ways counted\n", a.bisection);
  if (a.unbounded) return text + "deadlock: free, the queues have no bound\n";
  if (!a.no_escape.empty()) return text + "deadlock: possible, " + a.no_escape + "\n";
  if (a.acyclic && a.sampled && !a.feed_forward)
    return text + "deadlock: none found, but only a sample of the routes was followed\n";
  if (a.acyclic) return text + "deadlock: free, the channel dependency graph is acyclic\n";
  text += "deadlock: possible, the channel dependency graph has a cycle:\n";
  for (const std::string& link : a.cycle) text += "  " + link + "\n";
  return text;
}

}  // namespace spillway
