#include <fmt/format.h>

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <cmath>
#include <map>
#include <spillway/platforms/config/file.hpp>
#include <spillway/platforms/config/yaml_reader.hpp>
#include <spillway/tb/report/written_files.hpp>
#include <spillway/tb/sweep/plan.hpp>

namespace spillway {

namespace {

using nlohmann::json;
using pointer = json::json_pointer;

constexpr unsigned most_runs = 100000;
constexpr int most_steps = 1000000;  // of a tolerance, in a search

/// Keys of an object in the order of the file: JSON sorts them.
std::vector<std::string> keys_as_written(const document& file, const pointer& at) {
  std::vector<std::string> keys;
  if (!file.root.contains(at)) return keys;
  for (const auto& [key, ignored] : file.root.at(at).items()) keys.push_back(key);
  std::stable_sort(keys.begin(), keys.end(), [&](const std::string& a, const std::string& b) {
    const place x = file.where(at / a), y = file.where(at / b);
    return std::tie(x.line, x.column) < std::tie(y.line, y.column);
  });
  return keys;
}

/// One list of the grid, with the place of each value.
struct axis {
  std::string path;
  std::vector<override_value> values;
  pointer at;  // of the list
};

class expander {
public:
  expander(const document& file, const expansion& what, const json& experiments,
           const std::filesystem::path& folder)
      : file_(file), what_(what), experiments_(experiments), folder_(folder) {
    read_axes();
    read_seeds();
    read_search();
  }

  std::vector<planned_run> run() {
    const pointer cases = what_.at / "cases";
    check_count();
    check_repeats();
    if (!file_.root.contains(cases)) {
      expand_case(what_.at / "experiment", "", {});
      return std::move(runs_);
    }
    std::map<std::string, bool> names;
    for (std::size_t i = 0; i < file_.root.at(cases).size(); ++i) {
      const pointer at = cases / i;
      const std::string name = file_.root.at(at / "name");
      if (!names.emplace(name, true).second)
        file_.fail(at / "name", fmt::format("found a second case '{}', expected another name", name));
      const bool own = file_.root.at(at).contains("experiment");
      refuse_axes(at / "set");
      expand_case(own ? at / "experiment" : what_.at / "experiment", name, settings_at(at / "set"));
    }
    return std::move(runs_);
  }

  double count() const {
    const pointer cases = what_.at / "cases";
    auto count = static_cast<double>(seeds_.size());
    for (const axis& a : axes_) count *= static_cast<double>(a.values.size());
    return file_.root.contains(cases) ? count * static_cast<double>(file_.root.at(cases).size()) : count;
  }

private:
  /// Every run is a folder and a process.
  void check_count() const {
    if (count() > most_runs)
      file_.fail(what_.at, fmt::format("found {:.0f} runs, expected at most {}", count(), most_runs));
  }

  /// A run that is there twice has one folder.
  void check_repeats() const {
    for (const axis& a : axes_) {
      std::map<json, std::size_t> known;
      for (std::size_t i = 0; i < a.values.size(); ++i) {
        const json& value = a.values[i].value;
        // It has no place in an order, and would pass for any other.
        if (value.is_number_float() && std::isnan(value.get<double>()))
          file_.fail(a.at / i, "expected a number, found .nan");
        const auto [first, added] = known.emplace(value, i);
        if (!added)
          file_.fail(a.at / first->second, fmt::format("found {} twice, expected it once", value.dump()));
      }
    }
    std::map<std::uint64_t, std::size_t> known;
    for (std::size_t i = 0; i < seeds_.size(); ++i) {
      const auto [first, added] = known.emplace(seeds_[i], i);
      if (!added)
        file_.fail(seeds_at_ / first->second,
                   fmt::format("found seed {} twice, expected it once", seeds_[i]));
    }
  }

  std::vector<override_value> settings_at(const pointer& at) const {
    std::vector<override_value> settings;
    for (const std::string& key : keys_as_written(file_, at)) {
      refuse_seed(at, key);
      settings.push_back({key, file_.root.at(at / key), file_.where(at / key)});
    }
    return settings;
  }

  /// The grid comes after what a case sets: such a key would say nothing. What is set for all runs may be set
  /// again, by a case as by the grid.
  void refuse_axes(const pointer& at) const {
    for (const std::string& key : keys_as_written(file_, at))
      if (is_axis(key)) file_.fail(at / key, fmt::format("found {}, which the grid sets as well", key));
  }

  bool is_axis(const std::string& key) const {
    return std::any_of(axes_.begin(), axes_.end(), [&](const axis& a) { return a.path == key; });
  }

  void refuse_seed(const pointer& at, const std::string& key) const {
    if (key == "seed")
      file_.fail(at / key, "found the key 'seed', expected the seeds of the runs in 'seeds'");
  }

  void read_axes() {
    std::vector<pointer> grids{what_.at / "grid"};
    for (const pointer& smaller : what_.smaller) grids.push_back(smaller / "grid");
    for (const pointer& grid : grids)
      for (const std::string& path : keys_as_written(file_, grid)) {
        refuse_seed(grid, path);
        axis a{path, {}, grid / path};
        const json& values = file_.root.at(grid / path);
        for (std::size_t i = 0; i < values.size(); ++i)
          a.values.push_back({path, values[i], file_.where(grid / path / i)});
        const auto known =
            std::find_if(axes_.begin(), axes_.end(), [&](const axis& other) { return other.path == path; });
        if (known != axes_.end())
          *known = std::move(a);
        else if (grid == grids.front())
          axes_.push_back(std::move(a));  // a smaller grid of a file is for those groups that have the key
        else if (grid.to_string().compare(0, what_.at.to_string().size() + 1, what_.at.to_string() + '/') ==
                 0)
          file_.fail(grid / path,
                     fmt::format("found the key '{}', expected one of the grid of {}", path, what_.group));
      }
  }

  void read_seeds() {
    seeds_at_ = what_.at / "seeds";
    for (const pointer& smaller : what_.smaller)
      if (file_.root.contains(smaller / "seeds")) seeds_at_ = smaller / "seeds";
    const json& seeds = file_.root.at(seeds_at_);
    if (seeds.is_array()) {
      seeds_ = seeds.get<std::vector<std::uint64_t>>();
    } else {
      for (std::uint64_t seed = 1; seed <= seeds.get<std::uint64_t>(); ++seed) seeds_.push_back(seed);
    }
  }

  void read_search() {
    const pointer at = what_.at / "saturation";
    if (!file_.root.contains(what_.at / "search")) {
      // A default is where what encloses it is.
      const place written = file_.where(at), around = file_.where(what_.at);
      if (std::tie(written.line, written.column) != std::tie(around.line, around.column))
        file_.fail(at, "found the range of a search, expected 'search: saturation' beside it");
      return;
    }
    search_ = file_.root.at(at);
    if (search_.at("from") >= search_.at("to"))
      file_.fail(at / "to", fmt::format("expected more than {}, found {}", search_["from"].dump(),
                                        search_["to"].dump()));
    const double span = search_["to"].get<double>() - search_["from"].get<double>();
    if (search_.at("tolerance").get<double>() * most_steps < span)
      file_.fail(
          at / "tolerance",
          fmt::format("expected at least {:.4g}, of which {} lead from {} to {}, found {}", span / most_steps,
                      most_steps, search_["from"].dump(), search_["to"].dump(), search_["tolerance"].dump()));
    const std::string over = search_.at("over");
    if (over == "seed")
      file_.fail(at / "over", "found 'seed', expected a load; the seeds of the runs are in 'seeds'");
    if (is_axis(over)) file_.fail(at / "over", fmt::format("found {}, which the grid sets as well", over));
  }

  void expand_case(const pointer& experiment, const std::string& name,
                   const std::vector<override_value>& own) {
    const std::filesystem::path path = file_.resolve(file_.root.at(experiment));
    std::string text;
    try {
      text = read_text(path);
    } catch (const config_error& error) {
      file_.fail(experiment, error.what());
    }
    std::vector<override_value> settings = settings_at(what_.at / "set");
    settings.insert(settings.end(), own.begin(), own.end());
    for (const pointer& smaller : what_.smaller)
      for (override_value& one : settings_at(smaller / "set")) settings.push_back(std::move(one));

    if (!search_.is_null()) {
      const auto load = [&](const char* key) -> override_value {
        return {search_.at("over"), search_.at(key), file_.where(what_.at / "saturation" / key)};
      };
      settings.push_back(load("to"));
      load_overridden(text, path.string(), experiments_, settings);  // for its errors
      settings.back() = load("from");
    }

    const std::size_t common = settings.size();
    std::vector<std::size_t> index(axes_.size(), 0);
    while (true) {
      settings.resize(common);
      for (std::size_t a = 0; a < axes_.size(); ++a) settings.push_back(axes_[a].values[index[a]]);
      add_point(load_overridden(text, path.string(), experiments_, settings), name, settings, common);
      std::size_t a = axes_.size();
      while (a > 0 && ++index[a - 1] == axes_[a - 1].values.size()) index[--a] = 0;
      if (a == 0) return;
    }
  }

  void add_point(document configuration, const std::string& name, const std::vector<override_value>& settings,
                 std::size_t common) {
    planned_run r{"", what_.group, name, json::object(), 0, search_, "", {}};
    for (std::size_t i = common; i < settings.size(); ++i) r.settings[settings[i].path] = settings[i].value;
    for (const written_file& one : written_files(configuration.root))
      file_.fail(what_.at, fmt::format("found {} ({}), expected none: all runs would write that file",
                                       one.what, one.key()));
    document hashed = configuration;  // the same wherever files are
    hashed.modeline_schema.clear();
    const std::filesystem::path inputs = folder_.parent_path().parent_path() / "inputs";
    for (const pointer& at : configuration.file_names()) {
      const input_file& input = read_input(configuration, at);
      hashed.root[at] = input.copy;
      configuration.root[at] = path_from(configuration.resolve("."), inputs / input.copy).generic_string();
      r.inputs.push_back(input);
    }
    for (const std::uint64_t seed : seeds_) {
      r.seed = seed;
      configuration.root["seed"] = hashed.root["seed"] = seed;
      r.id = digest(hashed.to_yaml() + (search_.is_null() ? "" : search_.dump()));
      r.configuration = configuration.to_yaml(folder_);
      runs_.push_back(r);
    }
  }

  const input_file& read_input(const document& configuration, const pointer& at) {
    const std::filesystem::path path = configuration.resolve(configuration.root.at(at));
    const auto [known, added] = inputs_.emplace(path, input_file{path, ""});
    if (added) {
      try {
        known->second.copy = digest(read_file(path)) + '-' + path.filename().string();
      } catch (const config_error& error) {
        configuration.fail(at, error.what());
      }
    }
    return known->second;
  }

  const document& file_;
  const expansion& what_;
  const json& experiments_;
  const std::filesystem::path& folder_;
  std::vector<axis> axes_;
  std::vector<std::uint64_t> seeds_;
  pointer seeds_at_;
  json search_;
  std::map<std::filesystem::path, input_file> inputs_;
  std::vector<planned_run> runs_;
};

}  // namespace

std::size_t count_runs(const document& file, const expansion& what) {
  return static_cast<std::size_t>(expander(file, what, {}, {}).count());
}

std::vector<planned_run> expand(const document& file, const expansion& what, const json& experiments,
                                const std::filesystem::path& folder) {
  return expander(file, what, experiments, folder).run();
}

std::string digest(const std::string& bytes) {
  const boost::uuids::uuid hash = boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(bytes);
  std::string text;
  for (std::size_t i = 0; i < 8; ++i) text += fmt::format("{:02x}", hash.data[i]);
  return text;
}

}  // namespace spillway
