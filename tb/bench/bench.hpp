#pragma once
#include <string>

namespace spillway {

/// What `spillway bench` is told.
struct bench_options {
  bool json = false;   ///< a list of objects instead of a table
  bool quick = false;  ///< smaller networks and shorter runs
  /// One case, `kernel:stages:rate:cycles` of the omega network or as measure_routers() and measure_circuit()
  /// have it: run it in this process and print its object.
  std::string only;
};

/// Times, each case in a process of its own, the omega network of 2x2 switches with 4-flit FIFOs beside a
/// bare loop over arrays of the same network, a mesh of routers, and the transaction level of
/// circuit-switched fat trees. Returns the exit status.
int run_bench(const bench_options& options);

}  // namespace spillway
