#pragma once
#include <spillway/hw/endpoints/processor.hpp>
#include <spillway/platforms/catalogue/block_kinds.hpp>

namespace spillway {

/// Adds the interface of kind `nifdy`.
void add_nifdy_kind(block_kinds& kinds);

/// What the `interface` section of kind `nifdy` says of the processor, defaults filled in; only if it has
/// one.
processor_config processor_config_of(const nlohmann::json& section, std::uint64_t seed);

}  // namespace spillway
