#pragma once
#include <spillway/tb/bench/bench.hpp>

namespace spillway {

/// The transaction-level model of a circuit-switched fat tree: all terminals send one message each at random.
/// A case is `circuit:lg of the terminals:immediate or rounds`.
bench_section circuit_bench();

}  // namespace spillway
