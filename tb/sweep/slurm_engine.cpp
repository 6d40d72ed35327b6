#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <deque>
#include <fstream>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/sweep/process.hpp>
#include <spillway/tb/sweep/slurm_engine.hpp>
#include <thread>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr double least_seconds_a_task = 60;

struct command_output {
  int status = -1;
  std::string text;  ///< standard output and standard error
};

command_output shell(const std::string& line) {
  command_output result;
  std::FILE* pipe = ::popen((line + " 2>&1").c_str(), "re");
  if (!pipe) return result;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    result.text.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return result;
}

std::string must(const std::string& line) {
  const command_output result = shell(line);
  if (result.status != 0) throw io_error(fmt::format("{}: {}", line, one_line(result.text)));
  return result.text;
}

/// MaxArraySize: elements are numbered below it.
std::size_t most_array_elements() {
  const std::string text = must("scontrol show config");
  const auto at = text.find("MaxArraySize");
  const auto equals = text.find('=', at);
  if (at == std::string::npos || equals == std::string::npos)
    throw io_error("scontrol show config: found no MaxArraySize");
  return std::max(1ul, std::strtoul(text.c_str() + equals + 1, nullptr, 10));
}

/// Elements of a job array that are waiting or running; none once the job has left the queue.
std::set<std::size_t> alive(const std::string& job) {
  const command_output queue = shell(fmt::format("squeue --noheader --array --jobs={} --format=%K", job));
  if (queue.status != 0) {
    if (queue.text.find("Invalid job id") != std::string::npos) return {};
    throw io_error("squeue: " + one_line(queue.text));
  }
  std::set<std::size_t> elements;
  std::istringstream lines(queue.text);
  for (std::size_t element = 0; lines >> element;) elements.insert(element);
  return elements;
}

/// A job array in the queue, ours or of another submitter.
struct job {
  std::string id;
  task_slice slice;
  std::set<std::size_t> tasks;  ///< elements that are alive
};

std::vector<job> jobs_of(const plan_folder& plan) {
  std::vector<job> jobs;
  const fs::path folder = plan.path() / "slurm";
  if (!fs::exists(folder)) return jobs;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream in(entry.path());
    const auto record = ordered_json::parse(in, nullptr, false);
    if (!record.is_object()) continue;
    job j{record.value("job", ""), {record.value("first", 0ul), record.value("group", 1ul)}, {}};
    j.tasks = alive(j.id);
    if (!j.tasks.empty()) jobs.push_back(std::move(j));
  }
  return jobs;
}

bool covered(const std::vector<job>& jobs, std::size_t run) {
  return std::any_of(jobs.begin(), jobs.end(), [run](const job& j) {
    return run >= j.slice.first && j.tasks.count(j.slice.task_of(run)) != 0;
  });
}

void forget_ended(std::vector<job>& jobs) {
  for (auto j = jobs.begin(); j != jobs.end();) {
    try {
      j->tasks = alive(j->id);
      j = j->tasks.empty() ? jobs.erase(j) : j + 1;
    } catch (const io_error&) {
      ++j;  // a controller that is busy or restarts; it has not forgotten the job
    }
  }
}

}  // namespace

std::vector<array_submission> cut_into_arrays(const std::vector<std::size_t>& runs, std::size_t group,
                                              std::size_t most_elements) {
  std::vector<array_submission> list;
  for (const std::size_t run : runs) {
    const std::size_t reach = group * most_elements, first = run / reach * reach;
    if (list.empty() || list.back().slice.first != first) list.push_back({{first, group}, {}});
    const std::size_t task = list.back().slice.task_of(run);
    if (list.back().tasks.empty() || list.back().tasks.back() != task) list.back().tasks.push_back(task);
  }
  return list;
}

std::string array_specification(const std::vector<std::size_t>& tasks) {
  std::string text;
  for (std::size_t i = 0; i < tasks.size();) {
    std::size_t end = i + 1;
    while (end < tasks.size() && tasks[end] == tasks[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(tasks[i]);
    if (end - i > 1) text += '-' + std::to_string(tasks[end - 1]);
    i = end;
  }
  return text;
}

std::size_t slurm_engine::group_size(const plan_folder& plan, const std::vector<std::size_t>& runs,
                                     const engine_hooks& hooks) const {
  if (options_.group != 0) return options_.group;
  const auto mean_seconds = [&plan] {
    double seconds = 0, n = 0;
    for (const planned_run& r : plan.runs())
      if (const auto result = plan.result(r.id)) {
        const double tries = result->contains("saturation") ? (*result)["saturation"].value("tries", 1.0) : 1;
        seconds += result->value("wall_seconds", 0.0) * tries;
        ++n;
      }
    return n > 0 ? seconds / n : std::nan("");
  };
  double seconds = mean_seconds();
  if (std::isnan(seconds) && !options_.dry_run) {
    // Nothing is known yet: see how long one takes.
    local_engine(1).carry_out(plan, {runs.front()}, {{}, hooks.stop});
    seconds = mean_seconds();
  }
  if (std::isnan(seconds)) return 1;
  return static_cast<std::size_t>(std::ceil(least_seconds_a_task / std::max(seconds, 0.05)));
}

std::string slurm_engine::sbatch_line(const plan_folder& plan, const array_submission& what) const {
  const fs::path folder = fs::absolute(plan.path());
  std::string line = "sbatch --parsable --job-name=spillway";
  if (!options_.partition.empty()) line += " --partition=" + shell_quote(options_.partition);
  if (!options_.time.empty()) line += " --time=" + shell_quote(options_.time);
  line += " --array=" + array_specification(what.tasks);
  line += " --output=" + shell_quote((folder / "slurm" / "%A_%a.log").string());
  const std::string task =
      fmt::format("exec {} --first {} --group {}", task_command(plan), what.slice.first, what.slice.group);
  return line + " --wrap=" + shell_quote(task);
}

std::string slurm_engine::submit(const plan_folder& plan, const array_submission& what) const {
  make_folder((plan.path() / "slurm").string());
  const std::string answer = must(sbatch_line(plan, what));
  // JOB or JOB;CLUSTER, after warnings if any.
  const auto start = answer.find_last_of('\n', answer.size() - 2);
  std::string id = answer.substr(start == std::string::npos ? 0 : start + 1);
  id.erase(id.find_first_not_of("0123456789"));
  const ordered_json record{{"job", id},
                            {"first", what.slice.first},
                            {"group", what.slice.group},
                            {"array", array_specification(what.tasks)}};
  write_file((plan.path() / "slurm" / (id + ".json")).string(), record.dump() + '\n');
  return id;
}

void slurm_engine::carry_out(const plan_folder& plan, const std::vector<std::size_t>& runs,
                             const engine_hooks& hooks) {
  std::vector<job> jobs = jobs_of(plan);
  std::vector<std::size_t> open;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(open),
               [&jobs](std::size_t run) { return !covered(jobs, run); });
  std::deque<array_submission> to_submit;
  if (!open.empty()) {
    const std::size_t group = group_size(plan, open, hooks);
    open.erase(
        std::remove_if(open.begin(), open.end(),
                       [&plan](std::size_t run) { return plan.result(plan.runs()[run].id).has_value(); }),
        open.end());
    for (array_submission& one : cut_into_arrays(open, group, most_array_elements()))
      to_submit.push_back(std::move(one));
  }
  if (options_.dry_run) {
    for (const array_submission& one : to_submit) fmt::print("{}\n", sbatch_line(plan, one));
    return;
  }
  for (const std::size_t run : open) plan.clear_failed(plan.runs()[run].id);

  std::vector<std::string> ours;
  std::deque<std::size_t> pending(runs.begin(), runs.end());
  using clock = std::chrono::steady_clock;
  for (auto look = clock::now();;) {
    if (hooks.stop && *hooks.stop) {
      for (const std::string& id : ours) shell("scancel " + id);
      return;
    }
    if (clock::now() >= look) {
      look = clock::now() + std::chrono::seconds(2);
      for (; !to_submit.empty(); to_submit.pop_front()) try {
          ours.push_back(submit(plan, to_submit.front()));
          jobs.push_back({ours.back(), to_submit.front().slice, {}});
        } catch (const io_error&) {
          // A limit on jobs in the queue, perhaps: there is hope as long as others are in it.
          if (jobs.empty() || options_.detach) throw;
          look = clock::now() + std::chrono::seconds(20);
          break;
        }
      if (options_.detach) {
        fmt::print("submitted as {}\n", fmt::join(ours, ", "));
        return;
      }
      forget_ended(jobs);
      for (std::size_t i = pending.size(); i > 0; --i) {
        if (plan.state(plan.runs()[pending.front()].id) == run_state::open)
          pending.push_back(pending.front());
        pending.pop_front();
      }
      if (hooks.progress) hooks.progress(runs.size() - pending.size(), runs.size());
      if (pending.empty() || (jobs.empty() && to_submit.empty())) return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace spillway
