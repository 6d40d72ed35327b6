#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <spillway/tb/command/commands.hpp>
#include <spillway/tb/command/interrupt.hpp>
#include <spillway/tb/command/quiet.hpp>
#include <spillway/tb/command/studies.hpp>
#include <spillway/tb/command/study.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/network_picture.hpp>
#include <spillway/tb/report/read_results.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/write_results.hpp>
#include <spillway/tb/sweep/engine.hpp>
#include <spillway/tb/sweep/search.hpp>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

plan_folder plan_of(const study_arguments& a, const catalogue& all) {
  if (fs::is_directory(a.names.front())) {
    if (!a.overrides.empty() || !a.out.empty())
      throw config_error(a.names.front() + ": found a folder, expected a sweep file with --set and --out");
    plan_folder plan(a.names.front());
    if (plan.about().value("build", build_digest()) != build_digest())
      throw config_error(a.names.front() +
                         ": holds results of another build of this program; expected the one that began it");
    return plan;
  }
  const document file = load_named(a.names.front(), "sweeps", "sweep", sweep_schema(), a.overrides);
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
  const std::size_t group = std::max<std::size_t>(1, a.slurm.group), runs = plan.runs().size();
  // In this order no product is too large.
  if (a.first >= runs || *index > (runs - 1 - a.first) / group)
    throw config_error(
        fmt::format("--index {}: found a task behind the last run, which is {}", *index, runs - 1));
  const std::size_t first = a.first + *index * group;
  const interrupt_guard guard;
  local_engine(1).carry_out(plan, plan.unfinished(a.retry, first, first + group),
                            {{}, &interrupt_guard::flag()});
  return settle(plan, first, first + group);
}

int sweep(const study_arguments& a, const catalogue& all) {
  if ((a.task || a.search) && !fs::is_directory(a.names.front()))
    throw config_error(a.names.front() + ": expected the output folder of a sweep");
  if (a.index && !a.task) throw config_error("--index needs --task");
  if (a.first && !a.task) throw config_error("--first needs --task");
  if (!a.task && !a.search) check_engine(a);
  const plan_folder plan = plan_of(a, all);
  if (a.task) return do_task(plan, a);
  if (!a.search) check_pictures(plan.about().value("pictures", json::array()), plan);
  if (a.search) {
    if (*a.search >= plan.runs().size() || plan.runs()[*a.search].search.is_null())
      throw config_error(
          fmt::format("--search {}: found no such run, expected the number of one that searches", *a.search));
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
  return status;
}

/// The list `pictures` of a file: a sweep, or one that has nothing else. Throws config_error.
document pictures_of(const std::string& file) {
  json schema = sweep_schema();
  schema["required"] = {"pictures"};
  document read = load_named(file, "sweeps", "sweep", schema, {});
  check_names(read);
  return read;
}

/// Pictures of a sweep, or the report and the pictures of a run.
int plot(const fs::path& folder, const std::string& pictures) {
  const bool is_plan = fs::exists(folder / "plan.jsonl");
  if (!pictures.empty() && !is_plan)
    throw config_error(folder.string() + ": --pictures needs the output folder of a sweep");
  if (!is_plan && fs::exists(folder / "result.json")) {
    const run_record record = read_results(folder.string());
    write_file((folder / "report.html").string(), report_html(record));
    write_pictures(folder, run_pictures(record));
    if (const std::string network = network_svg({record}); !network.empty())
      write_file((folder / "network.svg").string(), network);
    say(fmt::format("  report     {}\n", (folder / "report.html").string()));
    return 0;
  }
  if (!is_plan)
    throw config_error(
        folder.string() +
        ": found no plan.jsonl and no result.json, expected the output folder of a sweep or a run");
  const plan_folder plan(folder);
  join_results(plan);
  const json wanted = pictures.empty() ? json(plan.about().value("pictures", json::array()))
                                       : pictures_of(pictures).root.at("pictures");
  write_pictures(plan.path(), draw_all(wanted, plan, result_table(plan)));
  return 0;
}

/// CLI11 takes -1 for the largest number there is.
CLI::Validator whole_numbers(std::size_t least) {
  return CLI::Validator(
      [least](const std::string& text) {
        std::size_t number = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        return error == std::errc() && stop == end && number >= least
                   ? std::string()
                   : fmt::format("found '{}', expected a whole number from {} on", text, least);
      },
      "");
}

/// What every study takes.
void add_basics(CLI::App* command, study_arguments& a, const char* out, const char* overridden) {
  command->add_option("-o,--out", a.out, out)->type_name("DIR");
  command->add_option("--set", a.overrides, overridden)->take_all()->type_name("KEY=VALUE");
  command
      ->add_option("-j,--jobs", a.jobs,
                   "cores to use: a process each, or threads of fewer runs (default: all)")
      ->check(CLI::Range(1u, 4096u).description("1..4096"))
      ->type_name("N");
  command->add_flag("-q,--quiet", a.quiet, "print nothing but faults");
}

void add_engines(CLI::App* command, study_arguments& a) {
  command->add_flag("--retry", a.retry, "run what failed once more");
  command->add_option("--engine", a.engine, "what runs it: local processes, or job arrays of Slurm")
      ->check(CLI::IsMember({"local", "slurm"}).description(""))
      ->type_name("{local,slurm}")
      ->capture_default_str();
  command->add_option("--partition", a.slurm.partition, "as for sbatch")->type_name("NAME");
  command->add_option("--time", a.slurm.time, "as for sbatch: limit of a task")->type_name("TIME");
  command->add_option("--group", a.slurm.group, "runs a task (default: as many as last a minute)")
      ->check(whole_numbers(1))
      ->type_name("N");
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
  sweep_command
      ->add_option("sweep", *file,
                   "sweep file (YAML), name of a shipped one, - for standard input, or the folder of one "
                   "that was begun")
      ->required()
      ->type_name("SWEEP");
  add_basics(sweep_command, *a, "folder of plan, runs and results (default: out/NAME)",
             "override a key of the file: seeds=10");
  add_engines(sweep_command, *a);
  sweep_command->add_flag("--list-commands", a->list_commands,
                          "print a shell line for each run that is open");
  sweep_command->add_flag("--task", a->task, "do the runs of one task of the plan in the folder");
  sweep_command->add_option("--index", a->index, "number of the task (default: SLURM_ARRAY_TASK_ID)")
      ->check(whole_numbers(0))
      ->type_name("N");
  sweep_command->add_option("--first", a->first, "run that task 0 begins with")
      ->check(whole_numbers(0))
      ->type_name("N")
      ->capture_default_str();
  sweep_command->add_option("--search", a->search, "find the saturation rate for one run of the plan")
      ->group("");
  sweep_command->callback([=, &status, &all] {
    a->names = {*file};
    // What is asked for is printed all the same.
    const quiet_output quiet(a->quiet && !a->list_commands && !a->slurm.dry_run);
    status = sweep(*a, all);
  });

  CLI::App* const curve_command = app.add_subcommand(
      "curve", "throughput and latency against load: a table, a picture, saturation marked");
  curve_command
      ->add_option("experiments", a->names, "experiment files (YAML), or names of shipped ones; a curve each")
      ->required()
      ->type_name("EXPERIMENT");
  curve_command->add_option("--over", a->over, "the load")
      ->type_name("KEY=FROM:TO:STEP")
      ->capture_default_str();
  curve_command->add_option("--seeds", a->seeds, "runs a point, for confidence intervals")
      ->check(CLI::Range(1u, 1000u).description("1..1000"))
      ->type_name("N")
      ->capture_default_str();
  add_basics(curve_command, *a, "folder of sweep.yaml, curve.svg and the runs (default: out/curve-NAME)",
             "override a key of each experiment: switch.depth=8");
  curve_command->callback([=, &status, &all] {
    const quiet_output quiet(a->quiet);
    status = curve(*a, all);
  });

  CLI::App* const compare_command = app.add_subcommand(
      "compare", "several experiments, or results of runs, on one page: curves, networks, differences");
  compare_command
      ->add_option("names", a->names,
                   "experiments (YAML files, or names of shipped ones), which are run, or folders of results")
      ->required()
      ->type_name("EXPERIMENT");
  compare_command
      ->add_option("--seeds", a->seeds, "runs of each, for confidence intervals; 1: of its own seed")
      ->check(CLI::Range(1u, 1000u).description("1..1000"))
      ->type_name("N")
      ->capture_default_str();
  add_basics(compare_command, *a, "folder of report.html, its pictures and the runs (default: out/compare)",
             "override a key of each experiment: traffic.0.rate=0.3");
  compare_command->callback([=, &status, &all] {
    const quiet_output quiet(a->quiet);
    status = compare(*a, all);
  });

  CLI::App* const plot_command = app.add_subcommand("plot", "pictures from the results of a sweep or a run");
  plot_command->add_option("folder", *file, "output folder of a sweep or a run")
      ->required()
      ->type_name("DIR");
  plot_command
      ->add_option("--pictures", a->pictures,
                   "of a sweep: a file (YAML) with other pictures than its own: the sweep's, or `pictures:` "
                   "alone")
      ->type_name("FILE");
  plot_command->add_flag("-q,--quiet", a->quiet, "print nothing but faults");
  plot_command->callback([=, &status] {
    const quiet_output quiet(a->quiet);
    status = plot(*file, a->pictures);
  });

  CLI::App* const reproduce_command =
      app.add_subcommand("reproduce", "the papers' experiments: claim, measured, verdict");
  reproduce_command->add_option("names", a->names, "names or files; all when left out")
      ->type_name("REPRODUCTION");
  add_basics(reproduce_command, *a,
             "folder of the reports (default: out/reproduce, with --quick out/reproduce-quick)",
             "override a key of the file: seeds=10");
  reproduce_command->add_flag("--quick", a->quick, "smaller versions, in seconds");
  reproduce_command->add_flag("--list", a->list, "print what there is; run nothing");
  reproduce_command
      ->add_option("--kept", a->kept,
                   "folder of verdicts at full size (default: docs/results beside yaml/reproductions)")
      ->type_name("DIR");
  add_engines(reproduce_command, *a);
  reproduce_command->callback([=, &status, &all] {
    const quiet_output quiet(a->quiet && !a->list && !a->slurm.dry_run);
    status = reproduce(*a, all);
  });
}

}  // namespace spillway
