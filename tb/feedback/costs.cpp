#include <algorithm>
#include <spillway/tb/feedback/costs.hpp>

namespace spillway::theory {

namespace {

/// Bits that tell n values apart.
std::uint64_t bits_for(std::uint64_t n) {
  std::uint64_t bits = 0;
  while ((std::uint64_t{1} << bits) < n) ++bits;
  return bits;
}

}  // namespace

feedback_costs costs_of(const feedback_platform& p) {
  const std::uint64_t number = bits_for(p.N);
  feedback_costs c{};
  c.line_wires = p.N;
  c.bus_wires = number + 2;
  c.length_bits = bits_for(p.memory_depth + 1);
  c.list_bits = std::min(p.hot_list * (number + 1), p.N);
  c.counter_bits = number;
  c.queue_bits = (p.memory_depth - std::min(p.depth, p.memory_depth)) * p.flit_bits;
  c.network_bits = p.N * (c.length_bits + c.list_bits + c.counter_bits + c.queue_bits);
  c.plain_bits = p.N * number * p.depth * p.flit_bits;
  return c;
}

}  // namespace spillway::theory
