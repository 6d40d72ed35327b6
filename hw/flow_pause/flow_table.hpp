#pragma once
#include <cstdint>
#include <spillway/hw/kernel/state_memory.hpp>
#include <spillway/hw/links/flit.hpp>

namespace spillway {

/// What packets have in common that are of one flow.
enum class flow_key : std::uint8_t {
  pair,         ///< source and destination
  destination,  ///< destination alone
};

/// Which queue the flows of one output wait in, while they have packets there. Flows whose hash is the same
/// share a line, and so their queue. A plain part, not a block.
class flow_table {
public:
  /// A line of the table.
  struct line {
    std::uint16_t packets = 0;  ///< in the switch, of its flows
    std::uint8_t queue = 0;     ///< that they wait in, while there are some
  };

  /// For so many outputs, each with so many lines, kept in `memory`.
  flow_table(unsigned outputs, unsigned lines, flow_key key, state_memory& memory)
      : count_(lines), key_(key), lines_(memory.array<line>(outputs * lines)) {}

  /// Number of the line of this packet among those of its output.
  unsigned line_of(const flit& f) const {
    const std::uint64_t source = key_ == flow_key::pair ? f.source + 1u : 0;
    // Fibonacci hashing: the upper bits of the product depend on all of the key.
    return static_cast<unsigned>(((source << 28 | f.destination) * 0x9e3779b97f4a7c15u >> 32) % count_);
  }
  line& at(unsigned output, unsigned number) { return lines_[output * count_ + number]; }  ///< of an output
  /// No flow has packets.
  void clear() {
    for (line& l : lines_) l = {};
  }

private:
  const unsigned count_;
  const flow_key key_;
  state_array<line> lines_;
};

}  // namespace spillway
