#include <map>
#include <spillway/hw/packet/memory_queue.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/packet/packet_switch.hpp>

namespace spillway {

namespace {

template <class Enum>
Enum chosen(const nlohmann::json& parameters, const char* key, const std::map<std::string, Enum>& names) {
  return names.at(parameters.at(key).get<std::string>());
}

buffer_pool_config packet_config(const nlohmann::json& p) {
  buffer_pool_config config;
  config.organisation = chosen<buffering>(p, "buffering",
                                          {{"fifo", buffering::fifo},
                                           {"voq", buffering::voq},
                                           {"output", buffering::output},
                                           {"shared", buffering::shared}});
  config.assignment = chosen<buffer_assignment>(
      p, "assignment", {{"any", buffer_assignment::any}, {"partition", buffer_assignment::partition}});
  config.mode = chosen<switching>(
      p, "switching",
      {{"store_and_forward", switching::store_and_forward}, {"cut_through", switching::cut_through}});
  config.arbiter = chosen<arbitration>(
      p, "arbiter", {{"round_robin", arbitration::round_robin}, {"oldest_first", arbitration::oldest_first}});
  config.depth = p.at("depth").get<unsigned>();
  return config;
}

/// Memory queues are in the request network only.
unsigned memory_depth(const nlohmann::json& p, unsigned network) {
  return network == 0 ? p.value("memory_depth", 0u) : 0;
}

}  // namespace

nlohmann::json packet_switch_entry::schema() const {
  return parse_schema(R"json({
  "description": "Plain packet switch with buffers and back-pressure.",
  "properties": {
    "buffering": {
      "enum": ["fifo", "voq", "output", "shared"],
      "default": "fifo",
      "description": "Where flits wait: one queue an input (fifo), one queue an input and output (voq), one queue an output (output), one pool a switch (shared)."
    },
    "depth": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65536,
      "default": 4,
      "description": "Flits a queue; with shared buffering, flits of the whole pool."
    },
    "memory_depth": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "description": "Flits a queue that leads to a terminal, which then shows its length (output buffering only); as the others when left out."
    },
    "assignment": {
      "enum": ["any", "partition"],
      "default": "any",
      "description": "With shared buffering: whether a flit may take any place of the pool, or only one of its output's share."
    },
    "switching": {
      "enum": ["store_and_forward", "cut_through"],
      "default": "cut_through",
      "description": "Whether a packet leaves after its last flit has come, or as soon as its head has."
    },
    "arbiter": {
      "enum": ["round_robin", "oldest_first"],
      "default": "round_robin",
      "description": "Which of several packets for one output goes first."
    }
  }
})json");
}

std::shared_ptr<const switch_plan> packet_switch_entry::plan(const switch_plan_context& context) const {
  buffer_pool_config config = packet_config(context.parameters);
  config.packet_length = context.packet_length;
  config.memory_depth = memory_depth(context.parameters, 0);
  for (const auto v : context.shape.switches) {
    config.inputs = context.shape.input_ports(v);
    config.outputs = context.shape.output_ports(v);
    config.check();
  }
  return nullptr;
}

std::optional<double> packet_switch_entry::room(const nlohmann::json& p, unsigned inputs, unsigned outputs,
                                                std::size_t) const {
  const buffer_pool_config config = packet_config(p);
  const double depth = config.depth, memory = memory_depth(p, 0);
  switch (config.organisation) {
    case buffering::voq:
      return depth * inputs * outputs + memory * outputs;
    case buffering::fifo:
      return depth * inputs + memory * outputs;
    case buffering::output:
      return depth * outputs + memory * outputs;
    case buffering::shared:
      break;
  }
  return depth + memory * outputs;
}

std::optional<zero_load> packet_switch_entry::latency(const latency_context& c) const {
  zero_load z;
  z.tail = packet_config(c.parameters).mode == switching::store_and_forward;
  z.fixed = z.per_switch = z.tail ? c.packet_length : 1;
  return z;
}

std::unique_ptr<network_block> packet_switch_entry::make(const switch_context& context) const {
  buffer_pool_config config = packet_config(context.parameters);
  config.inputs = context.inputs;
  config.outputs = context.outputs;
  config.packet_length = context.packet_length;
  config.memory_depth = memory_depth(context.parameters, context.network);
  config.terminal_inputs = context.terminal_inputs;
  if (config.memory_depth)
    return std::make_unique<memory_queue>(context.name.c_str(), config, context.node, context.routes,
                                          context.neighbours);
  return std::make_unique<buffer_pool>(context.name.c_str(), config, context.node, context.routes,
                                       context.neighbours);
}

std::unique_ptr<network_link> packet_switch_entry::make_link(const nlohmann::json& p,
                                                             link_place place) const {
  const bool to_terminal = place.from_switch >= 0 && place.to_switch < 0;
  if (to_terminal && memory_depth(p, place.network)) return std::make_unique<memory_link>(std::move(place));
  return std::make_unique<packet_link>(std::move(place));
}

bool packet_switch_entry::looks_ahead(const nlohmann::json& p) const { return packet_config(p).lanes(); }

// The length of a memory queue has no stages.
bool packet_switch_entry::takes_long_links(const nlohmann::json& p) const { return memory_depth(p, 0) == 0; }

std::string packet_switch_entry::writes_no_routes(const nlohmann::json& p) const {
  if (!looks_ahead(p)) return {};
  return "comes too late where terminals look ahead to the switch's outputs: expected `buffering: fifo`";
}

void packet_switch_entry::describe_buffers(const nlohmann::json& p, analysis_options& options) const {
  options.shared_pools = packet_config(p).shares_pool();
}

std::optional<transaction_timing> packet_switch_entry::transactions(const nlohmann::json& p) const {
  const buffer_pool_config config = packet_config(p);
  transaction_timing timing;
  timing.store_and_forward = config.mode == switching::store_and_forward;
  timing.queue_an_output = config.organisation != buffering::fifo;
  if (config.organisation == buffering::fifo || config.organisation == buffering::voq)
    timing.depth = config.depth;
  return timing;
}

}  // namespace spillway
