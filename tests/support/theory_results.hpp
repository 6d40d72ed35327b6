#pragma once
#include <spillway/tb/theory/theory.hpp>
#include <string>
#include <vector>

/// What a model finds with these arguments, without their echo.
inline nlohmann::json found_by(const std::string& name, const std::vector<std::string>& key_value) {
  nlohmann::json all = spillway::evaluate_theory(name, key_value);
  all.erase("model"), all.erase("parameters");
  return all;
}
