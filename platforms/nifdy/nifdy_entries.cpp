#include <optional>
#include <spillway/hw/links/bus_link.hpp>
#include <spillway/platforms/nifdy/nifdy_entries.hpp>
#include <spillway/platforms/nifdy/nifdy_stage.hpp>

namespace spillway {

namespace {

using nlohmann::json;

/// The barrier of the processors.
class nifdy_shared final : public platform_part {
public:
  explicit nifdy_shared(const shared_context& c) {
    if (!c.parameters.contains("processor")) return;
    barrier_.emplace("barrier", c.terminals, c.parameters.at("processor").at("barrier").get<unsigned>());
    passed_ = std::make_unique<count_link>(link_place{"barriers_passed"});
    passed_->connect_pin(barrier_->passed);
  }
  void join(processor& p, unsigned terminal) {
    auto& reached = *reached_.emplace_back(
        std::make_unique<count_link>(link_place{part_name("barriers_reached", terminal)}));
    reached.connect_pin(p.reached), reached.connect_pin(barrier_->reached[terminal]);
    passed_->connect_pin(p.passed);
  }
  std::vector<clocked*> blocks() override {
    if (barrier_) return {&*barrier_};
    return {};
  }

  std::vector<network_link*> links() override {
    std::vector<network_link*> all;
    if (passed_) all.push_back(passed_.get());
    for (const auto& reached : reached_) all.push_back(reached.get());
    return all;
  }

private:
  using count_link = bus_link<std::uint32_t>;

  std::optional<phase_barrier> barrier_;
  std::unique_ptr<count_link> passed_;
  std::vector<std::unique_ptr<count_link>> reached_;
};

/// A processor, or a source and a sink, behind a NIFDY unit.
class nifdy_terminal final : public terminal_unit {
public:
  explicit nifdy_terminal(terminal_context c)
      : unit_(stage_context{c.terminal, c.terminals, 1, c.observer, c.routes, c.next, c.packet_length, c.seed,
                            c.parameters},
              c.parameters, c.networks),
        sent_({"link_send_" + std::to_string(c.terminal)}),
        arrived_({"link_receive_" + std::to_string(c.terminal)}) {
    unit_.connect_sent(0, sent_), unit_.connect_arrived(0, arrived_);
    make_endpoint(c);
  }

  void connect_output(unsigned network, network_link& l) override { unit_.connect_output(network, l); }
  void connect_input(unsigned network, network_link& l) override { unit_.connect_input(network, l); }

  std::vector<clocked*> blocks() override {
    std::vector<clocked*> all = unit_.blocks();
    for (const auto& endpoint : endpoints_) all.push_back(endpoint.get());
    return all;
  }
  std::vector<network_link*> links() override {
    std::vector<network_link*> all = unit_.links();
    all.push_back(&sent_), all.push_back(&arrived_);
    if (arrivals_link_) all.push_back(arrivals_link_.get());
    return all;
  }
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override {
    return unit_.make_checkers(handler);
  }
  std::uint64_t held_flits() const override {
    return unit_.held_flits() + (processor_ ? processor_->held_flits() : source_->backlog_flits());
  }
  std::uint64_t lost_in_reset() const override {
    return unit_.lost_in_reset() + (processor_ ? processor_->lost_in_reset() : source_->lost_in_reset());
  }
  void count(counters& all) const override {
    unit_.count(all);
    if (processor_) processor_->count(all);
  }

private:
  void make_endpoint(terminal_context& c) {
    if (c.parameters.contains("processor")) {
      processor_config config = processor_config_of(c.parameters, c.seed);
      config.pauses = c.service.pauses;
      processor_ = add(std::make_unique<processor>(part_name("processor", c.terminal).c_str(), c.terminal,
                                                   config, std::move(c.supply), c.observer));
      sent_.connect(processor_->out), arrived_.connect(processor_->in);
      dynamic_cast<nifdy_shared&>(*c.shared).join(*processor_, c.terminal);
      return;
    }
    arrivals_link_ = make_arrival_link(c);
    source_ =
        add(std::make_unique<source>(part_name("source", c.terminal).c_str(), c.terminal, std::move(c.supply),
                                     c.observer, nullptr, link_end{}, c.source_queue));
    auto* const taker = add(std::make_unique<sink>(part_name("sink", c.terminal).c_str(), c.terminal,
                                                   c.service, c.observer, arrivals_link_ != nullptr));
    if (arrivals_link_)
      arrivals_link_->connect(taker->arrivals[0]), arrivals_link_->connect(source_->arrivals[0]);
    sent_.connect(source_->out), arrived_.connect(taker->in);
  }

  template <class Block>
  Block* add(std::unique_ptr<Block> block) {
    Block* const added = block.get();
    endpoints_.push_back(std::move(block));
    return added;
  }

  nifdy_stage unit_;
  packet_link sent_, arrived_;  // between the endpoint and the unit
  std::unique_ptr<arrival_link> arrivals_link_;
  std::vector<std::unique_ptr<clocked>> endpoints_;
  processor* processor_ = nullptr;
  source* source_ = nullptr;
};

}  // namespace

processor_config processor_config_of(const json& section, std::uint64_t seed) {
  const json& p = section.at("processor");
  processor_config config;
  config.send = p.at("send");
  config.receive = p.at("receive");
  config.poll = p.at("poll");
  config.away_every = p.at("away_every");
  config.away_for = p.at("away_for");
  config.seed = seed;
  return config;
}

nlohmann::json nifdy_interface_entry::schema() const { return nifdy_unit_schema(true); }

std::unique_ptr<terminal_unit> nifdy_interface_entry::make(terminal_context context) const {
  return std::make_unique<nifdy_terminal>(std::move(context));
}

network_uses nifdy_interface_entry::networks(const json& p) const { return nifdy_networks(p.at("networks")); }

std::unique_ptr<platform_part> nifdy_interface_entry::share(const shared_context& context) const {
  return std::make_unique<nifdy_shared>(context);
}

port_queues nifdy_interface_entry::queues(const json& p) const { return nifdy_queues(p); }

bool nifdy_interface_entry::in_order(const json& p) const { return p.at("protocol") == "nifdy"; }

unsigned nifdy_interface_entry::longest(const json& p) const { return longest_acknowledgement(p); }

std::vector<objection> nifdy_interface_entry::object_to(const experiment_view& experiment) const {
  const json& endpoint = experiment.root.at("endpoint");
  const json& section = experiment.root.at("interface");
  std::vector<objection> found = nifdy_objections(section, "/interface");
  if (section.contains("processor") && (endpoint.at("queue") != 0 || endpoint.at("accept_interval") != 1))
    found.push_back({"/interface",
                     "a processor takes and makes packets at its own pace: endpoint.queue and "
                     "endpoint.accept_interval have no meaning beside it"});
  return found;
}

unsigned nifdy_interface_entry::latency(const json& p, unsigned flits) const {
  return nifdy_latency(p, flits);
}

packet_requests nifdy_interface_entry::requests(const nlohmann::json& section) const {
  return nifdy_requests(section);
}

}  // namespace spillway
