#pragma once
#include <spillway/hw/switching/arbiter.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <vector>

namespace spillway {

/// Who has been served least recently, by a matrix of who goes before whom (Dally and Towles, section 18.5).
class least_recently_served_arbiter final : public arbiter {
public:
  /// 1 to 64 `requesters`.
  explicit least_recently_served_arbiter(unsigned requesters) : before_(requesters) { clear(); }

  unsigned grant(std::uint64_t requests, const contenders& /*of*/) override {
    unsigned winner = 0;
    for (std::uint64_t rest = requests; rest; rest &= rest - 1) {
      winner = masks::lowest(rest);
      if (!(requests & ~before_[winner] & ~masks::bit(winner))) break;
    }
    for (std::uint64_t& row : before_) row |= masks::bit(winner);
    before_[winner] = 0;
    return winner;
  }
  /// The lower goes before the higher.
  void clear() override {
    for (unsigned r = 0; r < before_.size(); ++r) before_[r] = ~masks::low_bits(r + 1);
  }

private:
  std::vector<std::uint64_t> before_;  // by requester: those that it goes before
};

}  // namespace spillway
