#include <spillway/platforms/dampening/dampening_kinds.hpp>
#include <spillway/platforms/tlm/message_paths.hpp>
#include <spillway/platforms/tlm/tlm_unit.hpp>
#include <spillway/tlm/tlm_channel.hpp>
#include <spillway/tlm/tlm_terminal.hpp>
#include <stdexcept>

namespace spillway {

namespace {

/// The address map of the `interface` section. Throws std::invalid_argument.
std::shared_ptr<tlm_fabric> make_fabric(const nlohmann::json& parameters, unsigned terminals) {
  auto fabric = std::make_shared<tlm_fabric>();
  fabric->ports.resize(terminals);
  for (const auto& range : parameters.at("map")) {
    address_range r;
    r.base = range.at("base");
    r.size = range.at("size");
    r.terminal = range.at("terminal");
    r.offset = range.at("offset");
    if (r.terminal >= terminals)
      throw std::invalid_argument("the address map names terminal " + std::to_string(r.terminal) + " of " +
                                  std::to_string(terminals));
    fabric->addresses.add(r);
  }
  return fabric;
}

/// What the ports of a platform share.
class tlm_shared : public platform_part {
public:
  explicit tlm_shared(const shared_context& c) : fabric(make_fabric(c.parameters, c.terminals)) {}
  std::vector<clocked*> blocks() override { return {}; }

  const std::shared_ptr<tlm_fabric> fabric;
};

/// The same with a model of the network.
class tlm_shared_channel final : public tlm_shared {
public:
  explicit tlm_shared_channel(const shared_context& c)
      : tlm_shared(c), channel("channel", config_of(c), find_message_paths(c.plan, !has_fifos(c.switches))) {}
  std::vector<clocked*> blocks() override { return {&channel.reset_input()}; }
  std::uint64_t lost_in_reset() const override { return channel.lost_in_reset(); }

  tlm_channel channel;

private:
  static bool has_fifos(const nlohmann::json& switches) { return switches.value("buffering", "") == "fifo"; }
  static tlm_channel_config config_of(const shared_context& c) {
    tlm_channel_config config;
    config.terminals = c.terminals;
    config.packet_length = c.plan.config.packet_length;
    config.store_and_forward = c.switches.value("switching", "") == "store_and_forward";
    config.entry = has_embargoes(c.switches) ? 1 : 0;
    if (has_fifos(c.switches) || c.switches.value("buffering", "") == "voq")
      config.depth = c.switches.at("depth").get<unsigned>();
    config.period = c.plan.config.period;
    return config;
  }
};

/// A terminal with a port; by itself it has no pins, as at the transaction level.
class tlm_unit : public terminal_unit {
public:
  tlm_unit(const terminal_context& c, message_carrier& carrier)
      : port(("tlm_" + std::to_string(c.terminal)).c_str(), c.terminal, c.parameters.at("queue"),
             dynamic_cast<tlm_shared&>(*c.shared).fabric, carrier) {}

  void connect_output(unsigned, network_link& l) override { fail(l); }
  void connect_input(unsigned, network_link& l) override { fail(l); }
  std::vector<clocked*> blocks() override { return {}; }
  void count(counters& all) const override { port.count(all); }

  tlm_port port;

private:
  static void fail(const network_link& l) {
    throw std::logic_error(l.name() + ": the transaction level has no links");
  }
};

/// The pins come before the port that sends by them.
struct tlm_pins {
  explicit tlm_pins(const terminal_context& c)
      : pins(("tlm_pins_" + std::to_string(c.terminal)).c_str(), c.terminal, c.packet_length, c.routes,
             c.next) {}
  tlm_terminal pins;
};

class tlm_unit_with_pins final : tlm_pins, public tlm_unit {
public:
  explicit tlm_unit_with_pins(const terminal_context& c) : tlm_pins(c), tlm_unit(c, pins) {
    pins.deliver_to(port);
  }

  void connect_output(unsigned network, network_link& l) override {
    link_cast<packet_link>(l).connect(pins.out[network]);
  }
  void connect_input(unsigned network, network_link& l) override {
    link_cast<packet_link>(l).connect(pins.in[network]);
  }
  std::vector<clocked*> blocks() override { return {&pins}; }
  std::uint64_t held_flits() const override { return pins.held_flits(); }
  std::uint64_t lost_in_reset() const override { return pins.lost_in_reset(); }
};

/// Between the pins and embargo links stands, in either network, what holds back the embargoed. A link to a
/// terminal has the pins of a packet link: a terminal sends no control.
class tlm_unit_with_embargoes final : tlm_pins, public tlm_unit {
public:
  explicit tlm_unit_with_embargoes(const terminal_context& c) : tlm_pins(c), tlm_unit(c, pins) {
    pins.deliver_to(port);
    for (unsigned n = 0; n < pins.out.size(); ++n) {
      const std::string name = std::to_string(c.terminal) + '_' + std::to_string(n);
      gates_.push_back(make_embargo_interface("gate_" + name, c, {}));
      links_.push_back(std::make_unique<packet_link>(link_place{"link_gate_" + name}, c.domain));
      links_.back()->connect(pins.out[n]), links_.back()->connect(gates_.back()->in);
    }
  }

  void connect_output(unsigned network, network_link& l) override {
    link_cast<embargo_link>(l).connect(gates_[network]->out);
  }
  void connect_input(unsigned network, network_link& l) override {
    link_cast<embargo_link>(l).connect(pins.in[network]);
  }
  std::vector<clocked*> blocks() override { return {&pins, gates_[0].get(), gates_[1].get()}; }
  std::vector<network_link*> links() override { return {links_[0].get(), links_[1].get()}; }
  std::uint64_t held_flits() const override {
    return pins.held_flits() + gates_[0]->level() + gates_[1]->level();
  }
  std::uint64_t lost_in_reset() const override {
    return pins.lost_in_reset() + gates_[0]->lost_in_reset() + gates_[1]->lost_in_reset();
  }

private:
  std::vector<std::unique_ptr<embargo_interface>> gates_;  // by network
  std::vector<std::unique_ptr<packet_link>> links_;
};

std::unique_ptr<terminal_unit> make_pin_unit(const terminal_context& c) {
  if (has_embargoes(c.switches)) return std::make_unique<tlm_unit_with_embargoes>(c);
  return std::make_unique<tlm_unit_with_pins>(c);
}

std::unique_ptr<terminal_unit> make_channel_unit(const terminal_context& c) {
  tlm_channel& channel = dynamic_cast<tlm_shared_channel&>(*c.shared).channel;
  auto unit = std::make_unique<tlm_unit>(c, channel.carrier(c.terminal));
  channel.deliver_to(c.terminal, unit->port);
  return unit;
}

}  // namespace

interface_kind tlm_interface() {
  auto transactions = std::make_shared<interface_kind>();
  transactions->make = make_channel_unit;
  transactions->shared = [](const shared_context& c) { return std::make_unique<tlm_shared_channel>(c); };
  interface_kind kind;
  kind.make = make_pin_unit;
  kind.other_link_kind = "embargo";
  kind.networks = [](const nlohmann::json&) { return 2u; };
  kind.shared = [](const shared_context& c) { return std::make_unique<tlm_shared>(c); };
  kind.driven_from_outside = true;
  kind.transactions = transactions;
  return kind;
}

tlm_port& port_of(terminal_unit& unit) {
  if (auto* const found = dynamic_cast<tlm_unit*>(&unit)) return found->port;
  throw std::logic_error("the interface of this terminal is not `tlm`");
}

}  // namespace spillway
