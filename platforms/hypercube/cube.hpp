#pragma once
#include <nlohmann/json.hpp>
#include <spillway/platforms/topology/topology.hpp>

namespace spillway {

/// Of binary hypercubes: 2^dimension nodes, a switch and a terminal each. Port 0 is the terminal's, port 1 +
/// k leads to the node that differs in bit k. Nodes with the same high bits, all but `cluster` of them, are a
/// cluster.
struct cube_shape final : topology_facts {
  unsigned dimension = 0, cluster = 0;
  bool hierarchical = false;  ///< clusters are joined by one node each
  unsigned interface = 0;     ///< that node's low bits, in every cluster

  cube_shape(unsigned bits, unsigned low_bits, bool by_interfaces = false, unsigned interface_node = 0)
      : dimension(bits), cluster(low_bits), hierarchical(by_interfaces), interface(interface_node) {}

  topology_size size() const;
  /// N of a hypercube of N nodes, N of N clusters that are joined by one node each.
  std::uint64_t bisection() const override;
  bool direct() const override { return true; }
};

// They throw std::invalid_argument for parameters out of range.

/// Binary hypercube (BH): clusters only say which links are local: 0 <= cluster <= dimension <= 28.
topology make_hypercube(unsigned dimension, unsigned cluster);

/// Hierarchical hypercube (BH/BH, Dandamudi and Eager): clusters of 2^cluster nodes, each a hypercube; the
/// node of each cluster whose low bits are `interface` is also joined to those of the others in a hypercube
/// of the high bits. Ports as above; 1 <= cluster < dimension.
topology make_hierarchical_hypercube(unsigned dimension, unsigned cluster, unsigned interface);

/// Schema of the key `dimension`.
nlohmann::json dimension_key();

}  // namespace spillway
