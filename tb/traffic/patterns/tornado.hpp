#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/patterns/permutation.hpp>

namespace spillway {

/// Nearly half-way around.
class tornado_pattern final : public permutation {
public:
  explicit tornado_pattern(std::uint32_t terminals)
      : permutation(terminals, [=](std::uint32_t t) {
          return static_cast<std::uint32_t>((t + (std::uint64_t{terminals} + 1) / 2 - 1) % terminals);
        }) {}
};

class tornado_entry final : public pattern_entry {
public:
  tornado_entry() : pattern_entry("tornado") {}
  nlohmann::json schema() const override {
    return {{"description", "Nearly half-way around every dimension."}};
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    return std::make_shared<tornado_pattern>(c.terminals);
  }
};

}  // namespace spillway
