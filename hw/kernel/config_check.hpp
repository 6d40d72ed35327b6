#pragma once
#include <stdexcept>
#include <string>

// What configurations are checked with: each has a member check() that throws std::invalid_argument.
namespace spillway::detail {

/// Throws unless the rule holds. `what`: the rule, and the values that break it.
inline void need(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument(what);
}

/// The configuration, for a list of initialisers that relies on it.
template <class Config>
const Config& checked(const Config& config) {
  config.check();
  return config;
}

}  // namespace spillway::detail
