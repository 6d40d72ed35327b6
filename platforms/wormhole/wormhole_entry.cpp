#include <algorithm>
#include <spillway/hw/wormhole/wormhole_router.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/wormhole/wormhole_entry.hpp>

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

/// From the turn in which a head leaves a router to the one in which it leaves the next.
unsigned cycles_a_hop(const json& p, unsigned networks, unsigned link_latency) {
  return p.at("latency").get<unsigned>() - 1 + cycles_a_flit(link_of(p), networks) + link_latency - 1;
}

/// The turns of a link follow those of the link before by the time of a hop, so that a flit does not wait;
/// from stage to stage.
unsigned phase_of(unsigned stage, unsigned networks, unsigned hop) {
  return (stage + 1) * (networks - hop % networks) % networks;
}

/// Whether they do on every way.
bool turns_follow(const topology& shape, unsigned networks, unsigned hop) {
  for (const auto e : boost::make_iterator_range(edges(shape.g))) {
    const vertex &from = shape.g[boost::source(e, shape.g)], &to = shape.g[boost::target(e, shape.g)];
    if (from.role == vertex::terminal || to.role == vertex::terminal) continue;
    const unsigned later = phase_of(from.stage, networks, hop) + networks - phase_of(to.stage, networks, hop);
    if ((later + networks - hop % networks) % networks) return false;
  }
  return true;
}

/// Whether all terminals are at routers with the turns of the first stage, whose links then follow those of
/// the terminals.
bool terminals_follow(const topology& shape, unsigned networks, unsigned hop) {
  return std::all_of(shape.terminals.begin(), shape.terminals.end(), [&](const auto terminal) {
    for (const auto e : boost::make_iterator_range(out_edges(terminal, shape.g)))
      if (phase_of(shape.g[boost::target(e, shape.g)].stage, networks, hop) != phase_of(0, networks, hop))
        return false;
    return true;
  });
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
  config.priority = p.at("priority") == "network";
  return config;
}

template <class Router>
std::unique_ptr<network_block> make_of(const switch_context& context, const router_config& config) {
  return std::make_unique<Router>(context.name.c_str(), config, context.node, context.routes);
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

/// A small router between the links of a terminal's interface, its ports 0 to networks - 1, and the
/// network's.
class router_port_stage final : public interface_stage {
public:
  router_port_stage(const std::string& name, const router_config& config, unsigned networks)
      : networks_(networks), router_(name.c_str(), config, 0u, std::make_shared<port_routing>(networks)) {}

  void connect_sent(unsigned network, packet_link& l) override { router_.connect_input(network, l); }
  void connect_arrived(unsigned network, packet_link& l) override { router_.connect_output(network, l); }
  void connect_output(unsigned, network_link& l) override { router_.connect_output(networks_, l); }
  void connect_input(unsigned, network_link& l) override { router_.connect_input(networks_, l); }
  std::vector<clocked*> blocks() override { return {&router_}; }
  std::uint64_t held_flits() const override { return router_.level(); }
  std::uint64_t lost_in_reset() const override { return router_.lost_in_reset(); }

private:
  const unsigned networks_;
  wormhole_router router_;
};

}  // namespace

nlohmann::json wormhole_entry::schema() const {
  return parse_schema(R"json({
  "description": "Input-buffered router with virtual channels. All logical networks of the interface share its links, each with channels of its own.",
  "properties": {
    "virtual_channels": {
      "type": "integer",
      "minimum": 1,
      "maximum": 64,
      "default": 1,
      "description": "Virtual channels of a link, of each logical network. A link has at most 64 over all networks, a router at most 64 ports."
    },
    "depth": {
      "type": "integer",
      "minimum": 1,
      "maximum": 4096,
      "default": 4,
      "description": "Flits a virtual channel holds at an input, 2 or more to take one a cycle."
    },
    "switching": {
      "enum": ["wormhole", "cut_through", "store_and_forward"],
      "default": "wormhole",
      "description": "When a packet goes on: flit by flit, if the next router has room for all of it, or besides only after its tail has come."
    },
    "latency": {
      "type": "integer",
      "minimum": 1,
      "maximum": 64,
      "default": 1,
      "description": "Cycles of a head from input to output, with the first cycle of the link."
    },
    "entry_latency": {
      "type": "integer",
      "minimum": 0,
      "maximum": 1024,
      "default": 0,
      "description": "Further cycles that a head takes in its first router."
    },
    "priority": {
      "enum": ["none", "network"],
      "default": "none",
      "description": "Whose flit goes first where several want a link: by turns, or the higher logical network's before the lower's."
    },
    "choice": {
      "enum": ["free", "random"],
      "default": "free",
      "description": "Which of several outputs that the routing allows: one that is free, by turns, or one drawn by the seed for each packet, free or not, and beside that the escape channel of a routing that has one."
    },
    "link": {
      "type": "object",
      "default": {},
      "additionalProperties": false,
      "description": "The links, also those of the terminals.",
      "properties": {
        "cycles": {
          "type": "integer",
          "minimum": 1,
          "maximum": 1024,
          "default": 1,
          "description": "Cycles that a flit is on a link: flit width by link width."
        },
        "multiplexing": {
          "enum": ["demand", "strict"],
          "default": "demand",
          "description": "How logical networks share a link: whoever has a flit, or by turns of a cycle each, used or not."
        }
      }
    }
  }
})json");
}

std::shared_ptr<const switch_plan> wormhole_entry::plan(const switch_plan_context& context) const {
  router_config config = common_config(context.parameters, context.networks, context.packet_length);
  for (const auto v : context.shape.switches) {
    config.inputs.resize(context.shape.input_ports(v));
    config.outputs.resize(context.shape.output_ports(v));
    config.check();
  }
  return nullptr;
}

std::unique_ptr<network_block> wormhole_entry::make(const switch_context& context) const {
  const json& p = context.parameters;
  const link_choice link = link_of(p);
  router_config config = common_config(p, context.networks, context.packet_length);
  config.entry_latency = p.at("entry_latency");
  config.random_output = p.at("choice") == "random";
  config.seed = context.seed;
  config.marked = context.marked;
  config.drops = context.drops;
  // Duato's proof needs channels that hold one packet at most.
  config.one_packet = context.routes->escape() != 0;
  config.phase = phase_of(context.stage, context.networks,
                          cycles_a_hop(context.parameters, context.networks, context.link_latency));
  config.inputs.resize(context.inputs);
  config.outputs.resize(context.outputs);
  for (unsigned i = 0; i < context.inputs; ++i) config.inputs[i].terminal = context.terminal_inputs >> i & 1;
  for (unsigned o = 0; o < context.outputs; ++o) {
    config.outputs[o].terminal = context.terminal_outputs >> o & 1;
    config.outputs[o].entry = context.entries[o];
    config.outputs[o].cycles = link.cycles;
    config.outputs[o].time_multiplexed = link.strict;
  }
  if (router_channels<word_set>::fits(config)) return make_of<wormhole_router>(context, config);
  return make_of<large_wormhole_router>(context, config);
}

std::unique_ptr<interface_stage> wormhole_entry::make_port(const port_context& context) const {
  const link_choice link = link_of(context.parameters);
  if (context.networks == 1 && link.cycles == 1) return nullptr;
  router_config config;
  config.networks = context.networks;
  config.depth = 2;
  config.priority = context.parameters.at("priority") == "network";
  for (unsigned n = 0; n < context.networks; ++n) config.inputs.push_back({true, n, 1, false, 1});
  config.outputs = config.inputs;
  config.inputs.emplace_back();
  config.outputs.push_back({false, 0, link.cycles, link.strict, 0});
  return std::make_unique<router_port_stage>("port_" + std::to_string(context.terminal), config,
                                             context.networks);
}

std::optional<zero_load> wormhole_entry::latency(const latency_context& c) const {
  const json& p = c.parameters;
  const link_choice link = link_of(p);
  const std::uint64_t flit = cycles_a_flit(link, c.networks), latency = p.at("latency").get<std::uint64_t>();
  const bool port = c.networks > 1 || link.cycles > 1;
  zero_load z;
  z.tail = flow_of(p) == router_flow::store_and_forward;
  const std::uint64_t flits = z.tail ? c.packet_length : 1;
  z.per_switch = latency - 1 + flits * flit;
  // Through the port: a cycle into it, the narrow link, a cycle out of it at the other end.
  std::uint64_t first = p.at("entry_latency");
  if (link.strict) {
    // A flit leaves in a turn of its network whenever it could; a head waits for one in its first router
    // anyway.
    z.wait = c.networks - 1;
    const unsigned hop = cycles_a_hop(p, c.networks, c.link_latency);
    const bool follow = terminals_follow(c.shape, c.networks, hop);
    if (follow) first = first / c.networks * c.networks;
    z.at_most = !follow || !turns_follow(c.shape, c.networks, hop);
  }
  z.fixed = first + flits * flit - z.wait + (port ? 2 : 0);
  z.cycles_a_flit = flit;
  return z;
}

unsigned wormhole_entry::channels(const json& p) const { return p.at("virtual_channels"); }

std::vector<network_course> wormhole_entry::courses(const network_uses& networks) const {
  return std::vector<network_course>(networks.size());
}

std::optional<double> wormhole_entry::room(const json& p, unsigned inputs, unsigned, std::size_t) const {
  return p.at("depth").get<double>() * p.at("virtual_channels").get<double>() * inputs;
}

void wormhole_entry::describe_buffers(const json& p, analysis_options& options) const {
  options.channels = channels(p);
}

}  // namespace spillway
