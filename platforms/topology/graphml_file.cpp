#include <expat.h>
#include <fmt/format.h>

#include <memory>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/platforms/topology/graphml_file.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace spillway {

namespace {

/// Takes what Expat tells it; the first problem ends the parsing.
class graphml_parser {
public:
  explicit graphml_parser(std::string file) : file_(std::move(file)) {
    XML_SetUserData(xml_.get(), this);
    XML_SetElementHandler(
        xml_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<graphml_parser*>(self)->begin(name, attributes);
        },
        [](void* self, const XML_Char*) { static_cast<graphml_parser*>(self)->end(); });
    XML_SetCharacterDataHandler(xml_.get(), [](void* self, const XML_Char* text, int length) {
      static_cast<graphml_parser*>(self)->characters({text, static_cast<std::size_t>(length)});
    });
  }

  graphml_file parse(const std::string& text) {
    const bool whole = XML_Parse(xml_.get(), text.data(), static_cast<int>(text.size()), 1) == XML_STATUS_OK;
    if (!problem_.empty()) throw config_error(problem_);
    if (!whole) throw config_error(message(here(), fmt::format("expected GraphML: {}", reason())));
    if (!seen_) throw config_error(message({}, "expected a graph, found none"));
    for (reference& r : ends_) {
      result_.edges[r.edge].from = node(r.from, result_.edges[r.edge].where);
      result_.edges[r.edge].to = node(r.to, result_.edges[r.edge].where);
    }
    for (graphml_file::node& n : result_.nodes) n.data.insert(node_defaults_.begin(), node_defaults_.end());
    for (graphml_file::edge& e : result_.edges) e.data.insert(edge_defaults_.begin(), edge_defaults_.end());
    return std::move(result_);
  }

private:
  enum class within { file, graphml, key, standard, graph, node, edge, data, other };
  struct key {
    std::string name, of;  ///< what it is data of: node, edge, all, ...
  };
  struct reference {
    std::size_t edge;
    std::string from, to;
  };

  const char* reason() const { return XML_ErrorString(XML_GetErrorCode(xml_.get())); }
  graphml_file::place here() const {
    return {static_cast<unsigned>(XML_GetCurrentLineNumber(xml_.get())),
            static_cast<unsigned>(XML_GetCurrentColumnNumber(xml_.get()) + 1)};
  }
  std::string message(graphml_file::place at, const std::string& text) const {
    return fmt::format("{}:{}:{}: {}", file_, at.line, at.column, text);
  }
  /// No exception may pass through Expat.
  void fail(const std::string& text) {
    if (problem_.empty()) problem_ = message(here(), text);
    XML_StopParser(xml_.get(), XML_FALSE);
  }
  std::size_t node(const std::string& id, graphml_file::place at) const {
    const auto found = number_.find(id);
    if (found == number_.end())
      throw config_error(message(at, fmt::format("expected an edge between nodes, found no node '{}'", id)));
    return found->second;
  }

  void begin(std::string_view name, const XML_Char** attributes) {
    if (!problem_.empty()) return;
    attributes_.clear();
    for (; *attributes; attributes += 2) attributes_[attributes[0]] = attributes[1];
    path_.push_back(step(name));
  }

  /// Where an element leads.
  within step(std::string_view name) {
    const within from = path_.empty() ? within::file : path_.back();
    const bool foreign = name.find(':') != std::string_view::npos;
    if (from == within::data || from == within::other || foreign || name == "desc" || name == "locator")
      return within::other;
    if (from == within::file && name == "graphml") return within::graphml;
    if (from == within::graphml && name == "key") return begin_key();
    if (from == within::key && name == "default") return begin_text(within::standard);
    if (from == within::graphml && name == "graph" && !seen_) return begin_graph();
    if (from == within::graph && name == "node") return begin_node();
    if (from == within::graph && name == "edge") return begin_edge();
    if (from == within::node && name == "port") return within::other;
    if (name == "data" && from != within::file && from != within::key) return begin_data();
    fail(fmt::format("found the element '{}' {}", name, expected(from)));
    return within::other;
  }

  static const char* expected(within from) {
    switch (from) {
      case within::file:
        return "at the top, expected graphml";
      case within::graphml:
        return "in graphml, expected key, graph (one) or data";
      case within::graph:
        return "in a graph, expected node, edge or data";
      case within::node:
        return "in a node, expected data or port";
      case within::edge:
        return "in an edge, expected data";
      default:
        return "in a key, expected default";
    }
  }

  std::string attribute(const char* name) {
    const auto found = attributes_.find(name);
    if (found != attributes_.end()) return found->second;
    fail(fmt::format("expected the attribute '{}'", name));
    return {};
  }
  std::string attribute(const char* name, const char* otherwise) const {
    const auto found = attributes_.find(name);
    return found == attributes_.end() ? otherwise : found->second;
  }

  within begin_key() {
    key_ = attribute("id");
    const key what{attribute("attr.name", ""), attribute("for", "all")};
    if (!keys_.emplace(key_, what).second) fail(fmt::format("found the key '{}' twice", key_));
    return within::key;
  }
  within begin_graph() {
    seen_ = true;
    const std::string edges = attribute("edgedefault", "directed");
    if (edges != "directed" && edges != "undirected")
      fail(fmt::format("edgedefault: expected directed or undirected, found '{}'", edges));
    undirected_ = edges == "undirected";
    return within::graph;
  }
  within begin_node() {
    const std::string id = attribute("id");
    if (!number_.emplace(id, result_.nodes.size()).second) fail(fmt::format("found the node '{}' twice", id));
    result_.nodes.push_back({id, {}, here()});
    return within::node;
  }
  within begin_edge() {
    const std::string directed = attribute("directed", undirected_ ? "false" : "true");
    if (directed != "true" && directed != "false")
      fail(fmt::format("directed: expected true or false, found '{}'", directed));
    ends_.push_back({result_.edges.size(), attribute("source"), attribute("target")});
    result_.edges.push_back({0, 0, directed == "false", {}, here()});
    return within::edge;
  }
  within begin_data() {
    key_ = attribute("key");
    if (problem_.empty() && keys_.count(key_) == 0)
      fail(fmt::format("expected data of a key of this file, found none with the id '{}'", key_));
    return begin_text(within::data);
  }
  within begin_text(within what) {
    text_.clear();
    text_at_ = here();
    return what;
  }

  void characters(std::string_view text) {
    if (!path_.empty() && (path_.back() == within::data || path_.back() == within::standard)) text_ += text;
  }

  void end() {
    if (!problem_.empty()) return;
    const within from = path_.back();
    path_.pop_back();
    if (from == within::standard) {
      const key& k = keys_.at(key_);
      if (k.of == "node" || k.of == "all") put(node_defaults_);
      if (k.of == "edge" || k.of == "all") put(edge_defaults_);
    }
    if (from == within::data && path_.back() == within::node) put(result_.nodes.back().data);
    if (from == within::data && path_.back() == within::edge) put(result_.edges.back().data);
  }
  void put(graphml_file::values& into) {
    const std::string& name = keys_.at(key_).name;
    if (!into.emplace(name, graphml_file::value{text_, text_at_}).second && !name.empty())
      fail(fmt::format("found '{}' twice", name));
  }

  const std::string file_;
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> xml_{XML_ParserCreate(nullptr),
                                                                          XML_ParserFree};
  graphml_file result_;
  std::unordered_map<std::string, std::size_t> number_;
  std::unordered_map<std::string, key> keys_;
  std::vector<reference> ends_;  // edges may come before their nodes
  graphml_file::values node_defaults_, edge_defaults_;
  bool seen_ = false, undirected_ = false;

  std::vector<within> path_;
  std::map<std::string, std::string> attributes_;
  std::string key_, text_, problem_;
  graphml_file::place text_at_;
};

}  // namespace

graphml_file read_graphml_file(const std::filesystem::path& file) {
  return graphml_parser(file.string()).parse(read_file(file));
}

}  // namespace spillway
