#pragma once
#include <memory>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/platforms/topology/topology.hpp>

namespace spillway {

/// What a maker of routings is told.
struct routing_context {
  const topology& shape;
  const nlohmann::json& parameters;  ///< the `routing` section, defaults filled in
  unsigned channels = 1;             ///< virtual channels of a link, of one logical network
  std::uint64_t seed = 1;            ///< of the run, for what a routing draws
};

/// How a routing and a topology go together.
enum class routing_fit {
  none,     ///< not at all
  general,  ///< as with any topology
  own       ///< the routing is made for such topologies
};

/// A routing that an experiment can choose by its name. What the analysis of deadlocks must know of it, the
/// routing that it makes says: see routing::channels(), escape() and entry_routes().
class routing_entry : public catalogue_entry {
public:
  using axis_entry = routing_entry;
  static axis_place place() { return {"routing"}; }

  virtual routing_fit fit(const topology& shape) const = 0;
  /// For a topology that fits. Throws std::invalid_argument for parameters out of range, std::length_error
  /// for tables that do not fit into memory.
  virtual std::shared_ptr<const routing> make(const routing_context& context) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

/// What `kind: auto` chooses: the first routing in the catalogue that is made for the topology, or else the
/// first that fits. Throws std::invalid_argument if there is none.
const routing_entry& natural_routing(const catalogue& all, const topology& shape);

/// The routing of a section, in which keys may be left to their defaults.
/// @param channels virtual channels of a link, of one logical network
/// @param seed of what it draws
/// Throws as its entry, std::invalid_argument also if it does not fit the topology.
std::shared_ptr<const routing> make_routing(const catalogue& all, const topology& shape,
                                            nlohmann::json section, unsigned channels = 1,
                                            std::uint64_t seed = 1);

}  // namespace spillway
