#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <spillway/tb/command/interrupt.hpp>
#include <spillway/tb/command/studies.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/progress.hpp>
#include <spillway/tb/reproduce/report.hpp>
#include <spillway/tb/reproduce/reproduction.hpp>
#include <spillway/tb/sweep/engine.hpp>
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
  std::string out;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool retry = false, quick = false;
};

/// Runs what is open of a plan. Returns the exit status: 0 all is well, 1 a run found a fault, 2 a run
/// failed, 130 interrupted.
int carry_out(const plan_folder& plan, const study_arguments& a) {
  const std::vector<std::size_t> open = plan.unfinished(a.retry);
  const interrupt_guard guard;
  {
    progress bar(open.size(), "run");
    local_engine(a.jobs).carry_out(
        plan, open, {[&bar](std::size_t done, std::size_t) { bar.update(done); }, &interrupt_guard::flag()});
  }
  join_results(plan);

  int status = 0;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < plan.runs().size(); ++i) {
    const std::string& id = plan.runs()[i].id;
    if (!seen.insert(id).second) continue;
    const auto result = plan.result(id);
    if (result && result->at("status") != "ok") {
      fmt::print("run {} ({}): {}\n", i, id, result->at("status").get<std::string>());
      status = std::max(status, 1);
    } else if (!result && plan.state(id) == run_state::failed) {
      fmt::print("run {} ({}) failed: {}\n", i, id, plan.failure(id));
      status = 2;
    }
  }
  if (status == 2) fmt::print("--retry runs what failed once more\n");
  return interrupt_guard::flag() ? 130 : status;
}

/// Writes the pictures as SVG files; says so once if gnuplot is not there.
void write_pictures(const fs::path& folder, const std::vector<picture>& pictures) {
  try {
    for (const picture& p : pictures) {
      const fs::path file = folder / (p.name + ".svg");
      write_file(file.string(), to_svg(p.drawing));
      fmt::print("  picture    {}\n", file.string());
    }
  } catch (const gnuplot_missing& error) {
    fmt::print("  no pictures: {}\n", error.what());
  }
}

std::vector<picture> draw_all(const json& wanted, const plan_folder& plan, const result_table& results) {
  std::vector<picture> pictures;
  for (const json& one : wanted) pictures.push_back(draw(one, plan, results, evaluate_formula));
  return pictures;
}

int sweep(const study_arguments& a, const block_kinds& kinds) {
  const document file = load_document(a.names.front(), sweep_schema(), a.overrides);
  const std::string name = file.root.at("name");
  const fs::path folder = a.out.empty() ? fs::path("out") / name : fs::path(a.out);
  const ordered_json about{
      {"sweep", name}, {"build", build_digest()}, {"pictures", file.root.at("pictures")}};
  const plan_folder plan = plan_folder::create(
      folder, about,
      expand(file, {json::json_pointer(), "", {}}, experiment_schema(kinds), folder / "runs" / "id"));
  const int status = carry_out(plan, a);
  std::size_t done = 0;
  for (const planned_run& r : plan.runs()) done += plan.state(r.id) == run_state::done;
  fmt::print("{}: {} of {} runs\n  results    {}\n  summary    {}\n", name, done, plan.runs().size(),
             (folder / "results.csv").string(), (folder / "summary.csv").string());
  if (done == plan.runs().size())
    write_pictures(folder, draw_all(file.root.at("pictures"), plan, result_table(plan)));
  return status;
}

int plot(const std::string& where) {
  const plan_folder plan{fs::path(where)};
  join_results(plan);
  write_pictures(plan.path(), draw_all(plan.about().at("pictures"), plan, result_table(plan)));
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

int reproduce_one(const fs::path& path, const study_arguments& a, const block_kinds& kinds) {
  const document file = load_document(path, reproduction_schema(), a.overrides);
  const fs::path out =
      a.out.empty() ? fs::path("out") / (a.quick ? "reproduce-quick" : "reproduce") : fs::path(a.out);
  const fs::path folder = out / file.root.at("name").get<std::string>();
  const reproduction what(file, experiment_schema(kinds), folder / "runs" / "id", a.quick);

  // Results of another build are worth nothing as evidence for this one.
  if (fs::exists(folder / "plan.jsonl") && plan_folder(folder).about().value("build", "") != build_digest())
    fs::remove_all(folder / "runs");
  const ordered_json about{
      {"reproduction", what.text("name")}, {"build", build_digest()}, {"pictures", file.root.at("pictures")}};
  const plan_folder plan = plan_folder::create(folder, about, what.runs(), true);
  const int status = carry_out(plan, a);
  if (status > 1) return status;

  const result_table results(plan);
  const std::vector<judged_claim> claims = what.judge_claims(results);
  const std::vector<picture> pictures = draw_all(file.root.at("pictures"), plan, results);
  write_file((folder / "verdicts.json").string(), verdicts_json(what, claims));
  write_file((folder / "report.html").string(), reproduction_html(what, claims, pictures));
  fmt::print("{}", claims_text(what, claims));
  write_pictures(folder, pictures);
  fmt::print("  report     {}\n", (folder / "report.html").string());
  const bool met =
      std::all_of(claims.begin(), claims.end(), [&](const judged_claim& c) { return c.met(a.quick); });
  return met ? status : 1;
}

int reproduce(const study_arguments& a, const block_kinds& kinds) {
  int status = 0;
  for (const fs::path& file : reproduction_files(a.names)) {
    status = std::max(status, reproduce_one(file, a, kinds));
    if (status == 130) break;
  }
  return status;
}

void add_common(CLI::App* command, study_arguments& a) {
  command->add_option("--set", a.overrides, "override a key of the file: seeds=10")->take_all();
  command->add_option("-j,--jobs", a.jobs, "processes at a time")->check(CLI::Range(1u, 4096u));
  command->add_flag("--retry", a.retry, "run what failed once more");
}

}  // namespace

void add_study_commands(CLI::App& app, int& status, const block_kinds& kinds) {
  const auto a = std::make_shared<study_arguments>();
  const auto file = std::make_shared<std::string>();

  CLI::App* const sweep_command =
      app.add_subcommand("sweep", "run every combination of some settings; resumable");
  sweep_command->add_option("sweep", *file, "sweep file (YAML)")->required();
  sweep_command->add_option("--out", a->out, "folder of plan, runs and results (default: out/NAME)");
  add_common(sweep_command, *a);
  sweep_command->callback([=, &status, &kinds] {
    a->names = {*file};
    status = sweep(*a, kinds);
  });

  CLI::App* const plot_command = app.add_subcommand("plot", "pictures from the results of a sweep");
  plot_command->add_option("folder", *file, "output folder of a sweep")->required();
  plot_command->callback([=, &status] { status = plot(*file); });

  CLI::App* const reproduce_command =
      app.add_subcommand("reproduce", "the papers' experiments: claim, measured, verdict");
  reproduce_command->add_option("names", a->names, "names or files; all when left out");
  reproduce_command->add_option("--out", a->out, "folder of the reports (default: out/reproduce)");
  reproduce_command->add_flag("--quick", a->quick, "smaller versions, in seconds");
  add_common(reproduce_command, *a);
  reproduce_command->callback([=, &status, &kinds] { status = reproduce(*a, kinds); });
}

}  // namespace spillway
