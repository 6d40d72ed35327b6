#include <spillway/hw/ecn/ecn_marker.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/ecn/ecn_entries.hpp>
#include <spillway/platforms/ecn/ecn_stage.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

namespace {

using nlohmann::json;

ecn_delays_config delays_of(const json& section) {
  ecn_delays_config delays;
  delays.table = section.at("delays").get<std::vector<std::uint32_t>>();
  if (delays.table.empty()) delays.table = ecn_delays_config::linear(section.at("limit"), section.at("step"));
  delays.increase = section.at("increase");
  delays.timer = section.at("timer");
  return delays;
}

}  // namespace

nlohmann::json ecn_marking_entry::schema() const {
  return parse_schema(R"json({
  "description": "Congestion marks: packets that leave by an output for which many flits wait, and whose next has room (InfiniBand's FECN).",
  "properties": {
    "threshold": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 4,
      "description": "Flits that wait in the switch for the output, from which on it marks."
    },
    "room": {
      "type": "integer",
      "minimum": 0,
      "maximum": 1000000,
      "default": 16,
      "description": "Cycles for which what the output leads to must have refused nothing: else it is a victim of congestion, not its root, and does not mark. 0: victims mark too."
    }
  }
})json");
}

std::unique_ptr<output_marker> ecn_marking_entry::make(const marking_context& context) const {
  return std::make_unique<ecn_marker>(
      context.name.c_str(),
      ecn_marker_config{context.outputs, context.parameters.at("threshold"), context.parameters.at("room")});
}

nlohmann::json ecn_stage_entry::schema() const {
  return parse_schema(R"json({
  "description": "The terminals' part of congestion marks: a notification (BECN) goes back for a packet that comes with a mark, and for each that comes the source spaces its packets to that destination further.",
  "properties": {
    "pool": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 64,
      "description": "Packets that wait at a source; those to other destinations pass them."
    },
    "choice": {
      "enum": ["oldest", "round_robin"],
      "default": "oldest",
      "description": "Which of the packets that may go is sent: the one that came first, or the first to the destination whose turn it is."
    },
    "step": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000,
      "default": 1,
      "description": "Cycles by which an entry of the table of delays is longer than the one before."
    },
    "limit": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 128,
      "description": "Greatest index into the table (InfiniBand's CCTI_Limit)."
    },
    "delays": {
      "type": "array",
      "maxItems": 65536,
      "items": { "type": "integer", "minimum": 0, "maximum": 1000000 },
      "default": [],
      "description": "The table itself, ascending from 0, in place of `step` and `limit`: cycles from the end of a packet to the next one to the same destination."
    },
    "increase": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 8,
      "description": "By how much a notification raises the index of its destination (CCTI_Increase)."
    },
    "timer": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000000,
      "default": 40,
      "description": "Cycles after which every index falls by one (CCTI_Timer)."
    },
    "notifications": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 16,
      "description": "Notifications that may wait at a terminal for their network, one a source; further marks are forgotten."
    }
  }
})json");
}

std::unique_ptr<interface_stage> ecn_stage_entry::make(const stage_context& c) const {
  ecn_throttle_config throttle{
      c.terminals, c.packet_length, c.parameters.at("pool"), delays_of(c.parameters),
      c.parameters.at("choice") == "oldest" ? ecn_choice::oldest : ecn_choice::round_robin};
  const ecn_reflector_config reflector{c.terminal, 1, c.parameters.at("notifications")};
  return std::make_unique<ecn_stage>(c, throttle, reflector);
}

/// With the greatest delay, which is a multiple of `step`.
double ecn_stage_entry::longest_wait(const json& section) const {
  return stage_entry::longest_wait(section) + delays_of(section).table.back();
}

std::vector<objection> ecn_stage_entry::object_to(const json& section, unsigned) const {
  return objections_to(delays_of(section), "/delays");
}

network_uses ecn_stage_entry::networks(const json&, const network_uses& inner) const {
  if (inner.size() == 1) return {inner.front(), network_use::acknowledgements};
  if (inner.size() == 2 && inner.back() == network_use::acknowledgements) return inner;
  throw std::invalid_argument(
      "a stage of congestion marks carries one logical network, or one and its acknowledgements, found " +
      std::to_string(inner.size()) + " networks");
}

port_queues ecn_stage_entry::queues(const json& section) const { return {section.at("pool"), true}; }

unsigned ecn_stage_entry::latency(const json&, unsigned flits) const { return flits + 1; }

}  // namespace spillway
