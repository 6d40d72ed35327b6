#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/patterns/permutation.hpp>

namespace spillway {

/// Every bit of the number inverted; a power of two of terminals.
class bit_complement_pattern final : public permutation {
public:
  explicit bit_complement_pattern(std::uint32_t terminals)
      : permutation(terminals, [=](std::uint32_t t) { return ~t & (terminals - 1); }) {}
};

class bit_complement_entry final : public pattern_entry {
public:
  bit_complement_entry() : pattern_entry("bit_complement") {}
  nlohmann::json schema() const override { return {{"description", "Every bit of the number inverted."}}; }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    checked_bits(c);
    return std::make_shared<bit_complement_pattern>(c.terminals);
  }
};

}  // namespace spillway
