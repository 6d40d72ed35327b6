#pragma once
#include <spillway/hw/switching/arbiter.hpp>
#include <spillway/hw/switching/masks.hpp>

namespace spillway {

/// The packet that came to the switch first; of several, that of the lowest requester.
class oldest_first_arbiter final : public arbiter {
public:
  unsigned grant(std::uint64_t requests, const contenders& of) override {
    unsigned oldest = masks::lowest(requests);
    std::uint32_t best = of.arrived(oldest);
    for (std::uint64_t rest = requests & (requests - 1); rest; rest &= rest - 1) {
      const std::uint32_t arrived = of.arrived(masks::lowest(rest));
      if (static_cast<std::int32_t>(arrived - best) >= 0) continue;
      oldest = masks::lowest(rest);
      best = arrived;
    }
    return oldest;
  }
};

}  // namespace spillway
