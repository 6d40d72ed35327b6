#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// A small hash table from numbers of processors to values, for switches that know only the processors
/// whose messages they hold: open addressing, no holes, O(1) at any load. Its memory grows with the entries,
/// to no more than it was made for. Pointers and references into it last until the next insertion or removal.
/// A plain part, not a block.
template <class T>
class key_table {
public:
  /// `most`: entries that it may have.
  explicit key_table(std::size_t most) : most_(most), slots_(least) {}

  std::size_t size() const { return used_; }  ///< entries
  std::size_t most() const { return most_; }  ///< entries that it may have
  /// Takes all entries out.
  void clear() {
    slots_.assign(slots_.size(), slot{});
    used_ = 0;
  }

  /// @{
  /// The value of `key`, or nullptr.
  T* find(std::uint32_t key) { return const_cast<T*>(std::as_const(*this).find(key)); }
  const T* find(std::uint32_t key) const {
    const std::size_t at = place(key);
    return slots_[at].key == key ? &slots_[at].value : nullptr;
  }
  /// @}
  /// The value of `key`, made if there was none: std::length_error when the table is full. `key` is below
  /// 2^32 - 1.
  T& operator[](std::uint32_t key) {
    std::size_t at = place(key);
    if (slots_[at].key == key) return slots_[at].value;
    if (used_ == most_)
      throw std::length_error("a table of " + std::to_string(most_) + " processors is full");
    if (2 * (used_ + 1) > slots_.size()) {
      grow();
      at = place(key);
    }
    ++used_;
    slots_[at].key = key;
    return slots_[at].value = T{};
  }
  /// Takes `key` out, if it is there.
  void erase(std::uint32_t key) {
    std::size_t hole = place(key);
    if (slots_[hole].key != key) return;
    --used_;
    // Close the hole, so that no search ends too early.
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t next = (hole + 1) & mask; slots_[next].key != empty; next = (next + 1) & mask) {
      const std::size_t home = home_of(slots_[next].key);
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      slots_[hole] = slots_[next];
      hole = next;
    }
    slots_[hole] = slot{};
  }

private:
  static constexpr std::uint32_t empty = ~std::uint32_t{0};
  static constexpr std::size_t least = 16;
  struct slot {
    std::uint32_t key = empty;
    T value{};
  };

  std::size_t home_of(std::uint32_t key) const {
    return ((key * std::uint64_t{0x9e3779b97f4a7c15}) >> 32) & (slots_.size() - 1);
  }
  /// Where `key` is, or would be.
  std::size_t place(std::uint32_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = home_of(key);
    while (slots_[at].key != key && slots_[at].key != empty) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<slot> old(2 * slots_.size());
    old.swap(slots_);
    for (slot& s : old)
      if (s.key != empty) slots_[place(s.key)] = std::move(s);
  }

  std::size_t most_;
  std::vector<slot> slots_;  // a power of two, at most half of them used
  std::size_t used_ = 0;
};

}  // namespace spillway
