#pragma once
#include <spillway/hw/circuit/fat_tree.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

/// Of the fat tree of routers with two ports down and two up.
struct fat_tree_shape final : topology_facts {
  fat_tree tree;

  explicit fat_tree_shape(fat_tree shape) : tree(shape) {}
  topology_size size() const;
};

/// That of so many terminals: a power of two, 2 or more. Throws std::invalid_argument.
fat_tree tree_of(std::uint64_t terminals);

/// Fat tree of routers with two ports down and two up (Strumpen and Krishnamurthy, section 3); struct
/// fat_tree says which router is where and how they are joined. `terminals`: a power of two, 2 or more.
/// Without `routers`, only the terminals: for models that need no graph. Throws std::invalid_argument.
topology make_fat_tree(std::uint64_t terminals, bool routers = true);

class fat_tree_topology final : public topology_entry {
public:
  fat_tree_topology() : topology_entry("fat_tree") {}

  std::string column() const override { return "level"; }
  nlohmann::json schema() const override;
  std::optional<topology_size> size(const nlohmann::json& parameters) const override;
  topology make(const topology_context& context) const override {
    return make_fat_tree(context.parameters.at("terminals"), !context.terminals_only);
  }
};

/// Up to the lowest common ancestor by either port, then down.
class up_down_routing final : public routing_entry {
public:
  up_down_routing() : routing_entry("up_down") {}

  nlohmann::json schema() const override {
    return {{"description", "Up to the lowest common ancestor by either port, then down, for fat trees."}};
  }
  routing_fit fit(const topology& shape) const override {
    return shape.facts<fat_tree_shape>() ? routing_fit::own : routing_fit::none;
  }
  std::shared_ptr<const routing> make(const routing_context& context) const override {
    return std::make_shared<fat_tree_routing>(context.shape.facts<fat_tree_shape>()->tree);
  }
};

}  // namespace spillway
