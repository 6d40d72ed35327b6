#include <boost/range/iterator_range.hpp>
#include <map>
#include <spillway/hw/hypercube/message_node.hpp>
#include <spillway/platforms/hypercube/message_node_kind.hpp>
#include <spillway/platforms/topology/distances.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using nlohmann::json;

template <class Enum>
Enum chosen(const json& p, const char* key, const std::map<std::string, Enum>& names) {
  return names.at(p.at(key).get<std::string>());
}

buffer_rule rule_of(const json& p) {
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

std::shared_ptr<const switch_plan> make_plan(const switch_plan_context& context) {
  if (context.packet_length != 1)
    throw std::invalid_argument("a message of these nodes is one flit, found packets of " +
                                std::to_string(context.packet_length));
  const topology& shape = context.shape;
  const graph& g = shape.g;
  const double local = context.parameters.at("cluster_rate"), other = context.parameters.at("other_rate");
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
    port.local = shape.dimension == 0 || g[e].from_port <= shape.cluster;
    port.rate = port.local ? local : other;
    if (from.role == vertex::switch_) plan->outputs[from.index][g[e].from_port] = port;
    if (to.role == vertex::switch_) plan->inputs[to.index][g[e].to_port] = port;
  }
  if (context.parameters.at("buffers") != 0 && rule_of(context.parameters) != buffer_rule::any)
    plan->distances = std::make_shared<distance_table>(shape);
  if (plan->distances && plan->distances->longest() > message_node_config::most_hops)
    throw std::invalid_argument("classes of buffers are for ways of up to " +
                                std::to_string(message_node_config::most_hops) + " links, found " +
                                std::to_string(plan->distances->longest()));
  return plan;
}

std::unique_ptr<network_block> make_node(const switch_context& context) {
  const json& p = context.parameters;
  const auto& plan = dynamic_cast<const node_plan&>(*context.plan);
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
  config.rule = rule_of(p);
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
    config.combining->ordered = false;  // routes differ anyway
  }
  if (plan.distances) config.hops = plan.distances->row(context.node);
  return std::make_unique<message_node>(context.name.c_str(), std::move(config), context.node, context.routes,
                                        draw(context.seed, 0x6e6f6465, context.network));
}

}  // namespace

switch_kind message_node_kind() {
  switch_kind kind;
  kind.make = make_node;
  kind.plan = make_plan;
  kind.shares_pool = [](const json& p) { return p.at("buffers") != 0; };
  kind.buffers = [](const json& p, analysis_options& options) {
    options.unbounded = p.at("buffers") == 0;
    if (rule_of(p) != buffer_rule::any) options.hop_classes = p.at("buffers");
  };
  return kind;
}

}  // namespace spillway
