#include <optional>
#include <spillway/platforms/nifdy/nifdy_edge.hpp>
#include <spillway/platforms/nifdy/nifdy_kind.hpp>

namespace spillway {

namespace {

using nlohmann::json;

std::string numbered(const char* what, unsigned terminal) {
  return std::string(what) + "_" + std::to_string(terminal);
}

/// A wire on either kernel.
using count_wire = std::unique_ptr<sc_core::sc_signal_inout_if<std::uint32_t>>;
count_wire make_count_wire(clock_domain* domain, const std::string& name) {
  if (domain) return std::make_unique<wire<std::uint32_t>>(*domain);
  return std::make_unique<sc_core::sc_signal<std::uint32_t>>(name.c_str());
}

/// The barrier of the processors.
class nifdy_shared final : public platform_part {
public:
  explicit nifdy_shared(const shared_context& c) : domain_(c.domain) {
    if (!c.parameters.contains("processor")) return;
    barrier_.emplace("barrier", c.terminals, c.parameters.at("processor").at("barrier").get<unsigned>());
    barrier_->passed(*(passed_ = make_count_wire(domain_, "barriers_passed")));
  }
  void join(processor& p, unsigned terminal) {
    reached_.push_back(make_count_wire(domain_, numbered("barriers_reached", terminal)));
    p.reached(*reached_.back()), barrier_->reached[terminal](*reached_.back());
    p.passed(*passed_);
  }
  std::vector<clocked*> blocks() override {
    if (barrier_) return {&*barrier_};
    return {};
  }

private:
  clock_domain* const domain_;
  std::optional<phase_barrier> barrier_;
  count_wire passed_;
  std::vector<count_wire> reached_;
};

/// A processor, or a source and a sink, behind a NIFDY unit.
class nifdy_terminal final : public terminal_unit {
public:
  explicit nifdy_terminal(terminal_context c) : edge_(c, c.parameters, c.networks) { make_endpoint(c); }

  void connect_output(unsigned network, network_link& l) override { edge_.connect_output(network, l); }
  void connect_input(unsigned network, network_link& l) override { edge_.connect_input(network, l); }

  std::vector<clocked*> blocks() override {
    std::vector<clocked*> all = edge_.blocks();
    for (const auto& endpoint : endpoints_) all.push_back(endpoint.get());
    return all;
  }
  std::vector<network_link*> links() override { return edge_.links(); }
  std::uint64_t held_flits() const override {
    return edge_.held_flits() + (processor_ ? processor_->held_flits() : source_->backlog_flits());
  }
  std::uint64_t lost_in_reset() const override {
    return edge_.lost_in_reset() + (processor_ ? processor_->lost_in_reset() : source_->lost_in_reset());
  }
  void count(counters& all) const override {
    edge_.count(all);
    if (processor_) processor_->count(all);
  }

private:
  void make_endpoint(terminal_context& c) {
    if (c.parameters.contains("processor")) {
      processor_config config = processor_config_of(c.parameters, c.seed);
      config.pauses = c.service.pauses;
      processor_ = add(std::make_unique<processor>(numbered("processor", c.terminal).c_str(), c.terminal,
                                                   config, std::move(c.supply), c.observer));
      edge_.from_endpoint.connect(processor_->out), edge_.to_endpoint.connect(processor_->in);
      dynamic_cast<nifdy_shared&>(*c.shared).join(*processor_, c.terminal);
      return;
    }
    const bool hears = c.supply->listens();
    source_ =
        add(std::make_unique<source>(numbered("source", c.terminal).c_str(), c.terminal, std::move(c.supply),
                                     c.observer, nullptr, link_end{}, c.source_queue));
    auto* const taker = add(std::make_unique<sink>(numbered("sink", c.terminal).c_str(), c.terminal,
                                                   c.service, c.observer, hears ? source_ : nullptr));
    edge_.from_endpoint.connect(source_->out), edge_.to_endpoint.connect(taker->in);
  }

  template <class Block>
  Block* add(std::unique_ptr<Block> block) {
    Block* const added = block.get();
    endpoints_.push_back(std::move(block));
    return added;
  }

  nifdy_edge edge_;
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

void add_nifdy_kind(block_kinds& kinds) {
  interface_kind kind;
  kind.make = [](terminal_context c) { return std::make_unique<nifdy_terminal>(std::move(c)); };
  kind.shared = [](const shared_context& c) { return std::make_unique<nifdy_shared>(c); };
  kind.networks = [](const json& p) { return p.at("networks").get<unsigned>(); };
  kind.in_order = [](const json& p) { return p.at("protocol") == "nifdy"; };
  kind.longest = longest_acknowledgement;
  kind.check = [](const json& experiment, unsigned) -> std::string {
    const json& endpoint = experiment.at("endpoint");
    if (!experiment.at("interface").contains("processor")) return {};
    if (endpoint.at("queue") == 0 && endpoint.at("accept_interval") == 1) return {};
    return "a processor takes and makes packets at its own pace: endpoint.queue and endpoint.accept_interval "
           "have no meaning beside it";
  };
  kind.other_link_kind = "embargo";
  kinds.interfaces["nifdy"] = kind;
}

}  // namespace spillway
