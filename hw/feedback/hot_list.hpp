#pragma once
#include <cstdint>
#include <spillway/hw/kernel/hardware_size.hpp>
#include <vector>

namespace spillway {

/// The hot modules that a processor interface knows: a list of limited size (Farrens, Wetmore and Woodruff,
/// section 6.1). A module that finds the list full is not on it until it turns hot again; one that does not
/// exist never is. Plain part.
class hot_list {
public:
  using word = std::uint64_t;  ///< bit i of word w: module 64 w + i

  /// `places`: modules that the list holds; 0: any number.
  hot_list(unsigned modules, unsigned places)
      : modules_(modules), places_(places), listed_((modules + 63) / 64), announced_(listed_) {}

  /// The module is on the list.
  bool holds(unsigned module) const { return module < modules_ && (listed_[module / 64] >> module % 64 & 1); }
  unsigned size() const { return used_; }  ///< modules on the list
  /// A bit a module, or places for the numbers of some.
  hardware_size storage() const {
    return places_ ? hardware_size{0, places_, places_} : hardware_size{0, 0, modules_};
  }
  /// Modules that turned hot and found the list full, so far.
  std::uint64_t overflows() const { return overflows_; }

  /// What one module is now.
  void set(unsigned module, bool hot) {
    if (module >= modules_) return;
    const word bit = word{1} << module % 64;
    update(module / 64, hot ? announced_[module / 64] | bit : announced_[module / 64] & ~bit);
  }
  /// What all modules are now, 64 a line; of several that turn hot together the lowest number is first. Those
  /// that cool leave their places to them.
  template <class Lines>
  void listen(const Lines& lines) {
    const auto words = static_cast<unsigned>(lines.size());
    if (places_)
      for (unsigned w = 0; w < words; ++w) cool(w, lines[w].read());
    for (unsigned w = 0; w < words; ++w) update(w, lines[w].read());
  }
  /// Reset: all modules are cool.
  void clear() {
    listed_.assign(listed_.size(), 0);
    announced_ = listed_;
    used_ = 0;
  }

private:
  void cool(unsigned w, word hot) {
    const word cooled = listed_[w] & ~hot;
    listed_[w] ^= cooled;
    used_ -= static_cast<unsigned>(__builtin_popcountll(cooled));
  }
  void update(unsigned w, word hot) {
    const word changed = announced_[w] ^ hot;
    if (!changed) return;
    announced_[w] = hot;
    cool(w, hot);
    for (word turned = changed & hot; turned; turned &= turned - 1) {
      if (places_ && used_ == places_) {
        overflows_ += static_cast<unsigned>(__builtin_popcountll(turned));
        return;
      }
      listed_[w] |= turned & -turned;
      ++used_;
    }
  }
  const unsigned modules_, places_;
  std::vector<word> listed_, announced_;
  unsigned used_ = 0;
  std::uint64_t overflows_ = 0;
};

}  // namespace spillway
