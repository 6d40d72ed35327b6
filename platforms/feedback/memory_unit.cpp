#include <optional>
#include <spillway/hw/endpoints/memory_module.hpp>
#include <spillway/hw/feedback/admission_arbiter.hpp>
#include <spillway/hw/feedback/feedback_bus.hpp>
#include <spillway/hw/feedback/feedback_checker.hpp>
#include <spillway/hw/feedback/feedback_interface.hpp>
#include <spillway/hw/feedback/memory_monitor.hpp>
#include <spillway/hw/feedback/module_watch.hpp>
#include <spillway/hw/kernel/edge_log.hpp>
#include <spillway/hw/packet/memory_link.hpp>
#include <spillway/platforms/feedback/memory_section.hpp>
#include <spillway/platforms/feedback/memory_unit.hpp>
#include <spillway/platforms/nifdy/nifdy_stage.hpp>

namespace spillway {

using namespace memory_section;
using nlohmann::json;

namespace {

/// Tells the measurement of a reset, which it hears nothing of otherwise.
class reset_witness final : public clocked {
public:
  explicit reset_witness(module_watch& watch) : clocked("reset_witness"), watch_(watch) {}

private:
  void reset() override { watch_.write_off(cycle()); }
  void tick() override {}

  module_watch& watch_;
};

/// What the terminals share: the feedback's lines, bus and arbiter, and the measurement.
class memory_system final : public platform_part {
public:
  memory_system(const shared_context& c, bool feedback)
      : terminals_(c.terminals), lengths_(c.domain, [this](const seen_length& s) {
          watch_->monitored(s.cycle, s.module, s.length, s.hot);
        }) {
    if (!feedback) return;
    const json& p = c.parameters;
    const feedback_interface_config config = interface_of(p, terminals_, c.seed);
    lines_ = std::make_unique<feedback_lines>(named("feedback_lines"), terminals_);
    if (config.bus && !config.limited) make_bus();
    if (config.has_arbiter()) make_arbiter(limits_of(p));
  }

  endpoint_observer& observer(endpoint_observer& next) override {
    watch_.emplace(terminals_, next);
    witness_ = std::make_unique<reset_witness>(*watch_);
    return *watch_;
  }
  void connect(feedback_interface& unit, unsigned terminal) {
    if (unit.lines.size()) lines_->connect_words(unit.lines);
    if (unit.bus.size()) bus_link_->connect(unit.bus[0]);
    if (unit.admission.size()) admission_[terminal]->connect(unit.admission[0]);
  }
  /// The checker of a processor's requests (FL8); nullptr where the rule does not apply.
  std::unique_ptr<clocked> make_guard(const feedback_interface_config& config, unsigned terminal,
                                      packet_link& requests, const violation_handler& handler) {
    if (config.limited || config.bleed == bleeding::slots || config.bleed == bleeding::random) return nullptr;
    auto checker = std::make_unique<guard_checker>(("check_guard_" + std::to_string(terminal)).c_str(),
                                                   config, requests.path(), handler);
    requests.connect(*checker);
    if (config.bus)
      bus_link_->connect(checker->bus[0]);
    else
      lines_->connect_words(checker->lines);
    if (checker->grant.size())
      admission_[terminal]->with([&](auto& wires) { checker->grant[0](wires.grant); });
    return checker;
  }
  /// The checker of a module's line, which follows the length of its queue (FL2).
  std::unique_ptr<clocked> make_line_checker(unsigned module, memory_link& queue,
                                             const temperature_rule& rule, const violation_handler& handler) {
    auto checker = std::make_unique<line_checker>(("check_line_" + std::to_string(module)).c_str(), module,
                                                  rule, queue.path(), handler);
    queue.connect_length(checker->length);
    lines_->connect_word_of(module, checker->line);
    return checker;
  }
  void connect(memory_monitor& monitor, unsigned module) {
    lines_->connect_line(module, monitor.hot);
    monitor.on_change = [this, module](std::uint64_t cycle, unsigned length, bool hot) {
      lengths_.say({cycle, module, length, hot});
    };
  }

  std::vector<clocked*> blocks() override {
    std::vector<clocked*> all{witness_.get()};
    if (bus_) all.push_back(bus_.get());
    if (arbiter_) all.push_back(arbiter_.get());
    return all;
  }
  std::vector<network_link*> links() override {
    std::vector<network_link*> all;
    if (lines_) all.push_back(lines_.get());
    if (bus_link_) all.push_back(bus_link_.get());
    for (const auto& l : admission_) all.push_back(l.get());
    return all;
  }
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override {
    std::vector<std::unique_ptr<clocked>> all;
    if (bus_) {
      // Before a module only those may go that came before it, each once.
      auto checker = std::make_unique<bus_checker>("check_bus_and_lines", terminals_, terminals_ + 1,
                                                   bus_link_->path(), handler);
      bus_link_->connect(checker->bus), lines_->connect_words(checker->lines);
      all.push_back(std::move(checker));
    }
    if (arbiter_) {
      auto checker = std::make_unique<admission_checker>("check_admission", terminals_, limits_,
                                                         arbiter_->name(), handler);
      for (unsigned t = 0; t < terminals_; ++t) admission_[t]->connect(checker->clients[t]);
      lines_->connect_words(checker->lines);
      all.push_back(std::move(checker));
    }
    return all;
  }
  void count(counters& all) const override {
    if (watch_) watch_->count(all);
    if (bus_) {
      all["feedback.bus_announced"] += static_cast<double>(bus_->announced());
      all["feedback.bus_most_waiting"] += static_cast<double>(bus_->most_waiting());
      all["feedback.bus_cycles_waited"] += static_cast<double>(bus_->cycles_waited());
    }
    if (arbiter_) all["feedback.granted"] += static_cast<double>(arbiter_->granted());
  }

private:
  static link_place named(std::string name) {
    link_place place;
    place.name = std::move(name);
    return place;
  }
  void make_bus() {
    bus_link_ = std::make_unique<feedback_bus_link>(named("feedback_bus"));
    bus_ = std::make_unique<feedback_bus>("bus", terminals_);
    lines_->connect_words(bus_->lines);
    bus_link_->connect(bus_->out);
  }
  void make_arbiter(const admission_limits& l) {
    arbiter_ = std::make_unique<admission_arbiter>("arbiter", terminals_, l);
    lines_->connect_words(arbiter_->lines);
    limits_ = l;
    for (unsigned t = 0; t < terminals_; ++t) {
      admission_.push_back(std::make_unique<admission_link>(named("admission_" + std::to_string(t))));
      admission_[t]->connect(arbiter_->clients[t]);
    }
  }

  /// What a memory_monitor sees.
  struct seen_length {
    std::uint64_t cycle;
    unsigned module, length;
    bool hot;
  };
  const unsigned terminals_;
  edge_log<seen_length> lengths_;
  std::optional<module_watch> watch_;
  std::unique_ptr<reset_witness> witness_;
  std::unique_ptr<feedback_lines> lines_;
  std::unique_ptr<feedback_bus_link> bus_link_;
  std::unique_ptr<feedback_bus> bus_;
  std::unique_ptr<admission_arbiter> arbiter_;
  admission_limits limits_;
  std::vector<std::unique_ptr<admission_link>> admission_;  // by processor, with an arbiter
};

/// A processor, a memory module, and the interface between them and the networks; where there is a NIFDY
/// unit, requests pass it on both sides, replies do not.
class memory_unit final : public terminal_unit {
public:
  memory_unit(terminal_context c, bool feedback, const axis<memory_front_entry>& fronts)
      : terminal_(c.terminal),
        reply_network_(reply_network(c.parameters)),
        arrivals_link_(make_arrival_link(c)),
        system_(dynamic_cast<memory_system&>(*c.shared)),
        observer_(c.observer),
        memory_(make_memory(c, fronts, arrivals_link_ && !has_replies(c.parameters))) {
    if (has_nifdy(c.parameters)) {
      const json& section = c.parameters.at("nifdy");
      unit_.emplace(stage_context{c.terminal, c.terminals, 1, observer_, c.routes, c.next, c.packet_length,
                                  c.seed, section},
                    section, unit_networks);
      sent_.emplace(link_place{"link_send_" + std::to_string(c.terminal)});
      arrived_.emplace(link_place{"link_receive_" + std::to_string(c.terminal)});
      unit_->connect_sent(0, *sent_), unit_->connect_arrived(0, *arrived_);
    }
    make_processor(c, feedback);
    if (unit_) {
      sent_->connect(processor_->out), arrived_->connect(memory_->in());
      requests_ = &*sent_;
    }
    if (has_replies(c.parameters))
      arrivals_ = std::make_unique<sink>(("replies_" + std::to_string(c.terminal)).c_str(), c.terminal,
                                         sink_config{}, observer_, arrivals_link_ != nullptr);
    if (!arrivals_link_) return;
    arrivals_link_->connect(processor_->arrivals[0]);
    arrivals_link_->connect(arrivals_ ? arrivals_->arrivals[0] : memory_->arrival());
  }

  void connect_output(unsigned network, network_link& l) override {
    if (carries_replies(network)) return link_cast<packet_link>(l).connect(memory_->out());
    if (unit_) return unit_->connect_output(network, l);
    auto& packets = link_cast<packet_link>(l);
    packets.connect(processor_->out);
    requests_ = &packets;
  }
  void connect_input(unsigned network, network_link& l) override {
    if (carries_replies(network)) return link_cast<packet_link>(l).connect(arrivals_->in);
    if (unit_)
      unit_->connect_input(network, l);
    else
      link_cast<packet_link>(l).connect(memory_->in());
    if (network != 0 || !monitor_) return;
    queue_ = &link_cast<memory_link>(l);
    queue_->connect_length(monitor_->length);
  }
  std::vector<clocked*> blocks() override {
    std::vector<clocked*> all{processor_.get()};
    for (clocked* const block : memory_->blocks()) all.push_back(block);
    if (arrivals_) all.push_back(arrivals_.get());
    if (monitor_) all.push_back(monitor_.get());
    if (unit_)
      for (clocked* const block : unit_->blocks()) all.push_back(block);
    return all;
  }
  std::vector<network_link*> links() override {
    std::vector<network_link*> all = memory_->links();
    if (unit_) {
      for (network_link* const l : unit_->links()) all.push_back(l);
      all.push_back(&*sent_), all.push_back(&*arrived_);
    }
    if (arrivals_link_) all.push_back(arrivals_link_.get());
    return all;
  }
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override {
    std::vector<std::unique_ptr<clocked>> all;
    if (unit_) all = unit_->make_checkers(handler);
    if (gate_)
      if (auto guard = system_.make_guard(gate_->config(), terminal_, *requests_, handler))
        all.push_back(std::move(guard));
    if (queue_) all.push_back(system_.make_line_checker(terminal_, *queue_, monitor_->rule(), handler));
    return all;
  }
  std::uint64_t held_flits() const override {
    return processor_->backlog_flits() + memory_->held_flits() + (unit_ ? unit_->held_flits() : 0);
  }
  std::uint64_t resting_flits() const override { return memory_->resting_flits(); }
  std::uint64_t lost_in_reset() const override {
    return processor_->lost_in_reset() + memory_->lost_in_reset() + (unit_ ? unit_->lost_in_reset() : 0);
  }
  void count(counters& all) const override {
    memory_->count(all);
    if (unit_) unit_->count(all);
    if (!gate_) return;
    all["feedback.list_overflows"] += static_cast<double>(gate_->known_hot().overflows());
    all["feedback.bled"] += static_cast<double>(gate_->bled());
    all["feedback.unused_grants"] += static_cast<double>(gate_->unused_grants());
    double& most = all["feedback.most_set_aside"];
    most = std::max(most, static_cast<double>(gate_->most_set_aside()));
  }

private:
  static std::unique_ptr<memory_module> make_memory(const terminal_context& c,
                                                    const axis<memory_front_entry>& fronts, bool tells) {
    const std::string name = "memory_" + std::to_string(c.terminal);
    const memory_config config = memory_of(c.parameters);
    if (auto front =
            fronts.chosen(c.parameters).make(name + "_requests", c.terminal, c.parameters, c.observer))
      return std::make_unique<memory_module>(name, c.terminal, config, std::move(front), c.observer, c.routes,
                                             c.next);
    return std::make_unique<memory_module>(name, c.terminal, config, c.service, c.observer, c.routes, c.next,
                                           tells);
  }
  bool carries_replies(unsigned network) const { return network == reply_network_; }

  void make_processor(terminal_context& c, bool feedback) {
    const std::string name = "processor_" + std::to_string(c.terminal);
    const std::shared_ptr<const routing> routes = unit_ ? nullptr : c.routes;
    const link_end next = unit_ ? link_end{} : c.next;
    if (!feedback) {
      processor_ = std::make_unique<source>(name.c_str(), c.terminal, std::move(c.supply), observer_, routes,
                                            next, c.source_queue);
      return;
    }
    auto gate = std::make_unique<feedback_interface>(
        name.c_str(), c.terminal, interface_of(c.parameters, c.terminals, c.seed), std::move(c.supply),
        observer_, routes, next, c.source_queue);
    system_.connect(*gate, c.terminal);
    gate_ = gate.get();
    processor_ = std::move(gate);
    monitor_ = std::make_unique<memory_monitor>(("monitor_" + std::to_string(c.terminal)).c_str(),
                                                rule_of(c.parameters));
    system_.connect(*monitor_, c.terminal);
  }

  const unsigned terminal_, reply_network_;
  const std::unique_ptr<arrival_link> arrivals_link_;
  memory_system& system_;
  endpoint_observer& observer_;
  const std::unique_ptr<memory_module> memory_;
  std::optional<nifdy_stage> unit_;
  std::optional<packet_link> sent_, arrived_;  // between processor or memory and the unit
  std::unique_ptr<source> processor_;
  feedback_interface* gate_ = nullptr;  // the processor's, with feedback
  std::unique_ptr<memory_monitor> monitor_;
  std::unique_ptr<sink> arrivals_;
  packet_link* requests_ = nullptr;  // of the processor
  memory_link* queue_ = nullptr;     // of the memory, where it is monitored
};

}  // namespace

std::unique_ptr<platform_part> make_memory_system(const shared_context& context, bool feedback) {
  return std::make_unique<memory_system>(context, feedback);
}

std::unique_ptr<terminal_unit> make_memory_unit(terminal_context context, bool feedback,
                                                const axis<memory_front_entry>& fronts) {
  return std::make_unique<memory_unit>(std::move(context), feedback, fronts);
}

}  // namespace spillway
