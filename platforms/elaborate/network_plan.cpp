#include <boost/range/iterator_range.hpp>
#include <cmath>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/elaborate/dropping_entry.hpp>
#include <spillway/platforms/elaborate/interface_chain.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>
#include <spillway/platforms/elaborate/memory_front_entry.hpp>
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>
#include <sstream>
#include <stdexcept>

namespace spillway {

kernel kernel_of(const std::string& name) {
  for (const kernel k : {kernel::signals, kernel::fast, kernel::doubting})
    if (name == name_of(k)) return k;
  throw std::invalid_argument("there is no kernel '" + name + "'");
}

const char* name_of(kernel k) {
  switch (k) {
    case kernel::signals:
      return "signals";
    case kernel::fast:
      return "fast";
    case kernel::doubting:
      return "doubting";
  }
  return "";
}

abstraction abstraction_of(const std::string& name) {
  for (const abstraction level : {abstraction::pins, abstraction::transaction, abstraction::functional})
    if (name == name_of(level)) return level;
  throw std::invalid_argument("there is no level '" + name + "'");
}

const char* name_of(abstraction level) {
  switch (level) {
    case abstraction::pins:
      return "pins";
    case abstraction::transaction:
      return "transaction";
    case abstraction::functional:
      return "functional";
  }
  return "";
}

sc_core::sc_time platform_config::period(bool own) const {
  const sc_core::sc_time asked(period_ns, sc_core::SC_NS);
  const double expressed = asked / sc_core::sc_time(1, sc_core::SC_NS);
  if (asked.value() != 0 && (!own || asked.value() % 2 == 0) &&
      std::abs(expressed - period_ns) <= 1e-9 * period_ns)
    return asked;
  std::ostringstream text;
  text << (own ? "half of a" : "a") << " clock period of " << period_ns
       << " ns is no multiple of SystemC's time resolution of " << sc_core::sc_get_time_resolution()
       << ": expected " << (own ? "an even" : "a whole")
       << " number of these, or a finer resolution that a program of your own sets before "
          "its first sc_time";
  throw std::invalid_argument(text.str());
}

namespace {

using pointer = nlohmann::json::json_pointer;

bool at_pins(const document& file) { return file.root.at("level") == "pins"; }

/// Of the links of a kind of switch; of a kind that is not in the catalogue, what packet links take.
link_memory links_of(const switch_entry& switches, const catalogue& all) {
  const link_entry* const kind = all.of<link_entry>().find(switches.link_kind());
  if (!kind) return {};
  return {static_cast<unsigned>(kind->pins().size()), kind->bytes()};
}

size_estimate estimate(const document& file, const catalogue& all, const topology_size& size) {
  if (!at_pins(file)) return estimate_transactions(size);
  const nlohmann::json& root = file.root;
  const bool checkers = root.at("checks").at("links");
  const switch_entry& switches = all.of<switch_entry>().chosen(root.at("switch"));
  size_estimate taken = estimate_pins(size, links_of(switches, all), checkers);
  const nlohmann::json& link = root.at("link");
  const unsigned parts = (link.at("latency") > 1) + link.contains("buffer");
  for (unsigned n = 0; n < parts; ++n) add_link_stages(taken, checkers);
  return taken;
}

/// Refuses what no machine can hold before anything is made, if the size is known.
void check_memory_of(const document& file, const catalogue& all) {
  const nlohmann::json& section = file.root.at("topology");
  const auto size = all.of<topology_entry>().chosen(section).size(section);
  if (size) check_size(estimate(file, all, *size));
}

bool has_no_switches(const document& file, const catalogue& all) {
  const interface_entry* const model =
      all.of<interface_entry>().chosen(file.root.at("interface")).transactions();
  return !at_pins(file) && model && !model->needs_switches();
}

/// With what input files say that it names.
nlohmann::json interfaces_of(const document& file, const catalogue& all) {
  const nlohmann::json& section = file.root.at("interface");
  if (!section.contains(memory_front_entry::place().key)) return section;
  return all.of<memory_front_entry>().chosen(section).completed(file);
}

const switch_entry& switches_of(const network_plan& plan, const catalogue& all) {
  return all.of<switch_entry>().chosen(plan.config.switches);
}

}  // namespace

size_estimate estimate_network(const document& file, const network_plan& plan, const catalogue& all) {
  const nlohmann::json& section = file.root.at("topology");
  const auto size = all.of<topology_entry>().chosen(section).size(section);
  return estimate(file, all, size ? *size : size_of(plan.shape));
}

network_plan read_network(const document& file, const catalogue& all) {
  const nlohmann::json& root = file.root;
  network_plan plan;
  try {
    check_memory_of(file, all);
    plan.shape = make_topology(all, root.at("topology"), file.resolve("."), has_no_switches(file, all));
    if (plan.shape.terminals.size() > flit::most_terminals)
      throw std::invalid_argument("expected at most 2^28 terminals, which flits have numbers for, found " +
                                  std::to_string(plan.shape.terminals.size()));
  } catch (const config_error&) {
    throw;
  } catch (const std::exception& error) {
    file.fail(pointer("/topology"), error.what());
  }
  try {
    const nlohmann::json& switches = root.at("switch");
    plan.routes = make_routing(all, plan.shape, root.at("routing"),
                               all.of<switch_entry>().chosen(switches).channels(switches), root.at("seed"));
  } catch (const std::exception& error) {
    file.fail(pointer("/routing"), error.what());
  }
  plan.config.level = abstraction_of(root.at("level"));
  plan.config.period_ns = root.at("period");
  plan.config.runs_on = kernel_of(root.at("kernel"));
  plan.config.threads = root.at("threads");
  plan.config.blocks_a_thread = root.at("blocks_a_thread");
  const nlohmann::json& link = root.at("link");
  plan.config.links = {link.at("latency"), link.value("places", 0u)};
  if (link.contains("buffer")) plan.config.buffers = {link["buffer"], link.at("cycles")};
  plan.config.packet_length = root.at("packet").at("length");
  plan.config.source_queue = root.at("endpoint").at("queue");
  plan.config.seed = root.at("seed");
  plan.config.switches = root.at("switch");
  plan.config.interfaces = interfaces_of(file, all);
  plan.config.stages = root.at("stages");
  if (root.contains("marking")) plan.config.marking = root.at("marking");
  if (root.contains("dropping")) plan.config.dropping = root.at("dropping");
  return plan;
}

double buffer_bytes(const network_plan& plan, const catalogue& all) {
  const switch_entry& switches = switches_of(plan, all);
  if (plan.config.level != abstraction::pins) return 0;
  double flits = 0;
  for (const auto v : plan.shape.switches)
    flits += switches
                 .room(plan.config.switches, plan.shape.input_ports(v), plan.shape.output_ports(v),
                       plan.shape.terminals.size())
                 .value_or(0);
  return flits * flit_bytes * static_cast<double>(chain_of(all, plan.config).networks.size());
}

std::optional<zero_load> latency_of(const network_plan& plan, const catalogue& all) {
  const interface_chain chain = chain_of(all, plan.config);
  std::optional<zero_load> z = chain.switches->latency(
      {plan.config.switches, static_cast<unsigned>(chain.networks.size()), plan.config.packet_length,
       chain.has_ports, plan.shape, 1 + plan.config.further_cycles()});
  if (!z) return z;
  // One more link than switches.
  std::uint64_t longer = plan.config.further_cycles();
  if (const auto& buffers = plan.config.buffers) {
    const std::uint64_t slower = std::max<std::uint64_t>(z->cycles_a_flit, buffers->cycles);
    // A packet that is stored first has come when its tail has.
    if (z->tail) longer += (plan.config.packet_length - 1ull) * (slower - z->cycles_a_flit);
    z->cycles_a_flit = slower;
  }
  z->fixed += longer;
  z->interfaces = chain.latency;
  z->per_switch += longer;
  return z;
}

std::string describe_latency(const network_plan& plan, const catalogue& all) {
  if (plan.config.level != abstraction::pins) return {};
  const std::optional<zero_load> known = latency_of(plan, all);
  if (!known) return {};
  const zero_load& z = *known;
  // The distance d counts links, in a direct network only those between switches.
  const bool direct = plan.shape.known && plan.shape.known->direct();
  const auto whole = [](std::uint64_t cycles) { return static_cast<long long>(cycles); };
  const long long a = whole(z.per_switch), b = whole(z.fixed) + whole(z.interfaces);
  const long long constant = direct ? b + a : b - a;
  std::string text =
      std::string("latency: ") + (z.at_most ? "at most " : "") + (a == 1 ? "" : std::to_string(a)) + "d";
  if (constant != 0) text += (constant < 0 ? " - " : " + ") + std::to_string(std::abs(constant));
  text += " cycles without contention, ";
  if (z.interfaces) text += std::to_string(z.interfaces) + " of them in the interfaces, ";
  text += z.tail ? "to the tail" : "to the head";
  if (z.wait) text += ", and up to " + std::to_string(z.wait) + " for the turn of its network";
  return text + "; d: links of the route" + (direct ? " between switches\n" : "\n");
}

analysis analyse_network(const network_plan& plan, const catalogue& all, analysis_options options) {
  switches_of(plan, all).describe_buffers(plan.config.switches, options);
  return analyse(plan.shape, *plan.routes, options);
}

namespace {

/// Throws what entries say against the experiment.
void check_objections(const std::vector<objection>& objections, const document& file) {
  if (objections.empty()) return;
  const objection& first = objections.front();
  file.fail(pointer(first.at), first.what);
}

/// A routing that writes a route where packets enter the network needs switches that let it.
void check_written_routes(const network_plan& plan, const switch_entry& switches, const document& file) {
  if (!plan.routes->entry_routes()) return;
  const std::string why_not = plan.config.level == abstraction::pins
                                  ? switches.writes_no_routes(plan.config.switches)
                                  : "networks without pins do not ask for";
  if (!why_not.empty())
    file.fail(pointer("/routing"),
              "this routing writes a route into heads that enter the network, which " + why_not);
}

/// What marks packets needs outputs that show what waits for them.
void check_marking(const platform_config& config, const switch_entry& switches, const document& file) {
  if (config.marking.is_null()) return;
  const std::string why_not = config.level == abstraction::pins
                                  ? switches.takes_no_marks(config.switches)
                                  : "networks without pins do not show what waits for their outputs";
  if (!why_not.empty()) file.fail(pointer("/marking"), "nothing can be marked: " + why_not);
}

/// Whether every terminal sends to the switch from which it receives.
bool sends_where_it_receives(const topology& shape) {
  for (const auto t : shape.terminals)
    for (const auto in : boost::make_iterator_range(in_edges(t, shape.g)))
      for (const auto out : boost::make_iterator_range(out_edges(t, shape.g)))
        if (boost::source(in, shape.g) != boost::target(out, shape.g)) return false;
  return true;
}

/// What is dropped needs switches that drop, and networks that its rule knows.
void check_dropping(const network_plan& plan, const interface_chain& chain, const catalogue& all,
                    const document& file) {
  const platform_config& config = plan.config;
  if (config.dropping.is_null()) return;
  const std::string why_not = config.level == abstraction::pins
                                  ? chain.switches->drops_nothing(config.switches)
                                  : "networks without pins let packets wait for as long as it takes";
  if (!why_not.empty()) file.fail(pointer("/dropping"), "nothing can be dropped: " + why_not);
  try {
    const dropping_entry& rule = all.of<dropping_entry>().chosen(config.dropping);
    if (rule.returns() && !sends_where_it_receives(plan.shape))
      throw std::invalid_argument(
          "word of what is dropped goes back from a packet's last switch: expected a topology in which each "
          "terminal receives from the switch to which it sends, such as a mesh, found '" +
          plan.shape.kind + "'");
    rule.make(
        {static_cast<unsigned>(chain.networks.size()), 1, chain.longest, config.dropping, config.stages});
  } catch (const std::invalid_argument& error) {
    file.fail(pointer("/dropping"), error.what());
  }
}

interface_chain check_chain(const network_plan& plan, const catalogue& all, const document& file) {
  try {
    return chain_of(all, plan.config);
  } catch (const objection_error& error) {
    file.fail(pointer(error.at()), error.what());
  } catch (const std::invalid_argument& error) {
    const bool level = plan.config.level != abstraction::pins;
    file.fail(pointer(level ? "/level" : "/interface"), error.what());
  }
}

/// Sockets are a program's of the user's own, whose clock may be so, too.
void check_half_period(const platform_config& config, const interface_entry& interfaces,
                       const document& file) {
  if (!interfaces.takes_workload()) return;
  try {
    config.period();
  } catch (const std::invalid_argument& error) {
    file.fail(pointer("/period"), error.what());
  }
}

/// Whether all packets of a pair take the same way, as there is one, or as the switches always take the same
/// of several.
bool goes_one_way(const network_plan& plan, const switch_entry& switches) {
  return plan.routes->in_order() || switches.takes_the_lowest(plan.config.switches);
}

void check_links(const platform_config& config, const switch_entry& switches, const document& file) {
  const link_pipeline_config& links = config.links;
  if (links.latency == 1) {
    if (links.places) file.fail(pointer("/link/places"), "a link of `latency: 1` has no places");
  }
  const nlohmann::json& section = file.root.at("link");
  if (section.at("cycles") > 1 && !config.buffers)
    file.fail(pointer("/link/cycles"),
              "a link of several cycles a flit needs a `buffer` that the switch fills meanwhile");
  if (!config.has_long_links()) return;
  const pointer at(links.latency > 1 ? "/link/latency" : "/link/buffer");
  const std::string found = links.latency > 1 ? ": expected 1, found " + std::to_string(links.latency)
                                              : ": expected none, found " + section["buffer"].dump();
  if (config.level != abstraction::pins)
    file.fail(at, "the transaction level models links of one cycle" + found);
  if (!switches.takes_long_links(config.switches))
    file.fail(at, "the links of such switches of kind '" + switches.name() +
                      "' have no register stages or buffers" + found);
}

}  // namespace

void check_blocks(const network_plan& plan, const catalogue& all, const document& file) {
  const switch_entry& switches = switches_of(plan, all);
  const interface_entry& interfaces = all.of<interface_entry>().chosen(plan.config.interfaces);
  const experiment_view experiment{file.root, plan.shape};
  check_half_period(plan.config, interfaces, file);
  check_objections(switches.object_to(experiment), file);
  check_written_routes(plan, switches, file);
  check_marking(plan.config, switches, file);
  const interface_chain chain = check_chain(plan, all, file);
  check_dropping(plan, chain, all, file);
  check_objections(interfaces.object_to(experiment), file);
  if (interfaces.needs_order() && !chain.in_order && !goes_one_way(plan, switches))
    file.fail(pointer("/routing"),
              "interfaces of kind '" + interfaces.name() + "' need a routing that keeps packets in order");
  if (interfaces.needs_order() && !chain.in_order && !chain.keeps_order)
    file.fail(pointer("/stages"),
              "interfaces of kind '" + interfaces.name() + "' need stages that keep packets in order");
  check_links(plan.config, switches, file);
  if (plan.config.buffers)
    if (const auto alone = latency_of(plan, all); alone && alone->wait)
      file.fail(pointer("/link/buffer"),
                "a buffer would undo the turns that the switches give the logical networks on their links");
  if (plan.config.level == abstraction::functional) return;
  if (plan.config.level == abstraction::transaction) {
    if (!switches.transactions(plan.config.switches))
      file.fail(pointer("/level"),
                "there is no transaction-level model of such switches of kind '" + switches.name() + "'");
    return;
  }
  try {
    const auto sharing = static_cast<unsigned>(chain.networks.size()) / chain.copies();
    switches.plan({plan.shape, plan.routes, chain.longest, plan.config.seed, plan.config.switches, sharing,
                   chain.queues});
    check_memory(estimate_network(file, plan, all).bytes + buffer_bytes(plan, all),
                 "the network and its buffers");
  } catch (const objection_error& error) {
    file.fail(pointer(error.at()), error.what());
  } catch (const std::logic_error& error) {
    file.fail(pointer("/switch"), error.what());
  }
}

void check_network(const network_plan& plan, const catalogue& all, const document& file) {
  check_blocks(plan, all, file);
  if (plan.config.level != abstraction::pins) return;
  analysis_options buffers;
  switches_of(plan, all).describe_buffers(plan.config.switches, buffers);
  if (buffers.rejects) return;
  const analysis found = analyse_network(plan, all);
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
