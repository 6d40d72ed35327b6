#pragma once
#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace spillway {

/// A range of addresses that one terminal answers for.
struct address_range {
  std::uint64_t base = 0, size = 0;  ///< bytes
  unsigned terminal = 0;
  std::uint64_t offset = 0;  ///< what the terminal's target calls the first byte
};

/// Which terminal an address belongs to.
class address_map {
public:
  struct place {
    unsigned terminal;
    std::uint64_t local;
  };

  /// Throws std::invalid_argument for an empty range, one past 2^64, or one that overlaps another.
  void add(const address_range& r) {
    if (r.size == 0 || r.base + (r.size - 1) < r.base)
      throw std::invalid_argument("an address range must have 1 byte or more and end below 2^64");
    const auto after = ranges_.lower_bound(r.base);
    const bool runs_into = after != ranges_.end() && after->first - r.base < r.size;
    const bool run_into = after != ranges_.begin() && [&] {
      const auto& before = *std::prev(after);
      return r.base - before.first < before.second.size;
    }();
    if (runs_into || run_into) throw std::invalid_argument("the address ranges overlap");
    ranges_[r.base] = r;
  }

  /// Where `bytes` bytes from `address` on lie; none unless one range holds them all.
  std::optional<place> decode(std::uint64_t address, std::uint64_t bytes) const {
    auto at = ranges_.upper_bound(address);
    if (at == ranges_.begin()) return std::nullopt;
    const address_range& r = (--at)->second;
    const std::uint64_t skip = address - r.base;
    if (skip >= r.size || bytes > r.size - skip) return std::nullopt;
    return place{r.terminal, r.offset + skip};
  }

private:
  boost::container::flat_map<std::uint64_t, address_range> ranges_;
};

}  // namespace spillway
