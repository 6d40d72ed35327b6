#pragma once
#include <spillway/platforms/topology/topology_entry.hpp>
#include <vector>

namespace spillway {

/// Fat tree of any numbers (extended generalized fat tree, Ohring et al. 1995): a switch of level l, from 0,
/// has children[l] below it by ports 0.., and parents[l] above it by the ports that follow; terminals have
/// one parent. One entry less in `parents` than in `children`. The k-ary n-tree has k everywhere, the CM-5's
/// data network children 4 4 4 and parents 2 2.
struct xgft_shape final : topology_facts {
  std::vector<unsigned> children, parents;

  xgft_shape(std::vector<unsigned> below, std::vector<unsigned> above)
      : children(std::move(below)), parents(std::move(above)) {}
  /// From a section; the k-ary n-tree if it does not say the parents.
  explicit xgft_shape(const nlohmann::json& parameters);

  topology_size size() const;
  unsigned parents_at(std::size_t level) const { return level < parents.size() ? parents[level] : 0; }
};

/// Throws std::invalid_argument for parameters out of range: a switch has at most 64 ports and a network 2^28
/// terminals.
topology make_xgft(const xgft_shape& shape);

class xgft_topology final : public topology_entry {
public:
  xgft_topology() : topology_entry("xgft") {}

  std::string column() const override { return "level"; }
  nlohmann::json schema() const override;
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    return xgft_shape(parameters).size();
  }
  topology make(const topology_context& context) const override {
    return make_xgft(xgft_shape(context.parameters));
  }
};

}  // namespace spillway
