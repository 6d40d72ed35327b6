#include <fmt/format.h>

#include <deque>
#include <set>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/tb/command/interrupt.hpp>
#include <spillway/tb/command/shipped.hpp>
#include <spillway/tb/command/study.hpp>
#include <spillway/tb/experiment/experiment.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/compare_html.hpp>
#include <spillway/tb/report/network_picture.hpp>
#include <spillway/tb/report/progress.hpp>
#include <spillway/tb/report/read_results.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/write_results.hpp>
#include <spillway/tb/sweep/process.hpp>

namespace spillway {

namespace {

namespace fs = std::filesystem;

/// One of those that are compared: where its results are or will be, and the experiment that makes them.
struct contestant {
  fs::path results, experiment;  // no experiment: the results are there
};

std::vector<contestant> contestants_of(const study_arguments& a, const fs::path& out) {
  std::vector<contestant> all;
  std::set<fs::path> taken;
  for (const std::string& name : a.names) {
    if (fs::is_directory(name)) {
      if (!a.overrides.empty())
        throw config_error(name + ": found a folder of results, expected experiments with --set");
      all.push_back({name, {}});
      continue;
    }
    all.push_back({out / fs::path(name).stem(), shipped_files("experiments", "experiment").find(name)});
    if (!taken.insert(all.back().results).second)
      throw config_error(fmt::format("{}: found '{}' twice, expected files of different names", name,
                                     fs::path(name).stem().string()));
  }
  return all;
}

/// Wrong input is found before anything runs.
void check_input(const std::vector<contestant>& compared, const study_arguments& a, const catalogue& all) {
  for (const contestant& one : compared)
    if (one.experiment.empty())
      read_results(one.results.string());
    else
      read_experiment(load_document(one.experiment.string(), experiment_schema(all), a.overrides), all);
}

/// A simulation is a process: this program, started once more.
class contest {
public:
  contest(const std::vector<contestant>& all, const study_arguments& a) : a_(a), bar_(all.size(), "run") {
    for (const contestant& one : all) {
      if (one.experiment.empty()) continue;
      if (under_way_.size() == a.jobs) finish_one();
      start(one);
    }
    while (!under_way_.empty()) finish_one();
    bar_.finish();
  }

private:
  struct under_way {
    const contestant* what;
    fs::path log;
    child_process process;
  };

  void start(const contestant& one) {
    make_folder(one.results.string());
    const fs::path log = one.results / "log.txt";
    fs::remove(one.results / "result.json");
    std::vector<std::string> words{"run", one.experiment.string(), "--no-report", "--out",
                                   one.results.string()};
    for (const std::string& o : a_.overrides) words.insert(words.end(), {"--set", o});
    under_way_.push_back({&one, log, child_process(words, log, nullptr)});
  }
  void finish_one() {
    under_way& first = under_way_.front();
    const std::optional<int> ended = first.process.wait(&interrupt_guard::flag());
    if (!ended || was_told_to_stop(*ended)) throw interrupted();
    // A run that found a fault has results; one that failed says why.
    if (!fs::exists(first.what->results / "result.json"))
      throw config_error(one_line(read_file(first.log.string())));
    under_way_.pop_front();
    bar_.update(++done_);
  }

  const study_arguments& a_;
  progress bar_;
  std::uint64_t done_ = 0;
  std::deque<under_way> under_way_;

public:
  struct interrupted {};
};

/// What all names begin with, up to a dash, says nothing in a comparison.
void shorten_names(std::vector<run_record>& runs) {
  std::string common = runs.front().name;
  for (const run_record& r : runs)
    while (r.name.compare(0, common.size(), common) != 0) common.pop_back();
  const std::size_t begin = common.rfind('-') + 1;  // 0 without a dash
  if (runs.size() > 1)
    for (run_record& r : runs)
      if (r.name.size() > begin) r.name.erase(0, begin);
}

void write_page(const fs::path& out, const std::vector<run_record>& runs) {
  write_file((out / "report.html").string(), compare_html(runs));
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
  check_input(compared, a, all);
  const interrupt_guard guard;
  try {
    const contest runs(compared, a);
  } catch (const contest::interrupted&) {
    return 130;
  }
  std::vector<run_record> records;
  records.reserve(compared.size());
  for (const contestant& one : compared) records.push_back(read_results(one.results.string()));
  shorten_names(records);
  say(compare_text(records));
  make_folder(out.string());
  write_page(out, records);
  const bool fine =
      std::all_of(records.begin(), records.end(), [](const run_record& r) { return r.status == "ok"; });
  return fine ? 0 : 1;
}

}  // namespace spillway
