#pragma once
#include <boost/range/iterator_range.hpp>
#include <support/topologies.hpp>
#include <tuple>
#include <vector>

namespace spillway::testing_support {

/// One switch of a route: its number and the output port that the packet took.
struct step {
  unsigned node, port;
  friend bool operator==(const step& a, const step& b) { return a.node == b.node && a.port == b.port; }
  friend bool operator<(const step& a, const step& b) {
    return std::tie(a.node, a.port) < std::tie(b.node, b.port);
  }
};

/// Follows a route by looking through the links of each vertex; `pick(n)` chooses one of the n outputs
/// that the routing allows, or gives up with n. Empty when it does not arrive.
template <class Pick>
std::vector<step> walk(const topology& t, const routing& r, unsigned from, unsigned to, Pick&& pick) {
  flit f;
  f.source = from;
  f.destination = to;
  std::vector<step> path;
  graph::edge_descriptor link = *out_edges(t.terminals[from], t.g).first;
  while (path.size() <= t.switches.size()) {
    const auto v = target(link, t.g);
    if (t.g[v].role == vertex::terminal) return t.g[v].index == to ? path : std::vector<step>{};
    const port_mask mask = r.outputs(t.g[v].index, t.g[link].to_port, f);
    std::vector<graph::edge_descriptor> ways;
    for (const auto e : boost::make_iterator_range(out_edges(v, t.g)))
      if (mask >> t.g[e].from_port & 1) ways.push_back(e);
    if (ways.size() != static_cast<unsigned>(__builtin_popcountll(mask)) || ways.empty()) return {};
    const unsigned chosen = pick(static_cast<unsigned>(ways.size()));
    if (chosen >= ways.size()) return {};
    link = ways[chosen];
    path.push_back({t.g[v].index, t.g[link].from_port});
  }
  return {};
}

/// The same where the routing leaves no choice; empty also where it does.
inline std::vector<step> walk(const topology& t, const routing& r, unsigned from, unsigned to) {
  return walk(t, r, from, to, [](unsigned ways) { return ways == 1 ? 0 : ways; });
}

}  // namespace spillway::testing_support
