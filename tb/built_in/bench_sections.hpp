#pragma once
#include <spillway/tb/bench/bench.hpp>
#include <vector>

namespace spillway {

/// What `spillway bench` measures.
std::vector<bench_section> bench_sections();

}  // namespace spillway
