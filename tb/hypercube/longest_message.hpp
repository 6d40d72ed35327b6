#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace spillway {

/// Cycles that a link of message nodes takes for a message at most. `switches`: the section; of other
/// switches 0.
inline std::uint64_t longest_message(const nlohmann::json& switches) {
  if (switches.at("kind") != "message_node") return 0;
  // Mean lengths of the longest that message_service draws: -log(2^-53), rounded up.
  const double longest = switches.at("length") == "fixed" ? 1 : 37;
  const double slowest =
      std::min(switches.at("cluster_rate").get<double>(), switches.at("other_rate").get<double>());
  return static_cast<std::uint64_t>(
      std::min(std::ceil(longest * switches.at("unit").get<double>() / slowest), 1e18));
}

}  // namespace spillway
