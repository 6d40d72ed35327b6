#include <algorithm>
#include <array>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/config/schema_view.hpp>

namespace spillway {

using nlohmann::json;
using namespace schema_detail;

namespace {

constexpr std::size_t width = 110;

/// Keywords in the order in which they are read best; others come after them.
constexpr std::array first{"$schema",
                           "title",
                           "description",
                           "$ref",
                           "if",
                           "then",
                           "type",
                           "enum",
                           "const",
                           "minimum",
                           "exclusiveMinimum",
                           "maximum",
                           "minLength",
                           "pattern",
                           "minItems",
                           "maxItems",
                           "items",
                           "default",
                           "required",
                           "additionalProperties",
                           "properties",
                           "allOf",
                           "definitions"};

std::size_t rank(const std::string& keyword) {
  return static_cast<std::size_t>(std::find(first.begin(), first.end(), keyword) - first.begin());
}

/// What kind of object the members belong to: a schema, or names of a user's own or ours.
enum class members { keywords, names, definitions };

std::vector<std::string> ordered(const json& node, members what, const json& parent) {
  std::vector<std::string> keys;
  if (what == members::names) return property_names(parent);
  for (const auto& [key, ignored] : node.items())
    if (key != "x-order") keys.push_back(key);
  if (what == members::keywords)
    std::stable_sort(keys.begin(), keys.end(),
                     [](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return keys;
}

class layout {
public:
  std::string text(const json& node) {
    write(node, 0, 0, members::keywords, json());
    return text_ + '\n';
  }

private:
  /// A member with its key, if it has one.
  struct item {
    std::string key;
    const json* value;
    members what;
  };

  static std::vector<item> items_of(const json& node, members what, const json& parent) {
    std::vector<item> items;
    if (node.is_array())
      for (const auto& one : node) items.push_back({"", &one, members::keywords});
    else
      for (const auto& key : ordered(node, what, parent)) {
        const bool names = what == members::keywords && key == "properties";
        const bool definitions = what == members::keywords && key == "definitions";
        items.push_back({json(key).dump() + ": ", &node.at(key),
                         names         ? members::names
                         : definitions ? members::definitions
                                       : members::keywords});
      }
    return items;
  }

  static std::string on_one_line(const json& node, members what, const json& parent) {
    if (!node.is_structured()) return node.dump();
    std::string text;
    for (const auto& one : items_of(node, what, parent))
      text += (text.empty() ? "" : ", ") + one.key + on_one_line(*one.value, one.what, node);
    if (node.is_array()) return '[' + text + ']';
    return text.empty() ? "{}" : "{ " + text + " }";
  }

  /// @param before characters of the line that are there already; behind the node comes at most a comma
  void write(const json& node, std::size_t indent, std::size_t before, members what, const json& parent) {
    if (const auto line = on_one_line(node, what, parent);
        what != members::definitions && indent > 0 && before + line.size() < width) {
      text_ += line;
      return;
    }
    if (!node.is_structured()) {
      text_ += node.dump();
      return;
    }
    const auto items = items_of(node, what, parent);
    // Words share a line, and so do keys that are only let pass.
    const auto is_short = [](const item& i) {
      return i.value->is_boolean() || (i.key.empty() && !i.value->is_structured());
    };
    text_ += node.is_array() ? '[' : '{';
    std::size_t column = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto& one = items[i];
      const auto line = one.key + on_one_line(*one.value, one.what, node);
      const bool shares = i > 0 && is_short(items[i - 1]) && is_short(one);
      if (!shares || column + 1 + line.size() + 1 > width) {
        text_ += '\n' + std::string(indent + 2, ' ');
        column = indent + 2;
      } else {
        text_ += ' ';
        ++column;
      }
      text_ += one.key;
      write(*one.value, indent + 2, column + one.key.size(), one.what, node);
      column += line.size() + 1;
      if (i + 1 < items.size()) text_ += ',';
    }
    text_ += '\n' + std::string(indent, ' ') + (node.is_array() ? ']' : '}');
  }

  std::string text_;
};

}  // namespace

std::string schema_text(const json& schema) { return layout().text(schema); }

}  // namespace spillway
