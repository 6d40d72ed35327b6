#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/patterns/any_terminal.hpp>

namespace spillway {

/// Every destination is equally likely.
class uniform_pattern final : public pattern {
public:
  /// `include_self`: a terminal also sends to itself; a single one does in any case if it sends at all.
  explicit uniform_pattern(std::uint32_t terminals, bool include_self = false, std::vector<bool> spared = {})
      : any_(terminals, std::move(spared)), alone_(terminals == 1), include_self_(include_self) {}

  void address(packet_order& packet, std::uint32_t terminal, std::uint64_t,
               random_stream& random) const override {
    packet.destination = include_self_ ? any_.draw(random) : any_.draw_other(terminal, random);
  }
  bool silent(std::uint32_t) const override { return alone_ && !include_self_; }

private:
  const any_terminal any_;
  const bool alone_, include_self_;
};

class uniform_entry final : public pattern_entry {
public:
  uniform_entry() : pattern_entry("uniform") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "Every destination is equally likely.",
      "properties": {
        "include_self": {
          "type": "boolean", "default": false, "description": "A terminal also sends to itself."
        },
        "spare": { "$ref": "#/definitions/spare" },
        "spare_stopped": { "$ref": "#/definitions/spare_stopped" }
      }
    })");
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    return std::make_shared<uniform_pattern>(c.terminals, c.section().at("include_self"),
                                             spared_terminals(c));
  }
};

}  // namespace spillway
