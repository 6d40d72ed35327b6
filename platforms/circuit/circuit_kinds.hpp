#pragma once
#include <spillway/hw/circuit/circuit_decision.hpp>
#include <spillway/hw/circuit/retry.hpp>
#include <spillway/platforms/catalogue/block_kinds.hpp>

namespace spillway {

/// Adds the switch and the interface of kind `circuit`: circuit-switched fat trees.
void add_circuit_kinds(block_kinds& kinds);

/// What the sections `switch` and `interface` of kind `circuit` say, defaults filled in.
contention contention_of(const nlohmann::json& switch_section);
retry_policy policy_of(const nlohmann::json& interface_section, std::uint32_t terminals, std::uint64_t seed);

/// Adds `circuit.normalized_cycles` once something has been delivered: from the first request to the last
/// release at a first router, in times of a message across the diameter and back.
void add_normalized_cycles(counters& all, std::uint32_t terminals);

}  // namespace spillway
