#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <spillway/hw/hypercube/message_node.hpp>
#include <spillway/hw/hypercube/return_way.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/hypercube/cube.hpp>
#include <spillway/platforms/hypercube/message_node_entry.hpp>
#include <spillway/platforms/topology/distances.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using nlohmann::json;

template <class Enum>
Enum chosen(const json& p, const char* key, const std::map<std::string, Enum>& names) {
  return names.at(p.at(key).get<std::string>());
}

buffer_rule buffer_rule_of(const json& p) {
  return chosen<buffer_rule>(p, "classes",
                             {{"hops", buffer_rule::hops},
                              {"hops_new_lowest", buffer_rule::hops_new_lowest},
                              {"none", buffer_rule::any}});
}

/// The ports of all nodes, by node and port, and how far it is from each to each terminal.
struct node_plan final : switch_plan {
  std::vector<std::vector<message_port>> inputs, outputs;
  std::shared_ptr<const distance_table> distances;  // where the rule of the buffers asks for them
};

}  // namespace

nlohmann::json message_node_entry::schema() const {
  return parse_schema(R"json({
  "description": "Store-and-forward node of one-flit messages whose links are queueing centres: a queue an outgoing link, transmission in a time by length and rate (Dandamudi and Eager).",
  "properties": {
    "unit": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000,
      "default": 64,
      "description": "Cycles of a time unit, in which the rates are."
    },
    "cluster_rate": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 1000000,
      "default": 1,
      "description": "Messages of mean length that a link transmits a time unit; on hypercubes, a link within a cluster."
    },
    "other_rate": {
      "type": "number",
      "exclusiveMinimum": 0,
      "maximum": 1000000,
      "default": 1,
      "description": "The same of links between clusters of a hypercube."
    },
    "length": {
      "enum": ["exponential", "redrawn", "fixed"],
      "default": "exponential",
      "description": "Length of messages: exponential, kept from link to link; exponential, drawn anew at each link; all the same."
    },
    "choice": {
      "enum": ["random", "shortest_queue"],
      "default": "random",
      "description": "Which of several usable links a message takes: any, or one with the fewest messages waiting."
    },
    "buffers": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65536,
      "default": 0,
      "description": "Messages that a node holds; 0: no bound."
    },
    "classes": {
      "enum": ["hops", "hops_new_lowest", "none"],
      "default": "hops",
      "description": "Which buffers a message may enter: with r hops to go from there those up to buffers - 1 - r (Merlin and Schweitzer), the same but new messages only the lowest, or all, which can deadlock."
    },
    "queue": {
      "enum": ["fewest_hops", "fifo"],
      "default": "fewest_hops",
      "description": "What a queue offers when its first message has been refused a buffer of its class: the message with the fewest hops to go, which is what keeps the classes free of deadlock, or the first again."
    },
    "combining": {
      "type": "object",
      "additionalProperties": false,
      "description": "Hot messages are combined in the queues of links between nodes, and the replies to them split where they go back (Dandamudi and Eager, section 3.3.1); not when left out.",
      "properties": {
        "degree": {
          "type": "integer",
          "minimum": 0,
          "maximum": 65536,
          "default": 0,
          "description": "Messages that a queue may make one: 1 none, 2 pairs, 0 any number."
        },
        "wait_buffer": {
          "type": "integer",
          "minimum": 0,
          "maximum": 65536,
          "default": 0,
          "description": "Records of a node: messages merged whose reply has not come; while it is full nothing is combined. 0: any number."
        },
        "in_service": {
          "type": "boolean",
          "default": false,
          "description": "Whether a message may still be joined while it is being transmitted."
        }
      }
    },
    "grants": {
      "enum": ["random", "neighbours_first", "host_first"],
      "default": "random",
      "description": "Who gets a free buffer: one of the neighbours and the node's own host at random, or these or that first."
    }
  }
})json");
}

/// Replies that are split off wait for a buffer while others to the same terminal go on.
bool message_node_entry::keeps_order(const json& p) const { return !p.contains("combining"); }

std::string message_node_entry::changes_data(const json& p) const {
  if (p.at("length") == "fixed") return {};
  return "switches of kind 'message_node' let a message bear its length as data: expected `length: fixed`, "
         "found '" +
         p.at("length").get<std::string>() + "'";
}

/// With the longest message on the slowest link, whose time is a multiple of `unit`.
double message_node_entry::longest_wait(const json& p) const {
  // In mean lengths the longest that message_service draws: -log(2^-53), rounded up.
  const double longest = p.at("length") == "fixed" ? 1 : 37;
  const double slowest = std::min(p.at("cluster_rate").get<double>(), p.at("other_rate").get<double>());
  return switch_entry::longest_wait(p) + longest * p.at("unit").get<double>() / slowest;
}

std::vector<objection> message_node_entry::object_to(const experiment_view& experiment) const {
  const json& root = experiment.root;
  if (!root.at("switch").contains("combining")) return {};
  std::vector<objection> found;
  if (!root.at("endpoint").at("replies").get<bool>())
    found.push_back({"/switch/combining", "combining needs replies: `endpoint: {replies: true}`"});
  if (!root.at("stages").empty())
    found.push_back(
        {"/stages", "combining has the word of the interfaces for the ways of requests: expected none"});
  return found;
}

namespace {

/// A reply goes back by the port of the number by which its request came, and its way has to fit.
void check_ways(const topology& shape, const node_plan& plan, const distance_table& distances) {
  const graph& g = shape.g;
  std::size_t ports = 0;
  for (const auto& inputs : plan.inputs)
    ports = std::max<std::size_t>(
        ports, std::count_if(inputs.begin(), inputs.end(), [](auto& p) { return !p.terminal; }));
  if (distances.longest() > return_way::longest(ports))
    throw std::invalid_argument(
        "combining is for ways of up to " + std::to_string(return_way::longest(ports)) + " links, with " +
        std::to_string(ports) + " ports to other nodes, as a request bears its way in " +
        std::to_string(return_way::bits) + " bits; found " + std::to_string(distances.longest()));
  for (const auto e : boost::make_iterator_range(edges(g))) {
    const auto back = boost::make_iterator_range(out_edges(target(e, g), g));
    const bool both_ways = std::any_of(back.begin(), back.end(), [&](const auto b) {
      return target(b, g) == boost::source(e, g) && g[b].from_port == g[e].to_port &&
             g[b].to_port == g[e].from_port;
    });
    if (!both_ways && g[boost::source(e, g)].role == vertex::switch_ &&
        g[target(e, g)].role == vertex::switch_)
      throw std::invalid_argument("combining is for links that go both ways, between the same ports of " +
                                  shape.name(boost::source(e, g)) + " and " + shape.name(target(e, g)));
  }
}

}  // namespace

std::shared_ptr<const switch_plan> message_node_entry::plan(const switch_plan_context& context) const {
  if (context.packet_length != 1)
    throw std::invalid_argument("a message of these nodes is one flit, found packets of " +
                                std::to_string(context.packet_length));
  const topology& shape = context.shape;
  const graph& g = shape.g;
  const double local = context.parameters.at("cluster_rate"), other = context.parameters.at("other_rate");
  const auto* const cube = shape.facts<cube_shape>();
  auto plan = std::make_shared<node_plan>();
  for (const auto v : shape.switches) {
    plan->inputs.emplace_back(shape.input_ports(v));
    plan->outputs.emplace_back(shape.output_ports(v));
  }
  std::uint64_t number = 0;
  for (const auto e : boost::make_iterator_range(edges(g))) {
    const vertex &from = g[boost::source(e, g)], &to = g[target(e, g)];
    message_port port;
    port.link = number++;
    port.terminal = from.role == vertex::terminal || to.role == vertex::terminal;
    // Port 1 + k of a hypercube leads along dimension k.
    port.local = !cube || g[e].from_port <= cube->cluster;
    port.rate = port.local ? local : other;
    if (from.role == vertex::switch_) plan->outputs[from.index][g[e].from_port] = port;
    if (to.role == vertex::switch_) plan->inputs[to.index][g[e].to_port] = port;
  }
  if (context.parameters.at("buffers") != 0 && buffer_rule_of(context.parameters) != buffer_rule::any)
    plan->distances = std::make_shared<distance_table>(shape);
  if (plan->distances && plan->distances->longest() > message_node_config::most_hops)
    throw std::invalid_argument("classes of buffers are for ways of up to " +
                                std::to_string(message_node_config::most_hops) + " links, found " +
                                std::to_string(plan->distances->longest()));
  if (context.parameters.contains("combining"))
    check_ways(shape, *plan, plan->distances ? *plan->distances : distance_table(shape));
  return plan;
}

std::unique_ptr<network_block> message_node_entry::make(const switch_context& context) const {
  const json& p = context.parameters;
  const auto& plan = context.plan->as<node_plan>();
  message_node_config config;
  config.inputs = plan.inputs[context.node];
  config.outputs = plan.outputs[context.node];
  config.service.length = chosen<message_length>(p, "length",
                                                 {{"fixed", message_length::fixed},
                                                  {"exponential", message_length::drawn},
                                                  {"redrawn", message_length::redrawn}});
  config.service.unit = p.at("unit");
  config.service.seed = context.seed;
  config.choice = chosen<output_choice>(
      p, "choice", {{"random", output_choice::random}, {"shortest_queue", output_choice::shortest_queue}});
  config.buffers = p.at("buffers");
  config.rule = buffer_rule_of(p);
  config.order = p.at("queue") == "fifo" ? queue_order::fifo : queue_order::fewest_hops;
  config.grants = chosen<grant_order>(p, "grants",
                                      {{"random", grant_order::random},
                                       {"neighbours_first", grant_order::neighbours_first},
                                       {"host_first", grant_order::host_first}});
  if (p.contains("combining")) {
    const json& combining = p.at("combining");
    config.combining.emplace();
    config.combining->degree = combining.at("degree");
    config.combining->records = combining.at("wait_buffer");
    config.combining->in_service = combining.at("in_service");
    config.combining->data_tell = false;  // they may be the message's length
    config.combining->ordered = false;    // routes differ anyway
  }
  if (plan.distances) {
    config.hops = plan.distances->row(context.node);
    // No message comes here that is for a terminal which cannot be reached.
    std::replace(config.hops.begin(), config.hops.end(), distance_table::unreachable, std::uint16_t{0});
  }
  return std::make_unique<message_node>(context.name.c_str(), std::move(config), context.node, context.routes,
                                        draw(context.seed, 0x6e6f6465, context.network));
}

void message_node_entry::describe_buffers(const json& p, analysis_options& options) const {
  options.shared_pools = p.at("buffers") != 0;
  options.unbounded = p.at("buffers") == 0;
  if (buffer_rule_of(p) != buffer_rule::any) options.hop_classes = p.at("buffers");
  options.fifo_queues = p.at("queue") == "fifo";
}

}  // namespace spillway
