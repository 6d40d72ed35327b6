#pragma once
#include <cstdint>
#include <cstdlib>

namespace spillway {

/// Has the cache fetch all memory on the way of who goes through it in one direction. Line after line comes
/// several times as fast as lines picked out, even if a part of it is of no use: the processor sees what
/// will be next.
class memory_sweep {
public:
  /// Who is at `here` will soon be at `ahead`. Fetches nothing and returns false if that is so far that most
  /// of it would be of no use.
  bool run(const void* here, const void* ahead) {
    const std::intptr_t from = address(here), way = address(ahead) - from;
    if (std::abs(way) > reach) return false;
    const bool up = way > 0;
    std::intptr_t gone = at_ - from;
    if (up ? gone < 0 || gone > way : gone > 0 || gone < way) gone = 0;
    for (; up ? gone < way : gone > way; gone += up ? line : -line)
      __builtin_prefetch(static_cast<const char*>(here) + gone);
    at_ = from + gone;
    return true;
  }

private:
  static constexpr std::intptr_t line = 64, reach = 256 * line;

  static std::intptr_t address(const void* place) { return reinterpret_cast<std::intptr_t>(place); }

  std::intptr_t at_ = 0;  // the next line
};

}  // namespace spillway
