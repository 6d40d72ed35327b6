#include <spillway/hw/circuit/circuit_checker.hpp>
#include <spillway/hw/dampening/embargo_checker.hpp>
#include <spillway/hw/feedback/feedback_checker.hpp>
#include <spillway/hw/links/packet_checker.hpp>
#include <spillway/hw/nifdy/nifdy_checker.hpp>
#include <spillway/hw/nifdy/nifdy_view.hpp>
#include <spillway/hw/packet/memory_checker.hpp>
#include <spillway/platforms/built_in/link_checkers.hpp>

namespace spillway {

namespace {

std::string checker_name(const network_link& l) { return "check_" + l.name(); }

std::unique_ptr<clocked> check_packets(network_link& l, const violation_handler& handler) {
  packet_checker_config config;
  config.link = l.name();
  auto checker = std::make_unique<packet_checker>(checker_name(l).c_str(), config, handler);
  link_cast<packet_link>(l).connect(*checker);
  return checker;
}

#if SPILLWAY_HAS_CIRCUIT
std::unique_ptr<clocked> check_circuits(network_link& l, const violation_handler& handler) {
  circuit_checker_config config;
  config.link = l.name();
  auto checker = std::make_unique<circuit_checker>(checker_name(l).c_str(), config, handler);
  link_cast<circuit_link>(l).connect(*checker);
  return checker;
}
#endif

#if SPILLWAY_HAS_NIFDY
std::unique_ptr<clocked> check_nifdy(network_link& l, const violation_handler& handler) {
  auto& view = link_cast<nifdy_view>(l);
  nifdy_checker_config config;
  config.unit = l.name();
  config.links = view.unit.networks;
  config.outstanding = view.unit.outstanding;
  config.dialogs = view.unit.dialogs;
  config.window = view.unit.window;
  config.lossy = view.unit.lossy();
  auto checker = std::make_unique<nifdy_checker>(checker_name(l).c_str(), config, handler);
  for (unsigned n = 0; n < config.links; ++n) {
    view.to_network[n]->connect(checker->to_network[n]);
    view.from_network[n]->connect(checker->from_network[n]);
  }
  view.to_processor.connect(checker->to_processor);
  return checker;
}
#endif

#if SPILLWAY_HAS_PACKET
std::unique_ptr<clocked> check_memory(network_link& l, const violation_handler& handler) {
  packet_checker_config config;
  config.link = l.name();
  auto& memory = link_cast<memory_link>(l);
  auto checker = std::make_unique<memory_checker>(checker_name(l).c_str(), config, handler, memory.unshown());
  memory.connect(*checker);
  memory.connect_length(checker->length);
  return checker;
}
#endif

#if SPILLWAY_HAS_FEEDBACK
std::unique_ptr<clocked> check_line(network_link& l, const violation_handler& handler) {
  auto& view = link_cast<monitored_queue>(l);
  auto checker =
      std::make_unique<line_checker>(checker_name(l).c_str(), view.module, view.rule, l.name(), handler);
  view.queue.connect_length(checker->length);
  view.lines.connect_word_of(view.module, checker->line);
  return checker;
}

std::unique_ptr<clocked> check_lines(network_link& l, const violation_handler& handler) {
  auto& all = link_cast<feedback_lines>(l);
  auto checker = std::make_unique<lines_checker>(checker_name(l).c_str(), all.modules(), l.name(), handler);
  all.connect_words(checker->lines);
  return checker;
}

std::unique_ptr<clocked> check_bus(network_link& l, const violation_handler& handler) {
  auto& view = link_cast<told_lines>(l);
  const unsigned modules = view.lines.modules();
  // Before a module only those may go that came before it, each once.
  auto checker =
      std::make_unique<bus_checker>(checker_name(l).c_str(), modules, modules + 1, l.name(), handler);
  view.bus.connect(checker->bus);
  view.lines.connect_words(checker->lines);
  return checker;
}

std::unique_ptr<clocked> check_admission(network_link& l, const violation_handler& handler) {
  auto& group = link_cast<admission_group>(l);
  auto checker = std::make_unique<admission_checker>(
      checker_name(l).c_str(), static_cast<unsigned>(group.links.size()), group.limits, l.name(), handler);
  for (std::size_t p = 0; p < group.links.size(); ++p) {
    admission_tap tap{checker->wishes[p], checker->grants[p]};
    group.links[p]->connect(tap);
  }
  group.lines.connect_words(checker->lines);
  return checker;
}

std::unique_ptr<clocked> check_guard(network_link& l, const violation_handler& handler) {
  auto& view = link_cast<guarded_requests>(l);
  auto checker = std::make_unique<guard_checker>(checker_name(l).c_str(), view.config, l.name(), handler);
  view.requests.connect(*checker);
  if (view.lines) view.lines->connect_words(checker->lines);
  if (view.bus) view.bus->connect(checker->bus[0]);
  if (view.admission) {
    grant_tap tap{checker->grant[0]};
    view.admission->connect(tap);
  }
  return checker;
}
#endif

#if SPILLWAY_HAS_DAMPENING
std::unique_ptr<clocked> check_embargoes(network_link& l, const violation_handler& handler) {
  embargo_checker_config config;
  config.packet.link = l.name();
  config.packet.lanes = 1;
  config.sender_calculates = link_cast<embargo_link>(l).reported();
  auto checker = std::make_unique<embargo_checker>(checker_name(l).c_str(), config, handler);
  link_cast<embargo_link>(l).connect(*checker);
  return checker;
}
#endif

}  // namespace

std::map<std::string, link_checker_maker> standard_checkers() {
  std::map<std::string, link_checker_maker> all{{"packet", check_packets}};
#if SPILLWAY_HAS_PACKET
  all["memory"] = check_memory;
#endif
#if SPILLWAY_HAS_CIRCUIT
  all["circuit"] = check_circuits;
#endif
#if SPILLWAY_HAS_DAMPENING
  all["embargo"] = check_embargoes;
#endif
#if SPILLWAY_HAS_NIFDY
  all["nifdy"] = check_nifdy;
#endif
#if SPILLWAY_HAS_FEEDBACK
  all["admission"] = check_admission;
  all["feedback_lines"] = check_lines;
  all["guarded_requests"] = check_guard;
  all["monitored_queue"] = check_line;
  all["told_lines"] = check_bus;
#endif
  return all;
}

}  // namespace spillway
