#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <spillway/hw/kernel/thread_team.hpp>
#include <spillway/tb/bench/whole_runs.hpp>
#include <spillway/tb/report/program.hpp>
#include <spillway/tb/report/text.hpp>
#include <stdexcept>
#include <thread>

namespace spillway {

namespace {

using nlohmann::json;

struct run_case {
  std::string network;
  unsigned size = 0;
  double rate = 0;
  std::uint64_t cycles = 0;
  unsigned threads = 0;  ///< if the case has them

  double switches() const { return network == "mesh" ? size * size : size * std::exp2(size - 1); }
  unsigned terminals() const { return network == "mesh" ? size * size : 1u << size; }
  unsigned packet_length() const { return network == "mesh" ? 4 : 1; }
  json experiment() const;
};

json run_case::experiment() const {
  json e{{"name", "bench"},
         {"packet", {{"length", packet_length()}}},
         {"traffic", {{{"pattern", "uniform"}, {"rate", rate}, {"cycles", cycles}}}}};
  if (network == "mesh") {
    e["topology"] = {{"kind", "mesh"}, {"dimensions", {size, size}}};
    e["switch"] = {{"kind", "wormhole"}, {"virtual_channels", 2}, {"depth", 4}};
    return e;
  }
  e["topology"] = {{"kind", "omega"}, {"radix", 2}, {"stages", size}};
  e["switch"] = {{"kind", "packet"}, {"depth", 4}};
  if (network == "dampening") {
    e["switch"] = {{"kind", "dampening"}, {"assignment", "unique"}, {"buffers", 16}};
    e["interface"] = {{"kind", "embargo"}};
  }
  return e;
}

/// A folder that goes with its last file.
class scratch_folder {
public:
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "spillway-bench-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a folder for the runs of the bench");
    path_ = name;
  }
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

private:
  std::filesystem::path path_;
};

/// Seconds of the processor that programs of ours have used.
double seconds_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void run_whole(const scratch_folder& folder, const std::string& setting) {
  const program_result run = run_program({std::filesystem::read_symlink("/proc/self/exe").string(), "run",
                                          (folder / "e.yaml").string(), "--no-report", "--out",
                                          (folder / "out").string(), "--set", setting});
  if (run.status != 0) throw std::runtime_error("spillway run: " + one_line(run.errors + run.output));
}

double seconds_of_run(const scratch_folder& folder, const char* checks) {
  const double before = seconds_of_children();
  run_whole(folder, checks);
  return seconds_of_children() - before;
}

/// Reads `kind:network:size:rate:cycles`, or with `:threads` behind it.
run_case case_of(const std::string& name, const std::string& kind, bool threads) {
  run_case c;
  char network[16];
  unsigned long long cycles = 0;
  const int found = std::sscanf(name.c_str() + kind.size(), ":%15[a-z]:%u:%lf:%llu:%u", network, &c.size,
                                &c.rate, &cycles, &c.threads);
  if (found != (threads ? 5 : 4) || c.size < 2 || c.size > 16 || name.find(":-") != std::string::npos ||
      !(c.rate <= 1) || (threads && (c.threads < 2 || c.threads > 64)))
    throw std::invalid_argument(fmt::format("a case is {}:network:size:rate:cycles{}, found '{}'", kind,
                                            threads ? ":threads" : "", name));
  c.network = network, c.cycles = cycles;
  return c;
}

json measure_run(const std::string& name) {
  const run_case c = case_of(name, "run", false);
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << c.experiment();
  // The least of three in turns: what else the machine does only adds to it.
  double checked = HUGE_VAL, unchecked = HUGE_VAL;
  for (unsigned turn = 0; turn < 3; ++turn) {
    checked = std::min(checked, seconds_of_run(folder, "checks.links=true"));
    unchecked = std::min(unchecked, seconds_of_run(folder, "checks.links=false"));
  }
  const double switch_cycles = c.switches() * static_cast<double>(c.cycles);
  return {{"name", "run-" + c.network},
          {"rate", c.rate},
          {"terminals", c.terminals()},
          {"seconds", checked},
          {"ns_per_switch_cycle", checked * 1e9 / switch_cycles},
          {"ns_without_link_checks", unchecked * 1e9 / switch_cycles}};
}

/// Seconds until `job` is done.
template <class Job>
double elapsed(const Job& job) {
  const auto begun = std::chrono::steady_clock::now();
  job();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

/// Of a run by so many threads, the least so far: seconds from the command to its end, and those of them that
/// are the stepping of the network.
struct least_seconds {
  double whole = HUGE_VAL, stepping = HUGE_VAL;

  void time_run(const scratch_folder& folder, unsigned threads) {
    whole = std::min(whole, elapsed([&] { run_whole(folder, fmt::format("threads={}", threads)); }));
    const json timing = json::parse(std::ifstream(folder / "out" / "timing.json"));
    stepping = std::min(stepping, timing.at("wall_seconds").get<double>());
  }
};

/// Seconds that threads need to begin an edge, meet in its middle and end it, if there is nothing to do.
double exchange_of(unsigned threads) {
  constexpr unsigned edges = 200'000;
  std::unique_ptr<thread_team> team;
  team = std::make_unique<thread_team>(threads, [&team](unsigned) { team->meet(); });
  const double seconds = elapsed([&team] {
    for (unsigned e = 0; e < edges; ++e) team->run();
  });
  return seconds / edges;
}

json measure_threads(const std::string& name) {
  const run_case c = case_of(name, "threads", true);
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << c.experiment();
  least_seconds one, several;
  double exchange = HUGE_VAL;
  for (unsigned turn = 0; turn < 3; ++turn) {
    one.time_run(folder, 1);
    several.time_run(folder, c.threads);
    exchange = std::min(exchange, exchange_of(c.threads));
  }
  const double ns = 1e9 / static_cast<double>(c.cycles);
  return {{"name", "run-" + c.network},
          {"rate", c.rate},
          {"terminals", c.terminals()},
          {"threads", c.threads},
          {"seconds_by_one", one.whole},
          {"seconds", several.whole},
          {"times", one.whole / several.whole},
          {"ns_per_cycle_by_one", one.stepping * ns},
          {"ns_per_cycle", several.stepping * ns},
          {"ns_of_exchange", exchange * 1e9}};
}

}  // namespace

bench_section whole_runs_bench() {
  bench_section section;
  section.prefix = "run:";
  section.header = fmt::format("{:<16} {:>5} {:>9} {:>9} {:>19} {:>26}", "whole runs", "rate", "terminals",
                               "seconds", "ns a switch-cycle", "without checks of links");
  section.cases = [](bool quick) {
    std::vector<std::string> names;
    const auto add = [&](const char* network, unsigned size, double rate, unsigned cycles) {
      names.push_back(fmt::format("run:{}:{}:{}:{}", network, size, rate, quick ? cycles / 8 : cycles));
    };
    for (const double rate : {0.02, 0.2, 0.4}) add("omega", 8, rate, 8000);
    add("omega", 10, 0.2, 2000);
    for (const double rate : {0.02, 0.2}) add("mesh", 8, rate, 40000);
    add("dampening", 8, 0.2, 4000);
    return names;
  };
  section.measure = measure_run;
  section.line = [](const json& r) {
    return fmt::format("{:<16} {:>5} {:>9} {:>9.2f} {:>19.1f} {:>26.1f}", r["name"].get<std::string>(),
                       r["rate"].get<double>(), r["terminals"].get<unsigned>(), r["seconds"].get<double>(),
                       r["ns_per_switch_cycle"].get<double>(), r["ns_without_link_checks"].get<double>());
  };
  return section;
}

bench_section threads_bench() {
  bench_section section;
  section.prefix = "threads:";
  section.header = fmt::format("{:<16} {:>5} {:>9} {:>7} {:>8} {:>8} {:>6} {:>17} {:>10} {:>14}",
                               "by threads", "rate", "terminals", "threads", "s by one", "seconds", "times",
                               "us a cycle by one", "us a cycle", "ns to exchange");
  section.cases = [](bool quick) {
    std::vector<std::string> names;
    const unsigned threads = std::min(std::thread::hardware_concurrency(), 64u);
    if (threads < 2) return names;
    for (const auto& [size, cycles] : {std::pair{8u, 20'000u}, {10u, 5'000u}, {12u, 1'000u}})
      names.push_back(fmt::format("threads:omega:{}:0.2:{}:{}", size, quick ? cycles / 8 : cycles, threads));
    return names;
  };
  section.measure = measure_threads;
  section.line = [](const json& r) {
    const auto number = [&r](const char* key) { return r[key].get<double>(); };
    return fmt::format("{:<16} {:>5} {:>9} {:>7} {:>8.2f} {:>8.2f} {:>6.2f} {:>17.1f} {:>10.1f} {:>14.0f}",
                       r["name"].get<std::string>(), number("rate"), r["terminals"].get<unsigned>(),
                       r["threads"].get<unsigned>(), number("seconds_by_one"), number("seconds"),
                       number("times"), number("ns_per_cycle_by_one") / 1e3, number("ns_per_cycle") / 1e3,
                       number("ns_of_exchange"));
  };
  return section;
}

}  // namespace spillway
