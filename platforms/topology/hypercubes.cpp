#include <functional>
#include <spillway/platforms/topology/generators.hpp>
#include <spillway/platforms/topology/limits.hpp>

namespace spillway {

namespace {

using namespace detail;

/// Nodes and the links of those dimensions that `joined(node, dimension)` accepts.
topology make_cube(unsigned dimension, const std::function<bool(unsigned node, unsigned k)>& joined,
                   const std::function<unsigned(unsigned node)>& stage) {
  expect(dimension >= 1 && dimension <= 28, "expected 1..28 dimensions, found " + std::to_string(dimension));
  topology t;
  t.dimension = dimension;
  const unsigned nodes = 1u << dimension;
  for (unsigned i = 0; i < nodes; ++i) t.add_terminal();
  for (unsigned i = 0; i < nodes; ++i) t.add_switch(stage(i));
  for (unsigned i = 0; i < nodes; ++i) {
    t.add_link(t.terminals[i], 0, t.switches[i], 0);
    t.add_link(t.switches[i], 0, t.terminals[i], 0);
    for (unsigned k = 0; k < dimension; ++k)
      if (joined(i, k)) t.add_link(t.switches[i], 1 + k, t.switches[i ^ 1u << k], 1 + k);
  }
  return t;
}

unsigned ones(unsigned bits) { return static_cast<unsigned>(__builtin_popcount(bits)); }

}  // namespace

topology make_hypercube(unsigned dimension, unsigned cluster) {
  expect(cluster <= dimension, "expected clusters of 0.." + std::to_string(dimension) +
                                   " dimensions, found " + std::to_string(cluster));
  topology t = make_cube(
      dimension, [](unsigned, unsigned) { return true; }, ones);
  t.kind = "hypercube";
  t.cluster = cluster;
  return t;
}

topology make_hierarchical_hypercube(unsigned dimension, unsigned cluster, unsigned interface) {
  expect(cluster >= 1 && cluster < dimension, "expected clusters of 1.." + std::to_string(dimension - 1) +
                                                  " dimensions, found " + std::to_string(cluster));
  const unsigned low = (1u << cluster) - 1;
  expect(interface <= low, "expected an interface node 0.." + std::to_string(low) +
                               " of each cluster, found " + std::to_string(interface));
  topology t = make_cube(
      dimension, [=](unsigned node, unsigned k) { return k < cluster || (node & low) == interface; },
      [=](unsigned node) { return ones(node ^ interface); });
  t.kind = "hierarchical_hypercube";
  t.cluster = cluster;
  t.hierarchical = true;
  t.interface = interface;
  return t;
}

}  // namespace spillway
