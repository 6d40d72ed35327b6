#pragma once
#include <spillway/platforms/topology/region_routing.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>
#include <vector>

namespace spillway {

/// HyperX (Ahn, Binkert, Davis, McLaren and Schreiber, SC 2009): switches are the points of a grid, and in
/// each dimension a switch is joined to all others of its line. With one dimension all switches are joined to
/// each other; with equal sizes k and k terminals it is a flattened butterfly (Kim, Dally and Abts, ISCA
/// 2007). The first dimension is the fastest in the number of a switch. Its ports lead to its terminals,
/// then, dimension by dimension, to the others of its line by their place in it.
struct hyperx_shape final : region_facts {
  std::vector<unsigned> sizes;  ///< switches of a line, by dimension
  unsigned terminals;           ///< of a switch

  hyperx_shape(std::vector<unsigned> switches, unsigned terminals_a_switch)
      : sizes(std::move(switches)), terminals(terminals_a_switch) {}
  explicit hyperx_shape(const nlohmann::json& parameters)
      : hyperx_shape(parameters.at("sizes").get<std::vector<unsigned>>(), parameters.at("terminals")) {}

  topology_size size() const;
  std::uint64_t bisection() const override;
  bool direct() const override { return terminals == 1; }
  std::shared_ptr<const routing> ways(way_choice choice, const routing_context& context) const override;

  unsigned switch_of_terminal(unsigned terminal) const { return terminal / terminals; }
  /// The port of a switch towards another in the first dimension in which they differ, which they do.
  unsigned port_towards(unsigned node, unsigned other) const;
  /// Dimensions in which they differ: links from one to the other.
  unsigned distance(unsigned node, unsigned other) const;
};

/// Throws std::invalid_argument for parameters out of range: a switch has at most 64 ports, a network 2^28
/// terminals.
topology make_hyperx(const hyperx_shape& shape);

class hyperx_topology final : public topology_entry {
public:
  hyperx_topology() : topology_entry("hyperx") {}

  nlohmann::json schema() const override;
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    return hyperx_shape(parameters).size();
  }
  topology make(const topology_context& context) const override {
    return make_hyperx(hyperx_shape(context.parameters));
  }
};

}  // namespace spillway
