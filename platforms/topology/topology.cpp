#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/limits.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <stdexcept>

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

void topology::join(graph::vertex_descriptor a, unsigned a_port, graph::vertex_descriptor b,
                    unsigned b_port) {
  add_link(a, a_port, b, b_port);
  add_link(b, b_port, a, a_port);
}

unsigned topology::input_ports(graph::vertex_descriptor v) const {
  unsigned ports = g[v].role == vertex::switch_ ? least_ports : 1;
  for (const auto e : boost::make_iterator_range(in_edges(v, g))) ports = std::max(ports, g[e].to_port + 1u);
  return ports;
}

unsigned topology::output_ports(graph::vertex_descriptor v) const {
  unsigned ports = g[v].role == vertex::switch_ ? least_ports : 1;
  for (const auto e : boost::make_iterator_range(out_edges(v, g)))
    ports = std::max(ports, g[e].from_port + 1u);
  return ports;
}

std::string topology::name(graph::vertex_descriptor v) const {
  return (g[v].role == vertex::terminal ? "terminal_" : "switch_") + std::to_string(g[v].index);
}

topology_size size_of(const topology& shape) {
  topology_size size{static_cast<double>(shape.terminals.size()), static_cast<double>(shape.switches.size()),
                     static_cast<double>(num_edges(shape.g)), 0};
  for (const auto v : shape.switches)
    size.ports = std::max<double>(size.ports, std::max(shape.input_ports(v), shape.output_ports(v)));
  return size;
}

namespace {

/// The ports of one side of a vertex, each of one link.
void check_ports(const topology& shape, graph::vertex_descriptor v, const std::vector<unsigned>& ports,
                 const std::string& side) {
  const bool terminal = shape.g[v].role == vertex::terminal;
  if (terminal && ports.size() > 1)
    throw std::invalid_argument(shape.name(v) + " has " + std::to_string(ports.size()) + " links at its " +
                                side + "s, expected one");
  const unsigned most = terminal ? 1 : detail::most_ports;
  port_mask seen = 0;
  for (const unsigned port : ports) {
    if (port >= most)
      throw std::invalid_argument(shape.name(v) + " has an " + side + ' ' + std::to_string(port) +
                                  ", expected numbers up to " + std::to_string(most - 1));
    if (seen >> port & 1)
      throw std::invalid_argument(shape.name(v) + " has two links at its " + side + ' ' +
                                  std::to_string(port));
    seen |= port_mask{1} << port;
  }
}

}  // namespace

void check_graph(const topology& shape) {
  const graph& g = shape.g;
  std::vector<unsigned> ports;
  for (const auto v : boost::make_iterator_range(vertices(g))) {
    ports.clear();
    for (const auto e : boost::make_iterator_range(in_edges(v, g))) ports.push_back(g[e].to_port);
    check_ports(shape, v, ports, "input");
    ports.clear();
    for (const auto e : boost::make_iterator_range(out_edges(v, g))) ports.push_back(g[e].from_port);
    check_ports(shape, v, ports, "output");
  }
}

}  // namespace spillway
