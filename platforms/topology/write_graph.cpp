#include <algorithm>
#include <boost/graph/graphml.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/range/iterator_range.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <spillway/platforms/topology/analysis.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace spillway {

namespace {

/// Sources on the left, sinks on the right, the stages between them.
std::string dot_of(const topology& t) {
  const graph& g = t.g;
  std::ostringstream dot;
  dot << "digraph network {\n  rankdir=LR; splines=line; node [shape=box, height=0.2, fontsize=9];\n";
  std::map<unsigned, std::string> ranks;
  for (const auto v : t.switches) ranks[g[v].stage] += t.name(v) + "; ";
  for (const auto& [stage, names] : ranks) dot << "  { rank=same; " << names << "}\n";
  for (const auto v : t.terminals)
    dot << "  source_" << g[v].index << " [shape=plaintext];\n  sink_" << g[v].index
        << " [shape=plaintext];\n";
  const auto end = [&](graph::vertex_descriptor v, const char* role) {
    return g[v].role == vertex::terminal ? role + std::to_string(g[v].index) : t.name(v);
  };
  for (const auto e : boost::make_iterator_range(edges(g)))
    dot << "  " << end(source(e, g), "source_") << " -> " << end(target(e, g), "sink_") << ";\n";
  dot << "}\n";
  return dot.str();
}

/// Columns of a network whose switches have a terminal each, if they make a grid: by stage, equally long.
std::map<unsigned, std::vector<graph::vertex_descriptor>> grid_of(const topology& t) {
  std::map<unsigned, std::vector<graph::vertex_descriptor>> columns;
  if (!t.known || !t.known->direct()) return columns;
  for (const auto v : t.switches) columns[t.g[v].stage].push_back(v);
  const auto uneven = [&](const auto& one) { return one.second.size() != columns.begin()->second.size(); };
  if (columns.size() < 2 || std::any_of(columns.begin(), columns.end(), uneven)) columns.clear();
  return columns;
}

/// Switches with their terminals' numbers, each where its column and its row are; links both ways are one
/// line.
std::string grid_dot_of(const topology& t,
                        const std::map<unsigned, std::vector<graph::vertex_descriptor>>& columns) {
  const graph& g = t.g;
  constexpr int step = 54;          // points
  constexpr std::size_t most = 64;  // switches round which Graphviz leads links: of 256 that takes it 20 s
  std::ostringstream dot;
  dot << "digraph network {\n  layout=neato; inputscale=72; splines="
      << (t.switches.size() > most ? "line" : "true")
      << "; node [shape=box, width=0.4, height=0.3, fontsize=9];\n";
  for (const auto& [column, switches] : columns)
    for (std::size_t row = 0; row < switches.size(); ++row)
      dot << "  " << t.name(switches[row]) << " [label=" << g[switches[row]].index << ", pos=\""
          << column * step << ',' << row * step << "!\"];\n";
  std::set<std::pair<graph::vertex_descriptor, graph::vertex_descriptor>> links;
  for (const auto e : boost::make_iterator_range(edges(g)))
    if (g[source(e, g)].role == vertex::switch_ && g[target(e, g)].role == vertex::switch_)
      links.emplace(source(e, g), target(e, g));
  for (const auto& [from, to] : links) {
    const bool both = links.count({to, from}) != 0;
    if (both && to < from) continue;
    dot << "  " << t.name(from) << " -> " << t.name(to) << (both ? " [dir=none];\n" : ";\n");
  }
  dot << "}\n";
  return dot.str();
}

std::string graphml_of(const topology& t) {
  const graph& g = t.g;
  boost::dynamic_properties properties;
  const auto role = boost::make_function_property_map<graph::vertex_descriptor, std::string>(
      [&g](graph::vertex_descriptor v) { return g[v].role == vertex::terminal ? "terminal" : "switch"; });
  properties.property("role", role);
  properties.property("from_port", boost::make_function_property_map<graph::edge_descriptor, int>(
                                       [&g](graph::edge_descriptor e) { return g[e].from_port; }));
  properties.property("to_port", boost::make_function_property_map<graph::edge_descriptor, int>(
                                     [&g](graph::edge_descriptor e) { return g[e].to_port; }));
  std::ostringstream out;
  write_graphml(out, g, get(boost::vertex_index, g), properties, true);
  return out.str();
}

/// An edge list, as read_edge_list() takes it, with all ports.
std::string edge_list_of(const topology& t) {
  const graph& g = t.g;
  std::ostringstream list;
  const auto end = [&g](graph::vertex_descriptor v, unsigned port) {
    return (g[v].role == vertex::terminal ? 't' : 's') + std::to_string(g[v].index) + ':' +
           std::to_string(port);
  };
  for (const auto e : boost::make_iterator_range(edges(g)))
    list << end(source(e, g), g[e].from_port) << " -> " << end(target(e, g), g[e].to_port) << '\n';
  return list.str();
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::string graph_text(const topology& shape, const std::string& file) {
  if (ends_with(file, ".graphml")) return graphml_of(shape);
  if (ends_with(file, ".txt")) return edge_list_of(shape);
  if (ends_with(file, ".dot") || ends_with(file, ".svg")) {
    const auto columns = grid_of(shape);
    return columns.empty() ? dot_of(shape) : grid_dot_of(shape, columns);
  }
  throw std::invalid_argument("expected a file that ends in .dot, .graphml, .svg or .txt, found '" + file +
                              "'");
}

}  // namespace spillway
