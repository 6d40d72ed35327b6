#pragma once
#include <nlohmann/json.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Of meshes, tori and rings: one switch a terminal, whose port 0 is the terminal's; in each dimension d,
/// port 1+2d leads up and 2+2d down. The number of a switch has the coordinates as its digits, dimension 0
/// last.
struct grid_shape final : topology_facts {
  std::vector<std::uint64_t> dimensions;  ///< switches along each
  bool wraps = false;                     ///< every dimension is closed to a ring
  bool both_ways = true;                  ///< links in both directions, rather than in the rising one only

  grid_shape(std::vector<std::uint64_t> sizes, bool wraps_around, bool in_both_directions = true)
      : dimensions(std::move(sizes)), wraps(wraps_around), both_ways(in_both_directions) {}

  topology_size size() const;
  /// Known if the largest dimension k is even: 2N/k links of N switches, 4N/k where the dimensions are closed
  /// (Dally and Towles, chapter 5).
  std::uint64_t bisection() const override;
  bool direct() const override { return true; }
  /// Links of all switches along a dimension of that size, one way.
  double links_along(std::uint64_t size) const;
  double switches() const;
};

/// Throw std::invalid_argument for parameters out of range: a switch has at most 64 ports and a network 2^28
/// terminals.
topology make_grid(const grid_shape& shape);
topology make_mesh(const std::vector<std::uint64_t>& dimensions);
/// As the mesh, with every dimension closed to a ring.
topology make_torus(const std::vector<std::uint64_t>& dimensions);
/// A torus of one dimension; one way: port 1 only.
topology make_ring(std::uint64_t terminals, bool both_ways);

/// Schema of a grid whose key `dimensions` says all.
nlohmann::json grid_schema(const std::string& description);

}  // namespace spillway
