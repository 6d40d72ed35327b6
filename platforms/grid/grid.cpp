#include <algorithm>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/grid/grid.hpp>
#include <spillway/platforms/topology/limits.hpp>

namespace spillway {

using namespace detail;

double grid_shape::switches() const {
  double nodes = 1;
  for (const std::uint64_t k : dimensions) nodes *= static_cast<double>(k);
  return nodes;
}

double grid_shape::links_along(std::uint64_t size) const {
  if (size < 2) return 0;  // neither is there a neighbour nor a ring
  const auto k = static_cast<double>(size);
  return switches() / k * (wraps ? k : k - 1) * (both_ways ? 2 : 1);
}

topology_size grid_shape::size() const {
  topology_size all{switches(), switches(), 2 * switches(), 1};
  double d = 0;
  for (const std::uint64_t k : dimensions) {
    all.links += links_along(k);
    if (k > 1) all.ports = (both_ways ? 3 : 2) + 2 * d;
    ++d;
  }
  return all;
}

std::uint64_t grid_shape::bisection() const {
  const std::uint64_t largest = *std::max_element(dimensions.begin(), dimensions.end());
  if (largest % 2) return 0;
  return (wraps ? 2u : 1u) * (both_ways ? 2u : 1u) * static_cast<std::uint64_t>(switches()) / largest;
}

topology make_grid(const grid_shape& shape) {
  const auto& dimensions = shape.dimensions;
  expect(!dimensions.empty() && 1 + 2 * dimensions.size() <= most_ports,
         "expected 1..31 dimensions, found " + std::to_string(dimensions.size()));
  for (const std::uint64_t size : dimensions) expect(size >= 1, "expected dimensions of at least 1, found 0");
  const topology_size size = shape.size();
  expect(size.terminals <= most_terminals, "expected at most 2^28 terminals, found more");
  const auto nodes = static_cast<unsigned>(size.switches);
  topology t;
  t.known = std::make_shared<grid_shape>(shape);
  for (unsigned i = 0; i < nodes; ++i) t.add_terminal();
  for (unsigned i = 0; i < nodes; ++i) t.add_switch(static_cast<unsigned>(i % dimensions[0]));
  for (unsigned i = 0; i < nodes; ++i) t.join(t.terminals[i], 0, t.switches[i], 0);
  unsigned stride = 1;
  for (unsigned d = 0; d < dimensions.size(); stride *= static_cast<unsigned>(dimensions[d++])) {
    const auto k = static_cast<unsigned>(dimensions[d]);
    if (k == 1) continue;
    for (unsigned i = 0; i < nodes; ++i) {
      const unsigned x = i / stride % k;
      if (x + 1 == k && !shape.wraps) continue;
      const unsigned up = x + 1 == k ? i - stride * (k - 1) : i + stride;
      if (shape.both_ways)
        t.join(t.switches[i], 1 + 2 * d, t.switches[up], 2 + 2 * d);
      else
        t.add_link(t.switches[i], 1 + 2 * d, t.switches[up], 1 + d);
    }
  }
  return t;
}

topology make_mesh(const std::vector<std::uint64_t>& dimensions) { return make_grid({dimensions, false}); }
topology make_torus(const std::vector<std::uint64_t>& dimensions) { return make_grid({dimensions, true}); }
topology make_ring(std::uint64_t terminals, bool both_ways) {
  return make_grid({{terminals}, true, both_ways});
}

nlohmann::json grid_schema(const std::string& description) {
  nlohmann::json schema = parse_schema(R"({
    "required": ["dimensions"],
    "properties": {
      "dimensions": {
        "type": "array",
        "minItems": 1,
        "items": { "type": "integer", "minimum": 1, "maximum": 1099511627776 },
        "description": "Switches along each dimension, such as [8, 8]; one terminal a switch."
      }
    }
  })");
  schema["description"] = description;
  return schema;
}

}  // namespace spillway
