#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/patterns/permutation.hpp>

namespace spillway {

/// The halves of the bits of the number change places; an even power of two of terminals.
class transpose_pattern final : public permutation {
public:
  explicit transpose_pattern(std::uint32_t terminals)
      : permutation(terminals, [=, half = bits_of(terminals) / 2](std::uint32_t t) {
          return ((t >> half) | (t << half)) & (terminals - 1);
        }) {}
};

class transpose_entry final : public pattern_entry {
public:
  transpose_entry() : pattern_entry("transpose") {}
  nlohmann::json schema() const override {
    return {{"description", "The halves of the bits of the number change places."}};
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    if (checked_bits(c) % 2)
      c.fail("pattern",
             "transpose needs an even power of two of terminals, found " + std::to_string(c.terminals));
    return std::make_shared<transpose_pattern>(c.terminals);
  }
};

}  // namespace spillway
