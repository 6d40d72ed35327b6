#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace spillway {

/// Measures the transaction-level model of a circuit-switched fat tree: all terminals send one message each
/// at random. `name`: circuit:lg of the terminals:immediate or rounds.
nlohmann::json measure_circuit(const std::string& name);

}  // namespace spillway
