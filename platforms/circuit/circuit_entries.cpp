#include <map>
#include <optional>
#include <spillway/hw/circuit/circuit_interface.hpp>
#include <spillway/hw/circuit/circuit_router.hpp>
#include <spillway/hw/links/bus_link.hpp>
#include <spillway/platforms/circuit/circuit_entries.hpp>
#include <spillway/platforms/circuit/fat_tree_topology.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <spillway/tlm/circuit/circuit_network.hpp>
#include <stdexcept>

namespace spillway {

namespace {

contention contention_of(const nlohmann::json& switch_section) {
  return switch_section.at("contention") == "random" ? contention::random : contention::fixed;
}

retry_policy policy_of(const nlohmann::json& interface_section, std::uint32_t terminals, std::uint64_t seed) {
  static const std::map<std::string, retry> strategies{{"immediate", retry::immediate},
                                                       {"rounds", retry::rounds},
                                                       {"held_rounds", retry::held_rounds},
                                                       {"exponential", retry::exponential},
                                                       {"random", retry::random}};
  const std::uint64_t across = tree_of(terminals).diameter_cycles();
  retry_policy policy;
  policy.strategy = strategies.at(interface_section.at("retry").get<std::string>());
  policy.unit = interface_section.value("unit", across);
  policy.window = interface_section.value("window", across);
  policy.most_doublings = interface_section.at("doublings");
  policy.seed = seed;
  return policy;
}

/// Adds `circuit.normalized_cycles` once something has been delivered: from the first request to the last
/// release at a first router, in times of a message across the diameter and back.
void add_normalized_cycles(counters& all, std::uint32_t terminals) {
  const auto first = all.find("circuit.first_request"), last = all.find("circuit.last_release");
  if (first == all.end() || last->second == 0) return;
  all["circuit.normalized_cycles"] =
      (last->second - first->second) / static_cast<double>(tree_of(terminals).diameter_cycles());
}

/// The barrier with its broadcast, and what the terminals count together.
class circuit_shared final : public platform_part {
public:
  explicit circuit_shared(const shared_context& c) : terminals_(c.terminals) {
    if (!policy_of(c.parameters, c.terminals, c.seed).in_rounds()) return;
    barrier_.emplace("round_barrier", c.terminals);
    round_.emplace(link_place{"round"}), released_.emplace(link_place{"round_released"});
    round_->connect_pin(barrier_->round), released_->connect_pin(barrier_->released);
  }

  /// Binds a terminal's pins to the barrier; `state` is the link of its own.
  void join(round_pins& pins, unsigned terminal, bus_link<round_state>& state) {
    state.connect_pin(pins.state), state.connect_pin(barrier_->state[terminal]);
    round_->connect_pin(pins.round), released_->connect_pin(pins.released);
  }

  std::vector<clocked*> blocks() override {
    if (barrier_) return {&*barrier_};
    return {};
  }
  std::vector<network_link*> links() override {
    if (barrier_) return {&*round_, &*released_};
    return {};
  }
  void count(counters& all) const override {
    if (barrier_) all["circuit.rounds"] = barrier_->rounds();
    add_normalized_cycles(all, terminals_);
  }

private:
  const unsigned terminals_;
  std::optional<round_barrier> barrier_;
  std::optional<bus_link<std::uint32_t>> round_, released_;
};

link_place place_in(unsigned terminal, const char* what) {
  link_place place;
  place.name = "link_" + std::string(what) + "_" + std::to_string(terminal);
  return place;
}

/// A source and a sink behind a circuit interface.
class circuit_unit final : public terminal_unit {
public:
  explicit circuit_unit(terminal_context c)
      : arrivals_link_(make_arrival_link(c)),
        source_(("source_" + std::to_string(c.terminal)).c_str(), c.terminal, std::move(c.supply), c.observer,
                std::move(c.routes), {}, c.source_queue),
        sink_(("sink_" + std::to_string(c.terminal)).c_str(), c.terminal, c.service, c.observer,
              arrivals_link_ != nullptr),
        interface_(("interface_" + std::to_string(c.terminal)).c_str(),
                   circuit_interface_config{c.terminal, policy_of(c.parameters, c.terminals, c.seed)}),
        from_source_(place_in(c.terminal, "source")),
        to_sink_(place_in(c.terminal, "sink")) {
    from_source_.connect(source_.out), from_source_.connect(interface_.in);
    to_sink_.connect(interface_.out), to_sink_.connect(sink_.in);
    if (arrivals_link_)
      arrivals_link_->connect(sink_.arrivals[0]), arrivals_link_->connect(source_.arrivals[0]);
    if (!interface_.barrier) return;
    auto& shared = dynamic_cast<circuit_shared&>(*c.shared);
    state_.emplace(link_place{"round_state_" + std::to_string(c.terminal)});
    shared.join(*interface_.barrier, c.terminal, *state_);
  }

  void connect_output(unsigned, network_link& l) override {
    link_cast<circuit_link>(l).connect(interface_.send);
  }
  void connect_input(unsigned, network_link& l) override {
    link_cast<circuit_link>(l).connect(interface_.receive);
  }
  std::vector<clocked*> blocks() override { return {&source_, &interface_, &sink_}; }
  std::vector<network_link*> links() override {
    std::vector<network_link*> all{&from_source_, &to_sink_};
    if (arrivals_link_) all.push_back(arrivals_link_.get());
    if (state_) all.push_back(&*state_);
    return all;
  }
  std::uint64_t held_flits() const override { return source_.backlog_flits() + interface_.held_flits(); }
  std::uint64_t resting_flits() const override {
    const std::uint64_t rest = interface_.resting_flits();
    return rest ? rest + source_.backlog_flits() : 0;
  }
  std::uint64_t lost_in_reset() const override {
    return source_.lost_in_reset() + interface_.lost_in_reset();
  }
  void count(counters& all) const override { interface_.count(all); }

private:
  const std::unique_ptr<arrival_link> arrivals_link_;
  source source_;
  sink sink_;
  circuit_interface interface_;
  packet_link from_source_, to_sink_;
  std::optional<bus_link<round_state>> state_;
};

/// The whole network at the transaction level: takes the workload of every terminal, and then becomes a
/// model.
class circuit_transaction_part final : public platform_part {
public:
  explicit circuit_transaction_part(const shared_context& c) : terminals_(c.terminals) {
    config_.shape = tree_of(c.terminals);
    config_.winner = contention_of(c.plan.config.switches);
    config_.policy = policy_of(c.parameters, c.terminals, c.seed);
    config_.seed = c.seed;
  }

  void join(terminal_context c) {
    if (c.service.interval != 1 || !c.service.pauses.empty())
      throw std::invalid_argument("at the transaction level every terminal accepts a flit in every cycle");
    config_.source_queue = c.source_queue;
    supplies_.push_back(std::move(c.supply));
    if (supplies_.size() == terminals_)
      network_.emplace("circuit_network", config_, std::move(supplies_), c.observer);
  }

  std::vector<clocked*> blocks() override { return {&*network_}; }
  std::uint64_t held_flits() const override { return network_->model().held_flits(); }
  std::uint64_t lost_in_reset() const override { return network_->model().lost_in_reset(); }
  std::uint64_t forwarded() const override { return network_->model().forwarded(); }
  void count(counters& all) const override {
    network_->model().count(all);
    add_normalized_cycles(all, terminals_);
  }

private:
  const unsigned terminals_;
  circuit_network_config config_;
  std::vector<std::unique_ptr<packet_supply>> supplies_;
  std::optional<circuit_network> network_;
};

/// A terminal of that model, which has no blocks of its own.
class circuit_transaction_unit final : public terminal_unit {
public:
  void connect_output(unsigned, network_link& l) override { fail(l); }
  void connect_input(unsigned, network_link& l) override { fail(l); }
  std::vector<clocked*> blocks() override { return {}; }

private:
  static void fail(const network_link& l) {
    throw std::logic_error(l.name() + ": the transaction level has no links");
  }
};

/// The interface at the transaction level.
class circuit_transactions_entry final : public interface_entry {
public:
  circuit_transactions_entry() : interface_entry("circuit") {}
  bool needs_switches() const override { return false; }

  nlohmann::json schema() const override { return nlohmann::json::object(); }
  std::unique_ptr<terminal_unit> make(terminal_context context) const override {
    auto& whole = dynamic_cast<circuit_transaction_part&>(*context.shared);
    whole.join(std::move(context));
    return std::make_unique<circuit_transaction_unit>();
  }
  std::string link_kind() const override { return "circuit"; }
  std::unique_ptr<platform_part> share(const shared_context& c) const override {
    return std::make_unique<circuit_transaction_part>(c);
  }
};

}  // namespace

nlohmann::json circuit_switch_entry::schema() const {
  return parse_schema(R"json({
  "description": "Circuit-switched router of a fat tree: a random port up, rejection on the way down (Strumpen and Krishnamurthy, 2005). Needs the topology fat_tree and the interface circuit.",
  "properties": {
    "contention": {
      "enum": ["random", "fixed"],
      "default": "random",
      "description": "Which of several messages that come in the same cycle for one port down gets it: any, or the first of the inputs a, b, c, d."
    }
  }
})json");
}

std::unique_ptr<network_block> circuit_switch_entry::make(const switch_context& context) const {
  circuit_router_config config;
  config.node = context.node;
  config.level = context.stage;
  config.seed = context.seed;
  config.winner = contention_of(context.parameters);
  return std::make_unique<circuit_router>(context.name.c_str(), config, context.routes);
}

std::unique_ptr<network_link> circuit_switch_entry::make_link(const nlohmann::json&, link_place place) const {
  return std::make_unique<circuit_link>(std::move(place));
}

std::vector<objection> circuit_switch_entry::object_to(const experiment_view& experiment) const {
  if (experiment.shape.facts<fat_tree_shape>()) return {};
  return {{"/topology/kind", "found '" + experiment.shape.kind +
                                 "', expected fat_tree, which switches of kind circuit are made for"}};
}

void circuit_switch_entry::describe_buffers(const nlohmann::json&, analysis_options& options) const {
  // A message that finds no wire is rejected: it waits for nothing. And there are very many ways to follow.
  options.rejects = true;
  options.most = 1 << 16;
}

circuit_interface_entry::circuit_interface_entry()
    : interface_entry("circuit"), transactions_(std::make_unique<circuit_transactions_entry>()) {}

nlohmann::json circuit_interface_entry::schema() const {
  return parse_schema(R"json({
  "description": "Sends a message until it is acknowledged, one at a time, and receives one at a time; for switches of kind circuit.",
  "properties": {
    "retry": {
      "enum": ["immediate", "rounds", "held_rounds", "exponential", "random"],
      "default": "immediate",
      "description": "When a rejected message goes again: one cycle later, with all others when the delivery round is over (global synchronisation), the same with every circuit held to the end of its round (the static overlap of the paper's two-message collision probability), after exponential back-off, or after a random time."
    },
    "unit": {
      "type": "integer",
      "minimum": 1,
      "maximum": 4294967295,
      "description": "Cycles: exponential back-off waits a random multiple of it, below 2^failures; the time of a message across the diameter and back, 3(2 lg n - 1), when left out."
    },
    "doublings": {
      "type": "integer",
      "minimum": 0,
      "maximum": 16,
      "default": 10,
      "description": "Failures after which the window of exponential back-off grows no more."
    },
    "window": {
      "type": "integer",
      "minimum": 1,
      "maximum": 4294967295,
      "description": "Cycles: random back-off waits any number below it; the time across the diameter and back when left out."
    }
  }
})json");
}

std::unique_ptr<terminal_unit> circuit_interface_entry::make(terminal_context context) const {
  return std::make_unique<circuit_unit>(std::move(context));
}

std::unique_ptr<platform_part> circuit_interface_entry::share(const shared_context& context) const {
  return std::make_unique<circuit_shared>(context);
}

}  // namespace spillway
