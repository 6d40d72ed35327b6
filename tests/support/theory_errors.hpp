#pragma once
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/theory/theory.hpp>
#include <string>
#include <vector>

/// What a model says of these arguments, which it refuses.
inline std::string error_of(const std::string& name, const std::vector<std::string>& key_value) {
  try {
    spillway::evaluate_theory(name, key_value);
  } catch (const spillway::config_error& e) {
    return e.what();
  }
  return "no error";
}
