#include <fmt/format.h>

#include <spillway/platforms/config/schema.hpp>
#include <spillway/tb/combining/combining_software.hpp>
#include <spillway/tb/combining/tree_supply.hpp>
#include <spillway/tb/traffic/entries.hpp>

namespace spillway {

namespace {

class tree_software final : public terminal_software {
public:
  tree_software(std::shared_ptr<const tree_rules> rules, std::uint16_t length)
      : rules_(std::move(rules)), length_(length), watch_(std::make_shared<tree_watch>(rules_->tree)) {}

  std::unique_ptr<packet_supply> supply(std::uint32_t terminal, std::unique_ptr<packet_supply> own) override {
    return std::make_unique<tree_supply>(rules_, watch_, terminal, length_, std::move(own));
  }
  void count(counters& all) const override { watch_->count(all); }

private:
  const std::shared_ptr<const tree_rules> rules_;
  const std::uint16_t length_;
  const std::shared_ptr<tree_watch> watch_;
};

terminal_tree read_cube(const software_context& c, std::uint32_t root) {
  unsigned dimension = 0;
  while (dimension < 20 && std::uint32_t{1} << dimension < c.terminals) ++dimension;
  if (c.terminals != std::uint32_t{1} << dimension)
    c.fail("tree", fmt::format("a cube has a power of two up to 2^20 terminals, found {}", c.terminals));
  const nlohmann::json& shape = c.file.root.at("topology");
  if (!shape.value("levels", nlohmann::json::array()).empty() ||
      !shape.value("sizes", nlohmann::json::array()).empty())
    c.fail("tree",
           "a tree of kind cube has two levels and clusters of one size; expected fan_in on other networks");
  const unsigned of_topology = shape.value("cluster", dimension);
  const unsigned cluster = c.section().value("cluster", of_topology);
  if (cluster > dimension)
    c.fail("cluster", fmt::format("expected 0..{} dimensions, found {}", dimension, cluster));
  return cube_tree(dimension, cluster, root, c.seed);
}

}  // namespace

nlohmann::json combining_software::schema() const {
  return parse_schema(R"({
    "description": "Software combining: the hot messages of a terminal go no further than to its parent in a tree, and the root tells all terminals of the result along the same tree.",
    "required": ["tree"],
    "properties": {
      "tree": {
        "enum": ["cube", "fan_in"],
        "description": "cube: spanning trees of a hypercube's clusters and one of their roots, with as even numbers of children as its links allow (Dandamudi and Eager, section 3.3.2); fan_in: so many children each, in the order of the terminals' numbers."
      },
      "fan_in": {
        "type": "integer", "minimum": 1, "maximum": 1048576, "default": 2,
        "description": "Children of a terminal in a tree of kind fan_in."
      },
      "cluster": {
        "type": "integer", "minimum": 0, "maximum": 20,
        "description": "Dimensions of a cluster, for a tree of kind cube; those of the topology, or all (one level), when left out."
      },
      "root": {
        "type": "integer", "minimum": 0, "maximum": 1048575, "default": 0, "description": "The hot terminal."
      },
      "barriers": {
        "type": "integer", "minimum": 0, "maximum": 4294967295, "default": 0,
        "description": "Barriers that the terminals come to, one after the other; 0: a stream of messages, as the traffic makes them."
      },
      "think": {
        "type": "number", "minimum": 0, "default": 0,
        "description": "Mean cycles (exponential) that a terminal computes before it comes to a barrier."
      }
    }
  })");
}

software_plan combining_software::plan(const software_context& c) const {
  const nlohmann::json& section = c.section();
  if (c.terminals < 2) c.file.fail(c.at, "expected 2 or more terminals");
  const std::uint32_t root = terminal_at(c.file, c.at / "root", c.terminals);
  auto rules = std::make_shared<tree_rules>();
  rules->tree = section.at("tree") == "fan_in" ? fan_in_tree(c.terminals, section.at("fan_in"), root)
                                               : read_cube(c, root);
  rules->episodes = section.at("barriers");
  rules->think = section.at("think");
  rules->seed = c.seed;
  return {[rules, length = c.packet_length] { return std::make_unique<tree_software>(rules, length); },
          std::shared_ptr<const terminal_tree>(rules, &rules->tree)};
}

}  // namespace spillway
