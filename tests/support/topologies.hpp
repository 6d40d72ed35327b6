#pragma once
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/circuit/fat_tree_topology.hpp>
#include <spillway/platforms/grid/grid.hpp>
#include <spillway/platforms/hypercube/cube.hpp>
#include <spillway/platforms/multistage/multibutterfly.hpp>
#include <spillway/platforms/multistage/multistage.hpp>
#include <spillway/platforms/topology/read_graph.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>
#include <spillway/platforms/tree/xgft.hpp>
#include <string>
#include <utility>

namespace spillway::testing_support {

/// What a test says of a routing of the catalogue.
struct routing_choice {
  routing_choice(std::string name, unsigned virtual_channels = 1, nlohmann::json others = {})
      : kind(std::move(name)), channels(virtual_channels), keys(std::move(others)) {}
  routing_choice(const char* name) : kind(name) {}
  /// A routing of the test's own.
  routing_choice(std::shared_ptr<const routing> given) : own(std::move(given)) {}

  std::string kind;
  unsigned channels = 1;
  nlohmann::json keys = {};  ///< of the `routing` section, where they are not the defaults
  std::shared_ptr<const routing> own = nullptr;
};

inline std::shared_ptr<const routing> make_routing(const topology& shape, const routing_choice& choice) {
  if (choice.own) return choice.own;
  nlohmann::json section = choice.keys.is_null() ? nlohmann::json::object() : choice.keys;
  section["kind"] = choice.kind;
  static const catalogue all = platform_catalogue();
  return spillway::make_routing(all, shape, section, choice.channels);
}

/// A routing with so many channels, with the dateline that it has by itself or without.
inline routing_choice with_channels(const char* kind, unsigned channels, bool dateline = true) {
  return {kind, channels, dateline ? nlohmann::json() : nlohmann::json::object({{"dateline", false}})};
}

}  // namespace spillway::testing_support
