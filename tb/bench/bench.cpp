#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <spillway/tb/bench/bench.hpp>
#include <spillway/tb/report/program.hpp>
#include <spillway/tb/report/text.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using nlohmann::json;

/// Runs one case in a fresh process: SystemC elaborates once, and memory is then counted cleanly.
json measure_apart(const std::string& name) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const program_result result = run_program({program, "bench", "--case", name});
  if (result.status != 0)
    throw std::runtime_error(fmt::format("bench --case {}: {}", name, one_line(result.errors)));
  return json::parse(result.output);
}

json measure_one(const std::string& name, const std::vector<bench_section>& sections) {
  const bench_section* chosen = nullptr;
  for (const bench_section& s : sections)
    if (name.rfind(s.prefix, 0) == 0 && (!chosen || s.prefix.size() > chosen->prefix.size())) chosen = &s;
  if (!chosen) throw std::invalid_argument("the bench has no case '" + name + "'");
  return chosen->measure(name);
}

}  // namespace

int run_bench(const bench_options& options, const std::vector<bench_section>& sections) {
  if (!options.only.empty()) {
    const json r = measure_one(options.only, sections);
    fmt::print("{}\n", (options.json ? json::array({r}) : r).dump());
    return 0;
  }
  json results = json::array();
  for (const bench_section& section : sections) {
    if (!options.json) fmt::print("{}{}\n", results.empty() ? "" : "\n", section.header);
    for (const std::string& name : section.cases(options.quick)) {
      results.push_back(measure_apart(name));
      if (!options.json) fmt::print("{}\n", section.line(results.back()));
      std::fflush(stdout);
    }
  }
  if (options.json) fmt::print("{}\n", results.dump(2));
  return 0;
}

}  // namespace spillway
