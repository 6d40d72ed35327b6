#include <boost/range/iterator_range.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/platforms/tlm/message_paths.hpp>

namespace spillway {

namespace {

/// Follows the routes of a network from terminal to terminal.
class path_finder {
public:
  path_finder(const network_plan& plan, bool queue_an_output) : routes_(plan.routes) {
    const graph& g = plan.shape.g;
    for (const auto v : boost::make_iterator_range(vertices(g))) {
      const bool terminal = g[v].role == vertex::terminal;
      const unsigned outputs = terminal ? 1 : plan.shape.output_ports(v);
      node n{g[v].index, terminal,    outputs, terminal || !queue_an_output ? 1 : outputs,
             queues_,    ways_.size()};
      queues_ += (terminal ? 1 : plan.shape.input_ports(v)) * n.queues;
      ways_.resize(n.first_way + outputs);
      for (const auto e : boost::make_iterator_range(out_edges(v, g)))
        ways_[n.first_way + g[e].from_port] = {static_cast<std::uint32_t>(target(e, g)), g[e].to_port,
                                               links_++};
      nodes_.push_back(n);
    }
    for (const auto t : plan.shape.terminals) terminals_.push_back(static_cast<std::uint32_t>(t));
  }
  std::uint32_t queues() const { return queues_; }
  std::uint32_t links() const { return links_; }

  void operator()(unsigned source, unsigned destination, std::vector<message_hop>& hops) const {
    flit f;
    f.source = source;
    f.destination = destination;
    const node* n = &nodes_[terminals_[source]];
    const way* at = &ways_[n->first_way];
    hops.push_back({n->first_queue, at->link});
    for (n = &nodes_[at->vertex]; !n->terminal; n = &nodes_[at->vertex]) {
      const auto output = next_output(*routes_, n->index, at->input, f, n->outputs);
      const std::uint32_t queue = n->first_queue + at->input * n->queues + (n->queues > 1 ? output : 0);
      at = &ways_[n->first_way + output];
      hops.push_back({queue, at->link});
    }
  }

private:
  struct way {  // out of a vertex
    std::uint32_t vertex = 0, input = 0, link = 0;
  };
  struct node {
    std::uint32_t index;
    bool terminal;
    std::uint32_t outputs;
    std::uint32_t queues;  // an input
    std::uint32_t first_queue;
    std::size_t first_way;
  };
  std::shared_ptr<const routing> routes_;
  std::vector<node> nodes_;
  std::vector<way> ways_;  // by output, vertex after vertex
  std::vector<std::uint32_t> terminals_;
  std::uint32_t queues_ = 0, links_ = 0;
};

}  // namespace

message_paths find_message_paths(const network_plan& plan, bool queue_an_output) {
  const path_finder finder(plan, queue_an_output);
  return {finder.queues(), finder.links(), finder};
}

}  // namespace spillway
