#pragma once
#include <cstdint>

namespace spillway {

/// Who goes first of those that want the same output.
enum class arbitration : std::uint8_t { round_robin, oldest_first };

/// Round-robin arbiter over at most 64 requesters: the first one at or after the pointer wins, and the
/// pointer then stands one past the winner. A plain part, not a block.
class round_robin_arbiter {
public:
  /// `requests` must not be 0. The pointer moves only by granted().
  unsigned pick(std::uint64_t requests) const {
    const std::uint64_t from_pointer = requests & (~std::uint64_t{0} << pointer_);
    return static_cast<unsigned>(__builtin_ctzll(from_pointer ? from_pointer : requests));
  }
  void granted(unsigned winner) { pointer_ = static_cast<std::uint8_t>((winner + 1) & 63); }
  void clear() { pointer_ = 0; }

private:
  std::uint8_t pointer_ = 0;
};

}  // namespace spillway
