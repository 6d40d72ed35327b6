#pragma once
#include <spillway/tb/bench/bench.hpp>

namespace spillway {

/// The omega network of 2x2 switches with 4-flit FIFOs beside a bare loop over arrays of the same network. A
/// case is `kernel:stages:rate:cycles`, the rate in flits a cycle and terminal.
bench_section omega_bench();

}  // namespace spillway
