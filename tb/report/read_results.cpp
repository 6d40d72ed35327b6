#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/read_results.hpp>
#include <sstream>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw io_error(path.string() + ": cannot read this file");
  return text.str();
}

/// One record of RFC 4180; advances past its line end.
std::vector<std::string> next_record(const std::string& text, std::size_t& at) {
  std::vector<std::string> cells(1);
  for (bool quoted = false; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      if (quoted && at + 1 < text.size() && text[at + 1] == '"')
        cells.back() += text[at++];
      else
        quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c == '\n' && !quoted) {
      ++at;
      break;
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

double number(const json& value) { return value.is_number() ? value.get<double>() : not_measured; }

latency_summary summary(const json& j) {
  return {number(j.at("mean")), number(j.at("p50")), number(j.at("p99")), number(j.at("max"))};
}

void read_json(const json& j, run_record& r) {
  r.status = j.at("status");
  r.name = j.at("name");
  r.kernel = j.at("kernel");
  r.level = j.at("level");
  r.seed = j.at("seed");
  r.partial = j.at("partial");
  r.saturated = j.at("saturated");
  r.cycles = j.at("cycles");
  r.measured_from = j.at("measured_from");
  r.measured_cycles = j.at("measured_cycles");
  r.terminals = j.at("terminals");
  r.blocks = j.at("blocks");
  r.links = j.at("links");
  r.created = j.at("created");
  r.injected = j.at("injected");
  r.delivered = j.at("delivered");
  r.lost = j.at("lost");
  r.duplicated = j.at("duplicated");
  r.misordered = j.at("misordered");
  r.corrupted = j.at("corrupted");
  r.violations = j.at("violations");
  r.reset_dropped = j.at("reset_dropped");
  r.reset_dropped_flits = j.at("reset_dropped_flits");
  r.lost_in_reset = j.at("lost_in_reset");
  r.hops = number(j.at("hops"));
  r.throughput = number(j.at("throughput"));
  r.offered = number(j.at("offered"));
  r.latency = summary(j.at("latency"));
  r.network_latency = summary(j.at("network_latency"));
  for (const auto& [name, c] : j.at("classes").items())
    r.classes[name] = {c.at("delivered"), summary(c.at("latency")), summary(c.at("network_latency"))};
  for (const auto& [name, value] : j.at("counters").items()) r.counters[name] = number(value);
  r.findings = j.at("findings").get<std::vector<std::string>>();
  r.wall_seconds = number(j.at("wall_seconds"));
  r.hops_per_second = number(j.at("hops_per_second"));
}

/// Columns of occupancy go back to their record.
void split_series(std::vector<column> columns, run_record& r) {
  const std::string prefix = occupancy_prefix;
  for (column& c : columns) {
    if (c.name.compare(0, prefix.size(), prefix) == 0) {
      r.occupancy.stages.push_back(c.name.substr(prefix.size()));
      r.occupancy.rows.push_back(std::move(c.values));
    } else {
      r.series.columns.push_back(std::move(c));
    }
  }
  const auto& cycles = r.series.columns.front().values;
  const double interval = cycles.size() > 1 ? cycles[1] - cycles[0] : cycles.empty() ? 0 : cycles[0];
  r.series.interval = r.occupancy.interval = static_cast<std::uint64_t>(interval);
}

}  // namespace

std::vector<column> read_csv(const std::string& path) {
  const std::string text = contents(path);
  std::size_t at = 0;
  std::vector<column> columns;
  for (std::string& name : next_record(text, at)) columns.push_back({std::move(name), {}});
  for (std::size_t line = 2; at < text.size(); ++line) {
    const std::vector<std::string> cells = next_record(text, at);
    if (cells.size() != columns.size())
      throw io_error(
          fmt::format("{}:{}: found {} cells, expected {}", path, line, cells.size(), columns.size()));
    for (std::size_t i = 0; i < cells.size(); ++i)
      columns[i].values.push_back(cells[i].empty() ? not_measured : std::strtod(cells[i].c_str(), nullptr));
  }
  return columns;
}

run_record read_results(const std::string& folder) {
  const fs::path at = folder;
  run_record r;
  try {
    read_json(json::parse(contents(at / "result.json")), r);
  } catch (const json::exception& error) {
    throw io_error(fmt::format("{}: not a result of a run: {}", (at / "result.json").string(), error.what()));
  }
  split_series(read_csv((at / "series.csv").string()), r);
  const std::vector<column> bins = read_csv((at / "histogram.csv").string());
  for (std::size_t i = 0; bins.size() == 3 && i < bins[0].values.size(); ++i)
    r.histogram.push_back({static_cast<std::uint64_t>(bins[0].values[i]),
                           static_cast<std::uint64_t>(bins[1].values[i]),
                           static_cast<std::uint64_t>(bins[2].values[i])});
  r.config_yaml = contents(at / "config.yaml");
  return r;
}

}  // namespace spillway
