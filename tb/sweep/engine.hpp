#pragma once
#include <atomic>
#include <functional>
#include <spillway/tb/sweep/plan_folder.hpp>
#include <string>
#include <vector>

namespace spillway {

/// How the work goes on is told to, and who may end it.
struct engine_hooks {
  std::function<void(std::size_t done, std::size_t all)> progress;
  const std::atomic<bool>* stop = nullptr;
};

/// Something that can carry out the runs of a plan.
class engine {
public:
  virtual ~engine() = default;
  /// Brings the runs with these indices to an end, unless stopped; what came of them is in the folder.
  virtual void carry_out(const plan_folder& plan, const std::vector<std::size_t>& runs,
                         const engine_hooks& hooks) = 0;
};

/// Runs in processes of this machine. A run that another process is at, be it of another `spillway sweep`
/// on the same folder, is waited for and not run twice.
class local_engine : public engine {
public:
  /// @param jobs cores to use, at least 1: for a process each, and where there are fewer runs, for their
  /// threads
  explicit local_engine(unsigned jobs) : jobs_(jobs) {}
  /// Threads of each of so many runs.
  unsigned threads_for(std::size_t runs) const;
  void carry_out(const plan_folder& plan, const std::vector<std::size_t>& runs,
                 const engine_hooks& hooks) override;

private:
  unsigned jobs_;
};

/// The command that does one run of a plan by so many threads, without the program's name. A search has its
/// runs one after another, in processes of its own.
std::vector<std::string> run_command(const plan_folder& plan, std::size_t run, unsigned threads);

/// The same through `sweep --task`, as a line for a shell that starts anywhere; `--index N` chooses the run.
std::string task_command(const plan_folder& plan);

}  // namespace spillway
