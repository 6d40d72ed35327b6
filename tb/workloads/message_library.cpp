#include <spillway/platforms/config/schema.hpp>
#include <spillway/tb/workloads/message_library.hpp>
#include <stdexcept>

namespace spillway {

namespace {

std::uint32_t data_words(unsigned packet_words) {
  if (packet_words < 3)
    throw std::invalid_argument(
        "packets have a header, a word that says where the data belong, and data: expected packet.length at "
        "least 3, found " +
        std::to_string(packet_words));
  return packet_words - 2;
}

}  // namespace

message_library::message_library(const nlohmann::json& section, unsigned packet_words,
                                 const packet_requests& requests)
    : in_order_(section.at("in_order")),
      bulk_from_(section.at("bulk_from")),
      placing_(section.at("placing")),
      first_(data_words(packet_words)),
      later_(in_order_ ? first_ + 1 : first_),
      of_several_(requests.of_several),
      last_of_them_(requests.last_of_them) {}

nlohmann::json message_library::schema() {
  return parse_schema(R"({
  "type": "object",
  "default": {},
  "additionalProperties": false,
  "description": "The message layer. A packet has a header word, where its data belong in another, and data.",
  "properties": {
    "in_order": {
      "type": "boolean",
      "default": false,
      "description": "It relies on packets that come in order: only the first of a message says where the data belong."
    },
    "placing": {
      "type": "integer",
      "minimum": 0,
      "maximum": 1000000,
      "default": 0,
      "description": "Cycles that a processor needs to put the data of a packet in their place, unless they come in order."
    },
    "bulk_from": {
      "type": "integer",
      "minimum": 0,
      "maximum": 4294967295,
      "default": 2,
      "description": "Packets of a message from which it asks the interface for a bulk dialog, as NIFDY has; 0: never."
    }
  }
  })");
}

std::uint32_t message_library::packets(std::uint32_t words) const {
  return words <= first_ ? 1 : 1 + (words - first_ + later_ - 1) / later_;
}

std::uint64_t message_library::interface_word(std::uint32_t index, std::uint32_t packets) const {
  if (bulk_from_ == 0 || packets < bulk_from_) return 0;
  return index + 1 == packets ? last_of_them_ : of_several_;
}

}  // namespace spillway
