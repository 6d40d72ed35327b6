#include <spillway/platforms/elaborate/tlm_unit.hpp>
#include <spillway/tlm/tlm_terminal.hpp>
#include <stdexcept>

namespace spillway {

namespace {

class tlm_shared final : public platform_part {
public:
  explicit tlm_shared(std::shared_ptr<tlm_fabric> f) : fabric(std::move(f)) {}
  std::vector<clocked*> blocks() override { return {}; }

  const std::shared_ptr<tlm_fabric> fabric;
};

class tlm_unit final : public terminal_unit {
public:
  explicit tlm_unit(const terminal_context& c)
      : pins_(("tlm_pins_" + std::to_string(c.terminal)).c_str(), c.terminal, c.packet_length, c.routes,
              c.next),
        port_(("tlm_" + std::to_string(c.terminal)).c_str(), c.terminal, c.parameters.at("queue"),
              dynamic_cast<tlm_shared&>(*c.shared).fabric, pins_) {
    pins_.deliver_to(port_);
  }

  void connect_output(unsigned network, link& l) override {
    link_cast<packet_link>(l).connect(pins_.out[network]);
  }
  void connect_input(unsigned network, link& l) override {
    link_cast<packet_link>(l).connect(pins_.in[network]);
  }
  std::vector<clocked*> blocks() override { return {&pins_}; }
  std::uint64_t held_flits() const override { return pins_.held_flits(); }
  std::uint64_t lost_in_reset() const override { return pins_.lost_in_reset(); }
  void count(counters& all) const override { port_.count(all); }
  tlm_port& port() { return port_; }

private:
  tlm_terminal pins_;
  tlm_port port_;
};

}  // namespace

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

interface_kind tlm_interface() {
  interface_kind kind;
  kind.make = [](const terminal_context& c) { return std::make_unique<tlm_unit>(c); };
  kind.networks = [](const nlohmann::json&) { return 2u; };
  kind.shared = [](const shared_context& c) {
    return std::make_unique<tlm_shared>(make_fabric(c.parameters, c.terminals));
  };
  kind.driven_from_outside = true;
  return kind;
}

tlm_port& port_of(terminal_unit& unit) {
  if (auto* const found = dynamic_cast<tlm_unit*>(&unit)) return found->port();
  throw std::logic_error("the interface of this terminal is not `tlm`");
}

}  // namespace spillway
