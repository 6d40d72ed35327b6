#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <cstring>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/platforms/config/yaml_reader.hpp>
#include <sstream>

namespace spillway {

namespace {

using nlohmann::json;

/// Bytes of all keys, scalars and pointers together: bounds what aliases can blow up.
constexpr std::size_t max_expanded_bytes = 256u << 20;

enum class node_kind { null, scalar, sequence, map, alias };

/// A node as it stands in the file; children by index, in a map alternately key and value.
struct raw_node {
  node_kind kind;
  YAML::Mark mark;
  std::string tag, text;
  std::vector<std::size_t> children;
  std::size_t target = 0;  ///< of an alias
  bool open = false;       ///< a collection whose end is still to come
};

/// Makes the error messages of one document.
struct origin {
  std::string name;
  bool whole_only;

  place at(const YAML::Mark& mark) const {
    if (whole_only || mark.is_null()) return {name, 0, 0};
    return {name, mark.line + 1, mark.column + 1};
  }
  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    throw config_error(at(mark).text() + ": " + message);
  }
};

/// Collects the nodes of a document from the events of the parser, aliases not yet expanded.
class collector : public YAML::EventHandler {
public:
  explicit collector(const origin& from) : from_(from) {}

  const std::vector<raw_node>& nodes() const { return nodes_; }
  const YAML::Mark& start() const { return start_; }
  /// Where the last text that was read begins, or what is said of it.
  const YAML::Mark& last_scalar() const { return last_scalar_; }

  void OnDocumentStart(const YAML::Mark& mark) override { start_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add({node_kind::null, mark, "?", "", {}}, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    last_scalar_ = mark;
    add({node_kind::scalar, mark, tag, value, {}}, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto target = anchors_.at(anchor);
    if (nodes_[target].open) from_.fail(mark, "found an alias to a value that it is part of");
    nodes_[add({node_kind::alias, mark, "", "", {}}, 0)].target = target;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open({node_kind::sequence, mark, tag, "", {}}, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open({node_kind::map, mark, tag, "", {}}, anchor);
  }
  void OnMapEnd() override { close(); }

private:
  std::size_t add(raw_node node, YAML::anchor_t anchor) {
    if (nodes_.size() >= max_yaml_nodes)
      from_.fail(node.mark, fmt::format("found more than {} values", max_yaml_nodes));
    const auto index = nodes_.size();
    if (!open_.empty()) nodes_[open_.back()].children.push_back(index);
    if (anchor != 0) {
      if (anchors_.size() <= anchor) anchors_.resize(anchor + 1);
      anchors_[anchor] = index;
    }
    nodes_.push_back(std::move(node));
    return index;
  }
  void open(raw_node node, YAML::anchor_t anchor) {
    if (open_.size() >= max_yaml_depth)
      from_.fail(node.mark, fmt::format("found more than {} levels of nesting", max_yaml_depth));
    open_.push_back(add(std::move(node), anchor));
    nodes_[open_.back()].open = true;
  }
  void close() {
    nodes_[open_.back()].open = false;
    open_.pop_back();
  }

  const origin& from_;
  std::vector<raw_node> nodes_;
  std::vector<std::size_t> open_, anchors_;
  YAML::Mark start_, last_scalar_ = YAML::Mark::null_mark();
};

/// Expands aliases and makes the JSON value with the places.
class converter {
public:
  converter(const origin& from, const std::vector<raw_node>& nodes) : from_(from), nodes_(nodes) {}

  yaml_document run() {
    result_.root = convert(nodes_[0], nodes_[0].mark, "", 0);
    return std::move(result_);
  }

private:
  json convert(const raw_node& node, const YAML::Mark& mark, const std::string& at, std::size_t depth) {
    if (node.kind == node_kind::alias) return convert(nodes_[node.target], mark, at, depth);
    bytes_ += at.size() + node.text.size();
    if (++count_ > max_yaml_nodes || bytes_ > max_expanded_bytes)
      from_.fail(mark, fmt::format("found aliases that expand to more than {} values", max_yaml_nodes));
    if (depth > max_yaml_depth)
      from_.fail(mark, fmt::format("found more than {} levels of nesting", max_yaml_depth));
    result_.places.set_value(at, from_.at(mark));
    if (node.text.find('\0') != std::string::npos) from_.fail(mark, "found a NUL in a text");
    switch (node.kind) {
      case node_kind::scalar:
        return scalar(node, mark);
      case node_kind::sequence:
        return sequence(node, at, depth);
      case node_kind::map:
        return map(node, at, depth);
      default:
        return nullptr;
    }
  }

  json scalar(const raw_node& node, const YAML::Mark& mark) const {
    constexpr std::string_view standard = "tag:yaml.org,2002:";
    if (node.tag == "!" || node.tag == "tag:yaml.org,2002:str") return node.text;
    json value = plain_scalar(node.text);
    if (node.tag == "?" || node.tag.empty()) return value;
    if (node.tag.compare(0, standard.size(), standard) == 0) {
      const auto name = node.tag.substr(standard.size());
      if (name == "float" && value.is_number()) return value.get<double>();
      if ((name == "int" && value.is_number_integer()) || (name == "bool" && value.is_boolean()) ||
          (name == "null" && value.is_null()))
        return value;
      from_.fail(mark, fmt::format("found \"{}\" with the tag !!{}, which it does not fit", node.text, name));
    }
    return unknown_tag(node, mark);
  }

  [[noreturn]] json unknown_tag(const raw_node& node, const YAML::Mark& mark) const {
    from_.fail(mark, fmt::format("found the tag {}, expected none", node.tag));
  }

  void check_tag(const raw_node& node, const char* name) const {
    if (!node.tag.empty() && node.tag != "?" && node.tag != "!" &&
        node.tag != std::string("tag:yaml.org,2002:") + name)
      unknown_tag(node, node.mark);
  }

  json sequence(const raw_node& node, const std::string& at, std::size_t depth) {
    check_tag(node, "seq");
    json list = json::array();
    for (const auto child : node.children) {
      const auto& item = nodes_[child];
      list.push_back(convert(item, item.mark, at + '/' + std::to_string(list.size()), depth + 1));
    }
    return list;
  }

  json map(const raw_node& node, const std::string& at, std::size_t depth) {
    check_tag(node, "map");
    json object = json::object();
    for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
      const auto& written = nodes_[node.children[i]];
      const auto& key = written.kind == node_kind::alias ? nodes_[written.target] : written;
      const auto& value = nodes_[node.children[i + 1]];
      if (key.kind != node_kind::scalar)
        from_.fail(written.mark, "found a key that is not a name, expected name: value");
      if (key.text.find('\0') != std::string::npos) from_.fail(written.mark, "found a NUL in a key");
      if (key.text == "<<")
        from_.fail(written.mark, "found a merge key <<, expected an alias for a whole value (key: *name)");
      json::json_pointer pointer;
      pointer.push_back(key.text);
      const auto below = at + pointer.to_string();
      if (object.contains(key.text))
        from_.fail(written.mark, fmt::format("found the key '{}' a second time, first at {}", key.text,
                                             result_.places.key(json::json_pointer(below)).text()));
      result_.places.set_key(below, from_.at(written.mark));
      object[key.text] = convert(value, value.mark, below, depth + 1);
    }
    return object;
  }

  const origin& from_;
  const std::vector<raw_node>& nodes_;
  yaml_document result_;
  std::size_t count_ = 0, bytes_ = 0;
};

/// yaml-cpp lets broken UTF-8 and zero bytes through; JSON text may not hold them.
void check_encoding(const std::string& text, const origin& from) {
  YAML::Mark mark;
  mark.pos = mark.line = mark.column = 0;
  for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
    const auto first = static_cast<unsigned char>(*at);
    const auto c = boost::locale::utf::utf_traits<char>::decode(at, end);
    if (!boost::locale::utf::is_valid_codepoint(c) || c == 0)
      from.fail(mark, fmt::format("found the byte 0x{:02x}, expected UTF-8 text", first));
    if (c == '\n') {
      ++mark.line;
      mark.column = 0;
    } else {
      ++mark.column;
    }
  }
}

/// yaml-cpp takes the end of a file for a quote that closes, and all keys up to there for a text: the last
/// one.
void check_end(const std::string& text, const YAML::Mark& last, const origin& from) {
  if (last.is_null()) return;
  const std::size_t order_mark = text.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0;
  std::size_t at = static_cast<std::size_t>(last.pos) + order_mark;
  // An anchor, a tag and comments may come first.
  while (at < text.size() && std::strchr("&! \t\r\n#", text[at]))
    at = std::min(text.find_first_of(text[at] == '#' ? "\n" : " \t\r\n", at), text.size()) + 1;
  if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return;
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    const bool twice = text.compare(at, 2, "''") == 0;
    if (quote == '"' ? text[at] == '\\' : twice)
      ++at;
    else if (text[at] == quote)
      return;
  }
  from.fail(last, "found a text that never ends, expected its closing quote");
}

}  // namespace

yaml_document read_yaml(const std::string& text, const std::string& name, bool whole_only) {
  const origin from{name, whole_only};
  if (text.size() > max_yaml_bytes)
    throw config_error(fmt::format("{}: found more than {} MiB", name, max_yaml_bytes >> 20));
  check_encoding(text, from);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    collector nodes(from);
    const bool any = parser.HandleNextDocument(nodes);
    if (!any || nodes.nodes().empty())
      throw config_error(name + ": found an empty document, expected keys and values");
    check_end(text, nodes.last_scalar(), from);
    collector more(from);
    if (parser.HandleNextDocument(more)) from.fail(more.start(), "found a second document, expected one");
    return converter(from, nodes.nodes()).run();
  } catch (const YAML::Exception& error) {
    from.fail(error.mark, "not valid YAML: " + error.msg);
  }
}

std::string read_text(const std::filesystem::path& file) { return read_file(file, max_yaml_bytes); }

}  // namespace spillway
