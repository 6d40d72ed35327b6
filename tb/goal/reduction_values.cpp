#include <algorithm>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/tb/goal/reduction_values.hpp>

namespace spillway {

std::uint32_t reduction_values::contribution(std::uint32_t rank, std::uint64_t round) const {
  return static_cast<std::uint32_t>(scatter(how_.seed ^ scatter(round ^ std::uint64_t{rank} << 32)));
}

std::uint32_t reduction_values::result(std::uint64_t round) {
  open_round& r = open_[round];
  if (r.asked == 0) {
    r.result = contribution(0, round);
    for (std::uint32_t rank = 1; rank < ranks_; ++rank) {
      const std::uint32_t more = contribution(rank, round);
      r.result = how_.kind == "sum"       ? r.result + more
                 : how_.kind == "minimum" ? std::min(r.result, more)
                                          : std::max(r.result, more);
    }
  }
  const std::uint32_t value = r.result;
  if (++r.asked == ranks_) open_.erase(round);
  return value;
}

}  // namespace spillway
