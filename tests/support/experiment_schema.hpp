#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/config/yaml_reader.hpp>
#include <string>

namespace spillway::testing_support {

/// An experiment of as few keys as may be.
inline const std::string minimal =
    "name: small\n"
    "topology: {kind: omega, stages: 3}\n"
    "traffic:\n"
    "  - pattern: uniform\n";

/// That of the experiments of the project.
inline const nlohmann::json& schema() {
  static const nlohmann::json one =
      parse_schema(read_text(std::filesystem::path(SPILLWAY_YAML_DIR) / "schema/experiment.schema.json"));
  return one;
}

}  // namespace spillway::testing_support
