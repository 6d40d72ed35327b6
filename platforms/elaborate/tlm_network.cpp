#include <boost/range/iterator_range.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/elaborate/tlm_network.hpp>
#include <spillway/platforms/elaborate/tlm_unit.hpp>

namespace spillway {

namespace {

using pointer = nlohmann::json::json_pointer;

/// The users' own transactions are all that there is to watch.
class nobody final : public endpoint_observer {
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit&) override {}
};

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

tlm_network::tlm_network(const sc_core::sc_module_name& name, const std::filesystem::path& file,
                         const std::vector<std::string>& overrides, const block_kinds& kinds)
    : sc_module(name) {
  const document d = load_document(file, experiment_schema(kinds), overrides);
  if (d.root.at("interface").at("kind") != "tlm")
    d.fail(pointer("/interface/kind"), "a network with TLM sockets needs `interface: {kind: tlm}`");
  plan_ = read_network(d);
  check_network(plan_, kinds, d);
  if (!plan_.routes->in_order())
    d.fail(pointer("/routing"), "TLM sockets need a routing that keeps packets in order");
  try {
    make_fabric(plan_.config.interfaces, terminals());
  } catch (const std::invalid_argument& error) {
    d.fail(pointer("/interface/map"), error.what());
  }
  if (plan_.config.interfaces.at("level") == "transaction") {
    make_channel();
    return;
  }
  nobody_ = std::make_unique<nobody>();
  platform_ = std::make_unique<platform>(
      "pins", plan_, kinds,
      workload{[](unsigned) { return nullptr; }, [](unsigned) { return sink_config{}; }, *nobody_});
  for (const auto& unit : platform_->terminals()) ports_.push_back(&port_of(*unit));
}

tlm_network::~tlm_network() = default;

void tlm_network::make_channel() {
  tlm_channel_config config;
  config.terminals = terminals();
  config.links = static_cast<std::uint32_t>(num_edges(plan_.shape.g));
  config.packet_length = plan_.config.packet_length;
  config.store_and_forward = plan_.config.switches.value("switching", "") == "store_and_forward";
  config.period = plan_.config.period;
  channel_ = std::make_unique<tlm_channel>("channel", config, path_finder(plan_));
  const std::shared_ptr<tlm_fabric> fabric = make_fabric(plan_.config.interfaces, terminals());
  for (unsigned t = 0; t < terminals(); ++t) {
    own_ports_.push_back(std::make_unique<tlm_port>(("tlm_" + std::to_string(t)).c_str(), t,
                                                    plan_.config.interfaces.at("queue"), fabric,
                                                    channel_->carrier(t)));
    channel_->deliver_to(t, *own_ports_.back());
    ports_.push_back(own_ports_.back().get());
  }
}

counters tlm_network::count() const {
  counters all;
  for (const tlm_port* const p : ports_) p->count(all);
  return all;
}

}  // namespace spillway
