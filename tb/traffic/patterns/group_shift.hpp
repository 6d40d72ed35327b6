#pragma once
#include <spillway/tb/traffic/entries.hpp>

namespace spillway {

/// Groups are so many consecutive terminals. Those of group i send to terminals of group i + offset, modulo
/// the number of groups, all equally likely: the worst for a dragonfly whose groups these are (Kim and
/// others, ISCA 2008).
class group_shift_pattern final : public pattern {
public:
  /// `group` divides `terminals`; `offset` below the number of groups.
  group_shift_pattern(std::uint32_t terminals, std::uint32_t group, std::uint32_t offset)
      : terminals_(terminals), group_(group), offset_(offset) {}

  void address(packet_order& packet, std::uint32_t terminal, std::uint64_t,
               random_stream& random) const override {
    const std::uint64_t first = (std::uint64_t{terminal} / group_ + offset_) * group_ % terminals_;
    packet.destination = static_cast<std::uint32_t>(first) + below(group_, random);
  }

private:
  const std::uint32_t terminals_, group_, offset_;
};

class group_shift_entry final : public pattern_entry {
public:
  group_shift_entry() : pattern_entry("group_shift") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "Terminals of group i send to all of group i + offset alike, modulo the number of groups: the worst for a dragonfly.",
      "required": ["group"],
      "properties": {
        "group": { "type": "integer", "minimum": 1, "description": "Terminals of a group; they follow each other. Of a dragonfly a p." },
        "offset": { "type": "integer", "minimum": 0, "default": 1, "description": "Distance to the group of the destinations." }
      }
    })");
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    const auto group = c.section().at("group").get<std::uint64_t>();
    if (group > c.terminals || c.terminals % group)
      c.fail("group", "expected a divisor of the " + std::to_string(c.terminals) + " terminals, found " +
                          std::to_string(group));
    const std::uint64_t offset = c.section().at("offset").get<std::uint64_t>() % (c.terminals / group);
    return std::make_shared<group_shift_pattern>(c.terminals, static_cast<std::uint32_t>(group),
                                                 static_cast<std::uint32_t>(offset));
  }
};

}  // namespace spillway
