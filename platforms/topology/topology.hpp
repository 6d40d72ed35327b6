#pragma once
#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace spillway {

/// A vertex of a topology: a terminal, which sends and receives, or a switch.
struct vertex {
  enum kind : std::uint8_t { terminal, switch_ };
  kind role = switch_;
  std::uint32_t index = 0;  ///< number of the terminal or switch, from 0 without gaps
  std::uint32_t stage = 0;  ///< column in pictures
};

/// A link, from an output port to an input port.
struct edge {
  std::uint16_t from_port = 0, to_port = 0;
};

using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, vertex, edge>;

/// A network as a graph. A terminal sends into the network by its output 0 and receives by its input 0.
struct topology {
  std::string kind;  ///< name of its generator
  graph g;
  std::vector<graph::vertex_descriptor> terminals, switches;  ///< by number
  unsigned radix = 0, stages = 0;                             ///< of butterfly, omega and crossbar
  unsigned dilation = 1;                                      ///< of multibutterfly: outputs a digit
  std::vector<unsigned> children, parents;                    ///< of xgft: a level
  std::vector<unsigned> dimensions;                           ///< of mesh, torus and ring
  bool wraps = false;                                         ///< torus and ring: the dimensions are closed
  bool both_ways = true;                                      ///< ring: links in both directions
  unsigned dimension = 0, cluster = 0;                        ///< of hypercubes: 2^dimension nodes, 2^cluster
  bool hierarchical = false;  ///< of hypercubes: clusters are joined by one node
  unsigned interface = 0;     ///< that node's low bits, in every cluster

  graph::vertex_descriptor add_terminal();
  graph::vertex_descriptor add_switch(unsigned stage);
  void add_link(graph::vertex_descriptor from, unsigned from_port, graph::vertex_descriptor to,
                unsigned to_port);

  /// Ports of a switch, open ones included.
  unsigned input_ports(graph::vertex_descriptor v) const;
  unsigned output_ports(graph::vertex_descriptor v) const;
  /// `terminal_5`, `switch_12`.
  std::string name(graph::vertex_descriptor v) const;
};

}  // namespace spillway
