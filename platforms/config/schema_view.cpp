#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <spillway/platforms/config/schema_view.hpp>
#include <spillway/platforms/config/yaml_reader.hpp>
#include <stdexcept>

namespace spillway::schema_detail {

const json& resolve(const json& schema, const json& node) {
  const json* at = &node;
  for (int hops = 0; at->is_object() && at->contains("$ref"); ++hops) {
    if (hops == 32) throw std::invalid_argument("schema: $ref goes in a circle");
    const auto& reference = at->at("$ref").get_ref<const std::string&>();
    at = &schema.at(json::json_pointer(reference.substr(reference.find('#') + 1)));
  }
  return *at;
}

const json* find(const json& node, const char* key) {
  if (!node.is_object()) return nullptr;
  const auto found = node.find(key);
  return found == node.end() ? nullptr : &*found;
}

std::vector<std::string> property_names(const json& node) {
  std::vector<std::string> names;
  const auto* properties = find(node, "properties");
  if (!properties) return names;
  if (const auto* order = find(node, "x-order"))
    for (const auto& name : *order)
      if (properties->contains(name.get_ref<const std::string&>())) names.push_back(name);
  for (const auto& [name, ignored] : properties->items())
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

namespace {

/// The key on which a rule of an `allOf` depends; empty if on none.
std::string key_of(const json& rule) {
  const auto* condition = find(rule, "if");
  const auto* properties = condition ? find(*condition, "properties") : nullptr;
  return properties && !properties->empty() ? properties->begin().key() : std::string();
}

}  // namespace

std::vector<std::string> kind_keys(const json& node) {
  std::vector<std::string> keys;
  if (const auto* all = find(node, "allOf"))
    for (const auto& rule : *all)
      if (const auto key = key_of(rule);
          !key.empty() && std::find(keys.begin(), keys.end(), key) == keys.end())
        keys.push_back(key);
  return keys;
}

namespace {

/// Whether the value meets an `if` of the form that kinds use.
bool meets(const json& condition, const json& value) {
  if (const auto* required = find(condition, "required"))
    for (const auto& name : *required)
      if (!value.contains(name.get_ref<const std::string&>())) return false;
  if (const auto* properties = find(condition, "properties"))
    for (const auto& [name, rule] : properties->items()) {
      const auto* constant = find(rule, "const");
      if (constant && value.contains(name) && value.at(name) != *constant) return false;
    }
  return true;
}

void merge(object_view& view, const json& schema, const json& node, const json& value,
           std::size_t owner = object_view::shared) {
  for (const auto& name : property_names(node)) {
    const auto& property = resolve(schema, node.at("properties").at(name));
    auto known = std::find_if(view.properties.begin(), view.properties.end(),
                              [&, &wanted = name](const auto& entry) { return entry.name == wanted; });
    if (known != view.properties.end()) {
      if (!known->node->is_object() || known->node->empty()) known->node = &property;
    } else if (owner == object_view::shared || !property.is_boolean()) {
      // `true` in a kind only lets pass what the section or a kind of another key describes.
      view.properties.push_back({name, &property, owner});
    }
  }
  if (const auto* required = find(node, "required"))
    for (const auto& name : *required) view.required.insert(name.get<std::string>());
  if (const auto* more = find(node, "additionalProperties"); more && *more == false) view.closed = true;
  const auto* all = find(node, "allOf");
  if (!all) return;
  for (const auto& rule : *all) {
    const auto* condition = find(rule, "if");
    const auto* chosen = !condition ? &rule : find(rule, meets(*condition, value) ? "then" : "else");
    if (!chosen) continue;
    const auto key = std::find(view.keys.begin(), view.keys.end(), key_of(rule));
    const auto brought_by =
        key == view.keys.end() ? owner : static_cast<std::size_t>(key - view.keys.begin());
    merge(view, schema, resolve(schema, *chosen), value, brought_by);
  }
}

}  // namespace

const json* object_view::property(const std::string& name) const {
  for (const auto& one : properties)
    if (one.name == name) return one.node;
  return nullptr;
}

object_view view_of(const json& schema, const json& node, const json& value) {
  object_view view;
  view.keys = kind_keys(node);
  merge(view, schema, node, value);
  // A choice, what it brings, the next choice, what that brings, what all have.
  const auto rank = [&](const object_view::entry& one) {
    const auto key = std::find(view.keys.begin(), view.keys.end(), one.name);
    if (key != view.keys.end()) return 2 * static_cast<std::size_t>(key - view.keys.begin());
    return one.owner == object_view::shared ? object_view::shared : 2 * one.owner + 1;
  };
  if (!view.keys.empty())
    std::stable_sort(view.properties.begin(), view.properties.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return view;
}

std::string listed(const json& values) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : ", ") + inline_yaml(value);
  return text;
}

std::string range(const json& node) {
  const auto *low = find(node, "minimum"), *high = find(node, "maximum");
  if (low && high) return fmt::format("{}..{}", low->dump(), high->dump());
  const auto *above = find(node, "exclusiveMinimum"), *below = find(node, "exclusiveMaximum");
  const std::string from = low     ? "at least " + low->dump()
                           : above ? "above " + above->dump()
                                   : "",
                    to = high    ? "at most " + high->dump()
                         : below ? "below " + below->dump()
                                 : "";
  return from.empty() || to.empty() ? from + to : from + ", " + to;
}

namespace {

/// A text, or the one word that its pattern lets pass.
std::string word_of(const json& node) {
  const auto* const pattern = find(node, "pattern");
  const std::string text = pattern ? pattern->get<std::string>() : "";
  if (text.size() < 3 || text.front() != '^' || text.back() != '$') return "string";
  const std::string word = text.substr(1, text.size() - 2);
  const bool plain = std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return plain ? word : "string";
}

}  // namespace

std::string accepted(const json& schema, const json& node) {
  if (const auto* values = find(node, "enum")) return "one of " + listed(*values);
  if (const auto* value = find(node, "const")) return inline_yaml(*value);
  const auto* type = find(node, "type");
  if (!type) return find(node, "properties") ? "keys and values" : "any value";
  if (type->is_array()) {
    std::string text;
    for (const auto& one : *type) {
      json single = node;
      single["type"] = one;
      text += (text.empty() ? "" : " or ") + accepted(schema, single);
    }
    return text;
  }
  if (*type == "boolean") return "true or false";
  if (*type == "string") return word_of(node);
  if (*type == "object") return "keys and values";
  if (*type == "null") return "nothing";
  if (*type == "array") {
    const auto* items = find(node, "items");
    if (!items) return "list";
    const auto& item = resolve(schema, *items);
    return find(item, "properties") ? "list of entries"
                                    : fmt::format("list ({} each)", accepted(schema, item));
  }
  const auto limits = range(node);
  return type->get<std::string>() + (limits.empty() ? "" : ' ' + limits);
}

namespace {

/// Optimal string alignment distance; case, '-' and '_' make no difference.
std::size_t distance(const std::string& a, const std::string& b) {
  const auto plain = [](char c) {
    return c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  };
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const auto change = plain(a[i - 1]) == plain(b[j - 1]) ? 0u : 1u;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2]) && plain(a[i - 2]) == plain(b[j - 1]))
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& words) {
  if (word.size() > 64) return {};
  for (const auto& candidate : words)  // cut short: len for length
    if (word.size() >= 3 && candidate.compare(0, word.size(), word) == 0) return candidate;
  std::string best;
  auto least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto& candidate : words)
    if (const auto steps = distance(word, candidate); steps < least) {
      least = steps;
      best = candidate;
    }
  return best;
}

std::string inline_yaml(const json& value) {
  if (value.is_array()) {
    std::string text;
    for (const auto& item : value) text += (text.empty() ? "" : ", ") + inline_yaml(item);
    return '[' + text + ']';
  }
  if (value.is_object()) {
    std::string text;
    for (const auto& [key, item] : value.items())
      text += (text.empty() ? "" : ", ") + inline_yaml(key) + ": " + inline_yaml(item);
    return '{' + text + '}';
  }
  if (value.is_number_float()) {
    const double number = value;
    if (std::isnan(number)) return ".nan";
    if (std::isinf(number)) return number < 0 ? "-.inf" : ".inf";
  }
  if (!value.is_string()) return value.dump();
  const auto& text = value.get_ref<const std::string&>();
  const auto harmless = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '/' || c == '.' || c == '-' || c == ' ';
  };
  const bool plain = !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_') &&
                     text.back() != ' ' && std::all_of(text.begin(), text.end(), harmless) &&
                     plain_scalar(text).is_string();
  // A JSON string is a double-quoted YAML string.
  return plain ? text : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace spillway::schema_detail
