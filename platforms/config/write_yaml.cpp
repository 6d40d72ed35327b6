#include <algorithm>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/platforms/config/schema_view.hpp>

namespace spillway {

namespace {

using namespace schema_detail;

/// Writes a value in the order of its schema.
class writer {
public:
  writer(const document& from, const json& schema, const std::filesystem::path& folder)
      : from_(from), schema_(schema), folder_(folder) {}

  std::string run() {
    const std::string& schema = from_.modeline_schema;
    if (!schema.empty()) {
      const bool address = schema.find("://") != std::string::npos;
      text_ = "# yaml-language-server: $schema=" + (address ? schema : relocated(schema)) + '\n';
    }
    map(schema_, from_.root, 0, false);
    return std::move(text_);
  }

private:
  /// @param started the first key goes on the current line, behind "- "
  void map(const json& node, const json& value, int indent, bool started) {
    const auto view = view_of(schema_, node, value);
    const auto write = [&](const std::string& key, const json& property) {
      if (!started) text_.append(static_cast<std::size_t>(indent), ' ');
      started = false;
      text_ += inline_yaml(key) + ':';
      below(property, value.at(key), indent);
    };
    for (const auto& [name, property, owner] : view.properties)
      if (value.contains(name)) write(name, *property);
    static const json anything = json::object();
    for (const auto& [name, ignored] : value.items())
      if (!view.property(name)) write(name, anything);
  }

  /// The value of a key, behind its colon.
  void below(const json& node, const json& value, int indent) {
    if (value.is_object() && !value.empty()) {
      text_ += '\n';
      return map(node, value, indent + 2, false);
    }
    const bool block = value.is_array() && std::any_of(value.begin(), value.end(),
                                                       [](const json& item) { return item.is_object(); });
    if (!block) {
      text_ += ' ' + inline_yaml(relocated(node, value)) + '\n';
      return;
    }
    static const json anything = json::object();
    const auto* items = find(node, "items");
    const auto& item_node = items ? resolve(schema_, *items) : anything;
    text_ += '\n';
    for (const auto& item : value) {
      text_.append(static_cast<std::size_t>(indent) + 2, ' ');
      text_ += "- ";
      if (item.is_object() && !item.empty())
        map(item_node, item, indent + 4, true);
      else
        text_ += inline_yaml(item) + '\n';
    }
  }

  json relocated(const json& node, const json& value) const {
    if (!value.is_string() || !find(node, "x-path")) return value;
    return relocated(value.get<std::string>());
  }

  /// A file name of the document as seen from the folder of the text.
  std::string relocated(const std::string& file) const {
    if (folder_.empty() || std::filesystem::path(file).is_absolute()) return file;
    return path_from(folder_, from_.resolve(file)).generic_string();
  }

  const document& from_;
  const json& schema_;
  const std::filesystem::path& folder_;
  std::string text_;
};

}  // namespace

std::string document::to_yaml(const std::filesystem::path& folder) const {
  return writer(*this, schema_, folder).run();
}

}  // namespace spillway
