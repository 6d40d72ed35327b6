#include <algorithm>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/tb/goal/reduction_values.hpp>

namespace spillway {

reduction_values::reduction_values(goal_reduction how, const std::vector<std::uint32_t>& where)
    : how_(std::move(how)), groups_(how_.groups) {
  for (std::uint32_t rank = 0; rank < where.size(); ++rank)
    groups_[where[rank] % how_.groups].ranks.push_back(rank);
}

std::uint32_t reduction_values::contribution(std::uint32_t rank, std::uint64_t round) const {
  return static_cast<std::uint32_t>(scatter(how_.seed ^ scatter(round ^ std::uint64_t{rank} << 32)));
}

std::uint32_t reduction_values::result(std::uint32_t terminal, std::uint64_t round) {
  group& g = groups_[terminal % groups_.size()];
  open_round& r = g.open[round];
  if (r.asked == 0) {
    r.result = contribution(g.ranks.front(), round);
    for (std::size_t i = 1; i < g.ranks.size(); ++i) {
      const std::uint32_t more = contribution(g.ranks[i], round);
      r.result = how_.kind == "sum"       ? r.result + more
                 : how_.kind == "minimum" ? std::min(r.result, more)
                                          : std::max(r.result, more);
    }
  }
  const std::uint32_t value = r.result;
  if (++r.asked == g.ranks.size()) g.open.erase(round);
  return value;
}

}  // namespace spillway
