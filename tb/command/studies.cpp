#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <spillway/tb/command/interrupt.hpp>
#include <spillway/tb/command/studies.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/progress.hpp>
#include <spillway/tb/report/read_results.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/write_results.hpp>
#include <spillway/tb/reproduce/report.hpp>
#include <spillway/tb/reproduce/reproduction.hpp>
#include <spillway/tb/sweep/engine.hpp>
#include <spillway/tb/sweep/search.hpp>
#include <spillway/tb/sweep/slurm_engine.hpp>
#include <spillway/tb/sweep/sweep_pictures.hpp>
#include <thread>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

struct study_arguments {
  std::vector<std::string> names;
  std::vector<std::string> overrides;
  std::string out, engine = "local";
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool retry = false, quick = false, list_commands = false, task = false;
  slurm_options slurm;
  std::optional<std::size_t> index, search;
  std::size_t first = 0;  ///< of the plan's runs, that of task 0
};

/// Prints what went wrong. Returns 0 if nothing did, 1 if a run found a fault, 2 if one failed, 130 if one
/// has not been run.
int settle(const plan_folder& plan, std::size_t first, std::size_t last) {
  int status = 0;
  bool failed = false;
  std::set<std::string> seen;
  for (std::size_t i = first; i < std::min(last, plan.runs().size()); ++i) {
    const std::string& id = plan.runs()[i].id;
    if (!seen.insert(id).second) continue;
    const auto result = plan.result(id);
    if (result && result->at("status") != "ok") {
      say(fmt::format("run {} ({}): {}\n", i, id, result->at("status").get<std::string>()));
      status = std::max(status, 1);
    } else if (!result && plan.state(id) == run_state::failed) {
      say(fmt::format("run {} ({}) failed: {}\n", i, id, plan.failure(id)));
      status = std::max(status, 2);
      failed = true;
    } else if (!result) {
      status = 130;
    }
  }
  if (failed) say("--retry runs what failed once more\n");
  return status;
}

/// What only Slurm knows is not for another engine.
void check_engine(const study_arguments& a) {
  if (a.engine == "slurm") return;
  for (const auto& [used, name] :
       {std::pair{a.slurm.dry_run, "--dry-run"}, std::pair{a.slurm.detach, "--detach"},
        std::pair{!a.slurm.partition.empty(), "--partition"}, std::pair{!a.slurm.time.empty(), "--time"},
        std::pair{a.slurm.group != 0, "--group"}})
    if (used) throw config_error(fmt::format("{} needs --engine slurm", name));
}

/// Runs what is open of a plan and joins the results, unless that is left to others. Returns the exit status.
int carry_out(const plan_folder& plan, const study_arguments& a) {
  const std::vector<std::size_t> open = plan.unfinished(a.retry);
  const interrupt_guard guard;
  std::unique_ptr<engine> runner;
  if (a.engine == "slurm")
    runner = std::make_unique<slurm_engine>(a.slurm);
  else
    runner = std::make_unique<local_engine>(a.jobs);
  if (!open.empty()) {
    progress bar(open.size(), "run");
    runner->carry_out(
        plan, open, {[&bar](std::size_t done, std::size_t) { bar.update(done); }, &interrupt_guard::flag()});
  }
  if (a.slurm.dry_run || a.slurm.detach) return 0;
  join_results(plan);
  return settle(plan, 0, plan.runs().size());
}

/// Writes the pictures as SVG files; says so once if gnuplot is not there.
void write_pictures(const fs::path& folder, const std::vector<picture>& pictures) {
  try {
    for (const picture& p : pictures) {
      const fs::path file = folder / (p.name + ".svg");
      write_file(file.string(), to_svg(p.drawing));
      say(fmt::format("  picture    {}\n", file.string()));
    }
  } catch (const gnuplot_missing& error) {
    say(fmt::format("  no pictures: {}\n", error.what()));
  }
}

std::vector<picture> draw_all(const json& wanted, const plan_folder& plan, const result_table& results) {
  std::vector<picture> pictures;
  for (const json& one : wanted) pictures.push_back(draw(one, plan, results, evaluate_formula));
  return pictures;
}

/// Two pictures of one name would be one file.
void check_names(const document& file) {
  std::set<std::string> seen;
  const json::json_pointer pictures("/pictures");
  for (std::size_t i = 0; i < file.root.at(pictures).size(); ++i) {
    const std::string name = file.root.at(pictures / i / "name");
    if (!seen.insert(name).second)
      file.fail(pictures / i / "name",
                fmt::format("found a second picture '{}', expected another name", name));
  }
}

plan_folder plan_of(const study_arguments& a, const catalogue& all) {
  if (fs::is_directory(a.names.front())) {
    if (!a.overrides.empty() || !a.out.empty())
      throw config_error(a.names.front() + ": found a folder, expected a sweep file with --set and --out");
    return plan_folder(a.names.front());
  }
  const document file = load_document(a.names.front(), sweep_schema(), a.overrides);
  const std::string name = file.root.at("name");
  const fs::path folder = a.out.empty() ? fs::path("out") / name : fs::path(a.out);
  check_names(file);
  const ordered_json about{
      {"sweep", name}, {"build", build_digest()}, {"pictures", file.root.at("pictures")}};
  return plan_folder::create(
      folder, about,
      expand(file, {json::json_pointer(), "", {}}, experiment_schema(all), folder / "runs" / "id"));
}

/// One element of a job array: the runs of its slice, one after the other.
int do_task(const plan_folder& plan, const study_arguments& a) {
  std::optional<std::size_t> index = a.index;
  if (const char* element = std::getenv("SLURM_ARRAY_TASK_ID"); !index && element) {
    const char* const end = element + std::strlen(element);
    std::size_t number = 0;
    const auto [stop, error] = std::from_chars(element, end, number);
    if (error != std::errc() || stop != end)
      throw config_error(
          fmt::format("SLURM_ARRAY_TASK_ID: found '{}', expected the number of a task", element));
    index = number;
  }
  if (!index) throw config_error("--task: found no SLURM_ARRAY_TASK_ID, expected --index N");
  const std::size_t group = std::max<std::size_t>(1, a.slurm.group), first = a.first + *index * group;
  if (first >= plan.runs().size())
    throw config_error(fmt::format("--index {}: found run {}, expected one of 0..{}", *index, first,
                                   plan.runs().size() - 1));
  const interrupt_guard guard;
  local_engine(1).carry_out(plan, plan.unfinished(a.retry, first, first + group),
                            {{}, &interrupt_guard::flag()});
  return settle(plan, first, first + group);
}

int sweep(const study_arguments& a, const catalogue& all) {
  if ((a.task || a.search) && !fs::is_directory(a.names.front()))
    throw config_error(a.names.front() + ": expected the output folder of a sweep");
  if (a.index && !a.task) throw config_error("--index needs --task");
  if (!a.task && !a.search) check_engine(a);
  const plan_folder plan = plan_of(a, all);
  if (a.task) return do_task(plan, a);
  if (a.search) {
    const interrupt_guard guard;
    return search_saturation(plan, *a.search, experiment_schema(all), &interrupt_guard::flag());
  }
  if (a.list_commands) {
    for (const std::size_t run : plan.unfinished(a.retry))
      say(fmt::format("{} --index {}\n", task_command(plan), run));
    return 0;
  }
  const int status = carry_out(plan, a);
  if (a.slurm.dry_run || a.slurm.detach) return status;
  std::size_t done = 0;
  for (const planned_run& r : plan.runs()) done += plan.state(r.id) == run_state::done;
  say(fmt::format("{}: {} of {} runs\n  results    {}\n  summary    {}\n", plan.about().value("sweep", ""),
                  done, plan.runs().size(), (plan.path() / "results.csv").string(),
                  (plan.path() / "summary.csv").string()));
  if (done == plan.runs().size())
    write_pictures(plan.path(),
                   draw_all(plan.about().value("pictures", json::array()), plan, result_table(plan)));
  else if (status == 130)
    say("the same command goes on from here\n");
  return status;
}

/// Pictures of a sweep, or the report and the pictures of a run.
int plot(const fs::path& folder) {
  if (!fs::exists(folder / "plan.jsonl") && fs::exists(folder / "result.json")) {
    const run_record record = read_results(folder.string());
    write_file((folder / "report.html").string(), report_html(record));
    write_pictures(folder, run_pictures(record));
    say(fmt::format("  report     {}\n", (folder / "report.html").string()));
    return 0;
  }
  const plan_folder plan(folder);
  join_results(plan);
  write_pictures(plan.path(),
                 draw_all(plan.about().value("pictures", json::array()), plan, result_table(plan)));
  return 0;
}

// --- reproduce

/// Where the project's reproductions may be: above the current folder, above the program, installed beside
/// it.
std::vector<fs::path> reproduction_folders() {
  std::vector<fs::path> folders;
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  for (fs::path from : {fs::current_path(), program})
    for (; from != from.root_path(); from = from.parent_path())
      folders.push_back(from / "yaml" / "reproductions");
  folders.push_back(program.parent_path() / "share" / "spillway" / "yaml" / "reproductions");
  folders.erase(
      std::remove_if(folders.begin(), folders.end(), [](const fs::path& f) { return !fs::is_directory(f); }),
      folders.end());
  return folders;
}

/// The files of the names; without names all of the project's.
std::vector<fs::path> reproduction_files(const std::vector<std::string>& names) {
  const std::vector<fs::path> folders = reproduction_folders();
  std::vector<fs::path> files;
  if (names.empty() && !folders.empty()) {
    for (const auto& entry : fs::directory_iterator(folders.front()))
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  }
  for (const std::string& name : names) {
    fs::path file = name;
    for (auto at = folders.begin(); !fs::is_regular_file(file) && at != folders.end(); ++at)
      file = *at / (name + ".yaml");
    if (!fs::is_regular_file(file))
      throw config_error(
          fmt::format("found no reproduction '{}', expected a file or a name in yaml/reproductions", name));
    files.push_back(file);
  }
  if (files.empty()) throw config_error("found no folder yaml/reproductions here or above: name a file");
  return files;
}

int reproduce_one(const fs::path& path, const study_arguments& a, const catalogue& all) {
  const document file = load_document(path, reproduction_schema(), a.overrides);
  const fs::path out =
      a.out.empty() ? fs::path("out") / (a.quick ? "reproduce-quick" : "reproduce") : fs::path(a.out);
  const fs::path folder = out / file.root.at("name").get<std::string>();
  const reproduction what(file, experiment_schema(all), folder / "runs" / "id", a.quick);

  check_names(file);
  if (fs::exists(folder / "plan.jsonl")) {
    const ordered_json there = plan_folder(folder).about();
    if (there.value("reproduction", "") != what.text("name"))
      throw config_error(folder.string() +
                         ": holds a sweep; expected none or this reproduction (--out names another)");
    // Results of another build are worth nothing as evidence for this one.
    if (there.value("build", "") != build_digest()) {
      if (a.slurm.dry_run)
        throw config_error(
            folder.string() +
            ": holds results of another build of this program, which all but --dry-run removes");
      fs::remove_all(folder / "runs");
    }
  }
  const ordered_json about{
      {"reproduction", what.text("name")}, {"build", build_digest()}, {"pictures", file.root.at("pictures")}};
  const plan_folder plan = plan_folder::create(folder, about, what.runs(), true);
  const int status = carry_out(plan, a);
  if (status > 1 || a.slurm.dry_run || a.slurm.detach) return status;

  const result_table results(plan);
  const std::vector<judged_claim> claims = what.judge_claims(results);
  const std::vector<picture> pictures = draw_all(what.pictures(), plan, results);
  write_file((folder / "verdicts.json").string(), verdicts_json(what, claims));
  write_file((folder / "report.html").string(), reproduction_html(what, claims, pictures));
  say(claims_text(what, claims));
  write_pictures(folder, pictures);
  say(fmt::format("  report     {}\n", (folder / "report.html").string()));
  const bool met =
      std::all_of(claims.begin(), claims.end(), [&](const judged_claim& c) { return c.met(a.quick); });
  return met ? status : 1;
}

int reproduce(const study_arguments& a, const catalogue& all) {
  check_engine(a);
  int status = 0;
  for (const fs::path& file : reproduction_files(a.names)) {
    status = std::max(status, reproduce_one(file, a, all));
    if (status == 130) break;
  }
  return status;
}

void add_common(CLI::App* command, study_arguments& a) {
  command->add_option("--set", a.overrides, "override a key of the file: seeds=10")->take_all();
  command->add_option("-j,--jobs", a.jobs, "processes at a time")->check(CLI::Range(1u, 4096u));
  command->add_flag("--retry", a.retry, "run what failed once more");
  command->add_option("--engine", a.engine, "what runs it: local processes, or job arrays of Slurm")
      ->check(CLI::IsMember({"local", "slurm"}));
  command->add_option("--partition", a.slurm.partition, "as for sbatch");
  command->add_option("--time", a.slurm.time, "as for sbatch: limit of a task");
  command->add_option("--group", a.slurm.group, "runs a task (default: as many as last a minute)");
  command->add_flag("--dry-run", a.slurm.dry_run, "print the sbatch lines; submit nothing");
  command->add_flag("--detach", a.slurm.detach,
                    "submit and return; the same command joins the results later");
}

}  // namespace

void add_study_commands(CLI::App& app, int& status, const catalogue& all) {
  const auto a = std::make_shared<study_arguments>();
  const auto file = std::make_shared<std::string>();

  CLI::App* const sweep_command =
      app.add_subcommand("sweep", "run every combination of some settings; resumable");
  sweep_command->add_option("sweep", *file, "sweep file (YAML), or the folder of one that was begun")
      ->required();
  sweep_command->add_option("--out", a->out, "folder of plan, runs and results (default: out/NAME)");
  add_common(sweep_command, *a);
  sweep_command->add_flag("--list-commands", a->list_commands,
                          "print a shell line for each run that is open");
  sweep_command->add_flag("--task", a->task, "do the runs of one task of the plan in the folder");
  sweep_command->add_option("--index", a->index, "number of the task (default: SLURM_ARRAY_TASK_ID)");
  sweep_command->add_option("--first", a->first, "run that task 0 begins with");
  sweep_command->add_option("--search", a->search, "find the saturation rate for one run of the plan")
      ->group("");
  sweep_command->callback([=, &status, &all] {
    a->names = {*file};
    status = sweep(*a, all);
  });

  CLI::App* const plot_command = app.add_subcommand("plot", "pictures from the results of a sweep or a run");
  plot_command->add_option("folder", *file, "output folder of a sweep or a run")->required();
  plot_command->callback([=, &status] { status = plot(*file); });

  CLI::App* const reproduce_command =
      app.add_subcommand("reproduce", "the papers' experiments: claim, measured, verdict");
  reproduce_command->add_option("names", a->names, "names or files; all when left out");
  reproduce_command->add_option(
      "--out", a->out, "folder of the reports (default: out/reproduce, with --quick out/reproduce-quick)");
  reproduce_command->add_flag("--quick", a->quick, "smaller versions, in seconds");
  add_common(reproduce_command, *a);
  reproduce_command->callback([=, &status, &all] { status = reproduce(*a, all); });
}

}  // namespace spillway
