#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/write_results.hpp>
#include <stdexcept>
#include <system_error>

namespace spillway {

namespace {

using nlohmann::ordered_json;

// JSON has neither infinity nor not-a-number.
ordered_json number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json summary(const latency_summary& s) {
  return {{"mean", number(s.mean)}, {"p50", number(s.p50)}, {"p99", number(s.p99)}, {"max", number(s.max)}};
}

ordered_json class_json(const class_record& c) {
  return {{"delivered", c.delivered},
          {"latency", summary(c.latency)},
          {"network_latency", summary(c.network_latency)},
          {"throughput", number(c.load.throughput)},
          {"offered", number(c.load.offered)},
          {"throughput_flits", number(c.load.throughput_flits)},
          {"offered_flits", number(c.load.offered_flits)}};
}

ordered_json pictures_json(const run_record& r) {
  ordered_json result = ordered_json::array();
  for (const series_picture& p : r.pictures) {
    result.push_back({{"name", p.name},
                      {"caption", p.caption},
                      {"y_label", p.y_label},
                      {"columns", p.columns},
                      {"bound", number(p.bound)},
                      {"bound_label", p.bound_label}});
    if (p.heat) result.back()["heat"] = true;
    if (!p.x.empty()) result.back()["x"] = p.x, result.back()["y"] = p.y;
  }
  return result;
}

ordered_json tables_json(const run_record& r) {
  ordered_json result = ordered_json::array();
  for (const table_record& t : r.tables)
    result.push_back({{"name", t.name}, {"caption", t.caption}, {"heads", t.heads}, {"rows", t.rows}});
  return result;
}

ordered_json classes_json(const run_record& r) {
  ordered_json result = ordered_json::object();
  for (const char* always : {"hot", "cool"}) {
    const auto found = r.classes.find(always);
    result[always] = class_json(found == r.classes.end() ? class_record{} : found->second);
  }
  for (const auto& [name, c] : r.classes) result[name] = class_json(c);
  return result;
}

ordered_json breakdown_json(const breakdown_record& b) {
  ordered_json stages = ordered_json::object();
  for (const auto& [name, cycles] : b.stages) stages[name] = number(cycles);
  return {{"packets", b.packets},           {"not_followed", b.not_followed},
          {"source", number(b.source)},     {"interface", number(b.interface)},
          {"switches", number(b.switches)}, {"links", number(b.links)},
          {"arrival", number(b.arrival)},   {"stages", std::move(stages)}};
}

void check_lengths(const run_record& r) {
  const auto& columns = r.series.columns;
  for (const column& c : columns)
    if (c.values.size() != columns.front().values.size())
      throw std::invalid_argument(fmt::format("series: column '{}' has {} values, column '{}' has {}", c.name,
                                              c.values.size(), columns.front().name,
                                              columns.front().values.size()));
  const occupancy_record& o = r.occupancy;
  if (o.stages.size() != o.rows.size())
    throw std::invalid_argument(fmt::format("occupancy: {} stages, {} rows", o.stages.size(), o.rows.size()));
  for (const auto& row : o.rows)
    if (row.size() != o.rows.front().size()) throw std::invalid_argument("occupancy: rows of unequal length");
}

std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{:.12g}", value) : ""; }

ordered_json size_json(const size_record& s) { return {{"flits", s.flits}, {"bits", s.bits}}; }

struct named_text {
  const char* name;
  std::string text;
};

/// What an earlier run has left there goes, its result first: what is there meanwhile passes for none. Only
/// regular files, as a run writes them.
void remove_results(const std::string& folder, const std::vector<named_text>& written, bool deliveries) {
  const auto goes = [&](const std::string& name) {
    if (name == "result.json") return true;
    if (name == "deliveries.csv") return !deliveries;
    return std::none_of(written.begin(), written.end(), [&](const named_text& f) { return f.name == name; });
  };
  for (const char* const name : result_files) {
    const std::filesystem::path file = std::filesystem::path(folder) / name;
    std::error_code error;
    if (!goes(name) ||
        std::filesystem::symlink_status(file, error).type() != std::filesystem::file_type::regular)
      continue;
    if (!std::filesystem::remove(file, error) && error)
      throw io_error(
          fmt::format("{}: cannot remove this file of an earlier run: {}", file.string(), error.message()));
  }
}

/// One run at a time puts its results into a folder; where a file system knows no locks, all do.
class folder_lock {
public:
  explicit folder_lock(const std::string& folder)
      : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (folder_ >= 0 && ::flock(folder_, LOCK_EX) != 0 && errno == EINTR) continue;
  }
  ~folder_lock() {
    if (folder_ >= 0) ::close(folder_);
  }
  folder_lock(const folder_lock&) = delete;
  folder_lock& operator=(const folder_lock&) = delete;

private:
  const int folder_;
};

/// The last of the files says that all are there.
void write_all(const std::string& folder, const std::vector<named_text>& files, atomic_file* deliveries) {
  std::vector<std::unique_ptr<atomic_file>> open;
  for (const named_text& f : files) {
    open.push_back(std::make_unique<atomic_file>((std::filesystem::path(folder) / f.name).string()));
    open.back()->write(f.text);
    open.back()->close();
  }
  const folder_lock lock(folder);
  remove_results(folder, files, deliveries != nullptr);
  if (deliveries) deliveries->commit();
  for (auto& file : open) file->commit();
}

}  // namespace

std::string result_json(const run_record& r) {
  ordered_json j;
  j["schema_version"] = result_schema_version;
  j["status"] = r.status;
  j["name"] = r.name;
  j["seed"] = r.seed;
  j["kernel"] = r.kernel;
  j["level"] = r.level;
  j["partial"] = r.partial;
  j["saturated"] = r.saturated;
  j["cycles"] = r.cycles;
  j["measured_from"] = r.measured_from;
  j["measured_cycles"] = r.measured_cycles;
  if (r.warmup_found) j["warmup_rule"] = "MSER-5";
  j["terminals"] = r.terminals;
  j["blocks"] = r.blocks;
  j["links"] = r.links;
  j["places"] = r.places;
  j["hardware"] = {{"switches", size_json(r.hardware.switches)},
                   {"register_stages", size_json(r.hardware.register_stages)},
                   {"interfaces", size_json(r.hardware.interfaces)},
                   {"wires", size_json(r.hardware.wires)}};
  j["created"] = r.created;
  j["injected"] = r.injected;
  j["delivered"] = r.delivered;
  j["lost"] = r.lost;
  j["duplicated"] = r.duplicated;
  j["misordered"] = r.misordered;
  j["corrupted"] = r.corrupted;
  j["violations"] = r.violations;
  j["reset_dropped"] = r.reset_dropped;
  j["reset_dropped_flits"] = r.reset_dropped_flits;
  j["lost_in_reset"] = r.lost_in_reset;
  j["hops"] = number(r.hops);
  j["forwarded_flits"] = number(r.forwarded_flits);
  j["throughput"] = number(r.throughput);
  j["offered"] = number(r.offered);
  j["throughput_flits"] = number(r.throughput_flits);
  j["offered_flits"] = number(r.offered_flits);
  j["confidence"] = {{"throughput", number(r.confidence.throughput)},
                     {"latency", number(r.confidence.latency)},
                     {"warning", r.confidence.warning}};
  j["latency"] = summary(r.latency);
  j["network_latency"] = summary(r.network_latency);
  j["classes"] = classes_json(r);
  if (r.breakdown.wanted) j["breakdown"] = breakdown_json(r.breakdown);
  j["counters"] = ordered_json::object();
  for (const auto& [name, value] : r.counters) j["counters"][name] = number(value);
  j["findings"] = r.findings;
  j["pictures"] = pictures_json(r);
  if (!r.tables.empty()) j["tables"] = tables_json(r);
  for (const compared_number& n : r.compared)
    j["compared"].push_back({{"counter", n.counter}, {"label", n.label}});
  return j.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::string timing_json(const run_record& r) {
  return ordered_json{{"wall_seconds", number(r.wall_seconds)},
                      {"hops_per_second", number(r.hops_per_second)},
                      {"threads", r.threads}}
             .dump(2) +
         '\n';
}

std::string network_json(const network_record& n) {
  ordered_json j;
  j["switches"] = ordered_json::array();
  for (const network_record::place& p : n.switches) j["switches"].push_back({p.column, p.row});
  j["links"] = ordered_json::array();
  for (const auto& [from, to] : n.links) j["links"].push_back({from, to});
  j["moments"] = ordered_json::array();
  for (const network_record::moment& m : n.moments)
    j["moments"].push_back({{"cycle", m.cycle}, {"fullest", m.fullest}});
  const history_record& h = n.history;
  if (!h.left_out.empty()) j["left_out"] = h.left_out;
  if (h.cycles.empty()) return j.dump() + '\n';
  ordered_json& history = j["history"];
  history["cycles"] = h.cycles;
  history["links"] = h.links;
  history["fullest"] = h.fullest;
  history["used"] = h.used;
  history["blocked"] = h.blocked;
  if (!h.stopped.empty()) history["stopped"] = h.stopped;
  return j.dump() + '\n';
}

std::string series_csv(const run_record& r) {
  check_lengths(r);
  std::vector<column> columns = r.series.columns;
  if (columns.empty()) return "cycle,delivered,in_flight\n";
  for (std::size_t i = 0; i < r.occupancy.rows.size(); ++i)
    if (r.occupancy.rows[i].size() == columns.front().values.size())
      columns.push_back({occupancy_prefix + r.occupancy.stages[i], r.occupancy.rows[i]});
  std::string text;
  for (const column& c : columns) text += (&c == &columns.front() ? "" : ",") + csv_cell(c.name);
  text += '\n';
  for (std::size_t i = 0; i < columns.front().values.size(); ++i) {
    for (const column& c : columns) text += (&c == &columns.front() ? "" : ",") + csv_number(c.values[i]);
    text += '\n';
  }
  return text;
}

std::string histogram_csv(const run_record& r) {
  std::string text = "latency,packets,width\n";
  for (const latency_bin& b : r.histogram) text += fmt::format("{},{},{}\n", b.value, b.count, b.width);
  return text;
}

std::string links_csv(const run_record& r) {
  std::string text = "link,kind,from,to,flits,utilisation,blocked\n";
  for (const link_record& l : r.link_rows)
    text +=
        fmt::format("{},{},{},{},{},{},{}\n", csv_cell(l.name), csv_cell(l.kind), csv_cell(l.from),
                    csv_cell(l.to), csv_number(l.flits), csv_number(l.utilisation), csv_number(l.blocked));
  return text;
}

std::string switches_csv(const run_record& r) {
  std::string text =
      "switch,stage,flits,occupancy_mean,occupancy_max,capacity,blocked_in,blocked_out,packets,delay_mean,"
      "delay_max\n";
  for (const switch_record& s : r.switch_rows)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(s.name), s.stage, s.flits,
                        csv_number(s.mean_occupancy), csv_number(s.greatest_occupancy), s.capacity,
                        csv_number(s.blocked_in), csv_number(s.blocked_out), csv_number(s.packets),
                        csv_number(s.mean_delay), csv_number(s.greatest_delay));
  return text;
}

std::string flows_csv(const run_record& r) {
  std::string text = "source,destination,packets,flits,mean,p99,max\n";
  for (const flow_record& f : r.flows)
    text += fmt::format("{},{},{},{},{},{},{}\n", f.source, f.destination, f.packets, f.flits,
                        csv_number(f.mean), csv_number(f.p99), csv_number(f.max));
  return text;
}

void write_results(const std::string& folder, const run_record& r, bool report, atomic_file* deliveries) {
  check_lengths(r);
  const bool made = make_folder(folder);
  try {
    std::vector<named_text> files{{"config.yaml", r.config_yaml},
                                  {"series.csv", series_csv(r)},
                                  {"histogram.csv", histogram_csv(r)},
                                  {"links.csv", links_csv(r)},
                                  {"switches.csv", switches_csv(r)}};
    if (r.flows_wanted) files.push_back({"flows.csv", flows_csv(r)});
    const history_record& h = r.network.history;
    if (!r.network.moments.empty() || !h.cycles.empty() || !h.left_out.empty())
      files.push_back({"network.json", network_json(r.network)});
    files.push_back({"timing.json", timing_json(r)});
    if (report) files.push_back({"report.html", report_html(r)});
    files.push_back({"result.json", result_json(r)});
    write_all(folder, files, deliveries);
  } catch (...) {
    std::error_code ignored;
    if (made) std::filesystem::remove(folder, ignored);  // only if nothing else is in it
    throw;
  }
}

}  // namespace spillway
