#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <spillway/tb/bench/bench.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using nlohmann::json;

/// Runs one case in a fresh process: SystemC elaborates once, and memory is then counted cleanly.
json measure_apart(const std::string& name) {
  const std::string line =
      fmt::format("'{}' bench --case {}", std::filesystem::read_symlink("/proc/self/exe").string(), name);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(("exec " + line).c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("cannot start " + line);
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    text.append(buffer.data(), got);
  return json::parse(text);
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
