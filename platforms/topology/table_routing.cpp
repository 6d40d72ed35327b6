#include <fmt/format.h>

#include <boost/range/iterator_range.hpp>
#include <queue>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <spillway/platforms/topology/table_routing.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace spillway {

using masks::bit;

namespace {

class shortest_path_table final : public routing {
public:
  shortest_path_table(const topology& t, unsigned channels)
      : terminals_(t.terminals.size()),
        port_(t.switches.size() * terminals_, none),
        in_order_(channels == 1) {
    for (std::size_t destination = 0; destination < terminals_; ++destination) fill(t, destination);
  }
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    if (f.destination >= terminals_) no_such_terminal(f);
    const std::uint8_t port = port_[node * terminals_ + f.destination];
    return port == none ? 0 : bit(port);
  }
  bool memoryless() const override { return true; }
  bool in_order() const override { return in_order_; }

private:
  static constexpr std::uint8_t none = 0xff;

  /// What comes from foreign parts may have any address.
  [[noreturn]] void no_such_terminal(const flit& f) const {
    throw std::out_of_range(fmt::format("found a packet of terminal {} to terminal {}, expected one below {}",
                                        f.source, f.destination, terminals_));
  }

  /// Breadth first, backwards from the destination.
  void fill(const topology& t, std::size_t destination) {
    const graph& g = t.g;
    std::vector<unsigned> distance(num_vertices(g), ~0u);
    std::queue<graph::vertex_descriptor> reached;
    const auto start = t.terminals[destination];
    distance[start] = 0;
    reached.push(start);
    while (!reached.empty()) {
      const auto v = reached.front();
      reached.pop();
      for (const auto e : boost::make_iterator_range(in_edges(v, g))) {
        const auto u = boost::source(e, g);
        if (g[u].role != vertex::switch_) continue;
        if (distance[u] == ~0u) {
          distance[u] = distance[v] + 1;
          reached.push(u);
        }
        std::uint8_t& port = port_[g[u].index * terminals_ + destination];
        if (distance[u] == distance[v] + 1 && g[e].from_port < port)
          port = static_cast<std::uint8_t>(g[e].from_port);
      }
    }
  }

  const std::size_t terminals_;
  std::vector<std::uint8_t> port_;  // by switch and destination
  const bool in_order_;
};

}  // namespace

std::shared_ptr<const routing> table_routing::make(const routing_context& context) const {
  const topology& shape = context.shape;
  const std::size_t n = shape.switches.size(), m = shape.terminals.size();
  check_memory(
      static_cast<double>(n) * static_cast<double>(m),
      "routing tables of " + std::to_string(n) + " switches for " + std::to_string(m) + " terminals");
  return std::make_shared<shortest_path_table>(shape, context.channels);
}

}  // namespace spillway
