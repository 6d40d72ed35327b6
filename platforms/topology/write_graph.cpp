#include <boost/graph/graphml.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/range/iterator_range.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <spillway/platforms/topology/analysis.hpp>
#include <sstream>
#include <stdexcept>

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
  if (ends_with(file, ".dot") || ends_with(file, ".svg")) return dot_of(shape);
  throw std::invalid_argument("expected a file that ends in .dot, .graphml, .svg or .txt, found '" + file +
                              "'");
}

}  // namespace spillway
