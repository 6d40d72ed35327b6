#pragma once
#include <spillway/platforms/topology/region_routing.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

/// Which switch of a group has the link to which other group.
enum class global_wiring {
  palmtree,  ///< by the distance to the other group, downwards (Camarero, Vallejo and Beivide 2014)
  absolute,  ///< by the number of the other group (Kim, Dally, Scott and Abts 2008, figure 5)
};

/// Dragonfly (Kim, Dally, Scott and Abts, ISCA 2008): groups of switches that are all joined to each other,
/// and links between all groups. Switch r of group g has the number g * switches + r; its ports lead to its
/// terminals, then to the other switches of the group by number, then to other groups. Two groups have as
/// many links as all pairs can have alike; ports that are left over stay open.
struct dragonfly_shape final : region_facts {
  unsigned switches, terminals, global_links;  ///< of a group; of a switch; of a switch: a, p and h
  unsigned groups;
  global_wiring wiring;

  dragonfly_shape(unsigned a, unsigned p, unsigned h, unsigned group_count,
                  global_wiring how = global_wiring::palmtree)
      : switches(a), terminals(p), global_links(h), groups(group_count), wiring(how) {}
  /// From a section; as many groups as there can be if it does not say.
  explicit dragonfly_shape(const nlohmann::json& parameters);

  topology_size size() const;
  bool direct() const override { return terminals == 1; }
  std::shared_ptr<const routing> ways(way_choice choice, const routing_context& context) const override;

  unsigned group_of(unsigned node) const { return node / switches; }
  unsigned switch_of_terminal(unsigned terminal) const { return terminal / terminals; }
  unsigned group_of_terminal(unsigned terminal) const { return group_of(switch_of_terminal(terminal)); }
  /// Links between two groups, one way.
  unsigned links_between_groups() const;
  /// First of the ports of a switch that lead to other groups.
  unsigned first_global_port() const { return terminals + switches - 1; }
  /// Port of a switch to another of its group.
  unsigned port_to(unsigned node, unsigned other) const {
    return terminals + other % switches - (other % switches > node % switches);
  }
  /// Place of group `to` among the others as group `from` counts them, from 0.
  unsigned place_of(unsigned from, unsigned to) const;
  /// Where link `copy` to the group at a place begins: port k of switch r as r * global_links + k.
  unsigned end_of(unsigned place, unsigned copy) const { return copy * (groups - 1) + place; }
};

/// Throws std::invalid_argument for parameters out of range: a switch has at most 64 ports, a network 2^28
/// terminals, and a group no more others than it has links to them.
topology make_dragonfly(const dragonfly_shape& shape);

class dragonfly_topology final : public topology_entry {
public:
  dragonfly_topology() : topology_entry("dragonfly") {}

  std::string column() const override { return "group"; }
  nlohmann::json schema() const override;
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    return dragonfly_shape(parameters).size();
  }
  topology make(const topology_context& context) const override {
    return make_dragonfly(dragonfly_shape(context.parameters));
  }
};

}  // namespace spillway
