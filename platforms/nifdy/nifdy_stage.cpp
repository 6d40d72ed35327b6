#include <spillway/hw/nifdy/nifdy_checker.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/nifdy/nifdy_stage.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

namespace {

using nlohmann::json;

link_place place_in(unsigned terminal, const std::string& what) {
  link_place place;
  place.name = part_name("link_" + what, terminal);
  return place;
}

}  // namespace

std::string part_name(const std::string& what, unsigned terminal) {
  return what + "_" + std::to_string(terminal);
}

nifdy_stage::nifdy_stage(const stage_context& c, const json& section, unsigned networks)
    : unit_(part_name("nifdy", c.terminal).c_str(),
            nifdy_config_of(section, networks, c.terminal, c.packet_length), c.routes, c.next),
      to_network_(networks),
      from_network_(networks) {
  unit_.observe(c.observer);
  const double loss = section.at("loss");
  for (unsigned n = 0; loss > 0 && n < networks; ++n) make_loss(n, loss, c);
}

void nifdy_stage::connect_sent(unsigned, packet_link& l) { l.connect(unit_.in); }

void nifdy_stage::connect_arrived(unsigned, packet_link& l) {
  l.connect(unit_.out);
  to_terminal_ = &l;
}

void nifdy_stage::make_loss(unsigned network, double probability, const stage_context& c) {
  const std::string n = std::to_string(network);
  losses_.push_back(std::make_unique<lossy_link>(part_name("loss_" + n, c.terminal).c_str(), probability,
                                                 c.seed, 2 * c.terminal + network));
  kept_.push_back(std::make_unique<packet_link>(place_in(c.terminal, "kept_" + n)));
  kept_.back()->connect(losses_.back()->out);
}

void nifdy_stage::connect_output(unsigned network, network_link& l) {
  auto& to = link_cast<packet_link>(l);
  to.connect(unit_.to_network[network]);
  to_network_[network] = &to;
}

void nifdy_stage::connect_input(unsigned network, network_link& l) {
  packet_link* from = &link_cast<packet_link>(l);
  if (!losses_.empty()) {
    from->connect(losses_[network]->in);
    from = kept_[network].get();
  }
  from->connect(unit_.from_network[network]);
  from_network_[network] = from;
}

std::vector<clocked*> nifdy_stage::blocks() {
  std::vector<clocked*> all = unit_.blocks();
  for (const auto& loss : losses_) all.push_back(loss.get());
  return all;
}

std::vector<network_link*> nifdy_stage::links() {
  std::vector<network_link*> all = unit_.links();
  for (const auto& kept : kept_) all.push_back(kept.get());
  return all;
}

std::vector<std::unique_ptr<clocked>> nifdy_stage::make_checkers(const violation_handler& handler) {
  const nifdy_config& unit = unit_.config();
  std::vector<std::unique_ptr<clocked>> all;
  if (!unit.protocol) return all;
  nifdy_checker_config config;
  config.unit = unit_.name();
  config.links = unit.networks;
  config.outstanding = unit.outstanding;
  config.dialogs = unit.dialogs;
  config.window = unit.window;
  config.lossy = unit.lossy();
  auto checker =
      std::make_unique<nifdy_checker>(("check_" + std::string(unit_.basename())).c_str(), config, handler);
  for (unsigned n = 0; n < unit.networks; ++n) {
    to_network_[n]->connect(checker->to_network[n]);
    from_network_[n]->connect(checker->from_network[n]);
  }
  to_terminal_->connect(checker->to_processor);
  all.push_back(std::move(checker));
  return all;
}

std::uint64_t nifdy_stage::held_flits() const {
  std::uint64_t held = unit_.held_flits();
  for (const auto& loss : losses_) held += loss->held_flits();
  return held;
}

std::uint64_t nifdy_stage::lost_in_reset() const {
  std::uint64_t lost = unit_.lost_in_reset();
  for (const auto& loss : losses_) lost += loss->lost_in_reset();
  return lost;
}

void nifdy_stage::count(counters& all) const {
  unit_.count(all);
  for (const auto& loss : losses_) loss->count(all);
}

nlohmann::json nifdy_unit_schema(bool whole) {
  static const json every = parse_schema(R"json({
  "description": "NIFDY: one unacknowledged packet a destination, bulk dialogs by grant, in-order delivery (Callahan and Goldstein, 1995).",
  "properties": {
    "protocol": {
      "enum": ["nifdy", "buffers", "none"],
      "default": "nifdy",
      "description": "The protocol; or only its buffers, at least half of them for arrivals; or one buffer out and two in."
    },
    "networks": {
      "type": "integer",
      "minimum": 1,
      "maximum": 2,
      "default": 2,
      "description": "One network for all, or one for requests and one for replies and acknowledgements. With one, acknowledgements wait for packets, which can wait for them: a deadlock under heavy load."
    },
    "outstanding": {
      "type": "integer",
      "minimum": 1,
      "maximum": 32,
      "default": 8,
      "description": "O: unacknowledged scalar packets in all."
    },
    "pool": {
      "type": "integer",
      "minimum": 1,
      "maximum": 64,
      "default": 8,
      "description": "B: packets in the outgoing pool."
    },
    "dialogs": {
      "type": "integer",
      "minimum": 0,
      "maximum": 64,
      "default": 1,
      "description": "D: bulk dialogs that a receiver has at a time; 0: no bulk mode."
    },
    "window": {
      "type": "integer",
      "minimum": 0,
      "maximum": 1024,
      "default": 4,
      "description": "W: unacknowledged packets of a dialog; 0: no bulk mode."
    },
    "arrivals": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1024,
      "default": 2,
      "description": "Packets in the arrivals FIFO. Room for one is offered to scalar and bulk packets in turn: all but a terminal's first wait a cycle for it."
    },
    "acknowledge": {
      "enum": ["accepted", "inserted"],
      "default": "accepted",
      "description": "A scalar packet is acknowledged when the processor accepts it, or when it enters the arrivals FIFO."
    },
    "bulk_requests": {
      "enum": ["software", "automatic"],
      "default": "software",
      "description": "Who asks for dialogs: software by the length of its messages, or the unit when its pool has another packet for the same destination."
    },
    "bulk_acknowledge": {
      "enum": ["half_window", "each"],
      "default": "half_window",
      "description": "Bulk packets are acknowledged by half windows or one by one."
    },
    "choice": {
      "enum": ["oldest", "round_robin"],
      "default": "oldest",
      "description": "Which of the packets that may go is sent."
    },
    "ack_length": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 1,
      "description": "Flits of an acknowledgement; every queue must hold one."
    },
    "ack_processing": {
      "type": "integer",
      "minimum": 2,
      "maximum": 65535,
      "default": 2,
      "description": "Cycles that an acknowledgement takes at each end: half of T_ackproc."
    },
    "piggyback": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4294967295,
      "default": 0,
      "description": "Cycles that an acknowledgement waits for a packet to ride on, or until three more wait behind it; 0: it goes by itself."
    },
    "loss": {
      "type": "number",
      "minimum": 0,
      "maximum": 1,
      "default": 0,
      "description": "Probability with which each packet and each acknowledgement is lost on its last link."
    },
    "timeout": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4294967295,
      "default": 0,
      "description": "Cycles without an acknowledgement after which a packet is sent again; 0: never. More than a packet and its acknowledgement are ever under way, a wait in the arrivals FIFO apart. The destination of a scalar packet that was sent again then rests as long."
    },
    "patience": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4294967295,
      "default": 0,
      "description": "Cycles without a packet after which a receiver asks the sender to end a dialog, once, and with a `timeout` each time that so many have passed; 0: never."
    },
    "processor": {
      "type": "object",
      "description": "A processor that polls, instead of a source and a sink that work at the same time at no cost.",
      "additionalProperties": false,
      "properties": {
        "send": {
          "type": "integer",
          "minimum": 0,
          "maximum": 1000000,
          "default": 46,
          "description": "Cycles to send a packet."
        },
        "receive": {
          "type": "integer",
          "minimum": 0,
          "maximum": 1000000,
          "default": 56,
          "description": "Cycles to receive a packet."
        },
        "poll": {
          "type": "integer",
          "minimum": 0,
          "maximum": 1000000,
          "default": 22,
          "description": "Cycles of a poll that finds nothing, as there is one before each send."
        },
        "away_every": {
          "type": "integer",
          "minimum": 0,
          "maximum": 4294967295,
          "default": 0,
          "description": "Mean cycles between times at which it neither sends nor receives; 0: there are none."
        },
        "away_for": {
          "type": "integer",
          "minimum": 1,
          "maximum": 4294967295,
          "default": 1000,
          "description": "Cycles of such a time."
        },
        "barrier": {
          "type": "integer",
          "minimum": 1,
          "maximum": 1000000,
          "default": 1,
          "description": "Cycles that a barrier takes once all have come to it."
        }
      }
    }
  }
})json");
  json schema = every;
  if (whole) return schema;
  for (const char* const key : {"networks", "dialogs", "window", "bulk_requests", "bulk_acknowledge",
                                "piggyback", "patience", "processor"})
    schema["properties"].erase(key);
  schema["type"] = "object";
  schema["additionalProperties"] = false;
  schema["description"] =
      "A NIFDY unit at each end of the requests' way, with a network for its acknowledgements; none when "
      "left "
      "out.";
  return schema;
}

network_uses nifdy_networks(unsigned networks) {
  network_uses uses(networks, network_use::packets);
  if (networks > 1) uses.back() = network_use::acknowledgements;
  return uses;
}

port_queues nifdy_queues(const json& section) { return {nifdy_config_of(section, 1, 0, 1).pool, true}; }

nlohmann::json nifdy_stage_entry::schema() const {
  json schema = nifdy_unit_schema(true);
  schema["properties"].erase("processor");
  return schema;
}

std::unique_ptr<interface_stage> nifdy_stage_entry::make(const stage_context& context) const {
  return std::make_unique<nifdy_stage>(context, context.parameters,
                                       context.parameters.at("networks").get<unsigned>());
}

network_uses nifdy_stage_entry::networks(const json& section, const network_uses& inner) const {
  if (inner.size() != 1)
    throw std::invalid_argument("a NIFDY unit carries one logical network, found " +
                                std::to_string(inner.size()));
  return nifdy_networks(section.at("networks"));
}

port_queues nifdy_stage_entry::queues(const json& section) const { return nifdy_queues(section); }

bool nifdy_stage_entry::in_order(const json& section) const { return section.at("protocol") == "nifdy"; }

unsigned nifdy_stage_entry::longest(const json& section) const { return longest_acknowledgement(section); }

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
  config.automatic_requests = section.value("bulk_requests", "software") == "automatic";
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

std::vector<objection> nifdy_objections(const json& section, const std::string& at) {
  return objections_to(nifdy_config_of(section, 1, 0, 1), at + "/piggyback");
}

std::vector<objection> nifdy_stage_entry::object_to(const json& section, unsigned) const {
  return nifdy_objections(section, "");
}

unsigned lossy_link_latency(const json& section) { return section.at("loss") > 0 ? 1 : 0; }

unsigned nifdy_latency(const json& section, unsigned flits) {
  const bool takes_turns = section.at("protocol") == "nifdy" && section.at("arrivals") == 1;
  return flits + 2 + takes_turns + lossy_link_latency(section);
}

unsigned nifdy_stage_entry::latency(const json& section, unsigned flits) const {
  return nifdy_latency(section, flits);
}

packet_requests nifdy_requests(const nlohmann::json& section) {
  packet_requests known;
  known.of_several = nifdy::request;
  known.last_of_them = nifdy::exit;
  if (section.at("loss") > 0)
    known.no_unordered = "what passes the protocol by is not sent again: expected `loss: 0` of the interface";
  else
    known.unordered = nifdy::bypass;
  return known;
}

packet_requests nifdy_stage_entry::requests(const nlohmann::json& section) const {
  return nifdy_requests(section);
}

}  // namespace spillway
