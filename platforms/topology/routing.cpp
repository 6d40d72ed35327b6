#include <boost/range/iterator_range.hpp>
#include <queue>
#include <spillway/hw/switches/fat_tree.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <spillway/platforms/topology/routing.hpp>
#include <stdexcept>

namespace spillway {

namespace {

constexpr port_mask bit(unsigned port) { return port_mask{1} << port; }

/// Radix a power of two: the digit is a shift and a mask away.
class binary_digit_routing final : public routing {
public:
  explicit binary_digit_routing(const topology& t) : mask_(t.radix - 1) {
    unsigned width = 0;
    while ((1u << width) < t.radix) ++width;
    for (const auto v : t.switches)
      shift_.push_back(static_cast<std::uint8_t>((t.stages - 1 - t.g[v].stage) * width));
  }
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    return bit(f.destination >> shift_[node] & mask_);
  }

private:
  const unsigned mask_;
  std::vector<std::uint8_t> shift_;  // by switch
};

class digit_routing final : public routing {
public:
  explicit digit_routing(const topology& t) : radix_(t.radix) {
    std::vector<std::uint32_t> place(t.stages, 1);
    for (unsigned stage = t.stages - 1; stage > 0; --stage) place[stage - 1] = place[stage] * t.radix;
    for (const auto v : t.switches) divisor_.push_back(place[t.g[v].stage]);
  }
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    return bit(f.destination / divisor_[node] % radix_);
  }

private:
  const unsigned radix_;
  std::vector<std::uint32_t> divisor_;  // by switch
};

class dimension_order_routing final : public routing {
public:
  explicit dimension_order_routing(const topology& t)
      : dimensions_(t.dimensions), wraps_(t.wraps), both_ways_(t.both_ways) {}
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    unsigned here = node, there = f.destination;
    for (unsigned d = 0; d < dimensions_.size(); ++d) {
      const unsigned size = dimensions_[d];
      const unsigned x = here % size, to = there % size;
      if (x != to) return bit(up(x, to, size) ? 1 + 2 * d : 2 + 2 * d);
      here /= size;
      there /= size;
    }
    return bit(0);
  }

private:
  bool up(unsigned x, unsigned to, unsigned size) const {
    if (!both_ways_) return true;
    if (!wraps_) return to > x;
    return (to + size - x) % size <= size / 2;
  }
  const std::vector<unsigned> dimensions_;
  const bool wraps_, both_ways_;
};

class table_routing final : public routing {
public:
  explicit table_routing(const topology& t)
      : terminals_(t.terminals.size()), port_(t.switches.size() * terminals_, none) {
    for (std::size_t destination = 0; destination < terminals_; ++destination) fill(t, destination);
  }
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    const std::uint8_t port = port_[node * terminals_ + f.destination];
    return port == none ? 0 : bit(port);
  }

private:
  static constexpr std::uint8_t none = 0xff;

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
        const auto u = source(e, g);
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
};

}  // namespace

std::shared_ptr<const routing> make_routing(const topology& shape, const std::string& kind) {
  const bool digits = shape.stages != 0, grid = !shape.dimensions.empty();
  const bool tree = shape.kind == "fat_tree";
  const std::string chosen = kind != "auto" ? kind
                             : tree         ? "up_down"
                             : digits       ? "digit"
                             : grid         ? "dimension_order"
                                            : "table";
  if (chosen == "digit" && digits) {
    if ((shape.radix & (shape.radix - 1)) == 0) return std::make_shared<binary_digit_routing>(shape);
    return std::make_shared<digit_routing>(shape);
  }
  if (chosen == "dimension_order" && grid) return std::make_shared<dimension_order_routing>(shape);
  if (chosen == "up_down" && tree) {
    const auto height = static_cast<unsigned>(__builtin_ctzll(shape.terminals.size()));
    return std::make_shared<fat_tree_routing>(fat_tree{height});
  }
  if (chosen == "table") {
    const auto n = static_cast<double>(shape.switches.size()),
               m = static_cast<double>(shape.terminals.size());
    check_memory(n * m, "routing tables of " + std::to_string(shape.switches.size()) + " switches for " +
                            std::to_string(shape.terminals.size()) + " terminals");
    return std::make_shared<table_routing>(shape);
  }
  throw std::invalid_argument("routing '" + chosen + "' does not fit a topology of kind '" + shape.kind +
                              "': expected " +
                              (digits ? "digit, "
                               : grid ? "dimension_order, "
                               : tree ? "up_down, "
                                      : "") +
                              "table or auto");
}

}  // namespace spillway
