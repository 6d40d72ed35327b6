#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/platforms/multistage/multistage.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>
#include <spillway/tb/bench/bare_omega.hpp>
#include <spillway/tb/bench/omega_bench.hpp>
#include <spillway/tb/bench/thread_seconds.hpp>
#include <spillway/tb/traffic/injections/bernoulli.hpp>
#include <spillway/tb/traffic/patterns/uniform.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <stdexcept>
#include <vector>

namespace spillway {

namespace {

using nlohmann::json;

struct bench_case {
  std::string kernel;
  unsigned stages;
  double rate;  ///< flits a cycle and terminal
  std::uint64_t cycles;
};

/// Counts what arrives; a scoreboard would be measured with it.
struct digest_observer final : endpoint_observer {
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t cycle, unsigned, const flit& f) override {
    ++flits;
    digest += bare_omega::digest_of(cycle, f);
  }
  std::uint64_t flits = 0, digest = 0;
};

/// Memory of this process that is in use, whoever allocates it.
std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Makes the supplies of terminals, which share their traffic as in a run.
auto uniform_traffic(double rate, unsigned terminals) {
  const traffic_entry entry{std::make_shared<uniform_pattern>(terminals),
                            std::make_shared<bernoulli_injection>(offered_load{rate, 1})};
  return [entries = std::make_shared<const traffic_list>(1, entry)](unsigned t) {
    return std::make_unique<traffic_supply>(entries, t, 1);
  };
}

json measure(const bench_case& c) {
  const unsigned terminals = 1u << c.stages;
  const topology shape = make_omega({2, c.stages});
  digest_observer seen;
  const catalogue all = platform_catalogue();
  network_plan plan{shape, make_routing(all, shape, {{"kind", "digit"}}), {}};
  platform_config& config = plan.config;
  config.runs_on = kernel_of(c.kernel);
  config.switches = {{"kind", "packet"}, {"buffering", "fifo"}, {"depth", 4}};
  fill_defaults(all.of<switch_entry>().at("packet"), config.switches);
  const auto supply = uniform_traffic(c.rate, terminals);
  const std::size_t before = resident_bytes();
  platform network("network", plan, all, {supply, [](unsigned) { return sink_config{}; }, seen});
  network.run(0);
  const std::size_t bytes = resident_bytes() - before;

  std::vector<std::unique_ptr<packet_supply>> supplies;
  for (unsigned t = 0; t < terminals; ++t) supplies.push_back(supply(t));
  bare_omega bare(c.stages, std::move(supplies));

  // In turns, so that a machine whose speed drifts does not spoil the ratio; the first turn warms up.
  constexpr unsigned turns = 10;
  const std::uint64_t share = c.cycles / turns;
  double blocks_time = 0, bare_time = 0;
  for (unsigned turn = 0; turn <= turns; ++turn) {
    const double start = thread_seconds();
    network.run(share);
    const double middle = thread_seconds();
    for (std::uint64_t i = 0; i < share; ++i) bare.step();
    const double end = thread_seconds();
    if (turn == 0) continue;
    blocks_time += middle - start;
    bare_time += end - middle;
  }
  if (seen.digest != bare.digest() || seen.flits != bare.delivered())
    throw std::runtime_error(fmt::format("the bare loop delivers {} flits, the blocks {}: they differ",
                                         bare.delivered(), seen.flits));
  const double switch_cycles =
      static_cast<double>(shape.switches.size()) * static_cast<double>(share * turns);
  return {{"name", "omega-2x2-fifo4"},
          {"kernel", c.kernel},
          {"rate", c.rate},
          {"terminals", terminals},
          {"ns_per_switch_cycle", blocks_time * 1e9 / switch_cycles},
          {"bytes_per_switch", bytes / shape.switches.size()},
          {"ratio_to_bare_loop", blocks_time / bare_time}};
}

bench_case parse_case(const std::string& text) {
  char kernel[16];
  bench_case c;
  unsigned long long cycles = 0;
  if (std::sscanf(text.c_str(), "%15[a-z]:%u:%lf:%llu", kernel, &c.stages, &c.rate, &cycles) != 4 ||
      text.find(":-") != std::string::npos || !(c.rate <= 1))
    throw std::invalid_argument("a case is kernel:stages:rate:cycles, found '" + text + "'");
  c.kernel = kernel;
  c.cycles = cycles;
  return c;
}

std::vector<bench_case> all_cases(bool quick) {
  std::vector<bench_case> cases;
  const std::uint64_t scale = quick ? 1 : 8;
  for (const char* kernel : {"fast", "signals"})
    for (const double rate : {0.02, 0.2, 0.4}) cases.push_back({kernel, 8, rate, 500 * scale});
  for (const unsigned stages : {6u, 10u, 12u, 14u}) {
    if (quick && stages > 10) break;
    cases.push_back(
        {"fast", stages, 0.2, std::max<std::uint64_t>(100, (500 * scale * 8 << 8) / (stages << stages))});
  }
  return cases;
}

}  // namespace

bench_section omega_bench() {
  bench_section section;
  section.header = fmt::format("{:<16} {:<8} {:>5} {:>9} {:>19} {:>16} {:>18}", "name", "kernel", "rate",
                               "terminals", "ns a switch-cycle", "bytes a switch", "ratio to bare loop");
  section.cases = [](bool quick) {
    std::vector<std::string> names;
    for (const bench_case& c : all_cases(quick))
      names.push_back(fmt::format("{}:{}:{}:{}", c.kernel, c.stages, c.rate, c.cycles));
    return names;
  };
  section.measure = [](const std::string& name) { return measure(parse_case(name)); };
  section.line = [](const json& r) {
    return fmt::format("{:<16} {:<8} {:>5} {:>9} {:>19.1f} {:>16} {:>18.2f}", r["name"].get<std::string>(),
                       r["kernel"].get<std::string>(), r["rate"].get<double>(),
                       r["terminals"].get<unsigned>(), r["ns_per_switch_cycle"].get<double>(),
                       r["bytes_per_switch"].get<std::uint64_t>(), r["ratio_to_bare_loop"].get<double>());
  };
  return section;
}

}  // namespace spillway
