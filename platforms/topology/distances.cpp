#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <queue>
#include <spillway/platforms/topology/distances.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <string>

namespace spillway {

namespace {

std::size_t entries(const topology& shape) {
  const std::size_t n = shape.switches.size() * shape.terminals.size();
  check_memory(2.0 * static_cast<double>(n), "distances of " + std::to_string(shape.switches.size()) +
                                                 " switches to " + std::to_string(shape.terminals.size()) +
                                                 " terminals");
  return n;
}

}  // namespace

distance_table::distance_table(const topology& shape)
    : terminals_(shape.terminals.size()), distance_(entries(shape), unreachable) {
  const graph& g = shape.g;
  for (std::size_t t = 0; t < terminals_; ++t) {
    std::queue<graph::vertex_descriptor> reached;
    const auto visit_before = [&](graph::vertex_descriptor v, unsigned distance) {
      for (const auto e : boost::make_iterator_range(in_edges(v, g))) {
        const auto u = source(e, g);
        if (g[u].role != vertex::switch_) continue;
        std::uint16_t& known = distance_[g[u].index * terminals_ + t];
        if (known != unreachable) continue;
        known = static_cast<std::uint16_t>(distance);
        reached.push(u);
      }
    };
    visit_before(shape.terminals[t], 0);
    while (!reached.empty()) {
      const auto v = reached.front();
      reached.pop();
      visit_before(v, distance_[g[v].index * terminals_ + t] + 1u);
    }
  }
}

unsigned distance_table::longest() const {
  unsigned most = 0;
  for (const std::uint16_t d : distance_)
    if (d != unreachable) most = std::max<unsigned>(most, d);
  return most;
}

std::vector<std::uint16_t> distance_table::row(unsigned node) const {
  const auto first = distance_.begin() + static_cast<std::ptrdiff_t>(node * terminals_);
  return {first, first + static_cast<std::ptrdiff_t>(terminals_)};
}

}  // namespace spillway
