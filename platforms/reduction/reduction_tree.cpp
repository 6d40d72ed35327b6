#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <spillway/platforms/reduction/reduction_tree.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using boost::make_iterator_range;

/// The ways of all switches to one of them.
struct ways {
  std::vector<unsigned> distance;  // by switch: links, from 0 on
  std::vector<edge> first;         // link of the way
  std::vector<unsigned> next;      // switch that it leads to
  static constexpr unsigned none = ~0u;

  ways(const topology& shape, unsigned root)
      : distance(shape.switches.size(), none), first(distance.size()), next(distance.size()) {
    const graph& g = shape.g;
    std::vector<unsigned> reached{root};
    distance[root] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const auto e : make_iterator_range(in_edges(shape.switches[reached[i]], g))) {
        const vertex& from = g[boost::source(e, g)];
        if (from.role == vertex::terminal || distance[from.index] != none) continue;
        distance[from.index] = distance[reached[i]] + 1;
        first[from.index] = g[e];
        next[from.index] = reached[i];
        reached.push_back(from.index);
      }
  }
};

/// Where a terminal's link leads.
const edge* entry_of(const topology& shape, graph::vertex_descriptor terminal, unsigned& entered) {
  const graph& g = shape.g;
  for (const auto e : make_iterator_range(out_edges(terminal, g))) {
    if (g[target(e, g)].role == vertex::terminal) return nullptr;
    entered = g[target(e, g)].index;
    return &g[e];
  }
  return nullptr;
}

using terminals = std::vector<graph::vertex_descriptor>;

/// Switches on the longest way; ways::none if some terminal has no way.
unsigned depth_of(const topology& shape, const terminals& members, const ways& to) {
  unsigned depth = 0;
  for (const auto t : members) {
    unsigned entered = 0;
    if (!entry_of(shape, t, entered) || to.distance[entered] == ways::none) return ways::none;
    depth = std::max(depth, to.distance[entered] + 1);
  }
  return depth;
}

/// Number `group` of the switches of each stage, modulo those that it has.
std::map<unsigned, unsigned> one_of_each_stage(const topology& shape, unsigned group) {
  std::map<unsigned, std::vector<unsigned>> stages;
  for (const auto v : shape.switches) stages[shape.g[v].stage].push_back(shape.g[v].index);
  std::map<unsigned, unsigned> chosen;
  for (const auto& [stage, switches] : stages) chosen[stage] = switches[group % switches.size()];
  return chosen;
}

}  // namespace

reduction_tree::reduction_tree(const topology& shape, std::optional<unsigned> wanted, unsigned group,
                               unsigned groups) {
  terminals members;
  for (std::size_t t = group; t < shape.terminals.size(); t += groups) members.push_back(shape.terminals[t]);
  std::map<unsigned, unsigned> candidates;  // a switch of each stage
  if (wanted && *wanted >= shape.switches.size())
    throw std::invalid_argument("expected a root of the switches 0.." +
                                std::to_string(shape.switches.size() - 1) + ", found " +
                                std::to_string(*wanted));
  if (wanted)
    candidates[0] = *wanted;
  else
    candidates = one_of_each_stage(shape, group);
  depth = ways::none;
  for (const auto& [stage, candidate] : candidates)
    if (const unsigned found = depth_of(shape, members, ways(shape, candidate)); found < depth)
      depth = found, root = candidate;
  if (depth == ways::none)
    throw std::invalid_argument("contributions of all terminals meet at the root of a tree, but " +
                                (wanted ? "switch " + std::to_string(*wanted) : std::string("no switch")) +
                                " is one that all of them have a way to");
  const ways to(shape, root);
  switches.resize(shape.switches.size());
  for (const auto t : members) {
    unsigned at = 0;
    unsigned input = entry_of(shape, t, at)->to_port;
    for (;;) {
      const bool known = switches[at].children != 0;
      switches[at].children |= port_mask{1} << input;
      if (known || at == root) break;
      switches[at].parent = to.first[at].from_port;
      input = to.first[at].to_port;
      at = to.next[at];
    }
  }
}

}  // namespace spillway
