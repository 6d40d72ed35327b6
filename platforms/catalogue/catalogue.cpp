#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/config/validate.hpp>

namespace spillway {

void fill_defaults(const catalogue_entry& kind, nlohmann::json& section) {
  const nlohmann::json schema = kind.schema();
  schema_detail::fill_defaults(schema, schema, section);
}

nlohmann::json experiment_schema(const catalogue& all) {
  nlohmann::json schema = experiment_base();
  for (const auto& [type, axis] : all.axes())
    for (const auto& one : axis->entries())
      add_kind(schema, axis->place().section, one->name(), one->schema(), axis->place().key);
  // What the entries of a level that is not there would read is left unread.
  for (auto& section : schema["definitions"])
    if (section.contains("allOf") && section["allOf"].empty()) section = nlohmann::json::object();
  return schema;
}

}  // namespace spillway
