#pragma once
#include <string>

namespace spillway {

struct bench_options {
  bool json = false;   ///< a list of objects instead of a table
  bool quick = false;  ///< smaller networks and shorter runs
  std::string only;    ///< one case, `kernel:stages:rate:cycles`: run it in this process and print its object
};

/// Times the omega network of 2x2 switches with 4-flit FIFOs, each case in a process of its own, beside
/// a bare loop over arrays of the same network in the same process. Returns the exit status.
int run_bench(const bench_options& options);

}  // namespace spillway
