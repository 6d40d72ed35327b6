#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/platforms/grid/dimension_order.hpp>
#include <spillway/tb/bench/thread_seconds.hpp>
#include <spillway/tb/traffic/injections/bernoulli.hpp>
#include <spillway/tb/traffic/patterns/uniform.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <spillway/tb/wormhole/router_bench.hpp>
#include <stdexcept>
#include <vector>

namespace spillway {

namespace {

struct flit_counter final : endpoint_observer {
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit&) override { ++flits; }
  std::uint64_t flits = 0;
};

constexpr unsigned channels = 2, packet = 4;

network_plan mesh_plan(const std::string& kernel_name, const catalogue& all) {
  network_plan plan;
  plan.shape = make_mesh({8, 8});
  plan.routes = make_dimension_order(*plan.shape.facts<grid_shape>(), channels, true);
  plan.config.runs_on = kernel_of(kernel_name);
  plan.config.packet_length = packet;
  plan.config.switches = {{"kind", "wormhole"}, {"virtual_channels", channels}, {"depth", 4}, {"latency", 1}};
  fill_defaults(all.of<switch_entry>().at("wormhole"), plan.config.switches);
  return plan;
}

nlohmann::json measure(const std::string& name) {
  char kernel_name[16];
  double rate = 0;
  unsigned long long cycles = 0;
  if (std::sscanf(name.c_str(), "router:%15[a-z]:%lf:%llu", kernel_name, &rate, &cycles) != 3)
    throw std::invalid_argument("a case is router:kernel:rate:cycles, found '" + name + "'");
  const catalogue all = platform_catalogue();
  const network_plan plan = mesh_plan(kernel_name, all);
  const auto terminals = static_cast<std::uint32_t>(plan.shape.terminals.size());
  const traffic_entry entry{std::make_shared<uniform_pattern>(terminals),
                            std::make_shared<bernoulli_injection>(offered_load{rate, packet}),
                            {packet}};
  const auto list = std::make_shared<const traffic_list>(1, entry);
  flit_counter seen;
  platform network("network", plan, all,
                   {[&](unsigned t) { return std::make_unique<traffic_supply>(list, t, 1); },
                    [](unsigned) { return sink_config{}; }, seen});
  network.run(cycles / 10);  // warms up
  const std::uint64_t before = seen.flits;
  const double start = thread_seconds();
  network.run(cycles);
  const double seconds = thread_seconds() - start;
  const double terminal_cycles = static_cast<double>(cycles) * terminals;
  return {{"name", "mesh-8x8-2vc4"},
          {"kernel", kernel_name},
          {"rate", rate},
          {"terminals", terminals},
          {"accepted", static_cast<double>(seen.flits - before) / terminal_cycles},
          {"ns_per_switch_cycle", seconds * 1e9 / terminal_cycles}};
}

}  // namespace

bench_section router_bench() {
  bench_section section;
  section.prefix = "router:";
  section.header = fmt::format("{:<16} {:<8} {:>5} {:>9} {:>19} {:>9}", "routers", "kernel", "rate",
                               "terminals", "ns a router-cycle", "accepted");
  section.cases = [](bool quick) {
    std::vector<std::string> names;
    for (const char* kernel : {"fast", "signals"})
      for (const double rate : {0.02, 0.2})
        names.push_back(fmt::format("router:{}:{}:{}", kernel, rate, quick ? 2000 : 20000));
    return names;
  };
  section.measure = measure;
  section.line = [](const nlohmann::json& r) {
    return fmt::format("{:<16} {:<8} {:>5} {:>9} {:>19.1f} {:>9.3f}", r["name"].get<std::string>(),
                       r["kernel"].get<std::string>(), r["rate"].get<double>(),
                       r["terminals"].get<unsigned>(), r["ns_per_switch_cycle"].get<double>(),
                       r["accepted"].get<double>());
  };
  return section;
}

}  // namespace spillway
