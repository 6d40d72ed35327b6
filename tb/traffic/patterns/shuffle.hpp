#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/patterns/permutation.hpp>

namespace spillway {

/// The bits of the number rotated left by one; a power of two of terminals.
class shuffle_pattern final : public permutation {
public:
  explicit shuffle_pattern(std::uint32_t terminals)
      : permutation(terminals, [=, bits = bits_of(terminals)](std::uint32_t t) {
          return bits ? ((t << 1) | (t >> (bits - 1))) & (terminals - 1) : 0;
        }) {}
};

class shuffle_entry final : public pattern_entry {
public:
  shuffle_entry() : pattern_entry("shuffle") {}
  nlohmann::json schema() const override {
    return {{"description", "The bits of the number rotated left by one."}};
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    checked_bits(c);
    return std::make_shared<shuffle_pattern>(c.terminals);
  }
};

}  // namespace spillway
