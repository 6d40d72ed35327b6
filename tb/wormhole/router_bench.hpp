#pragma once
#include <spillway/tb/bench/bench.hpp>

namespace spillway {

/// Speed of wormhole routers: an 8x8 mesh, dimension order, 2 virtual channels of 4 flits, packets of 4
/// flits, uniform traffic. A case is `router:kernel:rate:cycles`, the rate in flits a cycle and terminal.
bench_section router_bench();

}  // namespace spillway
