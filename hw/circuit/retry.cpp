#include <algorithm>
#include <spillway/hw/circuit/retry.hpp>
#include <spillway/hw/kernel/draw.hpp>

namespace spillway {

namespace {

// Routers are streams by their number, which has 32 bits; terminals lie above.
constexpr std::uint64_t first_terminal_stream = std::uint64_t{1} << 40;

}  // namespace

std::uint64_t retry_policy::delay(std::uint32_t terminal, unsigned failures, std::uint64_t now) const {
  if (strategy != retry::exponential && strategy != retry::random) return 0;
  const std::uint64_t below =
      strategy == retry::random ? window : std::uint64_t{1} << std::min(failures, most_doublings);
  const std::uint64_t part = part_of(draw(seed, first_terminal_stream + terminal, now), 32, below);
  return strategy == retry::random ? part : part * unit;
}

}  // namespace spillway
