#include <spillway/hw/packet/fifo_queue.hpp>
#include <spillway/platforms/dampening/dampening_kinds.hpp>
#include <spillway/platforms/nifdy/nifdy_edge.hpp>
#include <string>

namespace spillway {

namespace {

using nlohmann::json;

std::string numbered(const std::string& what, unsigned terminal) {
  return what + "_" + std::to_string(terminal);
}

link_place place_in(unsigned terminal, const std::string& what) {
  link_place place;
  place.name = numbered("link_" + what, terminal);
  return place;
}

}  // namespace

/// Between packet links of a unit and embargo links of a network: what is sent waits by destination until the
/// network takes it, what comes passes a queue of two.
class nifdy_edge::embargo_gate {
public:
  embargo_gate(const terminal_context& c, unsigned network, unsigned depth)
      : sending_(make_embargo_interface(numbered("gate_" + std::to_string(network), c.terminal), c,
                                        {depth, true})),
        arrivals_(numbered("gate_arrivals_" + std::to_string(network), c.terminal).c_str(), 2),
        sent(place_in(c.terminal, "gate_" + std::to_string(network)), c.domain),
        received(place_in(c.terminal, "gate_arrivals_" + std::to_string(network)), c.domain) {
    sent.connect(sending_->in), received.connect(arrivals_.out);
  }

  void connect_output(network_link& l) { link_cast<embargo_link>(l).connect(sending_->out); }
  void connect_input(network_link& l) { link_cast<embargo_link>(l).connect(arrivals_.in); }
  std::vector<clocked*> blocks() { return {sending_.get(), &arrivals_}; }
  std::uint64_t held_flits() const { return sending_->level() + arrivals_.level(); }
  std::uint64_t lost_in_reset() const { return sending_->lost_in_reset() + arrivals_.lost_in_reset(); }

private:
  const std::unique_ptr<embargo_interface> sending_;
  fifo_queue arrivals_;

public:
  packet_link sent, received;  ///< of the unit
};

nifdy_edge::nifdy_edge(const terminal_context& c, const json& section, unsigned networks)
    : unit_(numbered("nifdy", c.terminal).c_str(),
            nifdy_config_of(section, networks, c.terminal, c.packet_length), c.domain, c.routes, c.next),
      from_endpoint(place_in(c.terminal, "send"), c.domain),
      to_endpoint(place_in(c.terminal, "receive"), c.domain) {
  from_endpoint.connect(unit_.in), to_endpoint.connect(unit_.out);
  const double loss = section.at("loss");
  for (unsigned n = 0; n < networks; ++n) {
    if (has_embargoes(c.switches))
      gates_.push_back(std::make_unique<embargo_gate>(c, n, unit_.config().pool));
    if (loss > 0) make_loss(n, loss, c);
  }
  if (unit_.config().protocol)
    view_ = std::make_unique<nifdy_view>(place_in(c.terminal, "nifdy"), unit_.config(), to_endpoint);
}

nifdy_edge::~nifdy_edge() = default;

void nifdy_edge::make_loss(unsigned network, double probability, const terminal_context& c) {
  const std::string n = std::to_string(network);
  losses_.push_back(std::make_unique<lossy_link>(numbered("loss_" + n, c.terminal).c_str(), probability,
                                                 c.seed, 2 * c.terminal + network));
  kept_.push_back(std::make_unique<packet_link>(place_in(c.terminal, "kept_" + n), c.domain));
  kept_.back()->connect(losses_.back()->out);
}

void nifdy_edge::connect_output(unsigned network, network_link& l) {
  if (!gates_.empty()) gates_[network]->connect_output(l);
  packet_link& to = gates_.empty() ? link_cast<packet_link>(l) : gates_[network]->sent;
  to.connect(unit_.to_network[network]);
  if (view_) view_->to_network[network] = &to;
}

void nifdy_edge::connect_input(unsigned network, network_link& l) {
  if (!gates_.empty()) gates_[network]->connect_input(l);
  packet_link* from = gates_.empty() ? &link_cast<packet_link>(l) : &gates_[network]->received;
  if (!losses_.empty()) {
    from->connect(losses_[network]->in);
    from = kept_[network].get();
  }
  from->connect(unit_.from_network[network]);
  if (view_) view_->from_network[network] = from;
}

std::vector<clocked*> nifdy_edge::blocks() {
  std::vector<clocked*> all = unit_.blocks();
  for (const auto& loss : losses_) all.push_back(loss.get());
  for (const auto& gate : gates_)
    for (clocked* const block : gate->blocks()) all.push_back(block);
  return all;
}

std::vector<network_link*> nifdy_edge::links() {
  std::vector<network_link*> all = unit_.links();
  all.push_back(&from_endpoint), all.push_back(&to_endpoint);
  for (const auto& kept : kept_) all.push_back(kept.get());
  for (const auto& gate : gates_) all.push_back(&gate->sent), all.push_back(&gate->received);
  if (view_) all.push_back(view_.get());
  return all;
}

std::uint64_t nifdy_edge::held_flits() const {
  std::uint64_t held = unit_.held_flits();
  for (const auto& loss : losses_) held += loss->held_flits();
  for (const auto& gate : gates_) held += gate->held_flits();
  return held;
}

std::uint64_t nifdy_edge::lost_in_reset() const {
  std::uint64_t lost = unit_.lost_in_reset();
  for (const auto& loss : losses_) lost += loss->lost_in_reset();
  for (const auto& gate : gates_) lost += gate->lost_in_reset();
  return lost;
}

void nifdy_edge::count(counters& all) const {
  unit_.count(all);
  for (const auto& loss : losses_) loss->count(all);
}

unsigned longest_acknowledgement(const json& section) {
  return section.at("protocol") == "nifdy" ? section.at("ack_length").get<unsigned>() : 1;
}

nifdy_config nifdy_config_of(const json& section, unsigned networks, unsigned terminal,
                             unsigned packet_length) {
  nifdy_config config;
  config.terminal = terminal;
  config.packet_length = packet_length;
  config.networks = networks;
  config.outstanding = section.at("outstanding");
  config.pool = section.at("pool");
  config.dialogs = section.value("dialogs", 0u);
  config.window = section.value("window", 0u);
  config.arrivals = section.at("arrivals");
  config.ack_when = section.at("acknowledge") == "inserted" ? nifdy_ack::inserted : nifdy_ack::accepted;
  config.ack_each = section.value("bulk_acknowledge", "half_window") == "each";
  config.choice = section.at("choice") == "round_robin" ? nifdy_choice::round_robin : nifdy_choice::oldest;
  config.ack_length = section.at("ack_length");
  config.ack_processing = section.at("ack_processing");
  config.piggyback = section.value("piggyback", 0u);
  config.timeout = section.at("timeout");
  config.patience = section.value("patience", 0u);
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

}  // namespace spillway
