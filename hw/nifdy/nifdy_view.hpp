#pragma once
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/nifdy/nifdy_config.hpp>
#include <utility>
#include <vector>

namespace spillway {

/// The protocol's view of one unit: the links that a checker must see together. No link with wires of
/// its own.
class nifdy_view final : public network_link {
public:
  nifdy_view(link_place place, const nifdy_config& config, packet_link& processor)
      : network_link(std::move(place)),
        unit(config),
        to_network(config.networks),
        from_network(config.networks),
        to_processor(processor) {}

  const char* kind() const override { return "nifdy"; }
  std::optional<flit> blocked() const override { return std::nullopt; }
  unsigned trace(sc_core::sc_trace_file*, const std::function<bool(const char*)>&) const override {
    return 0;
  }

  const nifdy_config unit;
  std::vector<packet_link*> to_network, from_network;
  packet_link& to_processor;
};

}  // namespace spillway
