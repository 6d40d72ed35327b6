#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A JSON Schema from its text. The order of keys is kept in annotations `x-order`.
nlohmann::json parse_schema(const char* text);

/// The text of a schema for editors: its keys in their order, without annotations of ours.
std::string schema_text(const nlohmann::json& schema);

/// The JSON Schema (draft-07) of an experiment file without the kinds that its sections come in, which the
/// entries of a catalogue add.
///
/// A section that comes in kinds is an object with the key `kind` (`pattern` in traffic), an enum,
/// and an `allOf` of `if` this kind `then` the definition `section.kind`. Every such definition lists
/// all its keys and is closed; keys that all kinds share stand in the section, and as `true` in each kind.
nlohmann::json experiment_base_schema();

/// The JSON Schemas of a sweep file and of a reproduction, with the definitions that they share.
nlohmann::json sweep_schema();
nlohmann::json reproduction_schema();

/// Adds a kind to a section (topology, routing, switch, traffic; any other name makes a new optional
/// section), so that a user's own kind is validated, gets its defaults and is listed like ours.
/// @param parameters JSON Schema of the kind's keys: an object with `properties`, and if need be
///        `required` and `description`; the key `kind` and the section's common keys are added
/// Throws std::invalid_argument when the section has such a kind already or has no kinds.
void add_kind(nlohmann::json& schema, const std::string& section, const std::string& name,
              nlohmann::json parameters);

/// One key of a section or kind, as text for people.
struct parameter_info {
  std::string name;
  std::string type;      ///< such as `integer 1..64` or `one of fifo, voq`
  std::string fallback;  ///< the default as written in YAML; empty without one
  bool required = false;
  std::string description;
};

/// One kind of a section.
struct kind_info {
  std::string name, description;
  std::vector<parameter_info> parameters;  ///< without `kind` itself
};

/// The kinds of a section in the order of the schema; none for a section without kinds.
/// Throws std::invalid_argument for an unknown section.
std::vector<kind_info> kinds(const nlohmann::json& schema, const std::string& section);

/// The sections that come in kinds, in the order of the schema.
std::vector<std::string> sections_with_kinds(const nlohmann::json& schema);

/// Reference of every key, in Markdown.
std::string schema_reference(const nlohmann::json& schema);

}  // namespace spillway
