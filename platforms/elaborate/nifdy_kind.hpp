#pragma once
#include <spillway/hw/endpoints/processor.hpp>
#include <spillway/hw/interfaces/nifdy_config.hpp>
#include <spillway/platforms/elaborate/block_kinds.hpp>

namespace spillway {

/// Adds the interface of kind `nifdy`.
void add_nifdy_kind(block_kinds& kinds);

/// What the `interface` section of kind `nifdy` says of the unit, defaults filled in.
nifdy_config nifdy_config_of(const nlohmann::json& section, unsigned terminal, unsigned packet_length);
/// The same of the processor; only if the section has one.
processor_config processor_config_of(const nlohmann::json& section, std::uint64_t seed);

}  // namespace spillway
