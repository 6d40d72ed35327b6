#include <cmath>
#include <spillway/hw/srp/srp_messages.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/srp/srp_entries.hpp>
#include <spillway/platforms/srp/srp_stage.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

namespace {

using nlohmann::json;

unsigned overhead_of(const json& p) {
  return static_cast<unsigned>(std::lround(p.at("overhead").get<double>() * 1000));
}

/// The stage whose packets are dropped. Drops are of no use to other interfaces.
const json& stage_of(const dropping_context& context, bool last_switch) {
  if (context.networks != srp::networks)
    throw std::invalid_argument(
        "what is dropped is speculative packets: expected a stage `srp` as the outermost of `stages`, with " +
        std::to_string(srp::networks) + " logical networks, found " + std::to_string(context.networks));
  for (const json& stage : context.stages)
    if (stage.at("kind") == "srp" && (stage.at("reserve") == "last_switch") == last_switch) return stage;
  throw std::invalid_argument(
      last_switch ? "the last switch reserves: expected a stage `srp` with `reserve: last_switch`"
                  : "no switch reserves: expected a stage `srp` with `reserve: first` or `dropped`");
}

srp_sender_config sender_of(const json& p) {
  srp_sender_config config;
  config.pool = p.at("pool");
  config.smallest = p.at("smallest");
  config.largest = p.at("largest");
  const std::string reserve = p.at("reserve");
  if (reserve == "dropped") config.reserve = srp_reserve::after_drop;
  if (reserve == "last_switch") config.reserve = srp_reserve::last_switch;
  return config;
}

}  // namespace

nlohmann::json srp_dropping_entry::schema() const {
  return parse_schema(R"json({
  "description": "Speculative packets have a time of life; what is left of one goes on to its receiver, which tells the sender (Jiang and others, HPCA 2012).",
  "properties": {
    "life": {
      "type": "integer",
      "minimum": 0,
      "maximum": 1000000000,
      "default": 200,
      "description": "Cycles that a speculative packet may wait in a switch before its first flit leaves."
    }
  }
})json");
}

std::shared_ptr<drop_rule> srp_dropping_entry::make(const dropping_context& context) const {
  stage_of(context, false);
  return std::make_shared<srp::time_of_life>(context.parameters.at("life").get<std::uint64_t>());
}

nlohmann::json lhrp_dropping_entry::schema() const {
  return parse_schema(R"json({
  "description": "The last switch of a speculative packet drops it if too much waits there for its terminal, reserves room for it and tells the sender when it may come again (LHRP: Jiang, Dennison and Dally, SC 2015). Each terminal must receive from the switch to which it sends.",
  "properties": {
    "threshold": {
      "type": "integer",
      "minimum": 0,
      "maximum": 1000000,
      "default": 16,
      "description": "Flits for one terminal that may wait in its switch before speculative packets are dropped."
    },
    "overhead": {
      "type": "number",
      "minimum": 0.001,
      "maximum": 1000,
      "default": 1.05,
      "description": "Cycles of the terminal's time that are reserved for a flit, to thousandths."
    }
  }
})json");
}

std::shared_ptr<drop_rule> lhrp_dropping_entry::make(const dropping_context& context) const {
  const unsigned smallest = stage_of(context, true).at("smallest");
  if (smallest > context.packet_length)
    throw std::invalid_argument("nothing is dropped: each packet is a message, of " +
                                std::to_string(context.packet_length) +
                                " flits at most; expected a stage `srp` with no larger `smallest`, found " +
                                std::to_string(smallest));
  return std::make_shared<srp::last_switch_schedule>(context.parameters.at("threshold").get<unsigned>(),
                                                     overhead_of(context.parameters), context.outputs);
}

nlohmann::json srp_stage_entry::schema() const {
  return parse_schema(R"json({
  "description": "The terminals' part of speculative reservation: a source asks the receiver for room for what waits for it, sends speculatively until the grant or until a packet is dropped, and the rest from the granted time on.",
  "properties": {
    "pool": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 64,
      "description": "Packets that a source holds: those that wait, and speculative ones until it is known what became of them."
    },
    "reserve": {
      "enum": ["first", "dropped", "last_switch"],
      "default": "first",
      "description": "When a source reserves: before it sends a message (SRP), when a packet of the message has been dropped (SMSRP), or never, as the switch that drops a packet reserves for it (LHRP, with `dropping: {kind: lhrp}`; each packet is a message)."
    },
    "smallest": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 128,
      "description": "Flits of the smallest message for which room is reserved; a smaller one goes without."
    },
    "largest": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 512,
      "description": "Flits that one reservation is for at most; what else waits is another message."
    },
    "overhead": {
      "type": "number",
      "minimum": 0.001,
      "maximum": 1000,
      "default": 1.05,
      "description": "Cycles of its time that a receiver reserves for a flit, to thousandths."
    },
    "control": {
      "type": "integer",
      "minimum": 0,
      "maximum": 1000,
      "default": 1,
      "description": "Cycles of its time that a receiver takes for each request."
    }
  }
})json");
}

std::unique_ptr<interface_stage> srp_stage_entry::make(const stage_context& c) const {
  srp_sender_config sender = sender_of(c.parameters);
  sender.terminal = c.terminal;
  sender.terminals = c.terminals;
  sender.packet_length = c.packet_length;
  srp_receiver_config receiver;
  receiver.terminal = c.terminal;
  receiver.terminals = c.terminals;
  receiver.overhead = overhead_of(c.parameters);
  receiver.control = c.parameters.at("control");
  receiver.reserve = sender.reserve;
  return std::make_unique<srp_stage>(c, sender, receiver);
}

std::vector<objection> srp_stage_entry::object_to(const json& section, unsigned packet_length) const {
  srp_sender_config sender = sender_of(section);
  sender.packet_length = packet_length;
  return objections_to(sender, "/largest");
}

network_uses srp_stage_entry::networks(const json&, const network_uses& inner) const {
  if (inner.size() != 1)
    throw std::invalid_argument("a stage of speculative reservation carries one logical network, found " +
                                std::to_string(inner.size()));
  network_uses all(srp::networks, network_use::acknowledgements);
  all[srp::speculative] = all[srp::reserved] = inner.front();
  return all;
}

port_queues srp_stage_entry::queues(const json& section) const { return {section.at("pool"), true}; }

unsigned srp_stage_entry::latency(const json& section, unsigned flits) const {
  const srp_sender_config sender = sender_of(section);
  // A request goes ahead of the packet, on the same link.
  const bool asks_first = sender.reserve == srp_reserve::first && flits >= sender.smallest;
  return flits + 1 + asks_first;
}

}  // namespace spillway
