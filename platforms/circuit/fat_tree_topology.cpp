#include <spillway/platforms/circuit/fat_tree_topology.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/topology/limits.hpp>

namespace spillway {

using namespace detail;

fat_tree tree_of(std::uint64_t terminals) {
  expect(terminals >= 2 && terminals <= most_terminals && (terminals & (terminals - 1)) == 0,
         "expected a power of two of 2 terminals or more, found " + std::to_string(terminals));
  return {static_cast<unsigned>(__builtin_ctzll(terminals))};
}

topology_size fat_tree_shape::size() const {
  const double terminals = tree.terminals();
  return {terminals, static_cast<double>(tree.routers()), 2 * terminals * tree.height, 4};
}

topology make_fat_tree(std::uint64_t terminals, bool routers) {
  const fat_tree shape = tree_of(terminals);
  topology t;
  t.known = std::make_shared<fat_tree_shape>(shape);
  t.least_ports = 4;
  for (unsigned i = 0; i < terminals; ++i) t.add_terminal();
  if (!routers) return t;
  for (unsigned i = 0; i < shape.routers(); ++i) t.add_switch(shape.at(i).level);
  for (unsigned i = 0; i < terminals; ++i) t.join(t.terminals[i], 0, t.switches[i / 2], i % 2);
  for (unsigned i = 0; i < shape.routers(); ++i) {
    const fat_tree::place here = shape.at(i);
    if (here.level + 1 == shape.height) break;
    const unsigned side = here.node % 2 ? port_b : port_a;
    for (const unsigned up : {port_c, port_d}) {
      const unsigned above = here.router + (up == port_d ? 1u << here.level : 0);
      t.join(t.switches[i], up, t.switches[shape.number({here.level + 1, here.node / 2, above})], side);
    }
  }
  return t;
}

nlohmann::json fat_tree_topology::schema() const {
  return parse_schema(R"({
    "description": "A binary tree whose nodes at level l are 2^l switches with two ports down and two up.",
    "required": ["terminals"],
    "properties": {
      "terminals": {
        "type": "integer",
        "minimum": 2,
        "maximum": 268435456,
        "description": "Terminals, a power of two."
      }
    }
  })");
}

std::optional<topology_size> fat_tree_topology::size(const nlohmann::json& parameters) const {
  return fat_tree_shape(tree_of(parameters.at("terminals"))).size();
}

}  // namespace spillway
