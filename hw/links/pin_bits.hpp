#pragma once
#include <algorithm>
#include <cstdint>
#include <systemc>
#include <type_traits>

namespace spillway {

/// Fields of pins of whatever type a design or Verilator gives them: bool and the unsigned integers,
/// sc_uint, sc_biguint, sc_bv and sc_lv.
template <class T, class = void>
struct pin_bits {  // integers and sc_uint
  /// Bits `low` to `low` + `width` - 1 of the value, 64 at most; bits that it does not have are 0.
  static std::uint64_t get(const T& value, unsigned low, unsigned width) {
    const auto word = static_cast<std::uint64_t>(value);
    return low >= 64 ? 0 : (word >> low) & mask(width);
  }
  /// Writes them; bits that the value does not have are dropped.
  static void put(T& value, unsigned low, unsigned width, std::uint64_t field) {
    if (low >= 64) return;
    auto word = static_cast<std::uint64_t>(value);
    word = (word & ~(mask(width) << low)) | (field & mask(width)) << low;
    if constexpr (std::is_same_v<T, bool>)
      value = word & 1;  // a cast asks whether any bit is set
    else
      value = static_cast<T>(word);
  }
  /// The lowest `width` bits; all of 64 from 64 on.
  static constexpr std::uint64_t mask(unsigned width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  }
};

/// Those that are wider than a word: `range(high, low)` with to_uint64(), `length()`.
template <class T>
struct pin_bits<T, std::void_t<decltype(std::declval<const T&>().range(1, 0).to_uint64()),
                               decltype(std::declval<T&>().to_string())>> {
  /// Bits `low` to `low` + `width` - 1 of the value, 64 at most; bits that it does not have are 0.
  static std::uint64_t get(const T& value, unsigned low, unsigned width) {
    const auto bits = static_cast<unsigned>(value.length());
    if (low >= bits) return 0;
    return value.range(static_cast<int>(std::min(low + width, bits) - 1), static_cast<int>(low)).to_uint64();
  }
  /// Writes them; bits that the value does not have are dropped.
  static void put(T& value, unsigned low, unsigned width, std::uint64_t field) {
    const auto bits = static_cast<unsigned>(value.length());
    if (low >= bits) return;
    value.range(static_cast<int>(std::min(low + width, bits) - 1), static_cast<int>(low)) = field;
  }
};

}  // namespace spillway
