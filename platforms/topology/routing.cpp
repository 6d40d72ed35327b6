#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <queue>
#include <spillway/hw/circuit/fat_tree.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <spillway/platforms/topology/grid_routing.hpp>
#include <spillway/platforms/topology/hypercube_routing.hpp>
#include <spillway/platforms/topology/routing.hpp>
#include <stdexcept>

namespace spillway {

using masks::bit;

namespace {

/// Radix a power of two: the digit is a shift and a mask away.
class binary_digit_routing final : public routing {
public:
  binary_digit_routing(const topology& t, unsigned channels) : mask_(t.radix - 1), in_order_(channels == 1) {
    unsigned width = 0;
    while ((1u << width) < t.radix) ++width;
    for (const auto v : t.switches)
      shift_.push_back(static_cast<std::uint8_t>((t.stages - 1 - t.g[v].stage) * width));
  }
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    return bit(f.destination >> shift_[node] & mask_);
  }
  bool in_order() const override { return in_order_; }

private:
  const unsigned mask_;
  const bool in_order_;
  std::vector<std::uint8_t> shift_;  // by switch
};

/// Any radix, and of multibutterflies all outputs of the digit.
class digit_routing final : public routing {
public:
  digit_routing(const topology& t, unsigned channels)
      : radix_(t.radix),
        dilation_(t.dilation),
        last_column_(t.switches.size() - t.switches.size() / t.stages),
        in_order_(channels == 1 && t.dilation == 1) {
    std::vector<std::uint32_t> place(t.stages, 1);
    for (unsigned stage = t.stages - 1; stage > 0; --stage) place[stage - 1] = place[stage] * t.radix;
    for (const auto v : t.switches) divisor_.push_back(place[t.g[v].stage]);
  }
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    const unsigned digit = f.destination / divisor_[node] % radix_;
    if (node >= last_column_) return bit(digit);
    return (bit(dilation_) - 1) << (digit * dilation_);
  }
  bool in_order() const override { return in_order_; }

private:
  const unsigned radix_, dilation_;
  const std::size_t last_column_;  // first switch of the last stage
  const bool in_order_;
  std::vector<std::uint32_t> divisor_;  // by switch
};

/// Fat trees of any numbers: up to the nearest common ancestor, then down.
class nearest_ancestor_routing final : public routing {
public:
  nearest_ancestor_routing(const topology& t, unsigned channels, bool hashed)
      : hashed_(hashed), in_order_(hashed && channels == 1) {
    std::vector<std::uint32_t> under{1};  // terminals under a switch of a level; under a terminal
    for (const unsigned c : t.children) under.push_back(under.back() * c);
    std::vector<std::uint32_t> first(t.children.size() + 1);
    for (const auto v : t.switches) ++first[t.g[v].stage + 1];
    for (std::size_t l = 1; l < first.size(); ++l) first[l] += first[l - 1];
    for (const auto v : t.switches) {
      const unsigned l = t.g[v].stage;
      const auto subtrees = static_cast<std::uint32_t>(t.terminals.size()) / under[l + 1];
      const std::uint32_t copies = (first[l + 1] - first[l]) / subtrees;
      const unsigned parents = l < t.parents.size() ? t.parents[l] : 0;
      places_.push_back({(t.g[v].index - first[l]) / copies * under[l + 1], under[l + 1], under[l],
                         static_cast<std::uint8_t>(t.children[l]), static_cast<std::uint8_t>(parents)});
    }
  }
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    const place& here = places_[node];
    const std::uint32_t below = f.destination - here.first;  // wraps around if it lies to the left
    if (below < here.terminals) return bit(below / here.each);
    if (hashed_) return bit(here.children + mixed(f, node) % here.parents);
    return ((port_mask{1} << here.parents) - 1) << here.children;
  }
  bool in_order() const override { return in_order_; }

private:
  struct place {
    std::uint32_t first, terminals, each;  // terminals under it, and under each child
    std::uint8_t children, parents;
  };
  static unsigned mixed(const flit& f, unsigned node) {
    std::uint64_t z = (std::uint64_t{f.source} << 32 | f.destination) + (node + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    return static_cast<unsigned>((z ^ (z >> 27)) >> 33);
  }
  const bool hashed_, in_order_;
  std::vector<place> places_;  // by switch
};

class table_routing final : public routing {
public:
  table_routing(const topology& t, unsigned channels)
      : terminals_(t.terminals.size()),
        port_(t.switches.size() * terminals_, none),
        in_order_(channels == 1) {
    for (std::size_t destination = 0; destination < terminals_; ++destination) fill(t, destination);
  }
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    const std::uint8_t port = port_[node * terminals_ + f.destination];
    return port == none ? 0 : bit(port);
  }
  bool in_order() const override { return in_order_; }

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
  const bool in_order_;
};

/// Kinds of routing that fit, the natural one first.
std::vector<std::string> fitting(const topology& shape) {
  if (shape.kind == "fat_tree") return {"up_down", "table"};
  if (!shape.children.empty()) return {"nearest_ancestor", "table"};
  if (shape.stages) return {"digit", "table"};
  if (!shape.dimensions.empty() && !shape.wraps) return {"dimension_order", "adaptive", "table"};
  if (!shape.dimensions.empty()) return {"dimension_order", "table"};
  if (shape.dimension) return {"e_cube", "shortest_paths", "table"};
  return {"table"};
}

std::shared_ptr<const routing> make_table(const topology& shape, unsigned channels) {
  const auto n = static_cast<double>(shape.switches.size()), m = static_cast<double>(shape.terminals.size());
  check_memory(n * m, "routing tables of " + std::to_string(shape.switches.size()) + " switches for " +
                          std::to_string(shape.terminals.size()) + " terminals");
  return std::make_shared<table_routing>(shape, channels);
}

}  // namespace

std::shared_ptr<const routing> make_routing(const topology& shape, const routing_choice& choice) {
  const std::vector<std::string> kinds = fitting(shape);
  const std::string kind = choice.kind == "auto" ? kinds.front() : choice.kind;
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    std::string expected;
    for (const std::string& k : kinds) expected += k + (k == kinds.back() ? " or " : ", ");
    throw std::invalid_argument("routing '" + kind + "' does not fit a topology of kind '" + shape.kind +
                                "': expected " + expected + "auto");
  }
  if (kind == "digit") {
    if ((shape.radix & (shape.radix - 1)) == 0 && shape.dilation == 1)
      return std::make_shared<binary_digit_routing>(shape, choice.channels);
    return std::make_shared<digit_routing>(shape, choice.channels);
  }
  if (kind == "dimension_order") return make_dimension_order(shape, choice.channels, choice.dateline);
  if (kind == "adaptive") return make_minimal_adaptive(shape, choice.channels);
  if (kind == "e_cube" || kind == "shortest_paths") return make_hypercube_routing(shape, kind == "e_cube");
  if (kind == "nearest_ancestor")
    return std::make_shared<nearest_ancestor_routing>(shape, choice.channels, choice.hashed_up);
  if (kind == "up_down") {
    const auto height = static_cast<unsigned>(__builtin_ctzll(shape.terminals.size()));
    return std::make_shared<fat_tree_routing>(fat_tree{height});
  }
  return make_table(shape, choice.channels);
}

}  // namespace spillway
