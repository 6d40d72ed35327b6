#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/sweep/plan_folder.hpp>
#include <sstream>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

std::optional<std::string> read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
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
  const auto text = read(input.source);
  if (!text) throw io_error(input.source.string() + ": cannot read it");
  write_file(copy.string(), *text);
}

/// What a person can do about a plan that differs from the one in the folder.
std::string difference(const std::string& there, const std::string& here) {
  const auto first = [](const std::string& text) {
    return ordered_json::parse(text.substr(0, text.find('\n')), nullptr, false);
  };
  ordered_json a = first(there), b = first(here);
  if (a.is_object() && b.is_object() && a.value("build", "") != b.value("build", "")) {
    a.erase("build");
    b.erase("build");
    if (a == b && there.substr(there.find('\n')) == here.substr(here.find('\n')))
      return "holds results of another build of this program";
  }
  return "holds another sweep";
}

}  // namespace

plan_folder::plan_folder(fs::path folder) : folder_(std::move(folder)) {
  const fs::path file = folder_ / "plan.jsonl";
  const auto text = read(file);
  if (!text)
    throw config_error(folder_.string() + ": found no plan.jsonl, expected the output folder of a sweep");
  std::istringstream lines(*text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) try {
      const auto one = ordered_json::parse(line);
      if (!one.is_object())
        throw config_error(
            fmt::format("{}:{}:1: not a line of a plan: found {}", file.string(), number, one.type_name()));
      if (number == 1)
        about_ = one;
      else
        runs_.push_back({one.at("id"),
                         one.value("group", ""),
                         one.value("case", ""),
                         one.at("set"),
                         one.at("seed"),
                         one.value("search", json()),
                         "",
                         {}});
    } catch (const ordered_json::exception& error) {
      throw config_error(
          fmt::format("{}:{}:1: not a line of a plan: {}", file.string(), number, error.what()));
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
  if (there && *there != text && !replace)
    throw config_error(fmt::format("{}: {}; expected an empty folder or the same sweep (--out names another)",
                                   result.folder_.string(), difference(*there, text)));
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
  auto content = ordered_json::parse(*text, nullptr, false);
  // An interrupted run leaves what it has got; here that is as good as nothing.
  if (!content.is_object() || content.value("status", "interrupted") == "interrupted") return std::nullopt;
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
