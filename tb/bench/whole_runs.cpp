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
  unsigned size;
  double rate;
  std::uint64_t cycles;

  double switches() const { return network == "mesh" ? size * size : size * std::exp2(size - 1); }
  unsigned terminals() const { return network == "mesh" ? size * size : 1u << size; }
  bool fits() const { return size >= 2 && size <= 16; }
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

json measure_run(const std::string& name) {
  char network[16];
  run_case c;
  unsigned long long cycles = 0;
  if (std::sscanf(name.c_str(), "run:%15[a-z]:%u:%lf:%llu", network, &c.size, &c.rate, &cycles) != 4 ||
      !c.fits())
    throw std::invalid_argument("a case is run:network:size:rate:cycles, found '" + name + "'");
  c.network = network, c.cycles = cycles;
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

/// Seconds that threads need to begin an edge, meet in its middle and end it, if there is nothing to do.
double exchange_of(unsigned threads) {
  constexpr unsigned edges = 200'000;
  std::unique_ptr<thread_team> team;
  team = std::make_unique<thread_team>(threads, [&team](unsigned) { team->meet(); });
  return elapsed([&team] {
           for (unsigned e = 0; e < edges; ++e) team->run();
         }) /
         edges;
}

json measure_threads(const std::string& name) {
  char network[16];
  run_case c;
  unsigned long long cycles = 0;
  unsigned threads = 0;
  if (std::sscanf(name.c_str(), "threads:%15[a-z]:%u:%lf:%llu:%u", network, &c.size, &c.rate, &cycles,
                  &threads) != 5 ||
      !c.fits() || threads < 2 || threads > 64)
    throw std::invalid_argument("a case is threads:network:size:rate:cycles:threads, found '" + name + "'");
  c.network = network, c.cycles = cycles;
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << c.experiment();
  double one = HUGE_VAL, several = HUGE_VAL, exchange = HUGE_VAL;
  for (unsigned turn = 0; turn < 3; ++turn) {
    one = std::min(one, elapsed([&folder] { run_whole(folder, "threads=1"); }));
    several = std::min(several, elapsed([&] { run_whole(folder, fmt::format("threads={}", threads)); }));
    exchange = std::min(exchange, exchange_of(threads));
  }
  return {{"name", "run-" + c.network}, {"rate", c.rate},
          {"terminals", c.terminals()}, {"threads", threads},
          {"seconds_by_one", one},      {"seconds", several},
          {"times", one / several},     {"exchange_ns", exchange * 1e9}};
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
  section.header =
      fmt::format("{:<16} {:>5} {:>9} {:>9} {:>16} {:>9} {:>7} {:>24}", "by threads", "rate", "terminals",
                  "threads", "seconds by one", "seconds", "times", "ns an edge to exchange");
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
    return fmt::format("{:<16} {:>5} {:>9} {:>9} {:>16.2f} {:>9.2f} {:>7.2f} {:>24.0f}",
                       r["name"].get<std::string>(), r["rate"].get<double>(), r["terminals"].get<unsigned>(),
                       r["threads"].get<unsigned>(), r["seconds_by_one"].get<double>(),
                       r["seconds"].get<double>(), r["times"].get<double>(), r["exchange_ns"].get<double>());
  };
  return section;
}

}  // namespace spillway
