#include <algorithm>
#include <spillway/hw/flow_pause/flow_pause_switch.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/check_sizes.hpp>
#include <spillway/platforms/flow_pause/flow_pause_entry.hpp>
#include <spillway/platforms/packet/gate_port.hpp>

namespace spillway {

namespace {

/// What every port is to know.
struct flow_pause_plan final : switch_plan {
  unsigned packet_length = 1;
};

/// Of all its switches, without their ports.
flow_pause_config config_of(const nlohmann::json& p, unsigned packet_length) {
  flow_pause_config config;
  config.queues = config.lanes = p.at("queues");
  config.places = p.at("places");
  config.threshold = p.at("threshold");
  config.flows = p.at("flows");
  config.key = p.at("flow") == "pair" ? flow_key::pair : flow_key::destination;
  config.packet_length = packet_length;
  return config;
}

/// Of the gate of a terminal.
flow_pause_config gate_of(const nlohmann::json& p, unsigned packet_length, const port_queues& queues) {
  flow_pause_config config = config_of(p, packet_length);
  config.inputs = config.outputs = config.lanes = 1;
  config.places = p.value("gate", std::max(config.places, queues.depth * packet_length));
  return config;
}

/// The routing of a gate.
struct straight_on final : routing {
  port_mask outputs(unsigned, unsigned, const flit&) const override { return 1; }
};

}  // namespace

nlohmann::json flow_pause_entry::schema() const {
  return parse_schema(R"json({
  "description": "Switch with a few queues an output, of which each flow gets one of its own while there are some, and which pauses single queues of the switches before it (BFC, flow control by backpressure).",
  "properties": {
    "queues": {
      "type": "integer",
      "minimum": 1,
      "maximum": 64,
      "default": 8,
      "description": "Queues of an output, each a lane of its link; 1: nothing is paused."
    },
    "places": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 32,
      "description": "Flits of an input, in whichever queues they wait."
    },
    "threshold": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65535,
      "default": 2,
      "description": "Flits that the queues of an output which send may have together; a packet with more before it, of its queue's share, keeps the queue it comes from paused. 2: a hop's round trip. 0: no queue is paused."
    },
    "flow": {
      "enum": ["pair", "destination"],
      "default": "pair",
      "description": "What a flow is: the packets of a source to a destination, or all to a destination."
    },
    "flows": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65536,
      "default": 1024,
      "description": "Lines of the table of an output; flows with the same hash share one, and so their queue."
    },
    "gate": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "description": "Flits that wait between a terminal and the network, in as many queues; when left out `places`, or as the interface asks if that is more."
    }
  }
})json");
}

std::shared_ptr<const switch_plan> flow_pause_entry::plan(const switch_plan_context& c) const {
  flow_pause_config config = config_of(c.parameters, c.packet_length);
  check_sizes(c.shape, config);
  for (const objection& o : objections_to(gate_of(c.parameters, c.packet_length, c.queues), "/switch/gate"))
    throw objection_error(o.at, "of the gate: " + o.what);
  auto plan = std::make_shared<flow_pause_plan>();
  plan->packet_length = c.packet_length;
  return plan;
}

std::unique_ptr<network_block> flow_pause_entry::make(const switch_context& c) const {
  flow_pause_config config = config_of(c.parameters, c.packet_length);
  config.inputs = c.inputs;
  config.outputs = c.outputs;
  config.marked = c.marked;
  return std::make_unique<flow_pause_switch>(c.name.c_str(), config, c.node, c.routes, c.neighbours);
}

std::unique_ptr<interface_stage> flow_pause_entry::make_port(const port_context& c) const {
  const flow_pause_config config =
      gate_of(c.parameters, c.plan->as<flow_pause_plan>().packet_length, c.queues);
  const auto routes = std::make_shared<straight_on>();
  return std::make_unique<gate_port<flow_pause_switch, packet_link>>(c, [&](const std::string& name) {
    return std::make_unique<flow_pause_switch>(name.c_str(), config, 0, routes,
                                               std::vector<link_end>{c.next});
  });
}

std::optional<double> flow_pause_entry::room(const nlohmann::json& p, unsigned inputs, unsigned,
                                             std::size_t) const {
  return p.at("places").get<double>() * inputs;
}

std::optional<zero_load> flow_pause_entry::latency(const latency_context&) const {
  return latency_behind_gates();
}

}  // namespace spillway
