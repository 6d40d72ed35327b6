#pragma once
#include <spillway/hw/endpoints/processor.hpp>
#include <spillway/hw/interfaces/nifdy_config.hpp>
#include <spillway/platforms/elaborate/block_kinds.hpp>

namespace spillway {

class nifdy_unit;

/// Adds the interface of kind `nifdy`.
void add_nifdy_kind(block_kinds& kinds);

/// What the `interface` section of kind `nifdy` says of the unit, defaults filled in.
nifdy_config nifdy_config_of(const nlohmann::json& section, unsigned terminal, unsigned packet_length);
/// The same of the processor; only if the section has one.
processor_config processor_config_of(const nlohmann::json& section, std::uint64_t seed);

/// The protocol's view of one unit: all the packet links that its checker must see.
class nifdy_view final : public link {
public:
  nifdy_view(link_place place, const nifdy_config& unit, packet_link& to_processor)
      : link(std::move(place)), unit(unit), to_network(unit.networks), from_network(unit.networks),
        to_processor(to_processor) {}

  const char* kind() const override { return "nifdy"; }
  std::optional<flit> blocked() const override { return std::nullopt; }
  unsigned trace(sc_core::sc_trace_file*, const std::function<bool(const char*)>&) const override { return 0; }

  const nifdy_config unit;
  std::vector<packet_link*> to_network, from_network;
  packet_link& to_processor;
};

}  // namespace spillway
