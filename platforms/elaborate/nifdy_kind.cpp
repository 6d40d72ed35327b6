#include <map>
#include <optional>
#include <spillway/hw/buffers/fifo_queue.hpp>
#include <spillway/hw/interfaces/nifdy_unit.hpp>
#include <spillway/hw/interfaces/nifdy_view.hpp>
#include <spillway/hw/links/lossy_link.hpp>
#include <spillway/platforms/elaborate/dampening_kinds.hpp>
#include <spillway/platforms/elaborate/nifdy_kind.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using nlohmann::json;

std::string numbered(const char* what, unsigned terminal) {
  return std::string(what) + "_" + std::to_string(terminal);
}

link_place place_in(unsigned terminal, const std::string& what) {
  link_place place;
  place.name = numbered(("link_" + what).c_str(), terminal);
  return place;
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

/// Between packet links of a unit and embargo links of a network: what is sent waits by destination until the
/// network takes it, what comes passes a queue of two.
class embargo_gate {
public:
  embargo_gate(const terminal_context& c, unsigned network, unsigned depth)
      : sending_(make_embargo_interface(numbered(("gate_" + std::to_string(network)).c_str(), c.terminal), c,
                                        {depth, true})),
        arrivals_(numbered(("gate_arrivals_" + std::to_string(network)).c_str(), c.terminal).c_str(), 2),
        sent(place_in(c.terminal, "gate_" + std::to_string(network)), c.domain),
        received(place_in(c.terminal, "gate_arrivals_" + std::to_string(network)), c.domain) {
    sent.connect(sending_->in), received.connect(arrivals_.out);
  }

  void connect_output(link& l) { link_cast<embargo_link>(l).connect(sending_->out); }
  void connect_input(link& l) { link_cast<embargo_link>(l).connect(arrivals_.in); }
  std::vector<clocked*> blocks() { return {sending_.get(), &arrivals_}; }
  std::uint64_t held_flits() const { return sending_->level() + arrivals_.level(); }
  std::uint64_t lost_in_reset() const { return sending_->lost_in_reset() + arrivals_.lost_in_reset(); }

private:
  const std::unique_ptr<embargo_interface> sending_;
  fifo_queue arrivals_;

public:
  packet_link sent, received;  ///< of the unit
};

/// A processor, or a source and a sink, behind a NIFDY unit; where packets are lost, that is on the links
/// from the networks.
class nifdy_terminal final : public terminal_unit {
public:
  explicit nifdy_terminal(terminal_context c)
      : terminal_(c.terminal),
        domain_(c.domain),
        loss_(c.parameters.at("loss").get<double>()),
        unit_(numbered("nifdy", c.terminal).c_str(),
              nifdy_config_of(c.parameters, c.terminal, c.packet_length), c.domain, c.routes, c.next),
        from_processor_(place_in(c.terminal, "send"), c.domain),
        to_processor_(place_in(c.terminal, "receive"), c.domain) {
    from_processor_.connect(unit_.in), to_processor_.connect(unit_.out);
    if (has_embargoes(c.switches))
      for (unsigned n = 0; n < c.networks; ++n)
        gates_.push_back(std::make_unique<embargo_gate>(c, n, unit_.config().pool));
    make_endpoint(c);
    if (loss_ > 0)
      for (unsigned n = 0; n < c.networks; ++n) make_loss(n, c.seed);
    if (unit_.config().protocol)
      view_ = std::make_unique<nifdy_view>(place_in(c.terminal, "nifdy"), unit_.config(), to_processor_);
  }

  void connect_output(unsigned network, link& l) override {
    if (!gates_.empty()) gates_[network]->connect_output(l);
    auto& to = gates_.empty() ? link_cast<packet_link>(l) : gates_[network]->sent;
    to.connect(unit_.to_network[network]);
    if (view_) view_->to_network[network] = &to;
  }
  void connect_input(unsigned network, link& l) override {
    if (!gates_.empty()) gates_[network]->connect_input(l);
    auto* from = gates_.empty() ? &link_cast<packet_link>(l) : &gates_[network]->received;
    if (loss_ > 0) {
      from->connect(losses_[network]->in);
      from = kept_[network].get();
    }
    from->connect(unit_.from_network[network]);
    if (view_) view_->from_network[network] = from;
  }

  std::vector<clocked*> blocks() override {
    std::vector<clocked*> all = unit_.blocks();
    for (const auto& endpoint : endpoints_) all.push_back(endpoint.get());
    for (const auto& loss : losses_) all.push_back(loss.get());
    for (const auto& gate : gates_)
      for (clocked* const block : gate->blocks()) all.push_back(block);
    return all;
  }
  std::vector<link*> links() override {
    std::vector<link*> all = unit_.links();
    all.push_back(&from_processor_), all.push_back(&to_processor_);
    for (const auto& kept : kept_) all.push_back(kept.get());
    for (const auto& gate : gates_) all.push_back(&gate->sent), all.push_back(&gate->received);
    if (view_) all.push_back(view_.get());
    return all;
  }
  std::uint64_t held_flits() const override {
    std::uint64_t held =
        unit_.held_flits() + (processor_ ? processor_->held_flits() : source_->backlog_flits());
    for (const auto& loss : losses_) held += loss->held_flits();
    for (const auto& gate : gates_) held += gate->held_flits();
    return held;
  }
  std::uint64_t lost_in_reset() const override {
    std::uint64_t lost =
        unit_.lost_in_reset() + (processor_ ? processor_->lost_in_reset() : source_->lost_in_reset());
    for (const auto& loss : losses_) lost += loss->lost_in_reset();
    for (const auto& gate : gates_) lost += gate->lost_in_reset();
    return lost;
  }
  void count(counters& all) const override {
    unit_.count(all);
    if (processor_) processor_->count(all);
    for (const auto& loss : losses_) loss->count(all);
  }

private:
  void make_endpoint(terminal_context& c) {
    if (c.parameters.contains("processor")) {
      processor_config config = processor_config_of(c.parameters, c.seed);
      config.pauses = c.service.pauses;
      processor_ = add(std::make_unique<processor>(numbered("processor", c.terminal).c_str(), c.terminal,
                                                   config, std::move(c.supply), c.observer));
      from_processor_.connect(processor_->out), to_processor_.connect(processor_->in);
      dynamic_cast<nifdy_shared&>(*c.shared).join(*processor_, c.terminal);
      return;
    }
    const bool hears = c.supply->listens();
    source_ =
        add(std::make_unique<source>(numbered("source", c.terminal).c_str(), c.terminal, std::move(c.supply),
                                     c.observer, nullptr, link_end{}, c.source_queue));
    auto* const taker = add(std::make_unique<sink>(numbered("sink", c.terminal).c_str(), c.terminal,
                                                   c.service, c.observer, hears ? source_ : nullptr));
    from_processor_.connect(source_->out), to_processor_.connect(taker->in);
  }

  void make_loss(unsigned network, std::uint64_t seed) {
    const std::string n = std::to_string(network);
    losses_.push_back(std::make_unique<lossy_link>(numbered(("loss_" + n).c_str(), terminal_).c_str(), loss_,
                                                   seed, 2 * terminal_ + network));
    kept_.push_back(std::make_unique<packet_link>(place_in(terminal_, "kept_" + n), domain_));
    kept_.back()->connect(losses_.back()->out);
  }

  template <class Block>
  Block* add(std::unique_ptr<Block> block) {
    Block* const added = block.get();
    endpoints_.push_back(std::move(block));
    return added;
  }

  const unsigned terminal_;
  clock_domain* const domain_;
  const double loss_;
  nifdy_unit unit_;
  packet_link from_processor_, to_processor_;
  std::vector<std::unique_ptr<clocked>> endpoints_;
  processor* processor_ = nullptr;
  source* source_ = nullptr;
  std::vector<std::unique_ptr<lossy_link>> losses_;
  std::vector<std::unique_ptr<packet_link>> kept_;
  std::vector<std::unique_ptr<embargo_gate>> gates_;  // by network, where its links are embargo links
  std::unique_ptr<nifdy_view> view_;
};

}  // namespace

nifdy_config nifdy_config_of(const json& section, unsigned terminal, unsigned packet_length) {
  nifdy_config config;
  config.terminal = terminal;
  config.packet_length = packet_length;
  config.networks = section.at("networks");
  config.outstanding = section.at("outstanding");
  config.pool = section.at("pool");
  config.dialogs = section.at("dialogs");
  config.window = section.at("window");
  config.arrivals = section.at("arrivals");
  config.ack_when = section.at("acknowledge") == "inserted" ? nifdy_ack::inserted : nifdy_ack::accepted;
  config.ack_each = section.at("bulk_acknowledge") == "each";
  config.choice = section.at("choice") == "round_robin" ? nifdy_choice::round_robin : nifdy_choice::oldest;
  config.ack_length = section.at("ack_length");
  config.ack_processing = section.at("ack_processing");
  config.piggyback = section.at("piggyback");
  config.timeout = section.at("timeout");
  config.patience = section.at("patience");
  const std::string protocol = section.at("protocol");
  if (protocol == "buffers") return config.without_protocol();
  if (protocol == "none") {
    config.protocol = false;
    config.pool = 1;
    config.arrivals = 2;
    config.dialogs = config.window = 0;
  }
  return config;
}

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
  kind.check = [](const json& experiment) -> std::string {
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
