#pragma once
#include <spillway/hw/dampening/impact_array.hpp>
#include <vector>

namespace spillway {

/// When who holds many buffers is a hotspot (Kuszmaul and Kuszmaul, section IV): k of them may together hold
/// what a dampening switch gives k hotspots, B - B((B - j)/B)^k of B buffers. A plain part, not a block.
class dampening_rule {
public:
  /// 1 <= j <= buffers; a single hotspot has up to j.
  dampening_rule(unsigned buffers, unsigned j);
  /// The hotspot counter: the largest k of all, not up to the first that fails, such that the first k of
  /// the array hold that many. `held`: what all of them hold together. Takes a step an entry, up to
  /// most_hotspots().
  unsigned hotspots(const impact_array& holders, unsigned held) const;
  /// As long as a buffer is free there are no more, about (B/j) ln B (Theorem 1).
  unsigned most_hotspots() const { return most_; }

private:
  std::vector<double> threshold_;  // by k
  unsigned most_ = 0;
};

}  // namespace spillway
