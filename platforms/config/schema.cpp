#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/config/schema_view.hpp>
#include <stdexcept>

namespace spillway {

extern const char experiment_schema_text[];
extern const char sweep_schema_text[];
extern const char reproduction_schema_text[];

using nlohmann::json;
using nlohmann::ordered_json;
using namespace schema_detail;

namespace {

/// nlohmann::json sorts keys: note the order of all properties beside them.
void note_order(ordered_json& node) {
  if (!node.is_structured()) return;
  for (auto& child : node) note_order(child);
  if (!node.is_object() || !node.contains("properties") || !node["properties"].is_object()) return;
  auto order = ordered_json::array();
  for (const auto& [name, ignored] : node["properties"].items()) order.push_back(name);
  node["x-order"] = std::move(order);
}

/// The node with the keys in the order that was noted, and without the notes.
ordered_json in_order(const json& node) {
  if (node.is_array()) {
    auto list = ordered_json::array();
    for (const auto& item : node) list.push_back(in_order(item));
    return list;
  }
  if (!node.is_object()) return node;
  auto object = ordered_json::object();
  // First what describes the node, then what it consists of.
  for (const char* const name : {"$schema", "title", "type", "enum", "const", "default"})
    if (const auto* value = find(node, name)) object[name] = in_order(*value);
  for (const auto& [name, value] : node.items())
    if (name != "x-order" && name != "properties" && name != "definitions" && !object.contains(name))
      object[name] = in_order(value);
  for (const auto& name : property_names(node))
    object["properties"][name] = in_order(node.at("properties").at(name));
  if (const auto* empty = find(node, "properties"); empty && empty->empty())
    object["properties"] = ordered_json::object();
  if (const auto* shared = find(node, "definitions")) object["definitions"] = in_order(*shared);
  return object;
}

/// Turns references into other files of the folder into references within this one.
void make_local(json& node) {
  if (!node.is_structured()) return;
  for (auto& child : node) make_local(child);
  if (!node.is_object() || !node.contains("$ref")) return;
  const auto reference = node["$ref"].get<std::string>();
  node["$ref"] = reference.substr(reference.find('#'));
}

/// The object schema of a section; for a list, that of its entries.
const json& section_node(const json& schema, const std::string& section) {
  const auto& properties = schema.at("properties");
  if (!properties.contains(section))
    throw std::invalid_argument("no section '" + section + "' in the schema");
  const auto& node = resolve(schema, properties.at(section));
  const auto* items = find(node, "items");
  return items ? resolve(schema, *items) : node;
}

parameter_info describe(const json& schema, const std::string& name, const json& node, bool required) {
  parameter_info info;
  info.name = name;
  info.type = accepted(schema, node);
  if (const auto* fallback = find(node, "default"); fallback && !fallback->is_object())
    info.fallback = inline_yaml(*fallback);
  info.required = required;
  if (const auto* text = find(node, "description")) info.description = text->get<std::string>();
  return info;
}

/// Keys of an object, those of nested objects and lists of objects as `burst.length`, `pauses[].from`.
void list_parameters(const json& schema, const object_view& view, const std::string& prefix,
                     std::vector<parameter_info>& to) {
  for (const auto& [name, node] : view.properties) {
    if (prefix.empty() && name == view.key) continue;
    to.push_back(describe(schema, prefix + name, *node, view.required.count(name) != 0));
    if (find(*node, "properties"))
      list_parameters(schema, view_of(schema, *node, json::object()), prefix + name + '.', to);
    if (const auto* items = find(*node, "items")) {
      const auto& item = resolve(schema, *items);
      if (find(item, "properties"))
        list_parameters(schema, view_of(schema, item, json::object()), prefix + name + "[].", to);
    }
  }
}

std::vector<kind_info> kinds_of(const json& schema, const json& node) {
  std::vector<kind_info> result;
  const auto key = kind_key(node);
  if (key.empty()) return result;
  for (const auto& name : node.at("properties").at(key).at("enum")) {
    kind_info info{name.get<std::string>(), {}, {}};
    const json choice{{key, name}};
    list_parameters(schema, view_of(schema, node, choice), "", info.parameters);
    for (const auto& rule : node.at("allOf"))
      if (const auto* constant = &rule.at("if").at("properties").at(key).at("const"); *constant == name)
        info.description = resolve(schema, rule.at("then")).value("description", "");
    result.push_back(std::move(info));
  }
  return result;
}

/// A section that our schema does not have: optional, with kinds to come.
void add_section(json& schema, const std::string& section) {
  schema["definitions"][section] = {
      {"type", "object"},
      {"required", {"kind"}},
      {"properties", {{"kind", {{"enum", json::array()}, {"description", "Name of the kind."}}}}},
      {"allOf", json::array()}};
  schema["properties"][section] = {{"$ref", "#/definitions/" + section}};
  schema["x-order"].push_back(section);
}

}  // namespace

json parse_schema(const char* text) {
  auto schema = ordered_json::parse(text);
  note_order(schema);
  return schema;
}

std::string schema_text(const json& schema) { return in_order(schema).dump(2) + "\n"; }

json experiment_base_schema() { return parse_schema(experiment_schema_text); }

json sweep_schema() { return parse_schema(sweep_schema_text); }

json reproduction_schema() {
  json schema = parse_schema(reproduction_schema_text);
  make_local(schema);
  schema["definitions"].update(sweep_schema().at("definitions"));
  return schema;
}

void add_kind(json& schema, const std::string& section, const std::string& name, json parameters) {
  if (!schema.at("properties").contains(section)) add_section(schema, section);
  auto& node = const_cast<json&>(section_node(schema, section));
  const auto* all = find(node, "allOf");
  const std::string key = all && all->empty() ? "kind" : kind_key(node);
  if (key.empty()) throw std::invalid_argument("the section '" + section + "' has no kinds");
  auto& names = node["properties"][key]["enum"];
  if (std::find(names.begin(), names.end(), name) != names.end())
    throw std::invalid_argument(fmt::format("the section '{}' has a kind '{}' already", section, name));
  auto& properties = parameters["properties"];
  if (properties.is_null()) properties = json::object();
  auto order = json::array();
  for (const auto& common : property_names(node)) {
    if (!properties.contains(common)) properties[common] = true;
    order.push_back(common);
  }
  for (const auto& own : property_names(parameters))
    if (std::find(order.begin(), order.end(), own) == order.end()) order.push_back(own);
  parameters["x-order"] = std::move(order);
  parameters["additionalProperties"] = false;
  names.push_back(name);
  const auto definition = section + '.' + name;
  json condition{{"properties", {{key, {{"const", name}}}}}};
  // The default holds where the key is left out.
  if (node["properties"][key].value("default", "") != name) condition["required"] = {key};
  node["allOf"].push_back(
      {{"if", std::move(condition)}, {"then", {{"$ref", "#/definitions/" + definition}}}});
  schema["definitions"][definition] = std::move(parameters);  // last: node points into the definitions
}

std::vector<kind_info> kinds(const json& schema, const std::string& section) {
  return kinds_of(schema, section_node(schema, section));
}

std::vector<std::string> sections_with_kinds(const json& schema) {
  std::vector<std::string> sections;
  for (const auto& name : property_names(schema))
    if (!kind_key(section_node(schema, name)).empty()) sections.push_back(name);
  return sections;
}

namespace {

void write_table(std::string& text, const std::vector<parameter_info>& parameters) {
  if (parameters.empty()) {
    text += "No keys of its own.\n\n";
    return;
  }
  const auto cell = [](std::string words) {
    for (std::size_t at = 0; (at = words.find('|', at)) != std::string::npos; at += 2) words.insert(at, "\\");
    return words;
  };
  text += "| key | value | default | meaning |\n|---|---|---|---|\n";
  for (const auto& one : parameters)
    text += fmt::format("| `{}` | {} | {} | {} |\n", one.name, cell(one.type),
                        one.required           ? "required"
                        : one.fallback.empty() ? ""
                                               : '`' + cell(one.fallback) + '`',
                        cell(one.description));
  text += '\n';
}

void write_section(std::string& text, const json& schema, const std::string& name, const json& outer) {
  const auto* items = find(outer, "items");
  const auto& node = items ? resolve(schema, *items) : outer;
  text += fmt::format("## {}\n\n", name);
  if (items && outer.contains("description")) text += outer.at("description").get<std::string>() + "\n\n";
  if (!items) text += node.value("description", "") + "\n\n";
  const auto key = kind_key(node);
  std::vector<parameter_info> common;
  if (key.empty()) {
    list_parameters(schema, view_of(schema, node, json::object()), "", common);
    write_table(text, common);
    return;
  }
  const auto required = node.value("required", json::array());
  const bool needed = std::find(required.begin(), required.end(), key) != required.end();
  std::vector<std::string> shared;
  for (const auto& property : property_names(node)) {
    shared.push_back(property);
    const auto& resolved = resolve(schema, node.at("properties").at(property));
    common.push_back(describe(schema, property, resolved, property == key && needed));
    if (find(resolved, "properties"))
      list_parameters(schema, view_of(schema, resolved, json::object()), property + '.', common);
  }
  write_table(text, common);
  for (const auto& kind : kinds_of(schema, node)) {
    text += fmt::format("### {} `{}: {}`\n\n{}\n\n", name, key, kind.name, kind.description);
    auto own = kind.parameters;
    own.erase(std::remove_if(own.begin(), own.end(),
                             [&](const parameter_info& one) {
                               const auto stem = one.name.substr(0, one.name.find_first_of(".["));
                               return std::find(shared.begin(), shared.end(), stem) != shared.end();
                             }),
              own.end());
    write_table(text, own);
  }
}

}  // namespace

std::string schema_reference(const json& schema) {
  std::string text = "# Keys of an experiment file\n\n";
  text += schema.value("description", "") + "\n\n";
  std::vector<parameter_info> plain;
  const auto required = schema.value("required", json::array());
  const auto is_section = [&](const json& node) {
    const auto* items = find(node, "items");
    return find(items ? resolve(schema, *items) : node, "properties") != nullptr;
  };
  for (const auto& name : property_names(schema)) {
    const auto& node = resolve(schema, schema.at("properties").at(name));
    const bool needed = std::find(required.begin(), required.end(), name) != required.end();
    plain.push_back(describe(schema, name, node, needed));
    if (is_section(node)) plain.back().type = fmt::format("see [{0}](#{0})", name);
  }
  write_table(text, plain);
  for (const auto& name : property_names(schema)) {
    const auto& node = resolve(schema, schema.at("properties").at(name));
    if (is_section(node)) write_section(text, schema, name, node);
  }
  text.pop_back();
  return text;
}

}  // namespace spillway
