#include <fmt/format.h>

#include <charconv>
#include <deque>
#include <map>
#include <set>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/tb/command/interrupt.hpp>
#include <spillway/tb/command/shipped.hpp>
#include <spillway/tb/command/study.hpp>
#include <spillway/tb/experiment/experiment.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/network_picture.hpp>
#include <spillway/tb/report/progress.hpp>
#include <spillway/tb/report/read_results.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/write_results.hpp>
#include <spillway/tb/report/written_files.hpp>
#include <spillway/tb/sweep/compare_html.hpp>
#include <spillway/tb/sweep/process.hpp>
#include <string_view>

namespace spillway {

namespace {

namespace fs = std::filesystem;

/// One of those that are compared: where its results are or will be, and the experiment that makes them.
struct contestant {
  std::string name;               // as it was given
  fs::path folder, experiment;    // no experiment: the results are there
  std::vector<fs::path> results;  // a folder a seed
};

bool has_results(const fs::path& folder) { return fs::exists(folder / "result.json"); }

/// Of several seeds each has a folder in that of its experiment.
constexpr std::string_view seed_folder = "seed-";

std::vector<fs::path> folders_of(const fs::path& folder, const std::set<unsigned>& seeds) {
  std::vector<fs::path> all;
  all.reserve(seeds.size());
  for (const unsigned seed : seeds) all.push_back(folder / fmt::format("{}{}", seed_folder, seed));
  return all;
}

/// Seeds whose results are in a folder.
std::set<unsigned> seeds_in(const fs::path& folder) {
  std::set<unsigned> seeds;
  if (!fs::is_directory(folder)) return seeds;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    unsigned seed = 0;
    const char* const end = name.data() + name.size();
    if (name.rfind(seed_folder, 0) != 0 || !has_results(entry.path())) continue;
    if (const auto [rest, bad] = std::from_chars(name.data() + seed_folder.size(), end, seed);
        bad == std::errc{} && rest == end)
      seeds.insert(seed);
  }
  return seeds;
}

/// The runs in a folder: its own, or those of seeds.
std::vector<fs::path> results_in(const fs::path& folder) {
  const std::set<unsigned> seeds = seeds_in(folder);
  return has_results(folder) || seeds.empty() ? std::vector{folder} : folders_of(folder, seeds);
}

/// Where runs of seeds from 1 on go.
std::vector<fs::path> results_to_be(const fs::path& folder, unsigned seeds) {
  if (seeds == 1) return {folder};
  std::set<unsigned> all;
  for (unsigned seed = 1; seed <= seeds; ++seed) all.insert(seed);
  return folders_of(folder, all);
}

/// What other seeds have left there would be taken for these.
void remove_results(const fs::path& folder) {
  fs::remove(folder / "result.json");
  for (const fs::path& old : folders_of(folder, seeds_in(folder))) fs::remove(old / "result.json");
}

/// In words, for a message.
std::string seeds_of(const contestant& one) {
  if (one.results.front() == one.folder) return "one seed";
  std::string text;
  for (const fs::path& results : one.results)
    text += (text.empty() ? "" : ", ") + results.filename().string();
  return text;
}

std::vector<contestant> contestants_of(const study_arguments& a, const fs::path& out) {
  for (const std::string& one : a.overrides)
    if (a.seeds > 1 && read_override(one).path == "seed")
      throw config_error(fmt::format("--set {}: found a seed, expected none with --seeds {}", one, a.seeds));
  std::vector<contestant> all;
  std::set<fs::path> taken;
  for (const std::string& name : a.names) {
    if (fs::is_directory(name)) {
      if (!a.overrides.empty() || a.seeds > 1)
        throw config_error(fmt::format("{}: found a folder of results, expected experiments with {}", name,
                                       a.overrides.empty() ? "--seeds" : "--set"));
      all.push_back({name, name, {}, results_in(name)});
      continue;
    }
    const fs::path folder = out / fs::path(name).stem();
    all.push_back({name, folder, shipped_files("experiments", "experiment").find(name),
                   results_to_be(folder, a.seeds)});
    if (!taken.insert(all.back().folder).second)
      throw config_error(fmt::format("{}: found '{}' twice, expected files of different names", name,
                                     fs::path(name).stem().string()));
  }
  return all;
}

/// Whether a folder is another one, or within it.
bool lies_in(const fs::path& folder, const fs::path& other) {
  const auto whole = [](const fs::path& p) { return fs::weakly_canonical(fs::absolute(p) / "."); };
  const fs::path below = whole(folder).lexically_relative(whole(other));
  return !below.empty() && *below.begin() != "..";
}

/// A run that would take the place of results that are compared with it.
void check_folders(const std::vector<contestant>& compared) {
  for (const contestant& runs : compared)
    for (const contestant& there : compared)
      if (!runs.experiment.empty() && there.experiment.empty() && lies_in(there.folder, runs.folder))
        throw config_error(
            fmt::format("{}: found results where those of {} will be, expected others, or another --out DIR",
                        there.name, runs.name));
}

/// Runs at the same time may not write one file.
void check_written(const document& file, std::vector<written_file>& before, const study_arguments& a) {
  for (written_file& one : written_files(file.root)) {
    if (a.seeds > 1)
      file.fail(one.at, fmt::format("found {}, expected none with --seeds {}: all runs would write that file",
                                    one.what, a.seeds));
    for (const written_file& other : before)
      if (same_file(other.name, one.name))
        file.fail(one.at, fmt::format("found '{}', which another of the experiments writes as well, expected "
                                      "another file",
                                      one.name));
    before.push_back(std::move(one));
  }
}

/// What a run writes while another reads it is neither the old nor the new.
void check_read(const std::deque<document>& files) {
  for (const document& writer : files)
    for (const written_file& one : written_files(writer.root))
      for (const document& reader : files)
        if (&reader != &writer)
          if (const std::string key = reader_of(one.name, reader); !key.empty())
            writer.fail(one.at,
                        fmt::format("found '{}', which another of the experiments reads as {}, expected "
                                    "another file",
                                    one.name, key));
}

/// Wrong input is found before anything runs.
void check_contestants(const std::vector<contestant>& compared, const study_arguments& a,
                       const catalogue& all) {
  check_folders(compared);
  std::vector<written_file> written;
  std::deque<document> files;
  for (const contestant& one : compared) {
    if (const std::string seeds = seeds_of(one), expected = seeds_of(compared.front()); seeds != expected)
      throw config_error(fmt::format("{}: found runs of {}, expected {} as of {}", one.folder.string(), seeds,
                                     expected, compared.front().folder.string()));
    if (one.experiment.empty()) {
      for (const fs::path& results : one.results) read_results(results.string());
      continue;
    }
    files.push_back(load_document(one.experiment.string(), experiment_schema(all), a.overrides));
    check_written(files.back(), written, a);
  }
  check_read(files);
  for (const document& file : files) read_experiment(file, all);
}

/// A simulation is a process: this program, started once more.
class contest {
public:
  contest(const std::vector<contestant>& all, const study_arguments& a, const run_lock& lock)
      : a_(a), lock_(lock), bar_(all.size() * a.seeds, "run") {
    for (const contestant& one : all) {
      if (one.experiment.empty()) continue;
      remove_results(one.folder);
      for (unsigned seed = 1; seed <= a.seeds; ++seed) {
        if (under_way_.size() == a.jobs) finish_one();
        start(one.experiment, one.results[seed - 1], seed);
      }
    }
    while (!under_way_.empty()) finish_one();
    bar_.finish();
  }

private:
  struct under_way {
    fs::path results, log;
    child_process process;
  };

  void start(const fs::path& experiment, const fs::path& results, unsigned seed) {
    make_folder(results.string());
    const fs::path log = results / "log.txt";
    std::vector<std::string> words{"run", experiment.string(), "--no-report", "--out", results.string()};
    for (const std::string& o : a_.overrides) words.insert(words.end(), {"--set", o});
    if (a_.seeds > 1) words.insert(words.end(), {"--set", fmt::format("seed={}", seed)});
    under_way_.push_back({results, log, child_process(words, log, &lock_)});
  }
  void finish_one() {
    under_way& first = under_way_.front();
    const std::optional<int> ended = first.process.wait(&interrupt_guard::flag());
    if (!ended || was_told_to_stop(*ended)) throw interrupted();
    // A run that found a fault has results; one that failed says why.
    if (!has_results(first.results)) throw config_error(one_line(read_file(first.log.string())));
    under_way_.pop_front();
    bar_.update(++done_);
  }

  const study_arguments& a_;
  const run_lock& lock_;
  progress bar_;
  std::uint64_t done_ = 0;
  std::deque<under_way> under_way_;

public:
  struct interrupted {};
};

/// Experiments of one name are told apart by their folders.
void distinguish_names(std::vector<seeded_runs>& compared, const std::vector<contestant>& all) {
  std::map<std::string, unsigned> of_name, of_folder;
  for (const seeded_runs& one : compared) ++of_name[one.front().name];
  const auto short_name = [](const contestant& c) {
    return (c.folder / "").parent_path().filename().string();
  };
  for (const contestant& c : all) ++of_folder[short_name(c)];
  for (std::size_t i = 0; i < compared.size(); ++i)
    if (of_name[compared[i].front().name] > 1)
      compared[i].front().name =
          of_folder[short_name(all[i])] > 1 ? all[i].folder.generic_string() : short_name(all[i]);
}

/// What all names begin with, up to a dash, says nothing in a comparison.
void shorten_names(std::vector<seeded_runs>& compared) {
  std::string common = compared.front().front().name;
  for (const seeded_runs& one : compared)
    while (one.front().name.compare(0, common.size(), common) != 0) common.pop_back();
  const std::size_t begin = common.rfind('-') + 1;  // 0 without a dash
  if (compared.size() > 1)
    for (seeded_runs& one : compared)
      if (one.front().name.size() > begin) one.front().name.erase(0, begin);
}

void write_page(const fs::path& out, const std::vector<seeded_runs>& compared) {
  write_file((out / "report.html").string(), compare_html(compared));
  std::vector<run_record> runs;  // of the first seed
  runs.reserve(compared.size());
  for (const seeded_runs& one : compared) runs.push_back(one.front());
  write_pictures(out, compare_pictures(runs));
  const fs::path networks = out / "networks.svg";
  if (const std::string svg = network_svg(runs); !svg.empty()) {
    write_file(networks.string(), svg);
    say(fmt::format("  picture    {}\n", networks.string()));
  }
  say(fmt::format("  report     {}\n", (out / "report.html").string()));
}

}  // namespace

int compare(const study_arguments& a, const catalogue& all) {
  const fs::path out = a.out.empty() ? fs::path("out") / "compare" : fs::path(a.out);
  const std::vector<contestant> compared = contestants_of(a, out);
  check_contestants(compared, a, all);
  make_folder(out.string());
  // Two at a time would read each other's results.
  const run_lock lock(out);
  if (!lock.try_lock())
    throw config_error(out.string() +
                       ": found another comparison that is not done, expected its end, or another --out DIR");
  const interrupt_guard guard;
  try {
    const contest runs(compared, a, lock);
  } catch (const contest::interrupted&) {
    say("interrupted: nothing is compared\n");
    return 130;
  }
  std::vector<seeded_runs> records;
  bool fine = true;
  for (const contestant& one : compared) {
    records.emplace_back();
    for (const fs::path& results : one.results) {
      records.back().push_back(read_results(results.string()));
      fine = fine && records.back().back().status == "ok";
    }
  }
  distinguish_names(records, compared);
  shorten_names(records);
  say(compare_text(records));
  write_page(out, records);
  return fine ? 0 : 1;
}

}  // namespace spillway
