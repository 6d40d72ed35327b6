#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/patterns/permutation.hpp>

namespace spillway {

/// Terminal i sends to i + offset, modulo the number of terminals.
class shift_pattern final : public permutation {
public:
  shift_pattern(std::uint32_t terminals, std::uint64_t offset)
      : permutation(terminals,
                    [=](std::uint32_t t) { return static_cast<std::uint32_t>((t + offset) % terminals); }) {}
};

class shift_entry final : public pattern_entry {
public:
  shift_entry() : pattern_entry("shift") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "Terminal i sends to i + offset, modulo the number of terminals.",
      "properties": {
        "offset": { "type": "integer", "default": 1, "description": "Distance to the destination; may be negative." }
      }
    })");
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    return std::make_shared<shift_pattern>(c.terminals, offset_of(c));
  }

private:
  /// 0..n-1: the offset may be negative.
  static std::uint64_t offset_of(const traffic_context& c) {
    const nlohmann::json& offset = c.section().at("offset");
    if (offset.is_number_unsigned()) return offset.get<std::uint64_t>() % c.terminals;
    const std::int64_t around = c.terminals;
    return static_cast<std::uint64_t>((offset.get<std::int64_t>() % around + around) % around);
  }
};

}  // namespace spillway
