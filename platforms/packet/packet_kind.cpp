#include <spillway/hw/packet/memory_queue.hpp>
#include <spillway/platforms/packet/packet_kind.hpp>

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

std::shared_ptr<const switch_plan> check_packet_switches(const switch_plan_context& context) {
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

double packet_room(const nlohmann::json& p, unsigned inputs, unsigned outputs, std::size_t) {
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

zero_load packet_latency(const nlohmann::json& p, unsigned, unsigned packet_length) {
  zero_load z;
  z.tail = packet_config(p).mode == switching::store_and_forward;
  z.fixed = z.per_switch = z.tail ? packet_length : 1;
  return z;
}

std::unique_ptr<network_block> make_packet_switch(const switch_context& context) {
  buffer_pool_config config = packet_config(context.parameters);
  config.inputs = context.inputs;
  config.outputs = context.outputs;
  config.packet_length = context.packet_length;
  config.memory_depth = memory_depth(context.parameters, context.network);
  if (config.memory_depth)
    return std::make_unique<memory_queue>(context.name.c_str(), config, context.node, context.routes,
                                          context.neighbours, context.domain);
  return make_block<buffer_pool>(context.domain, context.name.c_str(), config, context.node, context.routes,
                                 context.neighbours, context.domain);
}

std::unique_ptr<network_link> make_packet_link(const nlohmann::json& p, link_place place,
                                               clock_domain* domain) {
  const bool to_terminal = place.from_switch >= 0 && place.to_switch < 0;
  if (to_terminal && memory_depth(p, place.network))
    return std::make_unique<memory_link>(std::move(place), domain);
  return std::make_unique<packet_link>(std::move(place), domain);
}

}  // namespace

switch_kind packet_kind() {
  switch_kind packet;
  packet.make = make_packet_switch;
  packet.lanes = [](const nlohmann::json& p) { return packet_config(p).lanes(); };
  packet.shares_pool = [](const nlohmann::json& p) { return packet_config(p).shares_pool(); };
  packet.make_link = make_packet_link;
  packet.plan = check_packet_switches;
  packet.room = packet_room;
  packet.latency = packet_latency;
  return packet;
}

}  // namespace spillway
