#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <set>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/platforms/topology/graphml_file.hpp>
#include <spillway/platforms/topology/read_graph.hpp>
#include <sstream>

namespace spillway {

namespace {

/// Collects named vertices and links, then numbers vertices and hands out ports.
class graph_builder {
public:
  struct end {
    std::string name;
    int port = -1;  // -1: the next free one
    unsigned column = 1;
  };
  struct link {
    end from, to;
    unsigned line = 0;
  };

  explicit graph_builder(std::filesystem::path file) : file_(std::move(file)) {}

  void add(link l) {
    for (end* e : {&l.from, &l.to}) add_vertex(*e, l.line);
    if (l.from.name[0] == 't' && l.to.name[0] == 't')
      fail(l.line, l.to.column,
           fmt::format("expected a switch, found {}: terminals join switches only", l.to.name));
    links_.push_back(std::move(l));
  }

  topology build() {
    if (links_.empty()) fail(1, 1, "the graph has no links");
    for (const auto* set : {&terminals_, &switches_})
      if (!set->empty() && *set->rbegin() + 1 != set->size())
        fail(1, 1,
             fmt::format("expected {} numbered 0..{} without gaps, found {} as the last of {}",
                         set == &terminals_ ? "terminals" : "switches", set->size() - 1, *set->rbegin(),
                         set->size()));
    if (terminals_.size() < 2)
      fail(1, 1, fmt::format("expected at least 2 terminals, found {}", terminals_.size()));
    for (std::size_t i = 0; i < terminals_.size(); ++i) shape_.add_terminal();
    for (std::size_t i = 0; i < switches_.size(); ++i) shape_.add_switch(0);
    // Ports that are given are taken first, so that the others do not land on them.
    for (const link& l : links_) {
      if (l.from.port >= 0) claim(out_, l, l.from, "output");
      if (l.to.port >= 0) claim(in_, l, l.to, "input");
    }
    for (link& l : links_) {
      if (l.from.port < 0) next_free(out_, l, l.from, "output");
      if (l.to.port < 0) next_free(in_, l, l.to, "input");
      shape_.add_link(at(l.from), static_cast<unsigned>(l.from.port), at(l.to),
                      static_cast<unsigned>(l.to.port));
    }
    set_stages();
    return std::move(shape_);
  }

  [[noreturn]] void fail(unsigned line, unsigned column, const std::string& what) const {
    throw config_error(fmt::format("{}:{}:{}: {}", file_.string(), line, column, what));
  }

private:
  void add_vertex(end& e, unsigned line) {
    const unsigned n = number(e.name, line, e.column);
    e.name = fmt::format("{}{}", e.name[0], n);  // t007 is t7
    (e.name[0] == 't' ? terminals_ : switches_).insert(n);
  }
  using ports = std::map<std::string, std::set<int>>;

  unsigned number(const std::string& name, unsigned line, unsigned column) const {
    const std::string digits = name.empty() ? name : name.substr(1);
    const bool well_formed =
        (name[0] == 't' || name[0] == 's') && !digits.empty() && digits.size() <= 7 &&
        std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!well_formed)
      fail(line, column,
           fmt::format("expected t<number> or s<number>, such as t0 or s3:1, found '{}'", name));
    return static_cast<unsigned>(std::stoul(digits));
  }
  graph::vertex_descriptor at(const end& e) const {
    const auto n = std::stoul(e.name.substr(1));
    return e.name[0] == 't' ? shape_.terminals[n] : shape_.switches[n];
  }
  void claim(ports& taken, const link& l, const end& e, const char* side) {
    const int most = e.name[0] == 't' ? 0 : 63;
    if (e.port > most)
      fail(l.line, e.column, fmt::format("expected {} 0..{} of {}, found {}", side, most, e.name, e.port));
    if (!taken[e.name].insert(e.port).second)
      fail(l.line, e.column, fmt::format("{} {} of {} is bound twice", side, e.port, e.name));
  }
  void next_free(ports& taken, const link& l, end& e, const char* side) {
    e.port = 0;
    if (e.name[0] == 's')
      while (taken[e.name].count(e.port)) ++e.port;
    claim(taken, l, e, side);
  }
  /// Columns for pictures: links away from the nearest terminal.
  void set_stages() {
    graph& g = shape_.g;
    std::vector<graph::vertex_descriptor> rank = shape_.terminals;
    std::vector<bool> seen(num_vertices(g));
    for (const auto v : rank) seen[v] = true;
    for (unsigned stage = 0; !rank.empty(); ++stage) {
      std::vector<graph::vertex_descriptor> next;
      for (const auto v : rank)
        for (const auto e : boost::make_iterator_range(out_edges(v, g)))
          if (const auto to = target(e, g); !seen[to]) {
            seen[to] = true;
            g[to].stage = stage;
            next.push_back(to);
          }
      rank.swap(next);
    }
  }

  const std::filesystem::path file_;
  topology shape_;
  std::vector<link> links_;
  std::set<unsigned> terminals_, switches_;
  ports in_, out_;
};

struct word {
  std::string text;
  unsigned column;
};

std::vector<word> split(const std::string& line) {
  std::vector<word> words;
  const char* const blanks = " \t\r";
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back({line.substr(at, end - at), static_cast<unsigned>(at + 1)});
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() <= 9 && text.find_first_not_of("0123456789") == std::string::npos;
}

/// A graph of nothing but numbered nodes: each becomes a switch with a terminal, each pair a link both ways.
class plain_graph {
public:
  struct pair {
    unsigned a, b, line, column;
  };

  explicit plain_graph(graph_builder& builder) : builder_(builder) {}

  void add_node(unsigned node) { nodes_.emplace(node, 0); }
  void add(const pair& p) {
    if (p.a == p.b) builder_.fail(p.line, p.column, fmt::format("found a link from {} to itself", p.a));
    add_node(p.a);
    add_node(p.b);
    if (seen_.emplace(std::minmax(p.a, p.b)).second) pairs_.push_back(p);
  }

  topology build() {
    unsigned index = 0;
    for (auto& [ignored, node] : nodes_) node = index++;
    for (unsigned i = 0; i < index; ++i) {
      builder_.add({{fmt::format("t{}", i), -1}, {fmt::format("s{}", i), 0}, 1});
      builder_.add({{fmt::format("s{}", i), 0}, {fmt::format("t{}", i), -1}, 1});
    }
    for (const pair& p : pairs_) {
      const graph_builder::end a{fmt::format("s{}", nodes_.at(p.a)), -1, p.column},
          b{fmt::format("s{}", nodes_.at(p.b)), -1, p.column};
      builder_.add({a, b, p.line});
      builder_.add({b, a, p.line});
    }
    return builder_.build();
  }

private:
  graph_builder& builder_;
  std::map<unsigned, unsigned> nodes_;  // number in the file: that of the switch
  std::set<std::pair<unsigned, unsigned>> seen_;
  std::vector<pair> pairs_;
};

/// `s3` or `s3:1`.
graph_builder::end read_end(const graph_builder& builder, const word& w, unsigned line) {
  graph_builder::end e;
  e.column = w.column;
  const auto colon = w.text.find(':');
  e.name = w.text.substr(0, colon);
  if (colon == std::string::npos) return e;
  const std::string port = w.text.substr(colon + 1);
  if (port.empty() || port.size() > 4 || port.find_first_not_of("0123456789") != std::string::npos)
    builder.fail(line, w.column, fmt::format("expected a port number after the colon, found '{}'", w.text));
  e.port = std::stoi(port);
  return e;
}

}  // namespace

topology read_edge_list(const std::filesystem::path& file) {
  const std::string text = read_file(file);
  std::istringstream in{std::string(without_mark(text))};
  graph_builder builder(file);
  plain_graph plain(builder);
  enum { nothing, named, numbered } found = nothing;
  std::string line;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    line.erase(std::min(line.find('#'), line.size()));
    // NetworkX writes what it knows of a link behind it.
    if (found != named) line.erase(std::min(line.find('{'), line.size()));
    const std::vector<word> words = split(line);
    if (words.empty()) continue;
    if (found == nothing) found = is_number(words[0].text) ? numbered : named;
    if (found == numbered) {
      if (words.size() != 2 || !is_number(words[0].text) || !is_number(words[1].text))
        builder.fail(
            number, words[0].column,
            "expected two numbers and no more: a list has either pairs of numbers, or links such as t0 s1");
      plain.add({static_cast<unsigned>(std::stoul(words[0].text)),
                 static_cast<unsigned>(std::stoul(words[1].text)), number, words[0].column});
      continue;
    }
    const bool arrow = words.size() == 3 && (words[1].text == "->" || words[1].text == "--");
    if (words.size() != 2 && !arrow)
      builder.fail(number, words[0].column,
                   fmt::format("expected 't0 -> s1', 't0 s1' or 't0 -- s1', found '{}'",
                               line.substr(words[0].column - 1, words.back().column - words[0].column +
                                                                    words.back().text.size())));
    const graph_builder::end a = read_end(builder, words.front(), number),
                             b = read_end(builder, words.back(), number);
    builder.add({a, b, number});
    if (arrow && words[1].text == "--") builder.add({b, a, number});
  }
  return found == numbered ? plain.build() : builder.build();
}

namespace {

/// Of an edge in a GraphML file; -1 if it does not say.
int port_of(const graph_builder& builder, const graphml_file::edge& e, const char* key) {
  const auto found = e.data.find(key);
  if (found == e.data.end()) return -1;
  const auto& [text, where] = found->second;
  const std::vector<word> words = split(text);
  if (words.size() != 1 || !is_number(words[0].text))
    builder.fail(where.line, where.column,
                 fmt::format("{}: expected the number of a port, found '{}'", key, text));
  return std::stoi(words[0].text);
}

/// Names of the nodes, by their roles and in their order.
std::vector<std::string> names_of(const graph_builder& builder,
                                  const std::vector<graphml_file::node>& nodes) {
  std::vector<std::string> names;
  unsigned terminals = 0, switches = 0;
  for (const graphml_file::node& n : nodes) {
    const auto role = n.data.find("role");
    const graphml_file::value found = role == n.data.end() ? graphml_file::value{"", n.where} : role->second;
    if (found.text != "terminal" && found.text != "switch")
      builder.fail(
          found.where.line, found.where.column,
          fmt::format("node {}: expected the role terminal or switch, found '{}'", n.id, found.text));
    names.push_back(found.text == "terminal" ? fmt::format("t{}", terminals++)
                                             : fmt::format("s{}", switches++));
  }
  return names;
}

}  // namespace

topology read_graphml(const std::filesystem::path& file) {
  const graphml_file read = read_graphml_file(file);
  graph_builder builder(file);
  if (std::none_of(read.nodes.begin(), read.nodes.end(),
                   [](const graphml_file::node& n) { return n.data.count("role") != 0; })) {
    plain_graph plain(builder);
    for (unsigned n = 0; n < read.nodes.size(); ++n) plain.add_node(n);
    for (const graphml_file::edge& e : read.edges) {
      for (const char* key : {"from_port", "to_port"})
        if (const auto found = e.data.find(key); found != e.data.end())
          builder.fail(
              found->second.where.line, found->second.where.column,
              fmt::format("found a {} of {}, expected none: without roles the ports of a switch are in "
                          "the order of its edges",
                          key, found->second.text));
      plain.add({static_cast<unsigned>(e.from), static_cast<unsigned>(e.to), e.where.line, e.where.column});
    }
    return plain.build();
  }
  const std::vector<std::string> names = names_of(builder, read.nodes);
  for (const graphml_file::edge& e : read.edges) {
    const graph_builder::end from{names[e.from], port_of(builder, e, "from_port"), e.where.column},
        to{names[e.to], port_of(builder, e, "to_port"), e.where.column};
    builder.add({from, to, e.where.line});
    if (e.both_ways) builder.add({to, from, e.where.line});
  }
  return builder.build();
}

}  // namespace spillway
