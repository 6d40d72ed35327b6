#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <vector>

namespace spillway {

/// A range of addresses that one terminal answers for.
struct address_range {
  std::uint64_t base = 0;    ///< bytes, of the first
  std::uint64_t size = 0;    ///< bytes, 1 or more
  unsigned terminal = 0;     ///< that answers
  std::uint64_t offset = 0;  ///< what the terminal's target calls the first byte
};

/// Which terminal an address belongs to.
class address_map {
public:
  /// Where an address leads.
  struct place {
    unsigned terminal;    ///< that answers for it
    std::uint64_t local;  ///< address as the terminal's target sees it, bytes
  };

  /// Throws std::invalid_argument for an empty range, one past 2^64, or one that overlaps another.
  void add(const address_range& r) {
    if (r.size == 0 || r.base + (r.size - 1) < r.base)
      throw std::invalid_argument("an address range must have 1 byte or more and end below 2^64");
    const auto after = first_above(r.base);
    const bool runs_into = after != ranges_.end() && after->base - r.base < r.size;
    const bool run_into =
        after != ranges_.begin() && r.base - std::prev(after)->base < std::prev(after)->size;
    if (runs_into || run_into) throw std::invalid_argument("the address ranges overlap");
    ranges_.insert(after, r);
  }

  /// Where `bytes` bytes from `address` on lie; none unless one range holds them all.
  std::optional<place> decode(std::uint64_t address, std::uint64_t bytes) const {
    const auto after = first_above(address);
    if (after == ranges_.begin()) return std::nullopt;
    const address_range& r = *std::prev(after);
    const std::uint64_t skip = address - r.base;
    if (skip >= r.size || bytes > r.size - skip) return std::nullopt;
    return place{r.terminal, r.offset + skip};
  }

  /// The range that the address lies in, or nullptr.
  const address_range* range_of(std::uint64_t address) const {
    const auto after = first_above(address);
    if (after == ranges_.begin()) return nullptr;
    const address_range& r = *std::prev(after);
    return address - r.base < r.size ? &r : nullptr;
  }
  /// By base.
  const std::vector<address_range>& ranges() const { return ranges_; }

private:
  std::vector<address_range>::const_iterator first_above(std::uint64_t address) const {
    return std::upper_bound(ranges_.begin(), ranges_.end(), address,
                            [](std::uint64_t a, const address_range& r) { return a < r.base; });
  }

  std::vector<address_range> ranges_;  // by base
};

}  // namespace spillway
