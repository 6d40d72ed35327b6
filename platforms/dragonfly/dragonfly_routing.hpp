#pragma once
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/dragonfly/dragonfly.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>

namespace spillway {

/// What the routings of dragonflies have in common. A packet goes to the switch of its group that has a link
/// to the next group, over that link, and in the last group to its switch. Its head holds the number of a
/// group by way of which it goes; that of its source or destination stands for the straight way.
///
/// The links of a way have classes of channels in the order in which it takes them, which frees them of
/// deadlock (Kim and others, section 4.1): straight local 0, global 0, local 1; by way of a group local 0,
/// global 0, local 1, global 1, local 2. What goes straight has the last ones. The virtual channels of a link
/// are dealt out to its classes; with fewer channels than classes some share one.
class dragonfly_routing : public routing_entry {
public:
  routing_fit fit(const topology& shape) const final {
    return shape.facts<dragonfly_shape>() ? routing_fit::own : routing_fit::none;
  }

protected:
  using routing_entry::routing_entry;
};

/// Straight to the group of the destination: at most three links between switches.
class minimal_routing final : public dragonfly_routing {
public:
  minimal_routing() : dragonfly_routing("minimal") {}
  nlohmann::json schema() const override;
  std::shared_ptr<const routing> make(const routing_context& context) const override;
};

/// By way of a group drawn for each packet, neither that of its source nor that of its destination; straight
/// where these are the same.
class valiant_routing final : public dragonfly_routing {
public:
  valiant_routing() : dragonfly_routing("valiant") {}
  nlohmann::json schema() const override;
  std::shared_ptr<const routing> make(const routing_context& context) const override;
};

/// Straight or as Valiant's, whichever promises less where the packet enters (UGAL-L).
class ugal_routing final : public dragonfly_routing {
public:
  ugal_routing() : dragonfly_routing("ugal") {}
  nlohmann::json schema() const override;
  std::shared_ptr<const routing> make(const routing_context& context) const override;
};

}  // namespace spillway
