#pragma once
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/switching/routing.hpp>

namespace spillway {

/// One of `outputs`, of which there is one at least, drawn by switch and packet: no state, and alike on every
/// kernel.
inline port_mask drawn_output(port_mask outputs, std::uint64_t seed, unsigned node, const flit& f) {
  const std::uint64_t word = draw(seed, node, std::uint64_t{f.source} << 32 | f.packet);
  const auto size = static_cast<unsigned>(__builtin_popcountll(outputs));
  for (auto skip = static_cast<unsigned>(word % size); skip; --skip) outputs &= outputs - 1;
  return outputs & (~outputs + 1);
}

}  // namespace spillway
