#pragma once
#include <boost/range/iterator_range.hpp>
#include <cstdint>
#include <spillway/platforms/topology/topology.hpp>
#include <string>
#include <vector>

namespace spillway {

/// The links of a topology by number, in the order of its edges, and which one leaves each output port.
class link_table {
public:
  using vertex_id = graph::vertex_descriptor;
  static constexpr std::uint32_t no_link = ~std::uint32_t{0};

  explicit link_table(const topology& t) : shape_(t), first_port_(num_vertices(t.g) + 1) {
    for (const auto e : boost::make_iterator_range(edges(t.g))) {
      auto& ports = first_port_[boost::source(e, t.g) + 1];
      ports = std::max(ports, t.g[e].from_port + std::size_t{1});
    }
    for (std::size_t v = 1; v < first_port_.size(); ++v) first_port_[v] += first_port_[v - 1];
    by_port_.resize(first_port_.back(), no_link);
    for (const auto e : boost::make_iterator_range(edges(t.g))) {
      const auto from = boost::source(e, t.g), to = boost::target(e, t.g);
      by_port_[first_port_[from] + t.g[e].from_port] = static_cast<std::uint32_t>(ends_.size());
      from_.push_back(from);
      from_port_.push_back(t.g[e].from_port);
      ends_.push_back({to, t.g[to].index, t.g[e].to_port, t.g[to].role == vertex::terminal});
    }
  }
  std::uint32_t leaving(vertex_id v, unsigned port) const {
    const std::size_t at = first_port_[v] + port;
    return at < first_port_[v + 1] ? by_port_[at] : no_link;
  }
  vertex_id from(std::uint32_t link) const { return from_[link]; }
  vertex_id to(std::uint32_t link) const { return ends_[link].to; }
  unsigned from_port(std::uint32_t link) const { return from_port_[link]; }
  unsigned to_port(std::uint32_t link) const { return ends_[link].port; }
  /// Of the terminal or the switch that the link leads to.
  unsigned to_index(std::uint32_t link) const { return ends_[link].index; }
  bool into_terminal(std::uint32_t link) const { return ends_[link].terminal; }
  std::size_t size() const { return ends_.size(); }
  std::string name(std::uint32_t link) const {
    return end(from(link), from_port(link)) + " -> " + end(to(link), to_port(link));
  }

private:
  struct link_end {
    vertex_id to;
    std::uint32_t index;
    std::uint16_t port;
    bool terminal;
  };
  std::string end(vertex_id v, unsigned port) const { return shape_.name(v) + ":" + std::to_string(port); }

  const topology& shape_;
  std::vector<std::size_t> first_port_;  // by vertex, in by_port_
  std::vector<std::uint32_t> by_port_;
  std::vector<vertex_id> from_;
  std::vector<std::uint16_t> from_port_;
  std::vector<link_end> ends_;
};

}  // namespace spillway
