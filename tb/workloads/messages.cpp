#include <algorithm>
#include <iterator>
#include <spillway/tb/workloads/message_supply.hpp>
#include <spillway/tb/workloads/messages.hpp>
#include <stdexcept>
#include <vector>

namespace spillway {

namespace {

struct listed_message {
  std::uint64_t at = 0;  // cycle from which it may be sent
  std::uint32_t from = 0, to = 0, packets = 1;
};

/// The messages that a list has for one terminal, each when the one before has been sent.
class messages_supply final : public message_supply {
public:
  messages_supply(const message_library& library, std::uint16_t packet_length,
                  std::vector<listed_message> messages)
      : message_supply(library, packet_length), messages_(std::move(messages)) {}

private:
  bool finished() const override { return next_ == messages_.size(); }
  std::uint64_t next_message(std::uint64_t) override { return messages_[next_].at; }
  message begin(std::uint64_t) override {
    const listed_message& m = messages_[next_++];
    return {m.to, m.packets};
  }

  const std::vector<listed_message> messages_;
  std::size_t next_ = 0;
};

listed_message read_message(const nlohmann::json& entry, std::uint32_t terminals) {
  const listed_message m{entry.at("at"), entry.at("from"), entry.at("to"), entry.at("packets")};
  for (const std::uint32_t t : {m.from, m.to})
    if (t >= terminals)
      throw std::invalid_argument("messages: expected terminals 0.." + std::to_string(terminals - 1) +
                                  ", found " + std::to_string(t));
  if (m.from == m.to)
    throw std::invalid_argument("messages: expected two different terminals, found " +
                                std::to_string(m.from) + " twice");
  return m;
}

}  // namespace

nlohmann::json messages_workload::schema() const {
  nlohmann::json schema = parse_schema(R"({
  "description": "A list of messages: each terminal sends those that are from it in the order of the list, as fast as it can.",
  "required": ["messages"],
  "properties": {
    "library": true,
    "messages": {
      "type": "array",
      "minItems": 1,
      "description": "The messages.",
      "items": {
        "type": "object",
        "required": ["from", "to"],
        "properties": {
          "from": { "$ref": "#/definitions/terminal" },
          "to": { "$ref": "#/definitions/terminal" },
          "packets": {
            "type": "integer",
            "minimum": 1,
            "maximum": 4294967295,
            "default": 1,
            "description": "Packets of the message."
          },
          "at": {
            "type": "integer",
            "minimum": 0,
            "default": 0,
            "description": "Cycle from which it may be sent."
          }
        }
      }
    }
  }
  })");
  schema["properties"]["library"] = message_library::schema();
  return schema;
}

workload_plan messages_workload::plan(const workload_context& c) const {
  const message_library library(c.parameters.at("library"), c.packet_length, c.requests);
  std::vector<listed_message> all;
  for (const nlohmann::json& one : c.parameters.at("messages")) all.push_back(read_message(one, c.terminals));
  workload_plan plan;
  plan.make = [=, length = c.packet_length](std::uint32_t terminal) {
    std::vector<listed_message> own;
    std::copy_if(all.begin(), all.end(), std::back_inserter(own),
                 [=](const listed_message& m) { return m.from == terminal; });
    return std::make_unique<messages_supply>(library, length, std::move(own));
  };
  return plan;
}

}  // namespace spillway
