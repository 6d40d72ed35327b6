#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace spillway::schema_detail {

/// One thing wrong with a document.
struct problem {
  nlohmann::json::json_pointer path;  ///< shown before the message
  nlohmann::json::json_pointer at;    ///< what was written wrongly
  bool at_key = false;                ///< its key rather than its value
  std::string message;
};

/// Everything in the value that the schema does not allow. valijson decides; the messages come from
/// a walk of our own, since a validator knows neither what was meant nor what a kind is. Floats without
/// fraction become integers where the schema wants one (`1e6`).
/// Throws std::invalid_argument when the schema itself is wrong.
std::vector<problem> validate(const nlohmann::json& schema, nlohmann::json& value);

/// Puts in the defaults of all keys that are not there, also inside what was put in.
void fill_defaults(const nlohmann::json& schema, const nlohmann::json& node, nlohmann::json& value);

}  // namespace spillway::schema_detail
