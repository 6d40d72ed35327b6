#include <algorithm>
#include <cmath>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/config/named_file.hpp>
#include <spillway/platforms/config/yaml_reader.hpp>
#include <spillway/platforms/dram/dram_entry.hpp>
#include <stdexcept>

namespace spillway {

using nlohmann::json;

namespace {

/// A key of the section `timing`.
struct distance {
  const char* name;
  unsigned dram_timing::*value;
  unsigned least, most;
  const char* what;
};
constexpr distance distances[] = {
    {"tRCD", &dram_timing::tRCD, 1, 65535, "Activation of a row to a read or write of it."},
    {"tRP", &dram_timing::tRP, 1, 65535, "Precharge of a bank to its next activation."},
    {"tCL", &dram_timing::tCL, 1, 65535, "Read to the first of its data."},
    {"tCWL", &dram_timing::tCWL, 1, 65535, "Write to the first of its data."},
    {"tRAS", &dram_timing::tRAS, 1, 65535, "Activation to the precharge of its bank."},
    {"tCCD", &dram_timing::tCCD, 1, 65535, "Read to read, or write to write: the data of one access."},
    {"tRRD", &dram_timing::tRRD, 1, 65535, "Activation to activation of another bank."},
    {"tFAW", &dram_timing::tFAW, 0, 65535, "In which at most four rows are activated."},
    {"tWTR", &dram_timing::tWTR, 0, 65535, "Last data of a write to a read."},
    {"tRTW", &dram_timing::tRTW, 0, 65535, "Read to write."},
    {"tRTP", &dram_timing::tRTP, 0, 65535, "Read to the precharge of its bank."},
    {"tWR", &dram_timing::tWR, 0, 65535, "Last data of a write to the precharge of its bank."},
    {"tREFI", &dram_timing::tREFI, 0, 10000000,
     "From one refresh to the next: rows are closed, and all banks refreshed at once. 0: none."},
    {"tRFC", &dram_timing::tRFC, 1, 65535, "Refresh to the next activation."}};

/// Reads a file with distances.
class timing_reader {
public:
  timing_reader(const std::filesystem::path& file, double period)
      : name_(file.string()), read_(read_yaml(read_text(file), name_)), period_(period) {}

  json read() const {
    if (!read_.root.is_object())
      fail(json::json_pointer(), "found " + read_.root.dump() + ", expected a map of distances");
    for (const auto& [key, value] : read_.root.items())
      if (key != "period" && !is_distance(key)) fail(json::json_pointer() / key, "this key is not known");
    json timing = json::object();
    for (const distance& d : distances) timing[d.name] = cycles(d);
    return timing;
  }
  [[noreturn]] void fail(const json::json_pointer& at, const std::string& what) const {
    const std::string key = at.empty() ? "" : at.back() + ": ";
    throw config_error(read_.places.value(at).text() + ": " + key + what);
  }

private:
  static bool is_distance(const std::string& key) {
    return std::any_of(std::begin(distances), std::end(distances),
                       [&](const distance& d) { return key == d.name; });
  }
  /// Cycles of the network in one of the file.
  double scale() const {
    if (!read_.root.contains("period")) return 1;
    const json& value = read_.root.at("period");
    if (!value.is_number() || !(value > 0.0) || value > 1000.0)
      fail(json::json_pointer("/period"), "found " + value.dump() + ", expected nanoseconds up to 1000");
    return value.get<double>() / period_;
  }
  unsigned cycles(const distance& d) const {
    if (!read_.root.contains(d.name)) {
      if (d.value == &dram_timing::tREFI || d.value == &dram_timing::tRFC) return dram_timing{}.*d.value;
      fail(json::json_pointer(), std::string("expected the distance ") + d.name);
    }
    const json& value = read_.root.at(d.name);
    const json::json_pointer at = json::json_pointer() / d.name;
    if (!value.is_number_integer() || value < d.least || value > d.most)
      fail(at, "found " + value.dump() + ", expected an integer from " + std::to_string(d.least) + " to " +
                   std::to_string(d.most));
    constexpr double exact = 1e-9;  // what binary fractions of nanoseconds are off
    const double scaled = std::ceil(value.get<double>() * scale() - exact);
    if (scaled > d.most) fail(at, "is more than " + std::to_string(d.most) + " cycles of the network");
    return static_cast<unsigned>(scaled);
  }

  const std::string name_;
  const yaml_document read_;
  const double period_;
};

}  // namespace

json dram_entry::schema() const {
  json schema = parse_schema(R"json({
    "description": "Modules with banks that have a row open, and a queue whose end holds up the network; what a request reads or writes is said by the workload `accesses`.",
    "properties": {
      "banks": {
        "type": "integer", "minimum": 1, "maximum": 1024, "default": 16,
        "description": "Banks of a module, a power of two."
      },
      "columns": {
        "type": "integer", "minimum": 1, "maximum": 65536, "default": 32,
        "description": "Accesses that lie in a row, a power of two: 32 lines of 64 bytes are 2 KiB."
      },
      "map": {
        "enum": ["row_bank_column", "row_column_bank"], "default": "row_bank_column",
        "description": "Bits of an access from the highest: whether neighbours share a row, or lie in different banks."
      },
      "hash": {
        "type": "boolean", "default": false,
        "description": "The bank is its number exclusive-or the row's low bits, so that accesses a multiple of all rows of one number apart meet different banks."
      },
      "queue": {
        "type": "integer", "minimum": 1, "maximum": 4096, "default": 32,
        "description": "Requests that a module holds; while it is full the network waits."
      },
      "order": {
        "enum": ["open_row_first", "in_order"], "default": "open_row_first",
        "description": "Which request is served first: the oldest whose row is open (FR-FCFS), or the oldest."
      },
      "patience": {
        "type": "integer", "minimum": 1, "maximum": 65535, "default": 64,
        "description": "Requests by which one may be passed; then it goes first."
      },
      "page": {
        "enum": ["open", "closed"], "default": "open",
        "description": "Whether a row stays open until another is wanted, or only as long as a request waits for it."
      },
      "timing": {
        "type": "object", "default": {}, "additionalProperties": false,
        "description": "Least distances between commands, in cycles, by JEDEC's names; one command a cycle. No groups of banks."
      },
      "timing_file": {
        "type": "string", "minLength": 1, "x-path": true,
        "description": "YAML file with those distances, in place of `timing`: all but `tREFI` and `tRFC`, which are 0 and 280 if left out; and `period`, the nanoseconds of its cycles, which are rounded up to cycles of the network."
      }
    }
  })json");
  json& keys = schema["properties"]["timing"]["properties"];
  for (const distance& d : distances)
    keys[d.name] = {{"type", "integer"},
                    {"minimum", d.least},
                    {"maximum", d.most},
                    {"default", dram_timing{}.*d.value},
                    {"description", d.what}};
  return schema;
}

dram_config dram_of(const json& p) {
  dram_config c;
  c.geometry.banks = p.at("banks");
  c.geometry.columns = p.at("columns");
  c.geometry.map = p.at("map") == "row_bank_column" ? dram_geometry::order::row_bank_column
                                                    : dram_geometry::order::row_column_bank;
  c.geometry.hash = p.at("hash");
  c.queue = p.at("queue");
  c.in_order = p.at("order") == "in_order";
  c.patience = p.at("patience");
  c.closes = p.at("page") == "closed";
  for (const distance& d : distances) c.timing.*d.value = p.at("timing").at(d.name);
  c.check();
  return c;
}

json dram_entry::completed(const document& experiment) const {
  json section = experiment.root.at("interface");
  if (!section.contains("timing_file")) return section;
  const timing_reader file(named_file(experiment, json::json_pointer("/interface/timing_file")),
                           experiment.root.at("period"));
  const json timing = file.read();
  for (const distance& d : distances) {
    const json& beside = section.at("timing").at(d.name);
    if (beside != dram_timing{}.*d.value && beside != timing.at(d.name))
      experiment.fail(json::json_pointer("/interface/timing") / d.name,
                      "found " + beside.dump() + ", expected the " + timing.at(d.name).dump() +
                          " of the timing_file, or none");
  }
  section["timing"] = timing;
  try {
    dram_of(section);
  } catch (const std::invalid_argument& error) {
    file.fail(json::json_pointer(), error.what());
  }
  return section;
}

std::unique_ptr<memory_front> dram_entry::make(const std::string& name, unsigned terminal,
                                               const json& parameters, endpoint_observer& observer) const {
  return std::make_unique<dram_module>(name.c_str(), terminal, dram_of(parameters), observer);
}

std::string dram_entry::objection_to(const json& parameters, const json& root) const {
  if (!parameters.at("replies").get<bool>())
    return "modules with banks answer all requests: expected replies: true";
  const json& endpoint = root.at("endpoint");
  const json& stopped = endpoint.at("stopped");
  if (endpoint.at("accept_interval") != 1 || !endpoint.at("pauses").empty() ||
      !(stopped.is_array() ? stopped.empty() : stopped == 0))
    return "modules with banks take requests as their queues have room: expected no accept_interval, pauses "
           "or "
           "stopped terminals";
  try {
    dram_of(parameters);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

}  // namespace spillway
