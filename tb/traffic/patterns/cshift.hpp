#pragma once
#include <spillway/tb/traffic/entries.hpp>

namespace spillway {

/// Cyclic shift: in phase k, from 1, terminal i sends to i + k, modulo the number of terminals; all phases.
class cshift_pattern final : public pattern {
public:
  /// `messages`: packets a phase.
  explicit cshift_pattern(std::uint32_t terminals, std::uint64_t messages = 1)
      : terminals_(terminals), messages_(messages) {}

  void address(packet_order& packet, std::uint32_t terminal, std::uint64_t number,
               random_stream&) const override {
    packet.destination = static_cast<std::uint32_t>((terminal + 1 + number / messages_) % terminals_);
  }
  bool silent(std::uint32_t) const override { return terminals_ == 1; }
  std::uint64_t packets() const override { return messages_ * (terminals_ - 1); }

private:
  const std::uint32_t terminals_;
  const std::uint64_t messages_;
};

class cshift_entry final : public pattern_entry {
public:
  cshift_entry() : pattern_entry("cshift") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "Cyclic shift: in phase k, terminal i sends to i + k, modulo the number of terminals; all phases.",
      "properties": {
        "messages_per_phase": {
          "type": "integer", "minimum": 1, "maximum": 4294967295, "default": 1,
          "description": "Packets that a terminal sends in a phase."
        }
      }
    })");
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    return std::make_shared<cshift_pattern>(c.terminals, c.section().at("messages_per_phase"));
  }
};

}  // namespace spillway
