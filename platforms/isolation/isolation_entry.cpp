#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <spillway/hw/isolation/isolation_switch.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/check_sizes.hpp>
#include <spillway/platforms/isolation/isolation_entry.hpp>
#include <spillway/platforms/packet/gate_port.hpp>

namespace spillway {

namespace {

/// What every switch and every port is to know.
struct isolation_plan final : switch_plan {
  std::shared_ptr<const routing> routes;
  std::shared_ptr<const output_map> map;
  unsigned packet_length = 1;
};

/// Of all its switches, without their ports.
isolation_switch_config isolation_config_of(const nlohmann::json& p, unsigned packet_length) {
  isolation_switch_config config;
  config.depth = p.at("depth");
  config.queues = p.at("queues");
  config.queue_depth = p.at("queue_depth");
  config.stop = p.at("stop");
  config.go = p.at("go");
  config.threshold = p.at("threshold");
  config.packet_length = packet_length;
  return config;
}

/// Of the gate of a terminal.
isolation_switch_config gate_of(const nlohmann::json& p, unsigned packet_length, const port_queues& queues) {
  isolation_switch_config config = isolation_config_of(p, packet_length);
  config.inputs = config.outputs = 1;
  config.depth = std::max(config.depth, queues.depth * packet_length);
  config.queue_depth = std::max(config.stop, p.value("gate", config.queue_depth));
  config.threshold = 0;
  config.at_terminal = true;
  return config;
}

/// What the outputs of every switch lead to.
std::vector<std::vector<link_end>> ends_of(const topology& shape) {
  std::vector<std::vector<link_end>> ends;
  for (const auto v : shape.switches) {
    ends.resize(std::max<std::size_t>(ends.size(), shape.g[v].index + 1u));
    auto& outputs = ends[shape.g[v].index];
    outputs.resize(shape.output_ports(v));
    for (const auto e : boost::make_iterator_range(out_edges(v, shape.g))) {
      const vertex& to = shape.g[target(e, shape.g)];
      outputs[shape.g[e].from_port] = {to.index, shape.g[e].to_port, 1, to.role == vertex::terminal};
    }
  }
  return ends;
}

}  // namespace

nlohmann::json isolation_entry::schema() const {
  return parse_schema(R"json({
  "description": "Switch that finds outputs for which too much waits, and sets the packets that go through them aside in a few queues of its inputs, as the switches before it do in turn (congestion isolation, after RECN and FBICM).",
  "properties": {
    "depth": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 4,
      "description": "Flits of the queue of an input that all packets pass, 2 or more to take one a cycle."
    },
    "queues": {
      "type": "integer",
      "minimum": 0,
      "maximum": 63,
      "default": 8,
      "description": "Set-aside queues of an input; 0: none, a plain switch with a FIFO an input."
    },
    "queue_depth": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 8,
      "description": "Flits of a set-aside queue."
    },
    "stop": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 4,
      "description": "With so many flits in a set-aside queue its sender is told to send no more of that tree."
    },
    "go": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65534,
      "default": 2,
      "description": "With so many it may go on; fewer than `stop`."
    },
    "threshold": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65535,
      "default": 4,
      "description": "Flits that wait for an output, which takes them, by which it is a root; it is none any more with half as many. 0: no root is found."
    },
    "gate": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "description": "Flits of a set-aside queue between a terminal and the network; `queue_depth` when left out."
    }
  }
})json");
}

std::shared_ptr<const switch_plan> isolation_entry::plan(const switch_plan_context& c) const {
  isolation_switch_config config = isolation_config_of(c.parameters, c.packet_length);
  check_sizes(c.shape, config);
  for (const objection& o : objections_to(gate_of(c.parameters, c.packet_length, c.queues), "/switch/gate"))
    throw objection_error(o.at, "of the gate: " + o.what);
  auto plan = std::make_shared<isolation_plan>();
  plan->routes = c.routes;
  plan->map = std::make_shared<output_map>(c.routes, ends_of(c.shape));
  plan->packet_length = c.packet_length;
  return plan;
}

std::unique_ptr<network_block> isolation_entry::make(const switch_context& c) const {
  isolation_switch_config config = isolation_config_of(c.parameters, c.packet_length);
  config.inputs = c.inputs;
  config.outputs = c.outputs;
  config.marked = c.marked;
  return std::make_unique<isolation_switch>(c.name.c_str(), config, c.node, c.routes,
                                            c.plan->as<isolation_plan>().map, c.neighbours);
}

std::unique_ptr<network_link> isolation_entry::make_link(const nlohmann::json& parameters,
                                                         link_place place) const {
  return std::make_unique<isolation_link>(std::move(place), parameters.at("queues"));
}

std::unique_ptr<interface_stage> isolation_entry::make_port(const port_context& c) const {
  const auto& plan = c.plan->as<isolation_plan>();
  const isolation_switch_config config = gate_of(c.parameters, plan.packet_length, c.queues);
  return std::make_unique<gate_port<isolation_switch, isolation_link>>(c, [&](const std::string& name) {
    return std::make_unique<isolation_switch>(name.c_str(), config, 0, plan.routes, plan.map,
                                              std::vector<link_end>{c.next});
  });
}

std::optional<double> isolation_entry::room(const nlohmann::json& p, unsigned inputs, unsigned,
                                            std::size_t) const {
  return (p.at("depth").get<double>() + p.at("queues").get<double>() * p.at("queue_depth").get<double>()) *
         inputs;
}

std::optional<zero_load> isolation_entry::latency(const latency_context&) const {
  return latency_behind_gates();
}

}  // namespace spillway
