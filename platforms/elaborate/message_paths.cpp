#include <boost/range/iterator_range.hpp>
#include <spillway/platforms/elaborate/message_paths.hpp>

namespace spillway {

namespace {

/// Follows the routes of a network from terminal to terminal.
class path_finder {
public:
  explicit path_finder(const network_plan& plan) : routes_(plan.routes) {
    const graph& g = plan.shape.g;
    const auto number = get(boost::vertex_index, g);
    outs_.resize(num_vertices(g));
    std::uint32_t links = 0;
    for (const auto v : boost::make_iterator_range(vertices(g))) {
      auto& ports = outs_[number[v]];
      ports.resize(g[v].role == vertex::terminal ? 1 : plan.shape.output_ports(v));
      for (const auto e : boost::make_iterator_range(out_edges(v, g)))
        ports[g[e].from_port] = {static_cast<std::uint32_t>(target(e, g)), g[e].to_port, links++};
      nodes_.push_back({g[v].role == vertex::terminal, g[v].index});
    }
    for (const auto t : plan.shape.terminals) terminals_.push_back(static_cast<std::uint32_t>(t));
  }

  void operator()(unsigned source, unsigned destination, std::vector<std::uint32_t>& links) const {
    flit f;
    f.source = source;
    f.destination = destination;
    hop at = outs_[terminals_[source]][0];
    links.push_back(at.link);
    while (!nodes_[at.vertex].terminal) {
      const port_mask ways = routes_->outputs(nodes_[at.vertex].index, at.input, f);
      at = outs_[at.vertex][static_cast<unsigned>(__builtin_ctzll(ways))];
      links.push_back(at.link);
    }
  }

private:
  struct hop {
    std::uint32_t vertex = 0, input = 0, link = 0;
  };
  struct node {
    bool terminal;
    std::uint32_t index;
  };
  std::shared_ptr<const routing> routes_;
  std::vector<std::vector<hop>> outs_;
  std::vector<node> nodes_;
  std::vector<std::uint32_t> terminals_;
};

}  // namespace

message_path message_paths(const network_plan& plan) { return path_finder(plan); }

}  // namespace spillway
