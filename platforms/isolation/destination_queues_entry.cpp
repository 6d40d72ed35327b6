#include <algorithm>
#include <spillway/hw/isolation/destination_gate.hpp>
#include <spillway/hw/isolation/destination_switch.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/check_sizes.hpp>
#include <spillway/platforms/elaborate/objection.hpp>
#include <spillway/platforms/isolation/destination_queues_entry.hpp>
#include <spillway/platforms/packet/gate_port.hpp>
#include <string>

namespace spillway {

namespace {

/// What every switch and every port is to know.
struct destination_plan final : switch_plan {
  destination_plan(unsigned number, const destination_gate_config& of_terminals)
      : queues(number), gate(of_terminals) {}
  const unsigned queues;  // of an input
  const destination_gate_config gate;
};

unsigned queues_of(const std::shared_ptr<const switch_plan>& plan) {
  return plan->as<destination_plan>().queues;
}

/// One a destination, unless the section says how many.
unsigned queues_of(const nlohmann::json& section, std::size_t terminals) {
  if (section.contains("queues")) return section.at("queues");
  detail::need(terminals <= flit::most_lanes,
               "a queue a destination is a lane of its link, which has 1 to 64: expected up to 64 terminals, "
               "or `queues` that destinations share, found " +
                   std::to_string(terminals) + " terminals");
  return static_cast<unsigned>(terminals);
}

}  // namespace

nlohmann::json destination_queues_entry::schema() const {
  return parse_schema(R"json({
  "description": "Switch with a queue a destination at every input (VOQnet), each with a ready bit of its own, so that no packet waits for one to another destination; or with queues that destinations share.",
  "properties": {
    "queues": {
      "type": "integer",
      "minimum": 1,
      "maximum": 64,
      "description": "Queues of an input. A packet waits in the one whose number is its destination modulo their number. As many as terminals when left out, which are then 64 at most."
    },
    "depth": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 4,
      "description": "Flits a queue."
    },
    "gate": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "description": "Flits that wait between a terminal and the network, in a queue a destination; when left out, room for as many packets as the interface asks, else for 2 in one FIFO."
    }
  }
})json");
}

std::shared_ptr<const switch_plan> destination_queues_entry::plan(const switch_plan_context& c) const {
  destination_switch_config config;
  config.queues = queues_of(c.parameters, c.shape.terminals.size());
  config.depth = c.parameters.at("depth");
  config.packet_length = c.packet_length;
  check_sizes(c.shape, config);
  destination_gate_config gate;
  gate.lanes = config.queues;
  gate.depth = c.parameters.value("gate", std::max(2u, c.queues.depth * c.packet_length));
  gate.by_destination = c.queues.by_destination || c.parameters.contains("gate");
  for (const objection& o : objections_to(gate, "/switch/gate"))
    throw objection_error(o.at, "of the gate: " + o.what);
  return std::make_shared<destination_plan>(config.queues, gate);
}

std::unique_ptr<network_block> destination_queues_entry::make(const switch_context& c) const {
  destination_switch_config config;
  config.inputs = c.inputs;
  config.outputs = c.outputs;
  config.marked = c.marked;
  config.queues = queues_of(c.plan);
  config.depth = c.parameters.at("depth");
  config.packet_length = c.packet_length;
  return std::make_unique<destination_switch>(c.name.c_str(), config, c.node, c.routes, c.neighbours);
}

std::unique_ptr<interface_stage> destination_queues_entry::make_port(const port_context& c) const {
  const destination_gate_config& config = c.plan->as<destination_plan>().gate;
  return std::make_unique<gate_port<destination_gate, packet_link>>(
      c, [&](const std::string& name) { return std::make_unique<destination_gate>(name.c_str(), config); });
}

std::optional<double> destination_queues_entry::room(const nlohmann::json& p, unsigned inputs, unsigned,
                                                     std::size_t terminals) const {
  return p.at("depth").get<double>() * inputs * p.value("queues", static_cast<double>(terminals));
}

std::optional<zero_load> destination_queues_entry::latency(const latency_context&) const {
  return latency_behind_gates();
}

}  // namespace spillway
