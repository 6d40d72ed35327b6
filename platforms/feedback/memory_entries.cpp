#include <map>
#include <optional>
#include <spillway/hw/endpoints/memory_module.hpp>
#include <spillway/hw/feedback/admission_arbiter.hpp>
#include <spillway/hw/feedback/feedback_bus.hpp>
#include <spillway/hw/feedback/feedback_checker.hpp>
#include <spillway/hw/feedback/feedback_interface.hpp>
#include <spillway/hw/feedback/memory_monitor.hpp>
#include <spillway/hw/feedback/module_watch.hpp>
#include <spillway/hw/packet/memory_link.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/feedback/memory_entries.hpp>
#include <spillway/platforms/nifdy/nifdy_stage.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using nlohmann::json;

bool has_replies(const json& p) { return p.at("replies").get<bool>(); }
bool has_nifdy(const json& p) { return p.contains("nifdy"); }

// Networks: 0 of the requests, then that of NIFDY's acknowledgements, then that of the replies.
constexpr unsigned unit_networks = 2;
unsigned reply_network(const json& p) { return has_nifdy(p) ? unit_networks : 1; }

memory_config memory_of(const json& p) {
  memory_config config;
  config.latency = p.at("latency");
  config.replies = has_replies(p);
  config.reply_length = p.at("reply_length");
  config.reply_network = static_cast<std::uint8_t>(reply_network(p));
  return config;
}

temperature_rule rule_of(const json& p) {
  temperature_rule rule;
  rule.hot_at = p.at("threshold");
  rule.cool_below = p.value("cool_threshold", rule.hot_at);
  const unsigned beyond = p.at("comparison") == "exceeded";
  rule.hot_at += beyond;
  rule.cool_below += beyond;
  rule.delay = p.at("delay");
  return rule;
}

bool limits(const json& p) { return p.contains("limit"); }

feedback_interface_config interface_of(const json& p, unsigned terminals, std::uint64_t seed) {
  static const std::map<std::string, bleeding> names{{"none", bleeding::none},
                                                     {"round_robin", bleeding::granted},
                                                     {"slots", bleeding::slots},
                                                     {"random", bleeding::random}};
  feedback_interface_config config;
  config.terminals = terminals;
  config.hot_list = p.at("hot_list");
  config.bus = p.at("announce") == "bus";
  config.set_aside = p.at("set_aside");
  config.bleed = names.at(p.at("bleeding"));
  config.slots = p.at("bleed");
  config.probability = p.at("probability");
  config.limited = limits(p);
  config.seed = seed;
  return config;
}

admission_limits limits_of(const json& p) {
  admission_limits l;
  if (limits(p)) {
    l.hot = p.at("limit").at("hot");
    l.cold = p.at("limit").at("cold");
  } else if (p.at("bleed_each") == "module") {
    l.hot = l.cold = p.at("bleed");  // a module that has just cooled still has wishes under way
  } else {
    l.total = p.at("bleed");
  }
  return l;
}

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
  memory_system(const shared_context& c, bool feedback) : terminals_(c.terminals) {
    if (!feedback) return;
    const json& p = c.parameters;
    const feedback_interface_config config = interface_of(p, terminals_, c.seed);
    lines_ = std::make_unique<feedback_lines>(named("feedback_lines"), terminals_);
    if (config.bus && !config.limited) make_bus();
    if (config.has_arbiter()) make_arbiter(limits_of(p));
  }

  /// The observer of the units' endpoints, on the way to `next`.
  module_watch& watch(endpoint_observer& next) {
    if (!watch_) {
      watch_.emplace(terminals_, next);
      witness_ = std::make_unique<reset_witness>(*watch_);
    }
    return *watch_;
  }
  endpoint_observer& observer(endpoint_observer& next) override { return watch(next); }
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
      watch_->monitored(cycle, module, length, hot);
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

  const unsigned terminals_;
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
  memory_unit(terminal_context c, bool feedback)
      : terminal_(c.terminal),
        reply_network_(reply_network(c.parameters)),
        hears_(c.supply->listens()),
        system_(dynamic_cast<memory_system&>(*c.shared)),
        observer_(system_.watch(c.observer)),
        memory_("memory_" + std::to_string(c.terminal), c.terminal, memory_of(c.parameters), c.service,
                observer_, c.routes, c.next) {
    if (has_nifdy(c.parameters)) {
      const json& section = c.parameters.at("nifdy");
      unit_.emplace(
          stage_context{c.terminal, c.terminals, 1, c.routes, c.next, c.packet_length, c.seed, section},
          section, unit_networks);
      sent_.emplace(link_place{"link_send_" + std::to_string(c.terminal)});
      arrived_.emplace(link_place{"link_receive_" + std::to_string(c.terminal)});
      unit_->connect_sent(0, *sent_), unit_->connect_arrived(0, *arrived_);
    }
    make_processor(c, feedback);
    if (unit_) {
      sent_->connect(processor_->out), arrived_->connect(memory_.in());
      requests_ = &*sent_;
    }
    if (has_replies(c.parameters))
      arrivals_ = std::make_unique<sink>(("replies_" + std::to_string(c.terminal)).c_str(), c.terminal,
                                         sink_config{}, observer_, hears_ ? processor_.get() : nullptr);
  }

  void connect_output(unsigned network, network_link& l) override {
    if (carries_replies(network)) return link_cast<packet_link>(l).connect(memory_.out());
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
      link_cast<packet_link>(l).connect(memory_.in());
    if (network != 0 || !monitor_) return;
    queue_ = &link_cast<memory_link>(l);
    queue_->connect_length(monitor_->length);
  }
  std::vector<clocked*> blocks() override {
    std::vector<clocked*> all{processor_.get()};
    for (clocked* const block : memory_.blocks()) all.push_back(block);
    if (arrivals_) all.push_back(arrivals_.get());
    if (monitor_) all.push_back(monitor_.get());
    if (unit_)
      for (clocked* const block : unit_->blocks()) all.push_back(block);
    return all;
  }
  std::vector<network_link*> links() override {
    std::vector<network_link*> all;
    if (unit_) {
      all = unit_->links();
      all.push_back(&*sent_), all.push_back(&*arrived_);
    }
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
    return processor_->backlog_flits() + memory_.held_flits() + (unit_ ? unit_->held_flits() : 0);
  }
  std::uint64_t lost_in_reset() const override {
    return processor_->lost_in_reset() + memory_.lost_in_reset() + (unit_ ? unit_->lost_in_reset() : 0);
  }
  void count(counters& all) const override {
    if (unit_) unit_->count(all);
    if (!gate_) return;
    all["feedback.list_overflows"] += static_cast<double>(gate_->known_hot().overflows());
    all["feedback.bled"] += static_cast<double>(gate_->bled());
    all["feedback.unused_grants"] += static_cast<double>(gate_->unused_grants());
    double& most = all["feedback.most_set_aside"];
    most = std::max(most, static_cast<double>(gate_->most_set_aside()));
  }

private:
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
  const bool hears_;
  memory_system& system_;
  module_watch& observer_;
  memory_module memory_;
  std::optional<nifdy_stage> unit_;
  std::optional<packet_link> sent_, arrived_;  // between processor or memory and the unit
  std::unique_ptr<source> processor_;
  feedback_interface* gate_ = nullptr;  // the processor's, with feedback
  std::unique_ptr<memory_monitor> monitor_;
  std::unique_ptr<sink> arrivals_;
  packet_link* requests_ = nullptr;  // of the processor
  memory_link* queue_ = nullptr;     // of the memory, where it is monitored
};

/// The keys of a memory's interface, and behind them those of a NIFDY unit.
json with_nifdy(const char* text) {
  json schema = parse_schema(text);
  schema["properties"]["nifdy"] = nifdy_unit_schema(false);
  schema["x-order"].push_back("nifdy");
  return schema;
}

}  // namespace

nlohmann::json memory_interface_entry::schema() const {
  return with_nifdy(R"json({
  "description": "A processor and a memory module a terminal: the traffic's packets are requests to modules, which answer them.",
  "properties": {
    "latency": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 1,
      "description": "Cycles from a request's last flit to its reply."
    },
    "replies": {
      "type": "boolean",
      "default": true,
      "description": "Memories send replies, through a network of their own of the same switches."
    },
    "reply_length": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 1,
      "description": "Flits of a reply; every queue must hold one."
    }
  }
})json");
}

std::unique_ptr<terminal_unit> memory_interface_entry::make(terminal_context context) const {
  return std::make_unique<memory_unit>(std::move(context), false);
}

network_uses memory_interface_entry::networks(const json& p) const {
  network_uses uses = nifdy_networks(has_nifdy(p) ? unit_networks : 1);
  if (has_replies(p)) uses.push_back(network_use::replies);
  return uses;
}

std::unique_ptr<platform_part> memory_interface_entry::share(const shared_context& context) const {
  return std::make_unique<memory_system>(context, false);
}

port_queues memory_interface_entry::queues(const json& p) const {
  return has_nifdy(p) ? nifdy_queues(p.at("nifdy")) : port_queues{};
}

unsigned memory_interface_entry::longest(const json& p) const {
  return std::max(has_replies(p) ? p.at("reply_length").get<unsigned>() : 1,
                  has_nifdy(p) ? longest_acknowledgement(p.at("nifdy")) : 1);
}

nlohmann::json feedback_interface_entry::schema() const {
  return with_nifdy(R"json({
  "description": "As memory, and the processors hold back requests to modules whose queue is hot (Farrens, Wetmore and Woodruff, 1991); for packet switches with a memory_depth.",
  "properties": {
    "latency": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 1,
      "description": "Cycles from a request's last flit to its reply."
    },
    "replies": {
      "type": "boolean",
      "default": true,
      "description": "Memories send replies, through a network of their own of the same switches."
    },
    "reply_length": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 1,
      "description": "Flits of a reply; every queue must hold one."
    },
    "threshold": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 3,
      "description": "Flits of requests in its queue at which a module turns hot."
    },
    "cool_threshold": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "description": "Flits below which it turns cool again; the threshold when left out."
    },
    "comparison": {
      "enum": ["reached", "exceeded"],
      "default": "reached",
      "description": "Whether a queue is hot with as many flits as the threshold, or only with more."
    },
    "delay": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 1,
      "description": "Cycles from a change of the queue's length to the line that tells of it."
    },
    "announce": {
      "enum": ["lines", "bus"],
      "default": "lines",
      "description": "How the interfaces hear of it: all at once, by a line a module (ideal), or over a bus that carries one change a cycle."
    },
    "hot_list": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65535,
      "default": 0,
      "description": "Hot modules that an interface can list; those beyond are not held back. 0 is no bound."
    },
    "set_aside": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65535,
      "default": 0,
      "description": "Blocked requests that an interface keeps aside while later ones pass; 0: all go in order."
    },
    "bleeding": {
      "enum": ["none", "round_robin", "slots", "random"],
      "default": "none",
      "description": "Which blocked requests may go all the same: those of some processors, in turn among the ones that have any (round_robin) or by a counter of all processors (slots), or each with a probability (random)."
    },
    "bleed": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 1,
      "description": "Processors a cycle that may bleed, of round_robin and slots."
    },
    "bleed_each": {
      "enum": ["network", "module"],
      "default": "network",
      "description": "Whether round_robin admits so many requests a cycle in all, or to each hot module."
    },
    "probability": {
      "type": "number",
      "minimum": 0,
      "maximum": 1,
      "default": 0.00390625,
      "description": "Probability a cycle that a blocked request may go, of random bleeding."
    },
    "limit": {
      "type": "object",
      "description": "A global arbiter admits the requests to each module; none when left out.",
      "additionalProperties": false,
      "required": ["hot", "cold"],
      "properties": {
        "hot": {
          "type": "integer",
          "minimum": 1,
          "maximum": 65535,
          "description": "Requests a cycle to a module that is hot."
        },
        "cold": {
          "type": "integer",
          "minimum": 1,
          "maximum": 65535,
          "description": "Requests a cycle to a module that is not."
        }
      }
    }
  }
})json");
}

std::unique_ptr<terminal_unit> feedback_interface_entry::make(terminal_context context) const {
  return std::make_unique<memory_unit>(std::move(context), true);
}

std::unique_ptr<platform_part> feedback_interface_entry::share(const shared_context& context) const {
  return std::make_unique<memory_system>(context, true);
}

std::vector<objection> feedback_interface_entry::object_to(const experiment_view& experiment) const {
  const json& root = experiment.root;
  if (!root.at("switch").contains("memory_depth"))
    return {{"/interface",
             "feedback needs queues that tell their length: `switch: {kind: packet, buffering: output, "
             "memory_depth: N}`"}};
  if (!root.at("stages").empty())
    return {{"/stages", "feedback looks at the queues before the memories: expected no stages between"}};
  try {
    rule_of(root.at("interface")).check();
    interface_of(root.at("interface"), static_cast<unsigned>(experiment.shape.terminals.size()), 1).check();
  } catch (const std::invalid_argument& error) {
    return {{"/interface", error.what()}};
  }
  return {};
}

}  // namespace spillway
