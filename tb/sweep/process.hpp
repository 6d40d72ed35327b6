#pragma once
#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

/// A lock on a run's folder, held by a process and the one that it starts for the run; it ends with them,
/// however they end. Where a file system knows no locks, everybody gets it: a run that is done twice gives
/// the same bytes twice.
class run_lock {
public:
  explicit run_lock(const std::filesystem::path& folder);
  run_lock(run_lock&& other) noexcept;
  run_lock& operator=(run_lock&&) = delete;
  ~run_lock();

  /// False if another process has it.
  bool try_lock() const;
  int file() const { return file_; }

private:
  int file_;
};

/// This program, started once more with other arguments; its output goes to a log.
class child_process {
public:
  /// @param lock stays held until the process ends; may be null. Throws io_error.
  child_process(const std::vector<std::string>& arguments, const std::filesystem::path& log,
                const run_lock* lock);
  child_process(child_process&& other) noexcept;
  child_process& operator=(child_process&&) = delete;
  /// Tells it to stop and waits for it.
  ~child_process();

  /// Its wait status once it has ended; does not wait.
  std::optional<int> poll();
  /// Waits for its end. None if `stop` came first.
  std::optional<int> wait(const std::atomic<bool>* stop);
  void terminate() const;

private:
  pid_t process_;
};

/// Whether a process ended because it was told to, by a signal to stop.
bool was_told_to_stop(int wait_status);
/// `exit status 2`, `killed by signal 9`.
std::string how_it_ended(int wait_status);

/// A word for a POSIX shell that holds any text as it is.
std::string shell_quote(const std::string& text);
/// The words as a line for it, quoted where they must be.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace spillway
