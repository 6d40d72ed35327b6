#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <spillway/platforms/config/file.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/program.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/sweep/process.hpp>
#include <spillway/tb/sweep/slurm_engine.hpp>
#include <sstream>
#include <thread>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr double least_seconds_a_task = 60;
/// Between two looks at the queue, at first and after a while: a controller has others to answer as well.
constexpr std::pair<std::chrono::milliseconds, std::chrono::milliseconds> queue_interval{2000, 30000};

/// Runs one of Slurm's commands. Throws io_error if it is not there.
program_result slurm(const std::vector<std::string>& words) {
  program_result result = run_program(words);
  if (result.missing) throw io_error(words.front() + ": not found, expected Slurm's commands");
  return result;
}

/// What it prints. Throws io_error if it fails.
std::string must(const std::vector<std::string>& words) {
  const program_result result = slurm(words);
  if (result.status != 0)
    throw io_error(fmt::format("{}: {}", words.front(), one_line(result.errors + result.output)));
  return result.output;
}

/// The job may be in the queue all the same: it is not submitted once more.
struct strange_answer : io_error {
  using io_error::io_error;
};

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

constexpr std::size_t default_array_size = 1001;

/// MaxArraySize: elements are numbered below it.
std::size_t most_array_elements() {
  const std::string text = must({"scontrol", "show", "config"});
  const auto at = text.find("MaxArraySize");
  const auto equals = text.find('=', at);
  if (at == std::string::npos || equals == std::string::npos)
    throw io_error("scontrol show config: found no MaxArraySize");
  return std::max(1ul, std::strtoul(text.c_str() + equals + 1, nullptr, 10));
}

/// A job array in the queue, ours or of another submitter.
struct job {
  std::string id;
  task_slice slice;
  std::set<std::size_t> tasks;  ///< elements that are waiting or running
};

/// What sbatch answers is JOB or JOB;CLUSTER, after warnings if any. Throws strange_answer.
std::string job_told(std::string answer) {
  answer.erase(answer.find_last_not_of("\r\n") + 1);
  const std::string line = answer.substr(answer.rfind('\n') + 1);
  std::string id = line.substr(0, line.find(';'));
  if (!is_number(id))
    throw strange_answer(fmt::format("sbatch: expected the number of a job, found '{}'", one_line(line)));
  return id;
}

/// Asks the queue for the tasks of the jobs, and drops jobs that have left it. Throws io_error.
void look_at_queue(std::vector<job>& jobs) {
  if (jobs.empty()) return;
  std::string ids;
  for (job& j : jobs) ids += (ids.empty() ? "" : ",") + j.id;
  const program_result queue = slurm({"squeue", "--noheader", "--array", "--format=%F %K", "--jobs=" + ids});
  // The queue forgets a job some minutes after its end.
  if (queue.status != 0 && queue.errors.find("Invalid job id") == std::string::npos)
    throw io_error("squeue: " + one_line(queue.errors));
  for (job& j : jobs) j.tasks.clear();
  std::istringstream lines(queue.status == 0 ? queue.output : "");
  std::string id;
  for (std::size_t element = 0; lines >> id >> element;)
    for (job& j : jobs)
      if (j.id == id) j.tasks.insert(element);
  jobs.erase(std::remove_if(jobs.begin(), jobs.end(), [](const job& j) { return j.tasks.empty(); }),
             jobs.end());
}

/// A record as submit() writes it. Throws config_error.
job read_job(const ordered_json& record, const std::string& file) {
  const auto expect = [&](const char* key, bool right, const char* what) {
    if (!right)
      throw config_error(fmt::format("{}: found {} as '{}', expected {}", file,
                                     record.contains(key) ? one_line(record[key].dump()) : "nothing", key,
                                     what));
  };
  const auto whole = [&](const char* key) {
    return record.contains(key) && record[key].is_number_unsigned();
  };
  if (!record.is_object())
    throw config_error(fmt::format("{}: found {}, expected the record of a job", file, record.type_name()));
  expect("job", record.contains("job") && record["job"].is_string() && is_number(record["job"]),
         "the number of a job as a text");
  expect("first", whole("first"), "the number of a run");
  expect("group", whole("group") && record["group"] > 0, "a number of runs");
  return {record["job"], {record["first"], record["group"]}, {}};
}

/// Every job array that was ever submitted for the plan.
std::vector<job> recorded_jobs(const plan_folder& plan) {
  std::vector<job> jobs;
  const fs::path folder = plan.path() / "slurm";
  if (!fs::exists(folder)) return jobs;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const std::string file = entry.path().string();
    jobs.push_back(read_job(read_json(read_file(file), file), file));
  }
  return jobs;
}

/// Those of them that are still in the queue.
std::vector<job> jobs_of(const plan_folder& plan) {
  std::vector<job> jobs = recorded_jobs(plan);
  look_at_queue(jobs);
  return jobs;
}

/// Runs without a result and without a task: the log of the last task that had them says why.
void tell_what_is_left(const plan_folder& plan, const std::vector<std::size_t>& runs) {
  const std::vector<job> jobs = recorded_jobs(plan);
  std::set<fs::path> logs;
  for (const std::size_t run : runs) {
    fs::path newest;
    for (const job& j : jobs) {
      if (run < j.slice.first) continue;
      const fs::path log = plan.path() / "slurm" / fmt::format("{}_{}.log", j.id, j.slice.task_of(run));
      if (fs::exists(log) && (newest.empty() || fs::last_write_time(log) > fs::last_write_time(newest)))
        newest = log;
    }
    if (!newest.empty()) logs.insert(newest);
  }
  fmt::print("{} runs are left by tasks that ended\n", runs.size());
  for (const fs::path& log : logs) fmt::print("  {}: {}\n", log.string(), last_line(log));
}

bool covered(const std::vector<job>& jobs, std::size_t run) {
  return std::any_of(jobs.begin(), jobs.end(), [run](const job& j) {
    return run >= j.slice.first && j.tasks.count(j.slice.task_of(run)) != 0;
  });
}

/// Those that a run took, as it says itself; 0 if it does not.
double seconds_said(const fs::path& run) {
  const fs::path file = run / "timing.json";
  if (!fs::exists(file)) return 0;
  const nlohmann::json timing = read_json(read_file(file.string()), file.string());
  return timing.is_object() && timing.contains("wall_seconds") && timing["wall_seconds"].is_number()
             ? timing["wall_seconds"].get<double>()
             : 0;
}

/// Of a run, or of all tries of a search, which have folders in its own.
double seconds_of(const fs::path& run) {
  double seconds = seconds_said(run);
  for (const auto& entry : fs::directory_iterator(run))
    if (entry.is_directory()) seconds += seconds_said(entry.path());
  return seconds;
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
      if (plan.result(r.id)) {
        seconds += seconds_of(plan.run_path(r.id));
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
  if (std::isnan(seconds)) {
    fmt::print(stderr, "no run is done: shown with one run a task; --group N says how many\n");
    return 1;
  }
  return static_cast<std::size_t>(std::ceil(least_seconds_a_task / std::max(seconds, 0.05)));
}

std::size_t slurm_engine::array_limit() const {
  try {
    return most_array_elements();
  } catch (const io_error&) {
    if (!options_.dry_run) throw;
    fmt::print(stderr, "no Slurm answers here: shown with its default MaxArraySize, {}\n",
               default_array_size);
    return default_array_size;
  }
}

std::vector<std::string> slurm_engine::sbatch_words(const plan_folder& plan,
                                                    const array_submission& what) const {
  const fs::path folder = fs::absolute(plan.path());
  std::vector<std::string> words{"sbatch", "--parsable", "--job-name=spillway"};
  if (!options_.partition.empty()) words.push_back("--partition=" + options_.partition);
  if (!options_.time.empty()) words.push_back("--time=" + options_.time);
  words.push_back("--array=" + array_specification(what.tasks));
  words.push_back("--output=" + (folder / "slurm" / "%A_%a.log").string());
  words.push_back(fmt::format("--wrap=exec {} --first {} --group {}", task_command(plan), what.slice.first,
                              what.slice.group));
  return words;
}

std::string slurm_engine::submit(const plan_folder& plan, const array_submission& what) const {
  make_folder((plan.path() / "slurm").string());
  std::string id = job_told(must(sbatch_words(plan, what)));
  const ordered_json record{{"job", id},
                            {"first", what.slice.first},
                            {"group", what.slice.group},
                            {"array", array_specification(what.tasks)}};
  write_file((plan.path() / "slurm" / (id + ".json")).string(), record.dump() + '\n');
  return id;
}

std::deque<array_submission> slurm_engine::to_submit(const plan_folder& plan,
                                                     const std::vector<std::size_t>& open,
                                                     const engine_hooks& hooks) const {
  if (open.empty()) return {};
  const std::size_t group = group_size(plan, open, hooks);
  std::vector<std::size_t> left;  // one may have been run to see how long it takes
  std::copy_if(open.begin(), open.end(), std::back_inserter(left),
               [&plan](std::size_t run) { return !plan.result(plan.runs()[run].id); });
  const auto arrays = cut_into_arrays(left, group, array_limit());
  return {arrays.begin(), arrays.end()};
}

void slurm_engine::carry_out(const plan_folder& plan, const std::vector<std::size_t>& runs,
                             const engine_hooks& hooks) {
  std::vector<job> jobs = jobs_of(plan);
  std::vector<std::size_t> open;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(open),
               [&jobs](std::size_t run) { return !covered(jobs, run); });
  std::deque<array_submission> next = to_submit(plan, open, hooks);
  if (options_.dry_run) {
    for (const array_submission& one : next) fmt::print("{}\n", shell_line(sbatch_words(plan, one)));
    return;
  }
  for (const std::size_t run : open) plan.clear_failed(plan.runs()[run].id);
  if (options_.detach) {
    for (; !next.empty(); next.pop_front()) fmt::print("submitted as {}\n", submit(plan, next.front()));
    return;
  }

  std::vector<std::string> ours;
  std::vector<std::size_t> pending = runs;
  using clock = std::chrono::steady_clock;
  using std::chrono::seconds;
  auto submit_at = clock::now(), queue_at = submit_at, results_at = submit_at;
  for (auto wait = queue_interval.first; !(hooks.stop && *hooks.stop);
       std::this_thread::sleep_for(std::chrono::milliseconds(50))) {
    const auto now = clock::now();
    while (!next.empty() && now >= submit_at) try {
        ours.push_back(submit(plan, next.front()));
        jobs.push_back({ours.back(), next.front().slice, {}});
        next.pop_front();
      } catch (const strange_answer&) {
        throw;
      } catch (const io_error&) {
        // A limit on jobs in the queue, perhaps: there is hope as long as others are in it.
        if (jobs.empty()) throw;
        submit_at = now + seconds(20);
      }
    if (now >= queue_at) {
      try {
        look_at_queue(jobs);
      } catch (const io_error&) {  // a controller that is busy or restarts; it has not forgotten the jobs
      }
      queue_at = now + wait;
      wait = std::min(wait * 3 / 2, queue_interval.second);
    }
    if (now < results_at) continue;
    results_at = now + seconds(2);
    pending.erase(std::remove_if(pending.begin(), pending.end(),
                                 [&plan](std::size_t run) {
                                   return plan.state(plan.runs()[run].id) != run_state::open;
                                 }),
                  pending.end());
    if (hooks.progress) hooks.progress(runs.size() - pending.size(), runs.size());
    if (pending.empty()) return;
    if (jobs.empty() && next.empty()) return tell_what_is_left(plan, pending);
  }
  for (const std::string& id : ours) slurm({"scancel", id});
}

}  // namespace spillway
