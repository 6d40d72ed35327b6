#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <spillway/platforms/topology/topology.hpp>

namespace spillway {

graph::vertex_descriptor topology::add_terminal() {
  const auto v = add_vertex(vertex{vertex::terminal, static_cast<std::uint32_t>(terminals.size()), 0}, g);
  terminals.push_back(v);
  return v;
}

graph::vertex_descriptor topology::add_switch(unsigned stage) {
  const auto v = add_vertex(vertex{vertex::switch_, static_cast<std::uint32_t>(switches.size()), stage}, g);
  switches.push_back(v);
  return v;
}

void topology::add_link(graph::vertex_descriptor from, unsigned from_port, graph::vertex_descriptor to,
                        unsigned to_port) {
  add_edge(from, to, edge{static_cast<std::uint16_t>(from_port), static_cast<std::uint16_t>(to_port)}, g);
}

unsigned topology::input_ports(graph::vertex_descriptor v) const {
  unsigned ports = g[v].role == vertex::switch_ ? radix : 1;
  for (const auto e : boost::make_iterator_range(in_edges(v, g))) ports = std::max(ports, g[e].to_port + 1u);
  return ports;
}

unsigned topology::output_ports(graph::vertex_descriptor v) const {
  unsigned ports = g[v].role == vertex::switch_ ? radix : 1;
  for (const auto e : boost::make_iterator_range(out_edges(v, g)))
    ports = std::max(ports, g[e].from_port + 1u);
  return ports;
}

std::string topology::name(graph::vertex_descriptor v) const {
  return (g[v].role == vertex::terminal ? "terminal_" : "switch_") + std::to_string(g[v].index);
}

}  // namespace spillway
