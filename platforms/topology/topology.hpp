#pragma once
#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <memory>
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

/// How much there is of a network.
struct topology_size {
  double terminals = 0, switches = 0, links = 0;
  double ports = 0;  ///< inputs or outputs of the largest switch, open ones included
};

/// What the kind of a topology knows besides its graph: each kind has a class of its own.
class topology_facts {
public:
  virtual ~topology_facts() = default;
  /// Links between two halves of the terminals, both ways counted; 0: not known.
  virtual std::uint64_t bisection() const { return 0; }
  /// Whether each switch has one terminal, so that a distance counts the links between switches.
  virtual bool direct() const { return false; }
};

/// A network as a graph. A terminal sends into the network by its output 0 and receives by its input 0.
struct topology {
  std::string kind;  ///< name of its entry in the catalogue; empty without one
  graph g;
  std::vector<graph::vertex_descriptor> terminals, switches;  ///< by number
  unsigned least_ports = 0;  ///< inputs and outputs that every switch has at least, open ones included
  std::shared_ptr<const topology_facts> known;  ///< nullptr: nothing but the graph

  /// `shape.facts<grid_shape>()`: what it knows as a grid, or nullptr if it is none.
  template <class Facts>
  const Facts* facts() const {
    return dynamic_cast<const Facts*>(known.get());
  }

  graph::vertex_descriptor add_terminal();
  graph::vertex_descriptor add_switch(unsigned stage);
  void add_link(graph::vertex_descriptor from, unsigned from_port, graph::vertex_descriptor to,
                unsigned to_port);
  /// A link each way: from output `a_port` to input `b_port`, and from output `b_port` to input `a_port`.
  void join(graph::vertex_descriptor a, unsigned a_port, graph::vertex_descriptor b, unsigned b_port);

  /// Ports of a switch, open ones included.
  unsigned input_ports(graph::vertex_descriptor v) const;
  unsigned output_ports(graph::vertex_descriptor v) const;
  /// `terminal_5`, `switch_12`.
  std::string name(graph::vertex_descriptor v) const;
};

/// Counts what was made.
topology_size size_of(const topology& shape);

/// Throws std::invalid_argument, naming the vertex, if a port has two links or a number above 63, or a
/// terminal other ports than its input 0 and its output 0.
void check_graph(const topology& shape);

}  // namespace spillway
