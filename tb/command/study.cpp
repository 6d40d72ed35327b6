#include <fmt/format.h>

#include <memory>
#include <set>
#include <spillway/tb/command/interrupt.hpp>
#include <spillway/tb/command/study.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/progress.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/reproduce/reproduction.hpp>
#include <spillway/tb/sweep/engine.hpp>
#include <spillway/tb/sweep/sweep_pictures.hpp>

namespace spillway {

namespace fs = std::filesystem;
using nlohmann::json;

int settle(const plan_folder& plan, std::size_t first, std::size_t last) {
  int status = 0;
  bool failed = false;
  std::set<std::string> seen;
  for (std::size_t i = first; i < std::min(last, plan.runs().size()); ++i) {
    const std::string& id = plan.runs()[i].id;
    if (!seen.insert(id).second) continue;
    const auto result = plan.result(id);
    if (result && result->at("status") != "ok") {
      complain(fmt::format("run {} ({}): {}", i, id, result->at("status").get<std::string>()));
      status = std::max(status, 1);
    } else if (!result && plan.state(id) == run_state::failed) {
      complain(fmt::format("run {} ({}) failed: {}", i, id, plan.failure(id)));
      status = std::max(status, 2);
      failed = true;
    } else if (!result) {
      status = 130;
    }
  }
  if (failed) complain("--retry runs what failed once more");
  return status;
}

void check_engine(const study_arguments& a) {
  if (a.engine == "slurm") return;
  for (const auto& [used, name] :
       {std::pair{a.slurm.dry_run, "--dry-run"}, std::pair{a.slurm.detach, "--detach"},
        std::pair{!a.slurm.partition.empty(), "--partition"}, std::pair{!a.slurm.time.empty(), "--time"},
        std::pair{a.slurm.group != 0, "--group"}})
    if (used) throw config_error(fmt::format("{} needs --engine slurm", name));
}

int carry_out(const plan_folder& plan, const study_arguments& a) {
  const std::vector<std::size_t> open = plan.unfinished(a.retry);
  const interrupt_guard guard;
  std::unique_ptr<engine> runner;
  if (a.engine == "slurm") {
    runner = std::make_unique<slurm_engine>(a.slurm);
  } else {
    auto local = std::make_unique<local_engine>(a.jobs);
    if (const unsigned threads = local->threads_for(open.size()); threads > 1)
      say(fmt::format("  threads    {} for each run, as there are {} cores for {}\n", threads, a.jobs,
                      open.size() == 1 ? "one run" : fmt::format("{} runs", open.size())));
    runner = std::move(local);
  }
  if (!open.empty()) {
    progress bar(open.size(), "run");
    runner->carry_out(
        plan, open, {[&bar](std::size_t done, std::size_t) { bar.update(done); }, &interrupt_guard::flag()});
  }
  if (a.slurm.dry_run || a.slurm.detach) return 0;
  join_results(plan);
  const int status = settle(plan, 0, plan.runs().size());
  if (status == 130) {
    const std::size_t left = plan.unfinished(false).size();
    say(fmt::format("{} of {} runs are left; the same command goes on from here\n", left,
                    plan.runs().size()));
  }
  return status;
}

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

void check_pictures(const json& wanted, const plan_folder& plan) {
  for (const json& one : wanted) check_picture(one, plan, evaluate_formula);
}

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

}  // namespace spillway
