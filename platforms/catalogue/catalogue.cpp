#include <algorithm>
#include <iterator>
#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/platforms/config/describe_kind.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/config/schema_view.hpp>
#include <spillway/platforms/config/validate.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

double catalogue_entry::longest_wait(const nlohmann::json& section) const { return sum_of_numbers(section); }

double sum_of_numbers(const nlohmann::json& section) {
  if (section.is_number()) return std::max(0.0, section.get<double>());
  double sum = 0;
  if (section.is_structured())
    for (const nlohmann::json& one : section) sum += sum_of_numbers(one);
  return sum;
}

void fill_defaults(const catalogue_entry& kind, nlohmann::json& section) {
  const nlohmann::json schema = kind.schema();
  schema_detail::fill_defaults(schema, schema, section);
}

namespace {

/// Whether the section itself has the key, rather than some of its kinds. It may be a new section.
bool is_key_of_section(const nlohmann::json& schema, const axis_place& place) {
  using namespace schema_detail;
  const nlohmann::json* const property = find(schema.at("properties"), place.section.c_str());
  if (!property) return true;
  const nlohmann::json& section = resolve(schema, *property);
  const nlohmann::json* const items = find(section, "items");
  return (items ? resolve(schema, *items) : section).at("properties").contains(place.key);
}

/// What the validator takes for granted of an entry of a user's own.
void check_types(const nlohmann::json& node, const std::string& whose) {
  constexpr const char* types[] = {"array", "boolean", "integer", "null", "number", "object", "string"};
  if (!node.is_structured()) return;
  if (const nlohmann::json* const type = node.is_object() ? schema_detail::find(node, "type") : nullptr;
      type && type->is_string() && std::find(std::begin(types), std::end(types), *type) == std::end(types))
    throw std::invalid_argument(whose + ": its schema has the type " + type->dump() +
                                ", expected one of JSON Schema's");
  for (const nlohmann::json& part : node) check_types(part, whose);
}

/// @return its schema
nlohmann::json checked_schema(const axis_place& place, const catalogue_entry& one) {
  const std::string& name = one.name();
  const std::string whose = "the " + place.section + " '" + name + "'";
  if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
    throw std::invalid_argument(whose + ": expected a name of small letters, digits and underscores");
  nlohmann::json schema = one.schema();
  const nlohmann::json* const properties =
      schema.is_object() ? schema_detail::find(schema, "properties") : nullptr;
  if (!schema.is_object() || (properties && !properties->is_object()))
    throw std::invalid_argument(whose + ": expected a schema that is an object with properties, found " +
                                schema.dump());
  check_types(schema, whose);
  return schema;
}

bool has_axis(const catalogue& all, const std::string& section) {
  return std::any_of(all.axes().begin(), all.axes().end(),
                     [&](const auto& one) { return one.second->place().section == section; });
}

}  // namespace

nlohmann::json experiment_schema(const catalogue& all) {
  nlohmann::json schema = experiment_base();
  const auto add_axes = [&](const std::vector<const axis_base*>& axes) {
    for (const axis_base* const axis : axes)
      for (const auto& one : axis->entries())
        add_kind(schema, axis->place().section, one->name(), checked_schema(axis->place(), *one),
                 axis->place().key);
  };
  std::vector<const axis_base*> of_sections, of_kinds;  // kinds first, then what their keys choose
  for (const auto& [type, axis] : all.axes())
    if (axis->place().key.empty())
      for (const auto& one : axis->entries())
        describe_kind(schema, axis->place().section, one->name(), checked_schema(axis->place(), *one));
    else
      (is_key_of_section(schema, axis->place()) ? of_sections : of_kinds).push_back(axis.get());
  add_axes(of_sections);
  add_axes(of_kinds);
  // What the entries of a level that is not there would read is left unread.
  for (auto& [name, section] : schema["definitions"].items())
    if (section.contains("allOf") && section["allOf"].empty() && !has_axis(all, name))
      section = nlohmann::json::object();
  return schema;
}

}  // namespace spillway
