#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A JSON Schema (draft-07) from its text. The order in which it names keys is kept in an annotation
/// `x-order`.
nlohmann::json parse_schema(const std::string& text);
/// The same as text, laid out for people; yaml/schema/experiment.schema.json is written by it.
std::string schema_text(const nlohmann::json& schema);

/// What all experiments have in common: yaml/schema/experiment_base.schema.json as it was when the library
/// was built. The entries of a catalogue add what can be chosen (experiment_schema in the catalogue's
/// header).
///
/// A section that comes in kinds is an object with the key `kind`, or another, or several (`pattern` and
/// `injection` in traffic), each an enum, and an `allOf` of `if` this kind `then` the definition of the kind.
/// Every such definition lists all its keys and is closed; keys that all kinds share stand in the section,
/// and as `true` in each kind, and so do keys that another choice may bring. A kind may have kinds, too.
nlohmann::json experiment_base();

/// The JSON Schemas of a sweep file and of a reproduction, with the definitions that they share.
nlohmann::json sweep_schema();
nlohmann::json reproduction_schema();

/// Adds a kind to a section (any name that is not there makes a new optional section), so that it is
/// validated, gets its defaults and is listed. A kind that is the default of the key needs not be written.
/// @param parameters JSON Schema of the kind's keys: an object with `properties`, and if need be
///        `required` and `description`; the choosing keys and the section's common keys are added
/// @param key what chooses it: a key of the section or of some of its kinds, which it is added to
/// Throws std::invalid_argument when the section has such a kind already or has no such key.
void add_kind(nlohmann::json& schema, const std::string& section, const std::string& name,
              nlohmann::json parameters, const std::string& key = "kind");

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
  std::string key;  ///< what chooses it, such as `kind`; empty: nothing
  std::string name, description;
  /// Without the key itself. What all kinds share is listed with those of the section's first key only.
  std::vector<parameter_info> parameters;
};

/// The kinds of a section in the order of the schema, key after key; none for a section without kinds.
/// Throws std::invalid_argument for an unknown section.
std::vector<kind_info> kinds(const nlohmann::json& schema, const std::string& section);

/// The sections that come in kinds, in the order of the schema.
std::vector<std::string> sections_with_kinds(const nlohmann::json& schema);

/// Reference of every key, in Markdown.
std::string schema_reference(const nlohmann::json& schema);

}  // namespace spillway
