#include <spillway/tb/bench/omega_bench.hpp>
#include <spillway/tb/bench/whole_runs.hpp>
#include <spillway/tb/built_in/bench_sections.hpp>
#include <spillway/tb/circuit/circuit_bench.hpp>
#include <spillway/tb/wormhole/router_bench.hpp>

namespace spillway {

std::vector<bench_section> bench_sections() {
  std::vector<bench_section> all;
#if SPILLWAY_HAS_PACKET
  all.push_back(omega_bench());
#if SPILLWAY_HAS_WORMHOLE && SPILLWAY_HAS_DAMPENING
  all.push_back(whole_runs_bench());
  all.push_back(threads_bench());
#endif
#endif
#if SPILLWAY_HAS_WORMHOLE
  all.push_back(router_bench());
#endif
#if SPILLWAY_HAS_CIRCUIT
  all.push_back(circuit_bench());
#endif
  return all;
}

}  // namespace spillway
