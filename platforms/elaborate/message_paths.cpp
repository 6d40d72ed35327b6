#include <boost/range/iterator_range.hpp>
#include <spillway/platforms/elaborate/message_paths.hpp>

namespace spillway {

namespace {

/// Follows the routes of a network from terminal to terminal.
class path_finder {
public:
  path_finder(const network_plan& plan, bool queue_an_output) : routes_(plan.routes) {
    const graph& g = plan.shape.g;
    const auto number = get(boost::vertex_index, g);
    outs_.resize(num_vertices(g));
    for (const auto v : boost::make_iterator_range(vertices(g))) {
      auto& ports = outs_[number[v]];
      ports.resize(g[v].role == vertex::terminal ? 1 : plan.shape.output_ports(v));
      for (const auto e : boost::make_iterator_range(out_edges(v, g)))
        ports[g[e].from_port] = {static_cast<std::uint32_t>(target(e, g)), g[e].to_port, links_++};
      const bool terminal = g[v].role == vertex::terminal;
      const unsigned inputs = terminal ? 1 : plan.shape.input_ports(v);
      const unsigned queues = terminal || !queue_an_output ? 1 : plan.shape.output_ports(v);  // an input
      nodes_.push_back({terminal, g[v].index, queues_, queues});
      queues_ += inputs * queues;
    }
    for (const auto t : plan.shape.terminals) terminals_.push_back(static_cast<std::uint32_t>(t));
  }

  std::uint32_t queues() const { return queues_; }
  std::uint32_t links() const { return links_; }

  void operator()(unsigned source, unsigned destination, std::vector<message_hop>& hops) const {
    flit f;
    f.source = source;
    f.destination = destination;
    const way* at = &outs_[terminals_[source]][0];
    hops.push_back({nodes_[terminals_[source]].first_queue, at->link});
    for (;;) {
      const node& n = nodes_[at->vertex];
      if (n.terminal) return;
      const auto output = static_cast<unsigned>(__builtin_ctzll(routes_->outputs(n.index, at->input, f)));
      const std::uint32_t queue = n.first_queue + at->input * n.queues + (n.queues > 1 ? output : 0);
      at = &outs_[at->vertex][output];
      hops.push_back({queue, at->link});
    }
  }

private:
  struct way {
    std::uint32_t vertex = 0, input = 0, link = 0;
  };
  struct node {
    bool terminal;
    std::uint32_t index, first_queue;
    unsigned queues;  // an input
  };
  std::shared_ptr<const routing> routes_;
  std::vector<std::vector<way>> outs_;
  std::vector<node> nodes_;
  std::vector<std::uint32_t> terminals_;
  std::uint32_t queues_ = 0, links_ = 0;
};

}  // namespace

message_paths find_message_paths(const network_plan& plan, bool queue_an_output) {
  const path_finder finder(plan, queue_an_output);
  return {finder.queues(), finder.links(), finder};
}

}  // namespace spillway
