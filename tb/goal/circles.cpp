#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/goal/circles.hpp>

namespace spillway {

void check_circles(rank_program& rank, const goal_program& program, const char* unit) {
  std::vector<goal_op> ops;
  for (goal_op op; rank.next(op);) ops.push_back(std::move(op));
  std::vector<std::vector<std::uint32_t>> next(ops.size());
  std::vector<std::size_t> waits(ops.size());
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    waits[i] = ops[i].after.size();
    if (!waits[i]) free.push_back(i);
    for (const goal_dependency& d : ops[i].after) next[d.on].push_back(i);
  }
  while (!free.empty()) {
    const std::uint32_t done = free.back();
    free.pop_back();
    for (const std::uint32_t n : next[done])
      if (--waits[n] == 0) free.push_back(n);
  }
  const auto stuck = std::find_if(waits.begin(), waits.end(), [](std::size_t n) { return n != 0; });
  if (stuck == waits.end()) return;
  // From one that is left, along what it waits for, until one comes a second time.
  std::vector<bool> seen(ops.size());
  auto at = static_cast<std::uint32_t>(stuck - waits.begin());
  const auto before = [&](std::uint32_t i) {
    return std::find_if(ops[i].after.begin(), ops[i].after.end(), [&](auto& d) { return waits[d.on] != 0; })
        ->on;
  };
  for (; !seen[at]; at = before(at)) seen[at] = true;
  std::string circle;
  std::uint32_t i = at;
  unsigned shown = 0;
  do {
    circle += fmt::format(", which waits for {} {}", unit, ops[i = before(i)].line);
  } while (i != at && ++shown < 16);
  throw config_error(
      fmt::format("{}: it waits for itself{}{}", program.where(0, ops[at]), circle, i == at ? "" : " ..."));
}

}  // namespace spillway
