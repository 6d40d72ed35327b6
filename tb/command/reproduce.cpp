#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <spillway/tb/command/shipped.hpp>
#include <spillway/tb/command/study.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/reproduce/outline.hpp>
#include <spillway/tb/reproduce/report.hpp>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// The files of the names; without names all of the project's.
std::vector<fs::path> reproduction_files(const std::vector<std::string>& names) {
  const shipped_files shipped("reproductions", "reproduction");
  std::vector<fs::path> files;
  if (names.empty()) files = shipped.all();
  for (const std::string& name : names) files.push_back(shipped.find(name));
  if (files.empty()) throw config_error("found no folder yaml/reproductions here or above: name a file");
  return files;
}

/// Where the verdicts of a reproduction at full size are kept.
fs::path kept_file(const fs::path& reproduction_file, const std::string& name, const study_arguments& a) {
  const fs::path yaml = fs::absolute(reproduction_file).parent_path().parent_path();
  const fs::path folder = a.kept.empty() ? yaml.parent_path() / "docs" / "results" : fs::path(a.kept);
  return folder / name / "verdicts.json";
}

/// Results of another build are worth nothing as evidence for this one; a sweep's are somebody else's.
void clear_for(const reproduction& what, const fs::path& folder, const study_arguments& a) {
  const auto plan = plan_folder::about(folder);
  if (!plan) return;
  const ordered_json& there = *plan;
  if (there.value("reproduction", "") != what.text("name"))
    throw config_error(folder.string() +
                       ": holds a sweep; expected none or this reproduction (--out names another)");
  if (there.value("build", "") == build_digest() || !fs::exists(folder / "runs")) return;
  if (a.slurm.dry_run)
    throw config_error(folder.string() +
                       ": holds results of another build of this program, which all but --dry-run removes");
  fs::remove_all(folder / "runs");
}

bool colours_wanted() { return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

int reproduce_one(const fs::path& path, const study_arguments& a, const catalogue& all, tally& total) {
  const document file = load_document(path, reproduction_schema(), a.overrides);
  const fs::path out =
      a.out.empty() ? fs::path("out") / (a.quick ? "reproduce-quick" : "reproduce") : fs::path(a.out);
  const fs::path folder = out / file.root.at("name").get<std::string>();
  const reproduction what(file, experiment_schema(all), folder / "runs" / "id", a.quick);
  findings found;
  if (a.quick) found.kept = read_kept(kept_file(path, what.text("name"), a), depends_on(file));

  check_names(file);
  clear_for(what, folder, a);
  const ordered_json about{
      {"reproduction", what.text("name")}, {"build", build_digest()}, {"pictures", file.root.at("pictures")}};
  const plan_folder plan = plan_folder::create(folder, about, what.runs(), true);
  check_pictures(what.pictures(), plan);
  const int status = carry_out(plan, a);
  if (status > 1 || a.slurm.dry_run || a.slurm.detach) return status;

  const result_table results(plan);
  found.claims = what.judge_claims(results);
  found.tables = what.measure_tables(results);
  const std::vector<picture> pictures = draw_all(what.pictures(), plan, results);
  write_file((folder / "verdicts.json").string(), verdicts_json(what, found));
  write_file((folder / "report.html").string(), reproduction_html(what, found, pictures));
  fmt::print("{}", claims_text(what, found, colours_wanted()));
  write_pictures(folder, pictures);
  say(fmt::format("  report     {}\n", (folder / "report.html").string()));
  total.add(found);
  const bool met = std::all_of(found.claims.begin(), found.claims.end(),
                               [&](const judged_claim& c) { return c.met(a.quick); });
  return met ? status : 1;
}

/// How many runs a version has, and how many of them are searches for a load.
std::string size_of(const document& file, bool quick) {
  std::size_t runs = 0, searches = 0;
  for (const expansion& group : groups_of(file, quick)) {
    runs += count_runs(file, group);
    if (file.root.at(group.at).contains("search")) searches += count_runs(file, group);
  }
  if (runs == 0) return "formulas only";
  std::string text = fmt::format("{} run{}", runs, runs == 1 ? "" : "s");
  return searches ? text + fmt::format(", {} of them searches", searches) : text;
}

/// Whether all claims that only full size can judge have a verdict of it: `2026-01-31`, `stale`, `missing`;
/// `not needed` where a quick run judges all.
std::string kept_state(const document& file, const fs::path& verdicts) {
  const auto kept = read_kept(verdicts, depends_on(file));
  bool needed = false, missing = !kept;
  for (const auto& claim : file.root.at("claims")) {
    if (!claim.at("full").get<bool>()) continue;
    needed = true;
    missing = missing || !kept->of(claim.at("value"), claim.value("bounds", ""));
  }
  if (kept && kept->stale) return "stale";
  if (!needed) return kept ? kept->date : "not needed";
  return missing ? "missing" : kept->date;
}

int list_those_kept(const study_arguments& a) {
  for (const fs::path& path : reproduction_files(a.names)) {
    const document file = load_document(path, reproduction_schema(), a.overrides);
    const std::string name = file.root.at("name");
    say(fmt::format("{}\n  paper   {}\n  figure  {}\n  full    {}\n  quick   {}\n  kept    {}\n", name,
                    file.root.at("paper").get<std::string>(), file.root.at("source").get<std::string>(),
                    size_of(file, false), size_of(file, true), kept_state(file, kept_file(path, name, a))));
  }
  return 0;
}

/// Each has a folder of its name. Throws config_error.
void check_names_differ(const std::vector<fs::path>& files, const study_arguments& a) {
  std::set<std::string> names;
  for (const fs::path& path : files) {
    const document file = load_document(path, reproduction_schema(), a.overrides);
    const std::string name = file.root.at("name");
    if (!names.insert(name).second)
      file.fail(document::json_pointer("/name"),
                fmt::format("found a second reproduction '{}', expected another name", name));
  }
}

}  // namespace

int reproduce(const study_arguments& a, const catalogue& all) {
  if (a.list) return list_those_kept(a);
  check_engine(a);
  int status = 0;
  tally total;
  const std::vector<fs::path> files = reproduction_files(a.names);
  check_names_differ(files, a);
  for (const fs::path& file : files) {
    status = std::max(status, reproduce_one(file, a, all, total));
    if (status == 130) break;
  }
  if (files.size() > 1) fmt::print("{}\n", total.text());
  return status;
}

}  // namespace spillway
