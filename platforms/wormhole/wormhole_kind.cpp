#include <spillway/hw/wormhole/wormhole_router.hpp>
#include <spillway/platforms/wormhole/wormhole_kind.hpp>

namespace spillway {

namespace {

using nlohmann::json;

struct link_choice {
  unsigned cycles;
  bool strict;
};

link_choice link_of(const json& parameters) {
  const json& link = parameters.at("link");
  return {link.at("cycles").get<unsigned>(), link.at("multiplexing") == "strict"};
}

router_flow flow_of(const json& parameters) {
  const std::string name = parameters.at("switching");
  if (name == "wormhole") return router_flow::wormhole;
  return name == "cut_through" ? router_flow::cut_through : router_flow::store_and_forward;
}

/// Cycles from one flit of a network on a link to the next.
unsigned cycles_a_flit(const link_choice& link, unsigned networks) {
  return link.cycles * (link.strict ? networks : 1);
}

/// Of all routers, without their ports.
router_config common_config(const json& p, unsigned networks, unsigned packet_length) {
  router_config config;
  config.networks = networks;
  config.virtual_channels = p.at("virtual_channels");
  config.depth = p.at("depth");
  config.flow = flow_of(p);
  config.packet_length = packet_length;
  config.latency = p.at("latency");
  return config;
}

std::shared_ptr<const switch_plan> check_routers(const switch_plan_context& context) {
  router_config config = common_config(context.parameters, context.networks, context.packet_length);
  for (const auto v : context.shape.switches) {
    config.inputs.resize(context.shape.input_ports(v));
    config.outputs.resize(context.shape.output_ports(v));
    config.check();
  }
  return nullptr;
}

std::unique_ptr<network_block> make_router(const switch_context& context) {
  const json& p = context.parameters;
  const link_choice link = link_of(p);
  router_config config = common_config(p, context.networks, context.packet_length);
  config.entry_latency = p.at("entry_latency");
  config.random_output = p.at("choice") == "random";
  // Duato's proof needs channels that hold one packet at most.
  config.one_packet = context.routes->escape() != 0;
  // The turns of a link follow those of the link before by the time of a hop, so that a flit does not wait.
  const unsigned hop = config.latency - 1 + cycles_a_flit(link, context.networks);
  config.phase = (context.stage + 1) * (context.networks - hop % context.networks) % context.networks;
  config.inputs.resize(context.inputs);
  config.outputs.resize(context.outputs);
  for (unsigned i = 0; i < context.inputs; ++i) config.inputs[i].terminal = context.terminal_inputs >> i & 1;
  for (unsigned o = 0; o < context.outputs; ++o) {
    config.outputs[o].terminal = context.terminal_outputs >> o & 1;
    config.outputs[o].cycles = link.cycles;
    config.outputs[o].time_multiplexed = link.strict;
  }
  return make_block<wormhole_router>(context.domain, context.name.c_str(), config, context.node,
                                     context.routes, context.domain);
}

/// From network n of the terminal to channel n of the network's link, and back.
class port_routing final : public routing {
public:
  explicit port_routing(unsigned networks) : networks_(networks) {}
  port_mask outputs(unsigned, unsigned input, const flit& f) const override {
    return port_mask{1} << (input == networks_ ? f.lane : networks_);
  }

private:
  const unsigned networks_;
};

std::unique_ptr<network_block> make_port(const port_context& context) {
  const link_choice link = link_of(context.parameters);
  if (context.networks == 1 && link.cycles == 1) return nullptr;
  router_config config;
  config.networks = context.networks;
  config.depth = 2;
  for (unsigned n = 0; n < context.networks; ++n) config.inputs.push_back({true, n, 1, false, 1});
  config.outputs = config.inputs;
  config.inputs.emplace_back();
  config.outputs.push_back({false, 0, link.cycles, link.strict, 0});
  return std::make_unique<wormhole_router>(context.name.c_str(), config, 0u,
                                           std::make_shared<port_routing>(context.networks));
}

zero_load latency_of(const json& p, unsigned networks, unsigned packet_length) {
  const link_choice link = link_of(p);
  const std::uint64_t flit = cycles_a_flit(link, networks), latency = p.at("latency").get<std::uint64_t>();
  const bool port = networks > 1 || link.cycles > 1;
  zero_load z;
  z.tail = flow_of(p) == router_flow::store_and_forward;
  const std::uint64_t flits = z.tail ? packet_length : 1;
  z.per_switch = latency - 1 + flits * flit;
  // Through the port: a cycle into it, the narrow link, a cycle out of it at the other end.
  std::uint64_t entry = p.at("entry_latency");
  if (link.strict) {
    // A flit leaves in a turn of its network whenever it could.
    z.wait = networks - 1;
    entry = (entry + networks - 1) / networks * networks;
  }
  z.fixed = entry + flits * flit - z.wait + (port ? 2 : 0);
  z.cycles_a_flit = flit;
  return z;
}

}  // namespace

switch_kind wormhole_kind() {
  switch_kind kind;
  kind.make = make_router;
  kind.make_port = make_port;
  kind.plan = check_routers;
  kind.room = [](const json& p, unsigned inputs, unsigned, std::size_t) {
    return p.at("depth").get<double>() * p.at("virtual_channels").get<double>() * inputs;
  };
  kind.latency = latency_of;
  return kind;
}

}  // namespace spillway
