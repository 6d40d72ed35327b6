#include <algorithm>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/dragonfly/dragonfly.hpp>
#include <spillway/platforms/topology/limits.hpp>

namespace spillway {

using namespace detail;

dragonfly_shape::dragonfly_shape(const nlohmann::json& parameters)
    : dragonfly_shape(
          parameters.at("switches"), parameters.at("terminals"), parameters.at("global_links"), 0,
          parameters.at("wiring") == "absolute" ? global_wiring::absolute : global_wiring::palmtree) {
  groups = parameters.value("groups", switches * global_links + 1);
}

unsigned dragonfly_shape::links_between_groups() const {
  return groups > 1 ? switches * global_links / (groups - 1) : 0;
}

topology_size dragonfly_shape::size() const {
  const double a = switches, p = terminals, g = groups;
  const double between = (g - 1) * links_between_groups();  // of a group
  topology_size all{g * a * p, g * a, g * (2 * a * p + a * (a - 1) + between), p + a - 1};
  all.ports += std::min<double>(between, global_links);
  return all;
}

unsigned dragonfly_shape::place_of(unsigned from, unsigned to) const {
  return wiring == global_wiring::palmtree ? (from + groups - to) % groups - 1 : to - (to > from);
}

topology make_dragonfly(const dragonfly_shape& s) {
  expect(s.switches >= 1 && s.terminals >= 1 && s.global_links >= 1 && s.groups >= 1,
         "expected 1 or more switches of a group, terminals and global links of a switch, and groups");
  expect(s.terminals <= most_ports && s.switches <= most_ports && s.global_links <= most_ports &&
             s.first_global_port() + s.global_links <= most_ports,
         "expected at most 64 ports of a switch, its terminals, the other switches of its group and its "
         "global links together, found " +
             std::to_string(std::uint64_t{s.terminals} + s.switches - 1 + s.global_links));
  expect(s.groups - 1 <= s.switches * s.global_links,
         "expected at most " + std::to_string(s.switches * s.global_links + 1) +
             " groups, so that each has a link to every other, found " + std::to_string(s.groups));
  topology t;
  t.known = std::make_shared<dragonfly_shape>(s);
  for (unsigned node = 0; node < s.groups * s.switches; ++node) {
    const auto v = t.add_switch(s.group_of(node));
    for (unsigned port = 0; port < s.terminals; ++port) t.join(t.add_terminal(), 0, v, port);
  }
  for (unsigned node = 0; node < t.switches.size(); ++node)
    for (unsigned other = node + 1; other < (s.group_of(node) + 1) * s.switches; ++other)
      t.join(t.switches[node], s.port_to(node, other), t.switches[other], s.port_to(other, node));
  const unsigned h = s.global_links, global = s.first_global_port();
  for (unsigned g = 0; g < s.groups; ++g)
    for (unsigned other = g + 1; other < s.groups; ++other)
      for (unsigned copy = 0; copy < s.links_between_groups(); ++copy) {
        const unsigned here = s.end_of(s.place_of(g, other), copy);
        const unsigned there = s.end_of(s.place_of(other, g), copy);
        t.join(t.switches[g * s.switches + here / h], global + here % h,
               t.switches[other * s.switches + there / h], global + there % h);
      }
  return t;
}

nlohmann::json dragonfly_topology::schema() const {
  return parse_schema(R"({
    "description": "Dragonfly (Kim and others, ISCA 2008): groups of switches that are all joined to each other, with links between all groups. A switch has at most 64 ports. Its groups are the regions of the routings minimal, valiant and ugal, which are free of deadlock with 2, 3 and 3 virtual channels.",
    "properties": {
      "switches": {
        "type": "integer",
        "minimum": 1,
        "maximum": 64,
        "default": 4,
        "description": "Switches of a group (a)."
      },
      "terminals": {
        "type": "integer",
        "minimum": 1,
        "maximum": 63,
        "default": 2,
        "description": "Terminals of a switch (p)."
      },
      "global_links": {
        "type": "integer",
        "minimum": 1,
        "maximum": 63,
        "default": 2,
        "description": "Links of a switch to other groups (h). With a = 2p = 2h the load is balanced."
      },
      "groups": {
        "type": "integer",
        "minimum": 1,
        "maximum": 4096,
        "description": "Groups, up to a h + 1, which there are when this is left out. With fewer, each two have several links, as many as all can have alike."
      },
      "wiring": {
        "enum": ["palmtree", "absolute"],
        "default": "palmtree",
        "description": "Which switch has the link to which group: by the distance of the groups, the nearest before it first, or by the number of the other group."
      }
    }
  })");
}

}  // namespace spillway
