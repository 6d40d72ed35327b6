#include <cmath>
#include <functional>
#include <spillway/platforms/hypercube/cube.hpp>
#include <spillway/platforms/topology/limits.hpp>

namespace spillway {

using namespace detail;

topology_size cube_shape::size() const {
  const double nodes = std::exp2(dimension), far = dimension - cluster;
  return {nodes, nodes, nodes * (2.0 + cluster) + (hierarchical ? std::exp2(far) : nodes) * far,
          1.0 + dimension};
}

std::uint64_t cube_shape::bisection() const {
  return std::uint64_t{1} << (hierarchical ? dimension - cluster : dimension);
}

namespace {

/// Nodes and the links of those dimensions that `joined(node, dimension)` accepts.
topology make_cube(const cube_shape& shape, const std::function<bool(unsigned node, unsigned k)>& joined,
                   const std::function<unsigned(unsigned node)>& stage) {
  const unsigned dimension = shape.dimension;
  expect(dimension >= 1 && dimension <= 28, "expected 1..28 dimensions, found " + std::to_string(dimension));
  topology t;
  t.known = std::make_shared<cube_shape>(shape);
  const unsigned nodes = 1u << dimension;
  for (unsigned i = 0; i < nodes; ++i) t.add_terminal();
  for (unsigned i = 0; i < nodes; ++i) t.add_switch(stage(i));
  for (unsigned i = 0; i < nodes; ++i) {
    t.join(t.terminals[i], 0, t.switches[i], 0);
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
  return make_cube(
      {dimension, cluster}, [](unsigned, unsigned) { return true; }, ones);
}

topology make_hierarchical_hypercube(unsigned dimension, unsigned cluster, unsigned interface) {
  expect(cluster >= 1 && cluster < dimension, "expected clusters of 1.." + std::to_string(dimension - 1) +
                                                  " dimensions, found " + std::to_string(cluster));
  const unsigned low = (1u << cluster) - 1;
  expect(interface <= low, "expected an interface node 0.." + std::to_string(low) +
                               " of each cluster, found " + std::to_string(interface));
  return make_cube(
      {dimension, cluster, true, interface},
      [=](unsigned node, unsigned k) { return k < cluster || (node & low) == interface; },
      [=](unsigned node) { return ones(node ^ interface); });
}

nlohmann::json dimension_key() {
  return {{"type", "integer"},
          {"minimum", 1},
          {"maximum", 28},
          {"description", "Bits of the number of a node: there are 2^dimension."}};
}

}  // namespace spillway
