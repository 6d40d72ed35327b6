#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/patterns/permutation.hpp>

namespace spillway {

/// All terminals send to one; it sends nothing itself.
class all_to_one_pattern final : public permutation {
public:
  all_to_one_pattern(std::uint32_t terminals, std::uint32_t target)
      : permutation(terminals, [=](std::uint32_t) { return target; }), target_(target) {}

  std::vector<std::uint32_t> hotspots() const override { return {target_}; }

private:
  const std::uint32_t target_;
};

class all_to_one_entry final : public pattern_entry {
public:
  all_to_one_entry() : pattern_entry("all_to_one") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "All terminals send to one; it sends nothing itself.",
      "properties": {
        "target": {
          "type": "integer", "minimum": 0, "maximum": 1099511627775, "default": 0, "description": "Where they send."
        }
      }
    })");
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    return std::make_shared<all_to_one_pattern>(c.terminals, c.terminal("target"));
  }
};

}  // namespace spillway
