#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <spillway/platforms/topology/generators.hpp>
#include <spillway/platforms/topology/routing.hpp>
#include <stdexcept>

namespace spillway {

using pointer = nlohmann::json::json_pointer;

namespace {

bool at_pins(const document& file) { return file.root.at("level") == "pins"; }

unsigned channels_of(const nlohmann::json& switch_section) {
  return switch_section.value("virtual_channels", 1u);
}

routing_choice routing_of(const nlohmann::json& root) {
  const nlohmann::json& section = root.at("routing");
  routing_choice choice = section.at("kind").get<std::string>();
  choice.channels = channels_of(root.at("switch"));
  choice.dateline = section.value("dateline", true);
  choice.hashed_up = section.value("up", "any") == "hashed";
  return choice;
}

}  // namespace

unsigned networks_of(const block_kinds& kinds, const network_plan& plan) {
  const interface_kind& interfaces = kinds.interfaces.at(plan.config.interfaces.at("kind"));
  return interfaces.networks ? interfaces.networks(plan.config.interfaces) : 1;
}

size_estimate estimate_network(const document& file, const block_kinds&) {
  const nlohmann::json& root = file.root;
  if (!at_pins(file)) return estimate_transactions(root.at("topology"));
  return estimate_size(root.at("topology"), root.at("switch"), root.at("checks").at("links"));
}

network_plan read_network(const document& file, const block_kinds& kinds) {
  const nlohmann::json& root = file.root;
  network_plan plan;
  try {
    check_size(estimate_network(file, kinds));
    plan.shape = make_topology(root.at("topology"), file.resolve("."), at_pins(file));
  } catch (const config_error&) {
    throw;
  } catch (const std::exception& error) {
    file.fail(pointer("/topology"), error.what());
  }
  try {
    plan.routes = make_routing(plan.shape, routing_of(root));
  } catch (const std::exception& error) {
    file.fail(pointer("/routing"), error.what());
  }
  plan.config.level = at_pins(file) ? abstraction::pins : abstraction::transaction;
  plan.config.runs_on = root.at("kernel") == "fast" ? kernel::fast : kernel::signals;
  plan.config.packet_length = root.at("packet").at("length");
  plan.config.source_queue = root.at("endpoint").at("queue");
  plan.config.seed = root.at("seed");
  plan.config.switches = root.at("switch");
  plan.config.interfaces = root.at("interface");
  return plan;
}

double buffer_bytes(const network_plan& plan, const block_kinds& kinds) {
  const switch_kind& switches = kinds.switches.at(plan.config.switches.at("kind"));
  if (!switches.room || plan.config.level == abstraction::transaction) return 0;
  double flits = 0;
  for (const auto v : plan.shape.switches)
    flits += switches.room(plan.config.switches, plan.shape.input_ports(v), plan.shape.output_ports(v),
                           plan.shape.terminals.size());
  return flits * flit_bytes * networks_of(kinds, plan);
}

std::string describe_latency(const network_plan& plan, const block_kinds& kinds) {
  const switch_kind& switches = kinds.switches.at(plan.config.switches.at("kind"));
  if (!switches.latency || plan.config.level == abstraction::transaction) return {};
  const zero_load z =
      switches.latency(plan.config.switches, networks_of(kinds, plan), plan.config.packet_length);
  // The distance d counts links, on a grid only those between switches.
  const bool grid = !plan.shape.dimensions.empty();
  const auto a = static_cast<long long>(z.per_switch), b = static_cast<long long>(z.fixed);
  const long long constant = grid ? b + a : b - a;
  std::string text = "latency: " + (a == 1 ? "" : std::to_string(a)) + "d";
  if (constant != 0) text += (constant < 0 ? " - " : " + ") + std::to_string(std::abs(constant));
  text += " cycles without contention, ";
  text += z.tail ? "to the tail" : "to the head";
  if (z.wait) text += ", and up to " + std::to_string(z.wait) + " for the turn of its network";
  return text + "; d: links of the route" + (grid ? " between switches\n" : "\n");
}

analysis analyse_network(const network_plan& plan, const block_kinds& kinds) {
  const nlohmann::json& parameters = plan.config.switches;
  const switch_kind& kind = kinds.switches.at(parameters.at("kind"));
  analysis_options options;
  options.shared_pools = kind.has_shared_pool(parameters);
  options.channels = channels_of(parameters);
  if (kind.buffers) kind.buffers(parameters, options);
  // A message that finds no wire is rejected: it waits for nothing. And there are very many ways to follow.
  if (kind.link_kind == "circuit") options.most = 1 << 16;
  return analyse(plan.shape, *plan.routes, options);
}

namespace {

void check_kinds(const network_plan& plan, const block_kinds& kinds, const document& file) {
  const std::string switch_name = plan.config.switches.at("kind");
  const std::string interface_name = plan.config.interfaces.at("kind");
  const switch_kind& switches = kinds.switches.at(switch_name);
  const interface_kind& interfaces = kinds.interfaces.at(interface_name);
  if (!switches.topology_kind.empty() && plan.shape.kind != switches.topology_kind)
    file.fail(pointer("/topology/kind"), "found '" + plan.shape.kind + "', expected " +
                                             switches.topology_kind + ", which switches of kind " +
                                             switch_name + " are made for");
  if (switches.link_kind != interfaces.link_kind && switches.link_kind != interfaces.other_link_kind)
    file.fail(pointer("/interface"), "interface '" + interface_name + "' speaks " + interfaces.link_kind +
                                         " links, switch '" + switch_name + "' " + switches.link_kind +
                                         " links");
  if (switches.mirrored && !(interfaces.answers && interfaces.answers(plan.config.interfaces)))
    file.fail(pointer("/interface"), "switches of kind " + switch_name +
                                         " need an interface with requests and replies, such as "
                                         "`interface: {kind: memory}`");
  if (!at_pins(file) && !interfaces.transactions)
    file.fail(pointer("/level"),
              "there is no transaction-level model of networks with the interface '" + interface_name + "'");
}

}  // namespace

void check_blocks(const network_plan& plan, const block_kinds& kinds, const document& file) {
  check_kinds(plan, kinds, file);
  const interface_kind& interface = kinds.interfaces.at(plan.config.interfaces.at("kind"));
  if (interface.check) {
    const std::string wrong = interface.check(file.root, static_cast<unsigned>(plan.shape.terminals.size()));
    if (!wrong.empty()) file.fail(pointer("/interface"), wrong);
  }
  if (plan.config.level == abstraction::transaction) return;
  const switch_kind& switches = kinds.switches.at(plan.config.switches.at("kind"));
  try {
    if (switches.plan)
      switches.plan({plan.shape, plan.routes,
                     interface.longest_packet(plan.config.interfaces, plan.config.packet_length),
                     plan.config.seed, plan.config.switches,
                     switches.make_port ? networks_of(kinds, plan) : 1});
    check_memory(estimate_network(file, kinds).bytes + buffer_bytes(plan, kinds),
                 "the network and its buffers");
  } catch (const std::logic_error& error) {
    file.fail(pointer("/switch"), error.what());
  }
}

void check_network(const network_plan& plan, const block_kinds& kinds, const document& file) {
  check_blocks(plan, kinds, file);
  if (plan.config.level == abstraction::transaction) return;
  // See analyse_network().
  if (kinds.switches.at(plan.config.switches.at("kind")).link_kind == "circuit") return;
  const analysis found = analyse_network(plan, kinds);
  if (found.unreachable) file.fail(pointer("/topology"), found.example);
  if (found.deadlock_free() || !file.root.at("checks").at("deadlock").get<bool>()) return;
  std::string cycle;
  for (const std::string& link : found.cycle) cycle += "\n  " + link;
  if (!found.no_escape.empty()) cycle = "\n  " + found.no_escape;
  file.fail(pointer("/routing"),
            "this routing can deadlock: the buffers below wait for each other in a cycle; "
            "`checks: {deadlock: false}` runs it all the same" +
                cycle);
}

}  // namespace spillway
