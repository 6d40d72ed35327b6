#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <list>
#include <map>
#include <optional>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/sweep/engine.hpp>
#include <spillway/tb/sweep/process.hpp>
#include <thread>

namespace spillway {

namespace {

constexpr std::size_t most_threads = 64;  // of one run

struct child {
  std::size_t run = 0;
  run_lock lock;
  child_process process;
};

class pool {
public:
  pool(const plan_folder& plan, const std::vector<std::size_t>& runs, unsigned jobs, unsigned threads,
       const engine_hooks& hooks)
      : plan_(plan),
        hooks_(hooks),
        jobs_(jobs),
        threads_(threads),
        all_(runs.size()),
        waiting_(runs.begin(), runs.end()) {
    for (const std::size_t run : runs) failed_before_[run] = failed_at(run);
  }

  ~pool() {
    for (const child& c : children_) c.process.terminate();  // all at once; then each is waited for
  }

  void work() {
    if (hooks_.progress) hooks_.progress(0, all_);
    while (!waiting_.empty() || !children_.empty()) {
      if (hooks_.stop && *hooks_.stop) return;
      const bool started = fill(), ended = collect();
      if (started || ended) {
        if (hooks_.progress) hooks_.progress(done_, all_);
      } else {
        // Without children all that is left is somebody else's work, perhaps on another machine.
        std::this_thread::sleep_for(std::chrono::milliseconds(children_.empty() ? 200 : 4));
      }
    }
  }

private:
  /// Starts what can be started. Returns whether anything changed.
  bool fill() {
    bool moved = false;
    for (std::size_t looked = waiting_.size(); looked > 0 && children_.size() < jobs_; --looked) {
      const std::size_t run = waiting_.front();
      waiting_.pop_front();
      const std::string& id = plan_.runs()[run].id;
      if (!std::filesystem::exists(plan_.run_path(id) / "config.yaml"))
        throw config_error(fmt::format(
            "{}: found no config.yaml, expected the folder of a run; the sweep's file makes it again",
            plan_.run_path(id).string()));
      run_lock lock(plan_.run_path(id));
      if (!lock.try_lock()) {
        waiting_.push_back(run);  // another process is at it
        continue;
      }
      moved = true;
      if (plan_.result(id)) {
        ++done_;
        continue;
      }
      if (const auto failed = failed_at(run); failed && failed != failed_before_[run]) {  // for another sweep
        ++done_;
        continue;
      }
      plan_.clear_failed(id);
      child_process process(run_command(plan_, run, threads_), plan_.run_path(id) / "log", &lock);
      children_.push_back({run, std::move(lock), std::move(process)});
    }
    return moved;
  }

  /// When the run has failed, if it has.
  std::optional<std::filesystem::file_time_type> failed_at(std::size_t run) const {
    std::error_code none;
    const auto at = std::filesystem::last_write_time(plan_.run_path(plan_.runs()[run].id) / "failed", none);
    return none ? std::nullopt : std::optional(at);
  }

  bool collect() {
    bool moved = false;
    for (auto at = children_.begin(); at != children_.end();) {
      const auto status = at->process.poll();
      if (!status) {
        ++at;
        continue;
      }
      const std::string& id = plan_.runs()[at->run].id;
      if (!plan_.result(id) && !was_told_to_stop(*status))
        plan_.mark_failed(id, how_it_ended(*status) + ": " + last_line(plan_.run_path(id) / "log"));
      at = children_.erase(at);
      ++done_;
      moved = true;
    }
    return moved;
  }

  const plan_folder& plan_;
  const engine_hooks& hooks_;
  const std::size_t jobs_;
  const unsigned threads_;
  const std::size_t all_;
  std::size_t done_ = 0;
  std::deque<std::size_t> waiting_;
  std::map<std::size_t, std::optional<std::filesystem::file_time_type>> failed_before_;  // of those to be run
  std::list<child> children_;
};

}  // namespace

void local_engine::carry_out(const plan_folder& plan, const std::vector<std::size_t>& runs,
                             const engine_hooks& hooks) {
  pool(plan, runs, jobs_, threads_for(runs.size()), hooks).work();
}

// Two runs side by side by two threads each on two cores would wait for each other's threads.
unsigned local_engine::threads_for(std::size_t runs) const {
  return runs == 0 ? 1 : std::max(1u, static_cast<unsigned>(std::min(most_threads, jobs_ / runs)));
}

std::vector<std::string> run_command(const plan_folder& plan, std::size_t run, unsigned threads) {
  if (!plan.runs()[run].search.is_null())
    return {"sweep", plan.path().string(), "--search", std::to_string(run)};
  const std::filesystem::path folder = plan.run_path(plan.runs()[run].id);
  return {"run",
          (folder / "config.yaml").string(),
          "--out",
          folder.string(),
          "--no-report",
          "--threads",
          std::to_string(threads)};
}

std::string task_command(const plan_folder& plan) {
  namespace fs = std::filesystem;
  return shell_quote(fs::read_symlink("/proc/self/exe").string()) + " sweep " +
         shell_quote(fs::absolute(plan.path()).lexically_normal().string()) + " --task";
}

}  // namespace spillway
