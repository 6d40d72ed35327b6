#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <spillway/hw/kernel/clock_domain.hpp>
#include <spillway/hw/kernel/clock_scope.hpp>
#include <type_traits>

namespace spillway {

/// An array of a block's state, of fixed size. Its memory belongs to a state_memory.
template <class T>
class state_array {
public:
  /// `items`: memory of a state_memory.
  state_array(T* items, std::size_t size) : items_(items), size_(size) {}

  /// @{
  /// `i`: below size().
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  /// @}
  std::size_t size() const { return size_; }  ///< items
  /// @{
  /// From the first on.
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }
  /// @}

private:
  T* items_;
  std::size_t size_;
};

/// Where a block keeps the arrays of its state: one beside the other, so that a cycle touches little memory,
/// in the memory of the domain that will step it where that is known.
class state_memory {
public:
  state_memory() : state_memory(domain_here()) {}

  /// `size` items, each a copy of `initial`. They last as long as this object, or as the domain.
  template <class T>
  state_array<T> array(std::size_t size, const T& initial = T{}) {
    static_assert(std::is_trivially_destructible_v<T>, "nobody destroys the items");
    // An item whose size is a power of two does not lie across two cache lines.
    constexpr std::size_t even = sizeof(T) & -sizeof(T);
    auto* const items = static_cast<T*>(place_->allocate(size * sizeof(T), std::min(even, std::size_t{64})));
    std::uninitialized_fill_n(items, size, initial);
    return {items, size};
  }

private:
  explicit state_memory(clock_domain* domain)
      : own_(domain ? nullptr : std::make_unique<std::pmr::monotonic_buffer_resource>()),
        place_(domain ? &domain->hot_memory() : own_.get()) {}

  std::unique_ptr<std::pmr::monotonic_buffer_resource> own_;
  std::pmr::memory_resource* place_;
};

}  // namespace spillway
