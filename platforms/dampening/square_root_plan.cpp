#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/platforms/dampening/square_root_plan.hpp>

namespace spillway {

namespace {

struct pool_input {
  bool terminal = false;
  unsigned node = 0, input = 0;
};

pool_input head_of(const graph& g, const graph::edge_descriptor e) {
  const vertex& to = g[target(e, g)];
  return {to.role == vertex::terminal, to.index, g[e].to_port};
}

/// Which terminals' messages come through a pool.
struct users {
  std::vector<bool> sources, destinations;
};

/// The buffers of each terminal that is in `who`, `copies` of them.
std::shared_ptr<const set_table> numbered(const std::vector<bool>& who, unsigned copies) {
  buffer_sets sets(who.size());
  unsigned buffers = 0;
  for (std::size_t t = 0; t < who.size(); ++t)
    for (unsigned c = 0; who[t] && c < copies; ++c) sets[t].push_back(buffers++);
  return std::make_shared<set_table>(sets, std::max(buffers, 1u));  // a pool that nobody uses
}

}  // namespace

square_root_plan::square_root_plan(const topology& shape, const routing& routes, bool pool_per_input,
                                   unsigned copies)
    : pool_per_input_(pool_per_input) {
  const graph& g = shape.g;
  const std::size_t terminals = shape.terminals.size();
  std::vector<std::vector<pool_input>> next;
  std::size_t pools = 0;
  for (const auto v : shape.switches) {
    first_.push_back(pools);
    pools += pool_per_input ? shape.input_ports(v) : 1;
    next.emplace_back(shape.output_ports(v));
    for (const auto e : boost::make_iterator_range(out_edges(v, g)))
      next.back()[g[e].from_port] = head_of(g, e);
  }
  std::vector<users> seen(pools, {std::vector<bool>(terminals), std::vector<bool>(terminals)});
  for (std::uint32_t s = 0; s < terminals; ++s) {
    const pool_input entry = head_of(g, *out_edges(shape.terminals[s], g).first);
    for (std::uint32_t d = 0; d < terminals; ++d) {
      flit f;
      f.source = s;
      f.destination = d;
      for (pool_input at = entry; !at.terminal;) {
        users& here = seen[first_[at.node] + (pool_per_input ? at.input : 0)];
        here.sources[s] = here.destinations[d] = true;
        at = next[at.node][next_output(routes, at.node, at.input, f, next[at.node].size())];
      }
    }
  }
  for (const users& u : seen) {
    const auto sources = std::count(u.sources.begin(), u.sources.end(), true);
    const auto destinations = std::count(u.destinations.begin(), u.destinations.end(), true);
    const bool by_source = sources <= destinations;
    pools_.push_back({by_source, numbered(by_source ? u.sources : u.destinations, copies)});
  }
}

std::unique_ptr<assignment> square_root_plan::make(unsigned node, unsigned input) const {
  return std::make_unique<set_assignment>(pool(node, input).sets);
}

}  // namespace spillway
