#pragma once
#include <boost/range/iterator_range.hpp>
#include <cstdint>
#include <spillway/platforms/topology/topology.hpp>
#include <string>
#include <vector>

namespace spillway {

/// The links of a topology by number, and which one leaves each output port.
class link_table {
public:
  using vertex_id = graph::vertex_descriptor;
  static constexpr std::uint32_t no_link = ~std::uint32_t{0};

  explicit link_table(const topology& t) : shape_(t), by_port_(num_vertices(t.g)) {
    for (const auto e : boost::make_iterator_range(edges(t.g))) {
      const auto from = boost::source(e, t.g);
      const unsigned port = t.g[e].from_port;
      if (by_port_[from].size() <= port) by_port_[from].resize(port + 1, no_link);
      by_port_[from][port] = static_cast<std::uint32_t>(to_.size());
      from_.push_back(from);
      to_.push_back(boost::target(e, t.g));
      from_port_.push_back(t.g[e].from_port);
      to_port_.push_back(t.g[e].to_port);
    }
  }
  std::uint32_t leaving(vertex_id v, unsigned port) const {
    return port < by_port_[v].size() ? by_port_[v][port] : no_link;
  }
  vertex_id from(std::uint32_t link) const { return from_[link]; }
  vertex_id to(std::uint32_t link) const { return to_[link]; }
  unsigned to_port(std::uint32_t link) const { return to_port_[link]; }
  std::size_t size() const { return to_.size(); }
  std::string name(std::uint32_t link) const {
    return end(from_[link], from_port_[link]) + " -> " + end(to_[link], to_port_[link]);
  }

private:
  std::string end(vertex_id v, unsigned port) const { return shape_.name(v) + ":" + std::to_string(port); }

  const topology& shape_;
  std::vector<std::vector<std::uint32_t>> by_port_;
  std::vector<vertex_id> from_, to_;
  std::vector<std::uint16_t> from_port_, to_port_;
};

}  // namespace spillway
