#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <deque>
#include <list>
#include <optional>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/sweep/engine.hpp>
#include <system_error>
#include <thread>

namespace spillway {

namespace {

namespace fs = std::filesystem;

/// A lock on a run's folder that ends with the processes that hold it, however they end.
class run_lock {
public:
  explicit run_lock(const fs::path& folder)
      : file_(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {}
  run_lock(run_lock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  run_lock& operator=(run_lock&&) = delete;
  ~run_lock() {
    if (file_ >= 0) ::close(file_);
  }

  /// False only if another process has it: where a file system knows no locks, a run that is done twice
  /// gives the same bytes twice.
  bool try_lock() const {
    return file_ < 0 || ::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  }

private:
  int file_;
};

struct child {
  std::size_t run = 0;
  pid_t process = 0;
  run_lock lock;
};

[[noreturn]] void become(const std::vector<std::string>& arguments, const fs::path& log) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // a killed sweep leaves no strays behind
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
  const int in = ::open("/dev/null", O_RDONLY);
  if (out >= 0 && in >= 0) {
    ::dup2(in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    std::string name = "spillway";
    std::vector<char*> argv{name.data()};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    // By this name it is the program that runs now, even if its file has been replaced.
    ::execv("/proc/self/exe", argv.data());
  }
  ::_exit(127);
}

pid_t start(const std::vector<std::string>& arguments, const fs::path& log) {
  const pid_t process = ::fork();
  if (process < 0)
    throw io_error(fmt::format("cannot start a process: {}", std::generic_category().message(errno)));
  if (process == 0) become(arguments, log);
  return process;
}

class pool {
public:
  pool(const plan_folder& plan, const std::vector<std::size_t>& runs, unsigned jobs,
       const engine_hooks& hooks)
      : plan_(plan), hooks_(hooks), jobs_(jobs), all_(runs.size()), waiting_(runs.begin(), runs.end()) {}

  ~pool() { stop_children(); }

  void work() {
    bool told = false;
    while (!waiting_.empty() || !children_.empty()) {
      if (hooks_.stop && *hooks_.stop) return;
      const bool moved = fill() | collect();
      if ((moved || !told) && hooks_.progress) hooks_.progress(done_, all_);
      told = true;
      if (!moved) std::this_thread::sleep_for(std::chrono::milliseconds(4));
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
      plan_.clear_failed(id);
      const pid_t process = start(run_command(plan_, run), plan_.run_path(id) / "log");
      children_.push_back({run, process, std::move(lock)});
    }
    return moved;
  }

  bool collect() {
    bool moved = false;
    for (auto at = children_.begin(); at != children_.end();) {
      int status = 0;
      const pid_t ended = ::waitpid(at->process, &status, WNOHANG);
      if (ended == 0) {
        ++at;
        continue;
      }
      settle(plan_.runs()[at->run].id, status);
      at = children_.erase(at);
      ++done_;
      moved = true;
    }
    return moved;
  }

  /// Notes a run that has left no result, unless it was told to stop.
  void settle(const std::string& id, int status) {
    if (plan_.result(id)) return;
    const bool told = (WIFSIGNALED(status) && (WTERMSIG(status) == SIGTERM || WTERMSIG(status) == SIGINT)) ||
                      (WIFEXITED(status) && WEXITSTATUS(status) == 130);
    if (told) return;
    const std::string how = WIFSIGNALED(status) ? fmt::format("killed by signal {}", WTERMSIG(status))
                                                : fmt::format("exit status {}", WEXITSTATUS(status));
    plan_.mark_failed(id, how + ": " + plan_.last_line(id));
  }

  void stop_children() {
    for (const child& c : children_) ::kill(c.process, SIGTERM);
    for (const child& c : children_) {
      int status = 0;
      while (::waitpid(c.process, &status, 0) < 0 && errno == EINTR) continue;
    }
  }

  const plan_folder& plan_;
  const engine_hooks& hooks_;
  const std::size_t jobs_, all_;
  std::size_t done_ = 0;
  std::deque<std::size_t> waiting_;
  std::list<child> children_;
};

}  // namespace

void local_engine::carry_out(const plan_folder& plan, const std::vector<std::size_t>& runs,
                             const engine_hooks& hooks) {
  pool(plan, runs, jobs_, hooks).work();
}

std::vector<std::string> run_command(const plan_folder& plan, std::size_t run) {
  const fs::path folder = plan.run_path(plan.runs()[run].id);
  return {"run", (folder / "config.yaml").string(), "--out", folder.string(), "--no-report"};
}

}  // namespace spillway
