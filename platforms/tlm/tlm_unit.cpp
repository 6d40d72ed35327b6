#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <spillway/platforms/tlm/message_paths.hpp>
#include <spillway/platforms/tlm/tlm_unit.hpp>
#include <spillway/tlm/tlm_channel.hpp>
#include <spillway/tlm/tlm_direct.hpp>
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
      : tlm_shared(c),
        channel("channel", config_of(c), find_message_paths(c.plan, timing_of(c).queue_an_output)) {}
  std::vector<clocked*> blocks() override { return {&channel.reset_input()}; }
  std::uint64_t lost_in_reset() const override { return channel.lost_in_reset(); }

  tlm_channel channel;

private:
  static transaction_timing timing_of(const shared_context& c) {
    return c.switches.transactions(c.plan.config.switches).value();
  }
  static tlm_channel_config config_of(const shared_context& c) {
    const transaction_timing timing = timing_of(c);
    tlm_channel_config config;
    config.terminals = c.terminals;
    config.packet_length = c.plan.config.packet_length;
    config.store_and_forward = timing.store_and_forward;
    config.entry = timing.entry;
    if (timing.depth) config.depth = timing.depth;
    config.period = c.period;
    config.first_edge = c.first_edge;
    return config;
  }
};

/// The same with no network at all between them.
class tlm_shared_direct final : public tlm_shared {
public:
  explicit tlm_shared_direct(const shared_context& c) : tlm_shared(c), network("direct", c.terminals) {
    fabric->functional = true;
  }
  std::vector<clocked*> blocks() override { return {&network.reset_input()}; }

  tlm_direct network;
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

std::unique_ptr<terminal_unit> make_unit(const terminal_context& c, message_network& network) {
  auto unit = std::make_unique<tlm_unit>(c, network.carrier(c.terminal));
  network.deliver_to(c.terminal, unit->port);
  return unit;
}

/// The interface without pins.
class tlm_transactions_entry final : public interface_entry {
public:
  tlm_transactions_entry() : interface_entry("tlm") {}

  nlohmann::json schema() const override { return nlohmann::json::object(); }
  std::unique_ptr<terminal_unit> make(terminal_context context) const override {
    if (auto* const direct = dynamic_cast<tlm_shared_direct*>(context.shared))
      return make_unit(context, direct->network);
    return make_unit(context, dynamic_cast<tlm_shared_channel&>(*context.shared).channel);
  }
  std::unique_ptr<platform_part> share(const shared_context& c) const override {
    if (c.plan.config.level == abstraction::functional) return std::make_unique<tlm_shared_direct>(c);
    return std::make_unique<tlm_shared_channel>(c);
  }
};

}  // namespace

tlm_interface_entry::tlm_interface_entry()
    : interface_entry("tlm"), transactions_(std::make_unique<tlm_transactions_entry>()) {}

nlohmann::json tlm_interface_entry::schema() const {
  return parse_schema(R"json({
  "description": "TLM-2.0 sockets for a program of your own (see docs/cosimulation.md); requests and replies have a network each.",
  "properties": {
    "queue": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65536,
      "default": 4,
      "description": "Requests that may wait at a terminal for its target."
    },
    "map": {
      "type": "array",
      "default": [],
      "description": "Which terminal answers for which addresses.",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["base", "size", "terminal"],
        "properties": {
          "base": {
            "type": "integer",
            "minimum": 0,
            "maximum": 9223372036854775807,
            "description": "First address of the range."
          },
          "size": {
            "type": "integer",
            "minimum": 1,
            "maximum": 9223372036854775807,
            "description": "Bytes of the range."
          },
          "terminal": { "$ref": "#/definitions/terminal" },
          "offset": {
            "type": "integer",
            "minimum": 0,
            "maximum": 9223372036854775807,
            "default": 0,
            "description": "What the terminal's target calls the first byte."
          }
        }
      }
    }
  }
})json");
}

std::vector<objection> tlm_interface_entry::object_to(const experiment_view& experiment) const {
  try {
    make_fabric(experiment.root.at("interface"), static_cast<unsigned>(experiment.shape.terminals.size()));
  } catch (const std::invalid_argument& error) {
    return {{"/interface/map", error.what()}};
  }
  return {};
}

std::unique_ptr<terminal_unit> tlm_interface_entry::make(terminal_context context) const {
  return std::make_unique<tlm_unit_with_pins>(context);
}

network_uses tlm_interface_entry::networks(const nlohmann::json&) const {
  // A reply of TLM bears its request in the payload, not in the packet's number.
  return {network_use::packets, network_use::packets};
}

std::unique_ptr<platform_part> tlm_interface_entry::share(const shared_context& context) const {
  return std::make_unique<tlm_shared>(context);
}

tlm_port& port_of(terminal_unit& unit) {
  if (auto* const found = dynamic_cast<tlm_unit*>(&unit)) return found->port;
  throw std::logic_error("the interface of this terminal is not `tlm`");
}

}  // namespace spillway
