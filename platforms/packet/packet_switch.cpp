#include <spillway/hw/packet/memory_queue.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/check_sizes.hpp>
#include <spillway/platforms/packet/packet_switch.hpp>

namespace spillway {

namespace {

/// Memory queues are in the request network only.
unsigned memory_depth(const buffer_pool_config& config, unsigned network) {
  return network == 0 ? config.memory_depth : 0;
}

}  // namespace

packet_switch_entry::packet_switch_entry(catalogue& all)
    : switch_entry("packet"),
      bufferings_(all.of<buffering_entry>()),
      assignments_(all.of<assignment_entry>()),
      arbiters_(all.of<arbiter_entry>()) {}

/// Of all its switches, without their ports.
buffer_pool_config packet_switch_entry::config_of(const nlohmann::json& p) const {
  buffer_pool_config config;
  config.depth = p.at("depth");
  config.mode = p.at("switching") == "cut_through" ? switching::cut_through : switching::store_and_forward;
  config.arbiter = arbiters_.at(p.at("arbiter")).maker(p);
  bufferings_.at(p.at("buffering")).configure(p, config);
  assignments_.at(p.at("assignment")).configure(p, config);
  return config;
}

nlohmann::json packet_switch_entry::schema() const {
  return parse_schema(R"json({
  "description": "Plain packet switch with buffers and back-pressure.",
  "properties": {
    "buffering": { "enum": [], "default": "fifo", "description": "Which queues flits wait in." },
    "depth": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65536,
      "default": 4,
      "description": "Flits a queue, 2 or more to take one a cycle; with shared buffering, flits of the whole pool, with damq of an input."
    },
    "assignment": {
      "enum": [],
      "default": "any",
      "description": "With shared buffering: which places of the pool a flit may take."
    },
    "switching": {
      "enum": ["store_and_forward", "cut_through"],
      "default": "cut_through",
      "description": "Whether a packet leaves after its last flit has come, or as soon as its head has."
    },
    "arbiter": {
      "enum": [],
      "default": "round_robin",
      "description": "Which of several packets for one output goes first."
    }
  },
  "allOf": []
})json");
}

std::shared_ptr<const switch_plan> packet_switch_entry::plan(const switch_plan_context& context) const {
  buffer_pool_config config = config_of(context.parameters);
  config.packet_length = context.packet_length;
  check_sizes(context.shape, config);
  return nullptr;
}

std::optional<double> packet_switch_entry::room(const nlohmann::json& p, unsigned inputs, unsigned outputs,
                                                std::size_t) const {
  const buffer_pool_config config = config_of(p);
  const double depth = config.depth, memory = config.memory_depth;
  switch (config.organisation) {
    case buffering::voq:
      return depth * inputs * outputs + memory * outputs;
    case buffering::fifo:
    case buffering::damq:
      return depth * inputs + memory * outputs;
    case buffering::output:
      return depth * outputs + memory * outputs;
    case buffering::shared:
      break;
  }
  return depth + memory * outputs;
}

std::optional<zero_load> packet_switch_entry::latency(const latency_context& c) const {
  buffer_pool_config config = config_of(c.parameters);
  config.packet_length = c.packet_length;
  for (const auto v : c.shape.switches) {
    config.inputs = std::max(config.inputs, c.shape.input_ports(v));
    config.outputs = std::max(config.outputs, c.shape.output_ports(v));
  }
  zero_load z;
  z.tail = config.mode == switching::store_and_forward;
  z.fixed = z.per_switch = z.tail ? c.packet_length : 1;
  if (config.offers_to_some()) ++z.per_switch, z.at_most = true;
  return z;
}

std::unique_ptr<network_block> packet_switch_entry::make(const switch_context& context) const {
  buffer_pool_config config = config_of(context.parameters);
  config.inputs = context.inputs;
  config.outputs = context.outputs;
  config.packet_length = context.packet_length;
  config.memory_depth = memory_depth(config, context.network);
  config.terminal_inputs = context.terminal_inputs;
  config.marked = context.marked;
  config.seed = context.seed;
  if (config.memory_depth)
    return std::make_unique<memory_queue>(context.name.c_str(), config, context.node, context.routes,
                                          context.neighbours);
  return std::make_unique<buffer_pool>(context.name.c_str(), config, context.node, context.routes,
                                       context.neighbours);
}

std::unique_ptr<network_link> packet_switch_entry::make_link(const nlohmann::json& p,
                                                             link_place place) const {
  const bool to_terminal = place.from_switch >= 0 && place.to_switch < 0;
  if (to_terminal && memory_depth(config_of(p), place.network))
    return std::make_unique<memory_link>(std::move(place));
  return std::make_unique<packet_link>(std::move(place));
}

// A sender that looks ahead asks as the switch itself does.
bool packet_switch_entry::takes_the_lowest(const nlohmann::json& p) const {
  return config_of(p).organisation != buffering::damq;
}

bool packet_switch_entry::looks_ahead(const nlohmann::json& p) const { return config_of(p).lanes(); }

// The length of a memory queue has no stages; and queues of outputs give their room to inputs that show a
// flit, while stages show one only in a lane whose room they have seen.
bool packet_switch_entry::takes_long_links(const nlohmann::json& p) const {
  const auto config = config_of(p);
  return config.memory_depth == 0 && config.organisation != buffering::output &&
         config.organisation != buffering::shared;
}

std::string packet_switch_entry::writes_no_routes(const nlohmann::json& p) const {
  if (!looks_ahead(p)) return {};
  return "comes too late where terminals look ahead to the switch's outputs: expected `buffering: fifo`";
}

void packet_switch_entry::describe_buffers(const nlohmann::json& p, analysis_options& options) const {
  options.shared_pools = config_of(p).shares_pool();
}

/// At the transaction level what would take other cycles over pins, even where there is no contention.
std::vector<objection> packet_switch_entry::object_to(const experiment_view& experiment) const {
  if (experiment.root.at("level") != "transaction") return {};
  const nlohmann::json& section = experiment.root.at("switch");
  const buffer_pool_config config = config_of(section);
  if (config.organisation != buffering::fifo && config.organisation != buffering::voq)
    return {{"/switch/buffering",
             "the transaction level models queues of one input: expected `fifo` or `voq`, found `" +
                 section.at("buffering").get<std::string>() + "`"}};
  const unsigned length = experiment.root.at("packet").at("length");
  if (config.depth < 2 * length)
    return {
        {"/switch/depth", "the transaction level models queues of two packets or more: expected at least " +
                              std::to_string(2 * length) + ", found " + std::to_string(config.depth)}};
  return {};
}

std::optional<transaction_timing> packet_switch_entry::transactions(const nlohmann::json& p) const {
  const buffer_pool_config config = config_of(p);
  transaction_timing timing;
  timing.store_and_forward = config.mode == switching::store_and_forward;
  timing.queue_an_output = config.organisation != buffering::fifo;
  timing.depth = config.depth;
  return timing;
}

}  // namespace spillway
