#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/certificate.hpp>
#include <spillway/platforms/topology/route_walker.hpp>

namespace spillway {

namespace {

using vertex_id = graph::vertex_descriptor;

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

void follow_pair(route_walker& walk, std::uint32_t source, std::uint32_t destination, tally& found) {
  std::string why;
  const unsigned hops = walk.follow(source, destination, why);
  found.add(source, destination, hops, why);
}

/// Pair by pair, of as many sources as there is time for. Returns whether of all.
bool follow_pairs(route_walker& walk, std::uint32_t n, std::uint64_t most, tally& found) {
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
bool follow_together(route_walker& walk, std::uint32_t n, std::uint64_t most, tally& found) {
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
  // Else the escape channels that a packet may hold are followed one by one to all that it may ask for then.
  const escape_order order = options.certified ? escape_order::of_all
                             : routes.escape() ? order_of_escapes(shape, routes, options)
                                               : escape_order::none;
  route_walker walk(shape, routes, options, order != escape_order::none);
  tally found(a);
  a.together = routes.memoryless();
  a.sampled = !(a.together ? follow_together(walk, n, options.most, found)
                           : follow_pairs(walk, n, options.most, found));
  a.sampled |= order == escape_order::of_a_sample;
  found.finish();
  a.cycle = walk.cycle();
  a.acyclic = a.cycle.empty();
  a.no_escape = walk.no_escape();
  a.several = walk.several();
  a.unbounded = options.unbounded;
  a.certified = options.certified;
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
  if (a.certified && a.acyclic)
    return text + "deadlock: free, the certificate has an order of all that packets hold\n";
  if (a.acyclic && a.sampled && !a.feed_forward)
    return text + "deadlock: none found, but only a sample of the routes was followed\n";
  if (a.acyclic) return text + "deadlock: free, the channel dependency graph is acyclic\n";
  text += "deadlock: possible, the channel dependency graph has a cycle:\n";
  for (const std::string& link : a.cycle) text += "  " + link + "\n";
  return text;
}

}  // namespace spillway
