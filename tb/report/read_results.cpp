#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/tb/report/read_results.hpp>
#include <spillway/tb/report/text.hpp>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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
    } else if (!quoted && (c == '\n' || text.compare(at, 2, "\r\n") == 0)) {
      at += c == '\n' ? 1 : 2;
      break;
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

/// A cell that holds a number and nothing else; an empty one is not measured.
double cell_number(const std::string& cell, const std::string& path, std::size_t line) {
  if (cell.empty()) return not_measured;
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (end != cell.c_str() + cell.size())
    throw config_error(fmt::format("{}:{}: found '{}', expected a number", path, line, one_line(cell)));
  return value;
}

/// What a double holds to the unit.
bool is_whole(double value) { return value >= 0 && value < 9007199254740992.0 && std::trunc(value) == value; }

std::uint64_t whole(const json& value) {
  if (!value.is_number_unsigned())
    throw config_error(fmt::format("found {}, expected a whole number", value.dump()));
  return value.get<std::uint64_t>();
}

double number(const json& value) { return value.is_number() ? value.get<double>() : not_measured; }

latency_summary summary(const json& j) {
  return {number(j.at("mean")), number(j.at("p50")), number(j.at("p99")), number(j.at("max"))};
}

/// Results of before have no flits, and of classes nothing.
load_summary load(const json& j) {
  const auto at = [&j](const char* key) { return number(j.value(key, json())); };
  return {at("offered"), at("throughput"), at("offered_flits"), at("throughput_flits")};
}

size_record size(const json& j) { return {whole(j.at("flits")), whole(j.at("bits"))}; }

/// It becomes the name of a file.
std::string picture_name(const json& value) {
  auto name = value.get<std::string>();
  const auto fits = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (name.empty() || !std::all_of(name.begin(), name.end(), fits))
    throw config_error(
        fmt::format("found picture '{}', expected letters, digits and underscores", one_line(name)));
  return name;
}

table_record read_table(const json& t) {
  table_record table{picture_name(t.at("name")), t.at("caption"),
                     t.at("heads").get<std::vector<std::string>>(),
                     t.at("rows").get<std::vector<std::vector<std::string>>>()};
  for (const auto& row : table.rows)
    if (row.size() != table.heads.size() || row.empty())
      throw config_error(
          fmt::format("table '{}' has {} heads and a row of {}", table.name, table.heads.size(), row.size()));
  return table;
}

void read_result(const json& j, run_record& r) {
  r.status = j.at("status");
  r.name = j.at("name");
  r.kernel = j.at("kernel");
  r.level = j.at("level");
  r.seed = whole(j.at("seed"));
  r.partial = j.at("partial");
  r.saturated = j.at("saturated");
  r.cycles = whole(j.at("cycles"));
  r.measured_from = whole(j.at("measured_from"));
  r.measured_cycles = whole(j.at("measured_cycles"));
  r.terminals = whole(j.at("terminals"));
  r.blocks = whole(j.at("blocks"));
  r.links = whole(j.at("links"));
  r.places = whole(j.at("places"));
  if (j.contains("hardware")) {  // results of before have none
    const json& h = j.at("hardware");
    r.hardware = {size(h.at("switches")), size(h.at("register_stages")), size(h.at("interfaces")),
                  size(h.at("wires"))};
  }
  r.created = whole(j.at("created"));
  r.injected = whole(j.at("injected"));
  r.delivered = whole(j.at("delivered"));
  r.lost = whole(j.at("lost"));
  r.duplicated = whole(j.at("duplicated"));
  r.misordered = whole(j.at("misordered"));
  r.corrupted = whole(j.at("corrupted"));
  r.violations = whole(j.at("violations"));
  r.reset_dropped = whole(j.at("reset_dropped"));
  r.reset_dropped_flits = whole(j.at("reset_dropped_flits"));
  r.lost_in_reset = whole(j.at("lost_in_reset"));
  r.hops = number(j.at("hops"));
  r.forwarded_flits = number(j.value("forwarded_flits", json()));  // results of before have none
  const load_summary all = load(j);
  r.throughput = all.throughput;
  r.offered = all.offered;
  r.throughput_flits = all.throughput_flits;
  r.offered_flits = all.offered_flits;
  r.warmup_found = j.contains("warmup_rule");
  if (j.contains("confidence")) {
    const json& c = j.at("confidence");
    r.confidence = {number(c.at("throughput")), number(c.at("latency")), c.at("warning")};
  }
  r.latency = summary(j.at("latency"));
  r.network_latency = summary(j.at("network_latency"));
  for (const auto& [name, c] : j.at("classes").items())
    r.classes[name] = {whole(c.at("delivered")), summary(c.at("latency")), summary(c.at("network_latency")),
                       load(c)};
  for (const auto& [name, value] : j.at("counters").items()) r.counters[name] = number(value);
  r.findings = j.at("findings").get<std::vector<std::string>>();
  for (const json& p : j.value("pictures", json::array())) {
    r.pictures.push_back({picture_name(p.at("name")), p.at("caption"), p.at("y_label"),
                          p.at("columns").get<std::vector<std::string>>(), number(p.at("bound")),
                          p.at("bound_label")});
    series_picture& picture = r.pictures.back();
    picture.heat = p.value("heat", false);
    picture.x = p.value("x", std::vector<double>{});
    picture.y = p.value("y", std::vector<double>{});
    if (picture.x.size() != picture.y.size())
      throw config_error(
          fmt::format("picture '{}' has {} x and {} y", picture.name, picture.x.size(), picture.y.size()));
  }
  for (const json& t : j.value("tables", json::array())) r.tables.push_back(read_table(t));
  for (const json& n : j.value("compared", json::array()))
    r.compared.push_back({n.at("counter"), n.at("label")});
}

std::vector<double> shares(const json& list, std::size_t number) {
  auto values = list.get<std::vector<double>>();
  const auto fits = [](double v) { return v >= 0 && v <= 1; };
  if (values.size() != number || !std::all_of(values.begin(), values.end(), fits))
    throw config_error(fmt::format("expected a share of 0 to 1 for each of {} switches", number));
  return values;
}

/// A text for each moment, of so many digits.
std::vector<std::string> read_digits(const json& list, std::size_t moments, std::size_t digits) {
  auto texts = list.get<std::vector<std::string>>();
  const std::string known = history_digits;
  for (const std::string& text : texts)
    if (text.size() != digits || text.find_first_not_of(known) != std::string::npos)
      throw config_error(fmt::format("expected {} digits of a history, found '{}'", digits, one_line(text)));
  if (texts.size() != moments)
    throw config_error(fmt::format("expected {} moments of a history, found {}", moments, texts.size()));
  return texts;
}

history_record read_history(const json& j, std::size_t switches) {
  history_record h;
  for (const json& cycle : j.at("cycles")) {
    h.cycles.push_back(whole(cycle));
    if (h.cycles.size() > 1 && h.cycles.back() <= h.cycles[h.cycles.size() - 2])
      throw config_error(fmt::format("found {}, expected a later cycle", cycle.dump()));
  }
  for (const json& l : j.at("links")) {
    for (const json& end : {l.at(0), l.at(1)})
      if (!end.is_number_integer() || end.get<std::int64_t>() < -(std::int64_t{1} << 28) ||
          end.get<std::int64_t>() >= static_cast<std::int64_t>(switches))
        throw config_error(fmt::format("found the link {} of {} switches", l.dump(), switches));
    if (l.at(0).get<int>() < 0 && l.at(1).get<int>() < 0)
      throw config_error(fmt::format("found the link {}, expected a switch at one end", l.dump()));
    h.links.emplace_back(l.at(0).get<int>(), l.at(1).get<int>());
  }
  const std::size_t moments = h.cycles.size();
  h.fullest = read_digits(j.at("fullest"), moments, switches);
  h.used = read_digits(j.at("used"), moments, h.links.size());
  h.blocked = read_digits(j.at("blocked"), moments, h.links.size());
  if (j.contains("stopped")) h.stopped = read_digits(j.at("stopped"), moments, h.links.size());
  return h;
}

network_record read_network(const json& j) {
  constexpr std::uint64_t most = 1 << 20;  // columns or rows
  network_record n;
  for (const json& p : j.at("switches")) {
    if (whole(p.at(0)) >= most || whole(p.at(1)) >= most)
      throw config_error(fmt::format("found the place {}, expected less than {}", p.dump(), most));
    n.switches.push_back({p.at(0).get<unsigned>(), p.at(1).get<unsigned>()});
  }
  for (const json& l : j.at("links")) {
    if (whole(l.at(0)) >= n.switches.size() || whole(l.at(1)) >= n.switches.size())
      throw config_error(fmt::format("found the link {} of {} switches", l.dump(), n.switches.size()));
    n.links.emplace_back(l.at(0).get<unsigned>(), l.at(1).get<unsigned>());
  }
  for (const json& m : j.at("moments"))
    n.moments.push_back({whole(m.at("cycle")), shares(m.at("fullest"), n.switches.size())});
  if (j.contains("history")) n.history = read_history(j.at("history"), n.switches.size());
  if (j.contains("left_out")) n.history.left_out = j.at("left_out");
  return n;
}

/// Columns of occupancy go back to their record.
void split_series(std::vector<column> columns, const std::string& path, run_record& r) {
  const std::vector<double> cycles = columns.front().values;
  if (columns.front().name != "cycle") throw config_error(path + ":1: expected 'cycle' as the first column");
  for (std::size_t i = 0; i < cycles.size(); ++i)
    if (!is_whole(cycles[i]) || (i != 0 && cycles[i] <= cycles[i - 1]))
      throw config_error(fmt::format("{}:{}: found {}, expected a later cycle", path, i + 2, cycles[i]));
  const std::string prefix = occupancy_prefix;
  for (column& c : columns) {
    if (c.name.compare(0, prefix.size(), prefix) == 0) {
      r.occupancy.stages.push_back(c.name.substr(prefix.size()));
      r.occupancy.rows.push_back(std::move(c.values));
    } else {
      r.series.columns.push_back(std::move(c));
    }
  }
  const double interval = cycles.size() > 1 ? cycles[1] - cycles[0] : cycles.empty() ? 0 : cycles[0];
  r.series.interval = r.occupancy.interval = static_cast<std::uint64_t>(interval);
}

/// Bins in ascending order, none within another.
std::vector<latency_bin> bins_of(const std::vector<column>& columns, const std::string& path) {
  const char* const names[] = {"latency", "packets", "width"};
  if (!std::equal(columns.begin(), columns.end(), std::begin(names), std::end(names),
                  [](const column& c, const char* name) { return c.name == name; }))
    throw config_error(path + ":1: expected the columns latency, packets, width");
  std::vector<latency_bin> bins;
  for (std::size_t i = 0; i < columns[0].values.size(); ++i) {
    for (const column& c : columns)
      if (!is_whole(c.values[i]))
        throw config_error(fmt::format("{}:{}: found {}, expected whole numbers", path, i + 2, c.values[i]));
    const auto at = [&](std::size_t c) { return static_cast<std::uint64_t>(columns[c].values[i]); };
    const latency_bin bin{at(0), at(1), at(2)};
    if (bin.width == 0 || (!bins.empty() && bin.value < bins.back().value + bins.back().width))
      throw config_error(
          fmt::format("{}:{}: expected a bin behind the one before, with a width", path, i + 2));
    bins.push_back(bin);
  }
  return bins;
}

}  // namespace

std::vector<column> read_csv(const std::string& path) {
  const std::string text = read_file(path);
  std::size_t at = 0;
  std::vector<column> columns;
  for (std::string& name : next_record(text, at)) columns.push_back({std::move(name), {}});
  for (std::size_t line = 2; at < text.size(); ++line) {
    const std::vector<std::string> cells = next_record(text, at);
    if (cells.size() != columns.size())
      throw config_error(
          fmt::format("{}:{}: found {} cells, expected {}", path, line, cells.size(), columns.size()));
    for (std::size_t i = 0; i < cells.size(); ++i)
      columns[i].values.push_back(cell_number(cells[i], path, line));
  }
  return columns;
}

run_record read_results(const std::string& folder) {
  const fs::path at = folder;
  run_record r;
  const std::string result = (at / "result.json").string();
  const json content = read_json(read_file(result), result);
  try {
    read_result(content, r);
  } catch (const json::exception& error) {
    throw config_error(fmt::format("{}: not a result of a run: {}", result, json_words(error)));
  } catch (const std::exception& error) {
    throw config_error(fmt::format("{}: not a result of a run: {}", result, error.what()));
  }
  const std::string series = (at / "series.csv").string(), histogram = (at / "histogram.csv").string();
  split_series(read_csv(series), series, r);
  r.histogram = bins_of(read_csv(histogram), histogram);
  const std::string network = (at / "network.json").string();
  if (fs::exists(network)) {
    const json drawn = read_json(read_file(network), network);
    try {
      r.network = read_network(drawn);
    } catch (const json::exception& error) {
      throw config_error(fmt::format("{}: not a drawn network: {}", network, json_words(error)));
    } catch (const std::exception& error) {
      throw config_error(fmt::format("{}: not a drawn network: {}", network, error.what()));
    }
  }
  r.config_yaml = read_file(at / "config.yaml");
  return r;
}

}  // namespace spillway
