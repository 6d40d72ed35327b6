#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <spillway/tb/circuit/circuit_bench.hpp>
#include <spillway/tb/traffic/injections/batch.hpp>
#include <spillway/tb/traffic/patterns/uniform.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <spillway/tlm/circuit/circuit_transactions.hpp>
#include <stdexcept>

namespace spillway {

namespace {

struct counting_observer final : endpoint_observer {
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit&) override { ++messages; }
  std::uint64_t messages = 0;
};

nlohmann::json measure_circuit(const std::string& name) {
  char strategy[16];
  circuit_network_config config;
  if (std::sscanf(name.c_str(), "circuit:%u:%15[a-z]", &config.shape.height, strategy) != 2 ||
      config.shape.height < 1 || config.shape.height > 24)
    throw std::invalid_argument("a case is circuit:height:retry, found '" + name + "'");
  const std::string retries = strategy;
  config.policy.strategy = retries == "rounds" ? retry::rounds : retry::immediate;
  const std::uint32_t terminals = config.shape.terminals();
  const traffic_entry entry{std::make_shared<uniform_pattern>(terminals),
                            std::make_shared<batch_injection>()};
  const auto list = std::make_shared<const traffic_list>(1, entry);
  std::vector<std::unique_ptr<packet_supply>> supplies;
  for (std::uint32_t t = 0; t < terminals; ++t)
    supplies.push_back(std::make_unique<traffic_supply>(list, t, 1));
  counting_observer seen;
  circuit_transactions network(config, std::move(supplies), seen);
  const auto start = std::chrono::steady_clock::now();
  while (network.next() != circuit_transactions::never) network.step(network.next());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (seen.messages != terminals) throw std::runtime_error("not all messages were delivered");
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {{"name", "fat-tree"},
          {"retry", retries},
          {"terminals", terminals},
          {"seconds", seconds},
          {"ns_per_hop", seconds * 1e9 / static_cast<double>(network.forwarded())},
          {"peak_mib", static_cast<double>(usage.ru_maxrss) / 1024}};
}

}  // namespace

bench_section circuit_bench() {
  bench_section section;
  section.prefix = "circuit:";
  section.header = fmt::format("{:<16} {:<10} {:>9} {:>9} {:>16} {:>9}", "transactions", "retry", "terminals",
                               "seconds", "ns a router hop", "peak MiB");
  section.cases = [](bool quick) {
    std::vector<std::string> names;
    for (const char* strategy : {"immediate", "rounds"})
      names.push_back(fmt::format("circuit:{}:{}", quick ? 14 : 20, strategy));
    return names;
  };
  section.measure = measure_circuit;
  section.line = [](const nlohmann::json& r) {
    return fmt::format("{:<16} {:<10} {:>9} {:>9.2f} {:>16.1f} {:>9.0f}", r["name"].get<std::string>(),
                       r["retry"].get<std::string>(), r["terminals"].get<unsigned>(),
                       r["seconds"].get<double>(), r["ns_per_hop"].get<double>(),
                       r["peak_mib"].get<double>());
  };
  return section;
}

}  // namespace spillway
