#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace spillway {

struct topology;

/// An experiment as entries look at it, to say what does not fit.
struct experiment_view {
  const nlohmann::json& root;  ///< valid by the schema, defaults filled in
  const topology& shape;       ///< at the transaction level without switches
};

/// What is wrong, and where.
struct objection {
  std::string at;    ///< JSON pointer, such as `/interface/map`
  std::string what;  ///< what was found and what was expected
};

}  // namespace spillway
