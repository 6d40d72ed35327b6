#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <spillway/platforms/hypercube/cube.hpp>
#include <spillway/platforms/topology/limits.hpp>

namespace spillway {

using namespace detail;

cube_shape::cube_shape(std::vector<unsigned> bits, unsigned interface_node, std::vector<unsigned> of_clusters)
    : dimension(std::accumulate(bits.begin(), bits.end(), 0u)),
      cluster(bits.front()),
      levels(std::move(bits)),
      interface(interface_node),
      sizes(std::move(of_clusters)) {}

std::uint32_t cube_shape::nodes() const {
  return sizes.empty() ? 1u << dimension : std::accumulate(sizes.begin(), sizes.end(), 0u);
}

std::vector<std::uint32_t> cube_shape::addresses() const {
  std::vector<std::uint32_t> all;
  if (sizes.empty()) return all;
  for (std::uint32_t address = 0; address < 1u << dimension; ++address)
    if ((address & ((1u << cluster) - 1)) < sizes[address >> cluster]) all.push_back(address);
  return all;
}

topology_size cube_shape::size() const {
  const double n = sizes.empty() ? std::exp2(dimension) : nodes();
  double links = 2 * n;
  if (sizes.empty()) links += n * levels.front();
  for (const unsigned s : sizes) links += s * std::log2(s);
  double joined = std::exp2(dimension);
  for (std::size_t level = 1; level < levels.size(); ++level) {
    joined /= std::exp2(levels[level - 1]);
    links += joined * levels[level];
  }
  return {n, n, links, 1.0 + dimension};
}

std::uint64_t cube_shape::bisection() const { return std::uint64_t{1} << levels.back(); }

namespace {

/// Nodes and the links of those dimensions that `joined(address, dimension)` accepts.
topology make_cube(const cube_shape& shape, const std::function<bool(unsigned address, unsigned k)>& joined,
                   const std::function<unsigned(unsigned address)>& stage) {
  const unsigned dimension = shape.dimension;
  expect(dimension >= 1 && dimension <= 28, "expected 1..28 dimensions, found " + std::to_string(dimension));
  topology t;
  t.known = std::make_shared<cube_shape>(shape);
  const std::vector<std::uint32_t> addresses = shape.addresses();
  const auto address = [&](std::uint32_t number) { return addresses.empty() ? number : addresses[number]; };
  const auto number = [&](std::uint32_t of) {
    if (addresses.empty()) return of;
    return static_cast<std::uint32_t>(std::lower_bound(addresses.begin(), addresses.end(), of) -
                                      addresses.begin());
  };
  const std::uint32_t nodes = shape.nodes();
  for (std::uint32_t i = 0; i < nodes; ++i) t.add_terminal();
  for (std::uint32_t i = 0; i < nodes; ++i) t.add_switch(stage(address(i)));
  for (std::uint32_t i = 0; i < nodes; ++i) {
    t.join(t.terminals[i], 0, t.switches[i], 0);
    for (unsigned k = 0; k < dimension; ++k)
      if (joined(address(i), k))
        t.add_link(t.switches[i], 1 + k, t.switches[number(address(i) ^ 1u << k)], 1 + k);
  }
  return t;
}

unsigned ones(unsigned bits) { return static_cast<unsigned>(__builtin_popcount(bits)); }

/// Of every dimension, those below its level.
std::vector<unsigned> masks_below(const std::vector<unsigned>& levels) {
  std::vector<unsigned> masks;
  for (const unsigned bits : levels) masks.insert(masks.end(), bits, (1u << masks.size()) - 1);
  return masks;
}

void check_sizes(const std::vector<unsigned>& sizes, unsigned clusters, unsigned most, unsigned interface) {
  expect(sizes.size() == clusters, "expected sizes of " + std::to_string(clusters) + " clusters, found " +
                                       std::to_string(sizes.size()));
  for (const unsigned size : sizes) {
    expect(size >= 1 && size <= most && !(size & (size - 1)), "expected clusters of a power of two up to " +
                                                                  std::to_string(most) + " nodes, found " +
                                                                  std::to_string(size));
    expect((interface & (most - 1)) < size, "expected an interface node that every cluster has, found " +
                                                std::to_string(interface & (most - 1)) +
                                                " and a cluster of " + std::to_string(size));
  }
}

}  // namespace

topology make_hypercube(unsigned dimension, unsigned cluster) {
  expect(cluster <= dimension, "expected clusters of 0.." + std::to_string(dimension) +
                                   " dimensions, found " + std::to_string(cluster));
  return make_cube(
      {dimension, cluster}, [](unsigned, unsigned) { return true; }, ones);
}

topology make_hierarchical_hypercube(unsigned dimension, unsigned cluster, unsigned interface,
                                     const std::vector<unsigned>& upper, const std::vector<unsigned>& sizes) {
  expect(dimension >= 1 && dimension <= 28, "expected 1..28 dimensions, found " + std::to_string(dimension));
  expect(cluster >= 1 && cluster < dimension, "expected clusters of 1.." + std::to_string(dimension - 1) +
                                                  " dimensions, found " + std::to_string(cluster));
  std::vector<unsigned> levels = {cluster};
  if (upper.empty()) levels.push_back(dimension - cluster);
  levels.insert(levels.end(), upper.begin(), upper.end());
  const unsigned bits = std::accumulate(levels.begin(), levels.end(), 0u);
  expect(bits == dimension && *std::min_element(levels.begin(), levels.end()) > 0,
         "expected levels above the clusters of 1 and more, and " + std::to_string(dimension - cluster) +
             " dimensions in all, found " + std::to_string(bits - cluster));
  const unsigned low = (1u << (dimension - levels.back())) - 1;
  expect(interface <= low, "expected an interface node 0.." + std::to_string(low) +
                               " of each cluster, found " + std::to_string(interface));
  if (!sizes.empty()) check_sizes(sizes, 1u << (dimension - cluster), 1u << cluster, interface);
  const std::vector<unsigned> below = masks_below(levels);
  const auto joined = [&](unsigned address, unsigned k) {
    if (k < cluster && !sizes.empty()) return 1u << k < sizes[address >> cluster];
    return (address & below[k]) == (interface & below[k]);
  };
  return make_cube(cube_shape(levels, interface, sizes), joined,
                   [=](unsigned address) { return ones(address ^ interface); });
}

nlohmann::json dimension_key() {
  return {{"type", "integer"},
          {"minimum", 1},
          {"maximum", 28},
          {"description", "Bits of the number of a node: there are 2^dimension."}};
}

}  // namespace spillway
