// One run of a butterfly of 64 terminals with a TLM initiator and a memory each, at one level and load.
// tlm_level FRACTION RATE CYCLES KEY=VALUE...: FRACTION of the accesses go to terminal 0, the others
// anywhere; RATE accesses a terminal and cycle, of 32 bytes each, half of them writes. Prints accesses
// completed a terminal and 1000 cycles, mean latency in cycles from creation, and seconds of processor time.
#include <cstdio>
#include <ctime>
#include <spillway/platforms/built_in/tlm_network.hpp>
#include <support/tlm_load.hpp>

namespace {

constexpr unsigned stages = 6;

}  // namespace

int sc_main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: tlm_level FRACTION RATE CYCLES [KEY=VALUE]...\n");
    return 2;
  }
  spillway::test::tlm_load load;
  load.terminals = 1u << stages;
  load.hot = std::stod(argv[1]);
  load.rate = std::stod(argv[2]);
  load.cycles = std::stoull(argv[3]);
  load.warmup = load.cycles / 4;
  spillway::tlm_network network("network", spillway::test::load_platform(stages), {argv + 4, argv + argc});
  const spillway::test::loaded_network all("t", network, load);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaboration is not what is measured
  const std::clock_t start = std::clock();
  sc_core::sc_start(static_cast<double>(load.warmup + load.cycles) * load.cycle);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%.2f %.1f %.4f\n", all.completed(), all.latency(), seconds);
  return 0;
}
