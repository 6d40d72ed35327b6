#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <spillway/platforms/config/place.hpp>
#include <string>

namespace spillway {

/// Limits of one document. They hold after aliases are expanded, so that a small file cannot take
/// all memory ("billion laughs").
constexpr std::size_t max_yaml_bytes = 16u << 20;
constexpr std::size_t max_yaml_nodes = 1'000'000;
constexpr std::size_t max_yaml_depth = 64;

/// A YAML document as JSON, with the place of every value and key.
struct yaml_document {
  nlohmann::json root;
  source_map places;
};

/// Reads exactly one YAML document. Plain scalars are typed by the core schema of YAML 1.2 (so `yes`
/// is a string), quoted ones are strings; aliases are expanded. Throws config_error for a syntax
/// error, no document or several, duplicate keys, `<<`, keys that are no scalars, unknown tags, text
/// that is no UTF-8, and what passes the limits above.
/// @param name shown in errors; @param whole_only errors show only the name (for overrides)
yaml_document read_yaml(const std::string& text, const std::string& name, bool whole_only = false);

/// The bytes of a file, at most max_yaml_bytes; throws config_error.
std::string read_text(const std::filesystem::path& file);

/// A plain YAML scalar as the core schema of YAML 1.2 sees it: null, bool, integer, float or string.
nlohmann::json plain_scalar(const std::string& text);

}  // namespace spillway
