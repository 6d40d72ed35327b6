#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/config/describe_kind.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/config/schema_view.hpp>
#include <stdexcept>

namespace spillway {

extern const char experiment_base_schema_text[];
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
  for (const auto& [name, node, owner] : view.properties) {
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

/// What a kind brings, and with kinds of the first key what all share.
object_view view_of_kind(const json& schema, const json& node, std::size_t key, const json& name) {
  object_view view = view_of(schema, node, {{kind_keys(node)[key], name}});
  const auto foreign = [&](const object_view::entry& one) {
    if (one.name == view.keys[key]) return true;
    return one.owner == object_view::shared ? key != 0 : one.owner != key;
  };
  view.properties.erase(std::remove_if(view.properties.begin(), view.properties.end(), foreign),
                        view.properties.end());
  return view;
}

std::vector<kind_info> kinds_of_key(const json& schema, const json& node, std::size_t k) {
  std::vector<kind_info> result;
  const auto key = kind_keys(node)[k];
  for (const auto& name : node.at("properties").at(key).at("enum")) {
    kind_info info{key, name.get<std::string>(), {}, {}};
    list_parameters(schema, view_of_kind(schema, node, k, name), "", info.parameters);
    for (const auto& rule : node.at("allOf"))
      if (const auto* choice = find(rule.at("if").at("properties"), key.c_str());
          choice && choice->at("const") == name)
        info.description = resolve(schema, rule.at("then")).value("description", "");
    result.push_back(std::move(info));
  }
  return result;
}

/// The definitions of the kinds of a section.
std::vector<const json*> definitions_of(const json& schema, const json& node) {
  std::vector<const json*> all;
  if (const auto* rules = find(node, "allOf"))
    for (const auto& rule : *rules) all.push_back(&resolve(schema, rule.at("then")));
  return all;
}

/// What the keys of its kinds choose, each once.
std::vector<kind_info> kinds_within(const json& schema, const json& node) {
  std::vector<kind_info> result;
  for (const json* const kind : definitions_of(schema, node)) {
    const auto* rules = find(*kind, "allOf");
    if (!rules) continue;
    for (const auto& rule : *rules) {
      const auto choice = rule.at("if").at("properties").begin();
      const auto& chosen = resolve(schema, rule.at("then"));
      kind_info info{choice.key(), choice.value().at("const"), chosen.value("description", ""), {}};
      object_view own = view_of(schema, chosen, json::object());
      const auto foreign = [](const object_view::entry& one) { return one.node->is_boolean(); };
      own.properties.erase(std::remove_if(own.properties.begin(), own.properties.end(), foreign),
                           own.properties.end());
      list_parameters(schema, own, "", info.parameters);
      const auto same = [&](const kind_info& o) { return o.key == info.key && o.name == info.name; };
      if (std::none_of(result.begin(), result.end(), same)) result.push_back(std::move(info));
    }
  }
  return result;
}

/// Kinds that nothing chooses: see describe_kind().
std::vector<kind_info> described_kinds(const json& schema, const json& node) {
  std::vector<kind_info> result;
  const auto* all = find(node, "x-kinds");
  if (!all) return result;
  for (const auto& one : *all) {
    kind_info info{"", one.at("name"), one.at("description"), {}};
    for (const auto& pin : one.at("pins"))
      info.parameters.push_back(
          {pin.at("name"), "pin", "", false, pin.at("forward") ? "With the data." : "Against the data."});
    if (!one.at("rules").empty())
      info.parameters.push_back({"rules", listed(one.at("rules")), "", false,
                                 "What its checker holds it to (docs/checker-rules.md)."});
    for (const auto& key : one.at("keys"))
      info.parameters.push_back(
          describe(schema, key, resolve(schema, node.at("properties").at(key.get<std::string>())), false));
    result.push_back(std::move(info));
  }
  return result;
}

std::vector<kind_info> kinds_of(const json& schema, const json& node) {
  std::vector<kind_info> result = described_kinds(schema, node);
  const auto add = [&](std::vector<kind_info> more) {
    std::move(more.begin(), more.end(), std::back_inserter(result));
  };
  for (std::size_t k = 0; k < kind_keys(node).size(); ++k) add(kinds_of_key(schema, node, k));
  add(kinds_within(schema, node));
  return result;
}

/// A section that our schema does not have: optional, with kinds to come.
void add_section(json& schema, const std::string& section, const std::string& key) {
  schema["definitions"][section] = {
      {"type", "object"},
      {"required", {key}},
      {"properties", {{key, {{"enum", json::array()}, {"description", "Name of the kind."}}}}},
      {"allOf", json::array()}};
  schema["properties"][section] = {{"$ref", "#/definitions/" + section}};
  schema["x-order"].push_back(section);
}

}  // namespace

json parse_schema(const std::string& text) {
  auto schema = ordered_json::parse(text);
  note_order(schema);
  return schema;
}

json experiment_base() { return parse_schema(experiment_base_schema_text); }

json sweep_schema() { return parse_schema(sweep_schema_text); }

json reproduction_schema() {
  json schema = parse_schema(reproduction_schema_text);
  make_local(schema);
  schema["definitions"].update(sweep_schema().at("definitions"));
  return schema;
}

namespace {

/// Lets the kinds that another key chooses pass the keys of this one, and the other way round.
void admit_each_other(json& schema, const json& node, const std::string& key, json& parameters) {
  const auto own = property_names(parameters);
  for (const auto& rule : node.at("allOf")) {
    if (rule.at("if").at("properties").contains(key)) continue;
    auto& other = const_cast<json&>(resolve(schema, rule.at("then")));
    for (const auto& name : property_names(other))
      if (!parameters["properties"].contains(name)) parameters["properties"][name] = true;
    for (const auto& name : own)
      if (!other["properties"].contains(name)) other["properties"][name] = true;
  }
}

}  // namespace

namespace {

bool chooses_by(const json& node, const std::string& key) {
  const auto* properties = find(node, "properties");
  const auto* choice = properties && find(node, "allOf") ? find(*properties, key.c_str()) : nullptr;
  return choice && choice->contains("enum");
}

/// A kind of what a node, the definition of that name, chooses by a key.
void add_kind_to(json& schema, json& node, const std::string& definition, const std::string& name,
                 json parameters, const std::string& key) {
  auto& names = node["properties"][key]["enum"];
  if (std::find(names.begin(), names.end(), name) != names.end())
    throw std::invalid_argument(fmt::format("the section '{}' has a {} '{}' already", definition, key, name));
  if (parameters["properties"].is_null()) parameters["properties"] = json::object();
  const auto own = property_names(parameters);
  for (const auto& common : property_names(node))
    if (!parameters["properties"].contains(common)) parameters["properties"][common] = true;
  if (find(node, "additionalProperties"))  // a kind itself
    for (const auto& one : own)
      if (!node["properties"].contains(one)) node["properties"][one] = true;
  parameters["additionalProperties"] = false;
  admit_each_other(schema, node, key, parameters);
  names.push_back(name);
  json condition{{"properties", {{key, {{"const", name}}}}}};
  if (node["properties"][key].value("default", json()) != name) condition["required"] = {key};
  const auto kind = key == "kind" ? definition + '.' + name : fmt::format("{}.{}.{}", definition, key, name);
  node["allOf"].push_back({{"if", std::move(condition)}, {"then", {{"$ref", "#/definitions/" + kind}}}});
  schema["definitions"][kind] = std::move(parameters);
}

/// Name of the definition that a reference leads to; empty for none.
std::string definition_name(const json& node) {
  const auto* reference = find(node, "$ref");
  if (!reference) return {};
  const auto text = reference->get<std::string>();
  return text.substr(text.rfind('/') + 1);
}

}  // namespace

void add_kind(json& schema, const std::string& section, const std::string& name, json parameters,
              const std::string& key) {
  if (!schema.at("properties").contains(section)) add_section(schema, section, key);
  auto& node = const_cast<json&>(section_node(schema, section));
  if (chooses_by(node, key)) return add_kind_to(schema, node, section, name, std::move(parameters), key);
  std::vector<std::string> choosing;  // kinds of the section
  if (const auto* rules = find(node, "allOf"))
    for (const auto& rule : *rules)
      if (chooses_by(resolve(schema, rule.at("then")), key))
        choosing.push_back(definition_name(rule.at("then")));
  if (choosing.empty())
    throw std::invalid_argument(fmt::format("nothing is chosen by the '{}' of a section '{}'", key, section));
  for (const auto& kind : choosing)
    add_kind_to(schema, schema.at("definitions").at(kind), kind, name, parameters, key);
}

void describe_kind(json& schema, const std::string& section, const std::string& name, json about) {
  about["name"] = name;
  const_cast<json&>(section_node(schema, section))["x-kinds"].push_back(std::move(about));
}

std::vector<kind_info> kinds(const json& schema, const std::string& section) {
  return kinds_of(schema, section_node(schema, section));
}

std::vector<std::string> sections_with_kinds(const json& schema) {
  std::vector<std::string> sections;
  for (const auto& name : property_names(schema))
    if (!kinds(schema, name).empty()) sections.push_back(name);
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
  const auto keys = kind_keys(node);
  std::vector<parameter_info> common;
  if (keys.empty()) {
    list_parameters(schema, view_of(schema, node, json::object()), "", common);
    write_table(text, common);
    for (const auto& kind : kinds_of(schema, node)) {
      text += fmt::format("### {} `{}`\n\n{}\n\n", name, kind.name, kind.description);
      write_table(text, kind.parameters);
    }
    return;
  }
  const auto required = node.value("required", json::array());
  std::vector<std::string> shared;
  for (const auto& property : property_names(node)) {
    shared.push_back(property);
    const auto& resolved = resolve(schema, node.at("properties").at(property));
    const bool needed = std::find(required.begin(), required.end(), property) != required.end();
    common.push_back(describe(schema, property, resolved, needed));
    if (find(resolved, "properties"))
      list_parameters(schema, view_of(schema, resolved, json::object()), property + '.', common);
  }
  write_table(text, common);
  for (const auto& kind : kinds_of(schema, node)) {
    text += fmt::format("### {} `{}: {}`\n\n{}\n\n", name, kind.key, kind.name, kind.description);
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

namespace {

bool is_section(const json& schema, const json& node) {
  const auto* items = find(node, "items");
  return find(items ? resolve(schema, *items) : node, "properties") != nullptr;
}

}  // namespace

std::vector<parameter_info> schema_detail::keys_of(const json& schema, const std::string& section) {
  std::vector<parameter_info> keys;
  if (!section.empty()) {
    list_parameters(schema, view_of(schema, section_node(schema, section), json::object()), "", keys);
    return keys;
  }
  const auto required = schema.value("required", json::array());
  for (const auto& name : property_names(schema)) {
    const auto& node = resolve(schema, schema.at("properties").at(name));
    if (!is_section(schema, node))
      keys.push_back(
          describe(schema, name, node, std::find(required.begin(), required.end(), name) != required.end()));
  }
  return keys;
}

std::string schema_reference(const json& schema) {
  std::string text = "# Keys of an experiment file\n\n";
  text += schema.value("description", "") + "\n\n";
  std::vector<parameter_info> plain;
  const auto required = schema.value("required", json::array());
  for (const auto& name : property_names(schema)) {
    const auto& node = resolve(schema, schema.at("properties").at(name));
    const bool needed = std::find(required.begin(), required.end(), name) != required.end();
    plain.push_back(describe(schema, name, node, needed));
    if (is_section(schema, node)) plain.back().type = fmt::format("see [{0}](#{0})", name);
  }
  write_table(text, plain);
  for (const auto& name : property_names(schema)) {
    const auto& node = resolve(schema, schema.at("properties").at(name));
    if (is_section(schema, node)) write_section(text, schema, name, node);
  }
  text.pop_back();
  return text;
}

}  // namespace spillway
