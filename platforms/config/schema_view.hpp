#pragma once
#include <nlohmann/json.hpp>
#include <set>
#include <spillway/platforms/config/schema.hpp>
#include <string>
#include <utility>
#include <vector>

/// How the reader looks at a schema; not for users of the library.
namespace spillway::schema_detail {

using nlohmann::json;

/// Follows `$ref`s within the schema.
const json& resolve(const json& schema, const json& node);

/// The member, or null.
const json* find(const json& node, const char* key);

/// Names of the properties of a node, in the order of the file.
std::vector<std::string> property_names(const json& node);

/// The keys that choose among kinds (`kind`; `pattern` and `injection`); none when the node has no kinds.
std::vector<std::string> kind_keys(const json& node);

/// What holds for one object: the section's keys together with those of the kinds that it chose.
struct object_view {
  static constexpr std::size_t shared = ~std::size_t{0};
  struct entry {
    std::string name;
    const json* node;   ///< resolved
    std::size_t owner;  ///< index in `keys` of the choice that brought it, or `shared`
  };
  std::vector<entry> properties;
  std::set<std::string> required;
  bool closed = false;
  std::vector<std::string> keys;  ///< see kind_keys

  const json* property(const std::string& name) const;
};
object_view view_of(const json& schema, const json& node, const json& value);

/// The keys of a section, also those of objects in it (`burst.length`), whatever is chosen; for an empty name
/// the experiment's own that are no sections.
std::vector<parameter_info> keys_of(const json& schema, const std::string& section);

/// What a node accepts: `integer 1..64`, `one of a, b`.
std::string accepted(const json& schema, const json& node);

/// Range of a number: `1..64`, `at least 1`; empty without one.
std::string range(const json& node);

/// Values of an enum, separated by commas.
std::string listed(const json& values);

/// The nearest of the words, as far as a slip of the keyboard reaches; else empty.
std::string nearest(const std::string& word, const std::vector<std::string>& words);

/// A scalar or list on one line of YAML.
std::string inline_yaml(const json& value);

}  // namespace spillway::schema_detail
