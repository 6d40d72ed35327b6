#include <algorithm>
#include <spillway/hw/kernel/teardown.hpp>
#include <spillway/platforms/elaborate/interface_chain.hpp>
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <stdexcept>

namespace spillway {

std::vector<network_course> interface_chain::ways() const {
  std::vector<network_course> different;
  for (const network_course& course : courses)
    if (std::find(different.begin(), different.end(), course) == different.end()) different.push_back(course);
  return different;
}

unsigned interface_chain::copies() const {
  unsigned copies = 0;
  for (const network_course& course : courses) copies = std::max(copies, course.copy + 1);
  return copies;
}

namespace {

std::string stage_at(std::size_t number) { return "/stages/" + std::to_string(number); }

/// Puts a stage outside of what there is.
void add_stage(interface_chain& chain, std::size_t number, const catalogue& all,
               const platform_config& config) {
  const nlohmann::json& section = config.stages[number];
  const stage_entry& entry = all.of<stage_entry>().chosen(section);
  if (chain.link_kind() != "packet")
    throw objection_error(stage_at(number), "stage '" + entry.name() + "' has packet links, the interface '" +
                                                chain.interface->name() + "' " + chain.link_kind() +
                                                " links");
  const auto alike = [&](const auto& other) { return other.entry->name() == entry.name(); };
  if (!entry.repeats() && (chain.interface->name() == entry.name() ||
                           std::any_of(chain.stages.begin(), chain.stages.end(), alike)))
    throw objection_error(stage_at(number), "a terminal has one part of kind '" + entry.name() +
                                                "', as it writes into heads: found a second one");
  chain.stages.push_back({&entry, &section, static_cast<unsigned>(chain.networks.size())});
  try {
    chain.networks = entry.networks(section, chain.networks);
  } catch (const std::invalid_argument& error) {
    throw objection_error(stage_at(number), error.what());
  }
  chain.longest = std::max(chain.longest, entry.longest(section));
  chain.in_order = chain.in_order || (chain.keeps_order && entry.in_order(section));
  chain.keeps_order = chain.keeps_order && entry.keeps_order(section);
  chain.queues = entry.queues(section);
  chain.latency += entry.latency(section, config.packet_length);
}

/// Rounds need switches that reduce, and these need all terminals' contributions.
void check_reduction(const switch_entry& switches, const interface_entry& interfaces,
                     const platform_config& config) {
  const bool contribute = !interfaces.requests(config.interfaces).reductions.empty();
  if (switches.reduces() && !contribute)
    throw std::invalid_argument("switches of kind " + switches.name() +
                                " need terminals that contribute: expected `interface: {kind: reduction}`");
  if (contribute && !switches.reduces())
    throw std::invalid_argument("interfaces of kind " + interfaces.name() +
                                " contribute to rounds: expected switches that reduce, `switch: {kind: "
                                "reduction}`, found '" +
                                switches.name() + "'");
}

}  // namespace

interface_chain chain_of(const catalogue& all, const platform_config& config) {
  interface_chain chain;
  chain.switches = &all.of<switch_entry>().chosen(config.switches);
  chain.interface = &all.of<interface_entry>().chosen(config.interfaces);
  check_reduction(*chain.switches, *chain.interface, config);
  chain.own = chain.networks = chain.interface->networks(config.interfaces);
  chain.longest = std::max(config.packet_length, chain.interface->longest(config.interfaces));
  chain.in_order = chain.interface->in_order(config.interfaces);
  chain.keeps_order = chain.interface->keeps_order(config.interfaces);
  chain.queues = chain.interface->queues(config.interfaces);
  if (config.level == abstraction::functional && !chain.interface->functional())
    throw std::invalid_argument("there is no functional model of networks with the interface '" +
                                chain.interface->name() + "'");
  if (config.level != abstraction::pins) {
    if (!chain.interface->transactions())
      throw std::invalid_argument("there is no transaction-level model of networks with the interface '" +
                                  chain.interface->name() + "'");
    if (!config.stages.empty()) throw std::invalid_argument("without pins there are no stages");
    chain.interface = chain.interface->transactions();
  }
  chain.latency = chain.interface->latency(config.interfaces, config.packet_length);
  for (std::size_t i = 0; i < config.stages.size(); ++i) add_stage(chain, i, all, config);
  for (std::size_t i = 0; i < chain.stages.size(); ++i)
    for (const objection& o : chain.stages[i].entry->object_to(*chain.stages[i].parameters, chain.longest))
      throw objection_error(stage_at(i) + o.at, o.what);
  const std::string kind = chain.link_kind();
  if (kind != chain.switches->link_kind() && !(kind == "packet" && chain.switches->has_port()))
    throw std::invalid_argument((chain.stages.empty() ? "interface '" + chain.interface->name()
                                                      : "stage '" + chain.stages.back().entry->name()) +
                                "' speaks " + kind + " links, switch '" + chain.switches->name() + "' " +
                                chain.switches->link_kind() + " links");
  if (chain.networks.size() > flit::most_networks)
    throw std::invalid_argument("expected at most " + std::to_string(flit::most_networks) +
                                " logical networks, which flits have numbers for, found " +
                                std::to_string(chain.networks.size()));
  chain.has_ports = config.level == abstraction::pins && kind == "packet" && chain.switches->has_port();
  chain.courses = chain.switches->courses(chain.networks);
  return chain;
}

packet_requests requests_of(const catalogue& all, const platform_config& config) {
  packet_requests known = all.of<interface_entry>().chosen(config.interfaces).requests(config.interfaces);
  for (const auto& section : config.stages)
    if (!known.unordered && !known.of_several)
      known = all.of<stage_entry>().chosen(section).requests(section);
  return known;
}

terminal_edge::terminal_edge(const interface_chain& chain, terminal_context c,
                             const nlohmann::json& switch_section) {
  const unsigned terminal = c.terminal;
  const link_end network = c.next;
  std::unique_ptr<interface_stage> port;
  if (chain.has_ports)
    port = chain.switches->make_port({terminal, static_cast<unsigned>(chain.networks.size()), network,
                                      switch_section, c.switches, chain.queues});
  // Only what is outermost looks ahead.
  const auto next = [&](std::size_t stages_outside) { return stages_outside || port ? link_end{} : network; };
  c.next = next(chain.stages.size());
  const unsigned terminals = c.terminals, packet_length = c.packet_length;
  const std::uint64_t seed = c.seed;
  endpoint_observer& observer = c.observer;
  const auto routes = c.routes;
  unit_ = made_by(*chain.interface, chain.interface->make(std::move(c)));
  for (std::size_t i = 0; i < chain.stages.size(); ++i) {
    const interface_chain::stage& s = chain.stages[i];
    join(made_by(*s.entry,
                 s.entry->make({terminal, terminals, s.networks, observer, routes,
                                next(chain.stages.size() - 1 - i), packet_length, seed, *s.parameters})),
         s.networks, "stage_" + std::to_string(i) + "_" + std::to_string(terminal));
  }
  if (port)
    join(std::move(port), static_cast<unsigned>(chain.networks.size()), "port_" + std::to_string(terminal));
}

terminal_edge::~terminal_edge() {
  tear_down(links_);
  tear_down(stages_);
}

void terminal_edge::join(std::unique_ptr<interface_stage> stage, unsigned networks, const std::string& name) {
  for (unsigned n = 0; n < networks; ++n) {
    const auto make = [&](const char* direction) -> packet_link& {
      link_place place;
      place.network = n;
      place.name = name + direction + std::to_string(n);
      links_.push_back(std::make_unique<packet_link>(std::move(place)));
      return *links_.back();
    };
    packet_link& sent = make("_send_");
    outermost().connect_output(n, sent), stage->connect_sent(n, sent);
    packet_link& arrived = make("_receive_");
    outermost().connect_input(n, arrived), stage->connect_arrived(n, arrived);
  }
  stages_.push_back(std::move(stage));
}

std::vector<clocked*> terminal_edge::blocks() {
  std::vector<clocked*> all = unit_->blocks();
  for (const auto& stage : stages_)
    for (clocked* const block : stage->blocks()) all.push_back(block);
  return all;
}

std::vector<network_link*> terminal_edge::links() {
  std::vector<network_link*> all = unit_->links();
  for (const auto& one : links_) all.push_back(one.get());
  for (const auto& stage : stages_)
    for (network_link* const inner : stage->links()) all.push_back(inner);
  return all;
}

std::vector<std::unique_ptr<clocked>> terminal_edge::make_checkers(const violation_handler& handler) {
  auto all = unit_->make_checkers(handler);
  for (const auto& stage : stages_)
    for (auto& checker : stage->make_checkers(handler)) all.push_back(std::move(checker));
  return all;
}

std::uint64_t terminal_edge::held_flits() const {
  std::uint64_t held = unit_->held_flits();
  for (const auto& stage : stages_) held += stage->held_flits();
  return held;
}

std::uint64_t terminal_edge::resting_flits() const {
  std::uint64_t rest = unit_->resting_flits();
  for (const auto& stage : stages_) rest += stage->resting_flits();
  return rest;
}

std::uint64_t terminal_edge::lost_in_reset() const {
  std::uint64_t lost = unit_->lost_in_reset();
  for (const auto& stage : stages_) lost += stage->lost_in_reset();
  return lost;
}

void terminal_edge::count(counters& all) const {
  unit_->count(all);
  for (const auto& stage : stages_) stage->count(all);
}

}  // namespace spillway
