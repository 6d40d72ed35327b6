#pragma once
#include <nlohmann/json.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <vector>

namespace spillway {

/// Of binary hypercubes: 2^dimension nodes, a switch and a terminal each. Port 0 is the terminal's, port 1 +
/// k leads to the node that differs in bit k. Nodes with the same high bits, all but `cluster` of them, are a
/// cluster.
///
/// In a hierarchy each level is a hypercube of what the level below joins, by the interface nodes of those:
/// the address of a node has the bits of its level 0 lowest.
struct cube_shape final : topology_facts {
  unsigned dimension = 0, cluster = 0;
  std::vector<unsigned> levels;  ///< bits of each, `cluster` first; one level: no interface nodes
  unsigned interface = 0;        ///< bits of the interface nodes, those of each level in their place
  std::vector<unsigned> sizes;   ///< nodes of each cluster; all alike when empty

  cube_shape(unsigned bits, unsigned low_bits) : dimension(bits), cluster(low_bits), levels{bits} {}
  cube_shape(std::vector<unsigned> bits, unsigned interface_node, std::vector<unsigned> of_clusters = {});

  bool hierarchical() const { return levels.size() > 1; }
  std::uint32_t nodes() const;
  /// Of all nodes, by number; empty where they are the numbers, as all clusters are alike.
  std::vector<std::uint32_t> addresses() const;
  topology_size size() const;
  /// Of the highest level: N of a hypercube of N nodes or of N clusters.
  std::uint64_t bisection() const override;
  bool direct() const override { return true; }
};

// They throw std::invalid_argument for parameters out of range.

/// Binary hypercube (BH): clusters only say which links are local: 0 <= cluster <= dimension <= 28.
topology make_hypercube(unsigned dimension, unsigned cluster);

/// Hierarchical hypercube (BH/BH, Dandamudi and Eager): clusters of 2^cluster nodes, each a hypercube; the
/// node of each cluster whose low bits are `interface` is also joined to those of the others in a hypercube
/// of the high bits. Ports as above; 1 <= cluster < dimension. `upper`: bits of each level above the
/// clusters, if there are more than one. `sizes`: nodes of each cluster, powers of two up to 2^cluster, if
/// not all are that large; nodes are numbered cluster after cluster.
topology make_hierarchical_hypercube(unsigned dimension, unsigned cluster, unsigned interface,
                                     const std::vector<unsigned>& upper = {},
                                     const std::vector<unsigned>& sizes = {});

/// Schema of the key `dimension`.
nlohmann::json dimension_key();

}  // namespace spillway
