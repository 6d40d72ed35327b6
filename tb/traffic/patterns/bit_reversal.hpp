#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/patterns/permutation.hpp>

namespace spillway {

/// The bits of the number in reverse order; a power of two of terminals.
class bit_reversal_pattern final : public permutation {
public:
  explicit bit_reversal_pattern(std::uint32_t terminals)
      : permutation(terminals, [bits = bits_of(terminals)](std::uint32_t t) {
          std::uint32_t reversed = 0;
          for (unsigned b = 0; b < bits; ++b) reversed |= (t >> b & 1) << (bits - 1 - b);
          return reversed;
        }) {}
};

class bit_reversal_entry final : public pattern_entry {
public:
  bit_reversal_entry() : pattern_entry("bit_reversal") {}
  nlohmann::json schema() const override {
    return {{"description", "The bits of the number in reverse order."}};
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    checked_bits(c);
    return std::make_shared<bit_reversal_pattern>(c.terminals);
  }
};

}  // namespace spillway
