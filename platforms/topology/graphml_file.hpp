#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace spillway {

/// What a GraphML file says: one graph, whose nodes and edges have data. Ports, locators and elements of
/// other name spaces are passed over; graphs within nodes and hyperedges, which a network has no use for, are
/// refused.
/// @see http://graphml.graphdrawing.org
struct graphml_file {
  /// Where something begins, both from 1.
  struct place {
    unsigned line = 1, column = 1;
  };
  struct value {
    std::string text;
    place where;
  };
  using values = std::map<std::string, value>;  ///< by the names (`attr.name`) of their keys
  struct node {
    std::string id;
    values data;
    place where;
  };
  struct edge {
    std::size_t from = 0, to = 0;  ///< of the nodes
    bool both_ways = false;
    values data;
    place where;
  };

  std::vector<node> nodes;  ///< in the order of the file, as are the edges
  std::vector<edge> edges;
};

/// Reads it. Throws config_error, with the place.
graphml_file read_graphml_file(const std::filesystem::path& file);

}  // namespace spillway
