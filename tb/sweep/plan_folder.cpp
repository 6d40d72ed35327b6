#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <spillway/platforms/config/file.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/config/validate.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/sweep/plan_folder.hpp>
#include <sstream>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

/// None if there is no such file. Throws config_error.
std::optional<std::string> read(const fs::path& path) {
  if (!fs::exists(path)) return std::nullopt;
  return read_file(path);
}

[[noreturn]] void not_a_line(const std::string& where, const std::string& what) {
  throw config_error(fmt::format("{}: not a line of a plan: {}", where, what));
}

/// Holds a value to a definition of the sweeps' schema.
void check_as(const char* definition, json value, const std::string& where) {
  const json schema{{"$ref", std::string("#/definitions/") + definition},
                    {"definitions", sweep_schema().at("definitions")}};
  const auto problems = schema_detail::validate(schema, value);
  if (problems.empty()) return;
  not_a_line(where,
             fmt::format("{}.{}: {}", definition, dotted(problems.front().path), problems.front().message));
}

/// A run as line_of() writes it. It may come from another machine: its name must not lead out of the folder.
planned_run read_run(const ordered_json& line, const std::string& where) {
  if (!line.is_object()) not_a_line(where, std::string("found ") + line.type_name());
  try {
    planned_run r{line.at("id"),
                  line.value("group", ""),
                  line.value("case", ""),
                  line.at("set"),
                  line.at("seed"),
                  line.value("search", json()),
                  "",
                  {}};
    if (r.id.size() != 16 || r.id.find_first_not_of("0123456789abcdef") != std::string::npos)
      not_a_line(where, fmt::format("found the id '{}', expected 16 hexadecimal digits", r.id));
    if (!r.settings.is_object()) not_a_line(where, "expected keys and values in 'set'");
    return r;
  } catch (const ordered_json::exception& error) {
    not_a_line(where, json_words(error));
  }
}

std::string line_of(std::size_t number, const planned_run& r) {
  ordered_json line{{"run", number}, {"id", r.id}};
  if (!r.group.empty()) line["group"] = r.group;
  if (!r.name.empty()) line["case"] = r.name;
  line["set"] = r.settings;
  line["seed"] = r.seed;
  if (!r.search.is_null()) line["search"] = r.search;
  return line.dump() + '\n';
}

std::string plan_text(ordered_json about, const std::vector<planned_run>& runs) {
  about["runs"] = runs.size();
  std::string text = about.dump() + '\n';
  for (std::size_t i = 0; i < runs.size(); ++i) text += line_of(i, runs[i]);
  return text;
}

void copy_input(const input_file& input, const fs::path& folder) {
  const fs::path copy = folder / input.copy;
  if (fs::exists(copy)) return;
  make_folder(folder.string());
  write_file(copy.string(), read_file(input.source));
}

/// Whether the plan in the folder has only runs that this one has, too, and differs else in its pictures.
bool grows_into(const fs::path& folder, ordered_json about, const std::vector<planned_run>& runs) {
  const plan_folder there(folder);
  ordered_json was = there.about();
  for (ordered_json* one : {&was, &about})
    for (const char* key : {"pictures", "runs"}) one->erase(key);
  if (was != about) return false;
  std::set<std::string> ids;
  for (const planned_run& r : runs) ids.insert(r.id);
  return std::all_of(there.runs().begin(), there.runs().end(),
                     [&](const planned_run& r) { return ids.count(r.id) != 0; });
}

/// What a person can do about a plan that differs from the one in the folder.
std::string first_difference(const std::string& there, const std::string& here) {
  const auto first = [](const std::string& text) {
    try {
      return read_json(text.substr(0, text.find('\n')), "plan.jsonl");
    } catch (const config_error&) {
      return ordered_json();
    }
  };
  ordered_json a = first(there), b = first(here);
  if (a.is_object() && b.is_object() && a.value("build", json()) != b.value("build", json())) {
    a.erase("build");
    b.erase("build");
    const auto rest = [](const std::string& text) {
      return text.substr(std::min(text.find('\n'), text.size()));
    };
    if (a == b && rest(there) == rest(here)) return "holds results of another build of this program";
  }
  return "holds another sweep";
}

/// The first line of a plan. Throws config_error.
ordered_json read_about(const std::string& line, const std::string& file) {
  const std::string where = file + ":1:1";
  ordered_json about = read_json(line, file, 1);
  if (!about.is_object()) not_a_line(where, std::string("found ") + about.type_name());
  for (const char* key : {"sweep", "reproduction", "build"})
    if (!about.value(key, ordered_json("")).is_string())
      not_a_line(where, fmt::format("expected a text as '{}'", key));
  check_as("pictures", about.value("pictures", json::array()), where);
  return about;
}

}  // namespace

std::optional<ordered_json> plan_folder::about(const fs::path& folder) {
  const fs::path file = folder / "plan.jsonl";
  const auto text = read(file);
  if (!text) return std::nullopt;
  return read_about(text->substr(0, text->find('\n')), file.string());
}

plan_folder::plan_folder(fs::path folder) : folder_(std::move(folder)) {
  const fs::path file = folder_ / "plan.jsonl";
  const auto text = read(file);
  if (!text)
    throw config_error(folder_.string() + ": found no plan.jsonl, expected the output folder of a sweep");
  std::istringstream lines(*text);
  std::string line;
  json search;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    const std::string where = fmt::format("{}:{}:1", file.string(), number);
    if (number == 1) {
      about_ = read_about(line, file.string());
      continue;
    }
    runs_.push_back(read_run(read_json(line, file.string(), number), where));
    if (runs_.back().search.is_null() || runs_.back().search == search) continue;
    search = runs_.back().search;
    check_as("saturation", search, where);
  }
  if (runs_.empty()) throw config_error(fmt::format("{}:1:1: found no run, expected a plan", file.string()));
}

plan_folder plan_folder::create(fs::path folder, ordered_json about, std::vector<planned_run> runs,
                                bool replace) {
  plan_folder result;
  result.folder_ = std::move(folder);
  result.about_ = std::move(about);
  const fs::path file = result.folder_ / "plan.jsonl";
  const std::string text = plan_text(result.about_, runs);
  const auto there = read(file);
  if (there && *there != text && !replace && !grows_into(result.folder_, result.about_, runs))
    throw config_error(fmt::format(
        "{}: {}; expected an empty folder or the same sweep, perhaps with more runs (--out names another)",
        result.folder_.string(), first_difference(*there, text)));
  make_folder(result.folder_.string());
  // The plan comes last: where there is one, all it names is there.
  for (planned_run& r : runs) {
    const fs::path path = result.run_path(r.id);
    for (const input_file& input : r.inputs) copy_input(input, result.folder_ / "inputs");
    if (!fs::exists(path / "config.yaml")) {
      make_folder(path.string());
      write_file((path / "config.yaml").string(), r.configuration);
    }
    r.configuration.clear();
    r.inputs.clear();
  }
  if (there != text) write_file(file.string(), text);
  result.runs_ = std::move(runs);
  return result;
}

std::optional<ordered_json> read_result(const fs::path& folder) {
  const auto text = read(folder / "result.json");
  if (!text) return std::nullopt;
  ordered_json content;
  try {
    content = read_json(*text, (folder / "result.json").string());
  } catch (const config_error&) {
    return std::nullopt;
  }
  if (!content.is_object() || !content.contains("status") || !content["status"].is_string())
    return std::nullopt;
  // An interrupted run leaves what it has got; here that is as good as nothing.
  if (content["status"] == "interrupted") return std::nullopt;
  return content;
}

run_state plan_folder::state(const std::string& id) const {
  if (result(id)) return run_state::done;
  return fs::exists(run_path(id) / "failed") ? run_state::failed : run_state::open;
}

std::string plan_folder::failure(const std::string& id) const {
  return one_line(read(run_path(id) / "failed").value_or(""));
}

void plan_folder::mark_failed(const std::string& id, const std::string& why) const {
  write_file((run_path(id) / "failed").string(), why);
}

void plan_folder::clear_failed(const std::string& id) const {
  std::error_code ignored;
  fs::remove(run_path(id) / "failed", ignored);
}

std::string last_line(const fs::path& log) {
  std::istringstream lines(read(log).value_or(""));
  std::string line, last;
  while (std::getline(lines, line))
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return one_line(last);
}

std::vector<std::size_t> plan_folder::unfinished(bool retry, std::size_t first, std::size_t last) const {
  std::vector<std::size_t> list;
  std::set<std::string> seen;
  for (std::size_t i = first; i < std::min(last, runs_.size()); ++i) {
    if (!seen.insert(runs_[i].id).second) continue;
    const run_state s = state(runs_[i].id);
    if (s == run_state::open || (retry && s == run_state::failed)) list.push_back(i);
  }
  return list;
}

std::string build_digest() {
  static const std::string value = digest(read("/proc/self/exe").value_or(""));
  return value;
}

}  // namespace spillway
