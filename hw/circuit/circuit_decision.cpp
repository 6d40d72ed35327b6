#include <spillway/hw/circuit/circuit_decision.hpp>
#include <spillway/hw/kernel/draw.hpp>

namespace spillway {

namespace {

constexpr unsigned both_up = 1u << port_c | 1u << port_d;

unsigned inputs_that_want(wishes wanted, wish w) {
  unsigned mask = 0;
  for (unsigned i = 0; i < 4; ++i)
    if (wanted.of(i) == w) mask |= 1u << i;
  return mask;
}

void decide_up(circuit_grants& grants, unsigned contenders, unsigned taken, std::uint64_t random) {
  unsigned free = both_up & ~taken;
  for (unsigned i = 0; contenders && free; ++i, contenders >>= 1) {
    if (!(contenders & 1)) continue;
    const bool both = free == both_up;
    const unsigned port = both                    ? port_c + static_cast<unsigned>(random & 1)
                          : (free & 1u << port_c) ? port_c
                                                  : port_d;
    grants.output[i] = static_cast<std::uint8_t>(port);
    free &= ~(1u << port);
  }
}

void decide_down(circuit_grants& grants, unsigned contenders, unsigned port, contention rule,
                 std::uint64_t random) {
  const auto count = static_cast<unsigned>(__builtin_popcount(contenders));
  if (count > 1 && rule == contention::random)
    for (auto skip = part_of(random, 24, count); skip > 0; --skip) contenders &= contenders - 1;
  grants.output[static_cast<unsigned>(__builtin_ctz(contenders))] = static_cast<std::uint8_t>(port);
}

}  // namespace

circuit_grants decide(wishes wanted, unsigned taken, contention rule, std::uint64_t random) {
  circuit_grants grants;
  if (const unsigned up = inputs_that_want(wanted, wish::up)) decide_up(grants, up, taken, random);
  for (const unsigned port : {port_a, port_b}) {
    const unsigned contenders = inputs_that_want(wanted, port == port_a ? wish::a : wish::b);
    if (contenders && !(taken & 1u << port))
      decide_down(grants, contenders, port, rule, random >> (port == port_a ? 8 : 32));
  }
  return grants;
}

}  // namespace spillway
