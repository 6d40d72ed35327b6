#pragma once
#include <spillway/hw/dampening/assignment.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <vector>

namespace spillway {

/// The square-root scheme (Kuszmaul and Kuszmaul, section II): a pool that is reached from no more sources
/// than it leads to destinations has buffers for each of its sources, any other for each of its destinations.
/// In a butterfly that is at most sqrt(P) of them, and an innocent processor is never held up.
class square_root_plan final : public assignment_plan {
public:
  /// Follows the route of every pair of terminals; the routing must give one way for each. `copies`: buffers
  /// for each source or destination.
  square_root_plan(const topology& shape, const routing& routes, bool pool_per_input, unsigned copies);

  std::unique_ptr<assignment> make(unsigned node, unsigned input) const override;
  bool by_source(unsigned node, unsigned input) const override { return pool(node, input).by_source; }

private:
  struct pool_plan {
    bool by_source = false;
    std::shared_ptr<const set_table> sets;
  };
  const pool_plan& pool(unsigned node, unsigned input) const {
    return pools_[first_[node] + (pool_per_input_ ? input : 0)];
  }

  const bool pool_per_input_;
  std::vector<std::size_t> first_;  // by switch: its first pool
  std::vector<pool_plan> pools_;
};

}  // namespace spillway
