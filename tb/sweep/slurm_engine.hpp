#pragma once
#include <deque>
#include <set>
#include <spillway/tb/sweep/engine.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What is passed on to sbatch, and how runs are grouped.
struct slurm_options {
  std::string partition, time;  ///< as sbatch takes them; empty: the cluster's default
  std::size_t group = 0;  ///< runs a task; 0: as many as last a minute, by the time of those that are done
  bool dry_run = false;   ///< print the sbatch lines and do nothing
  bool detach = false;    ///< submit and return
};

/// Which of a plan's runs an element of a job array does: those from first + element * group on.
struct task_slice {
  std::size_t first = 0, group = 1;
  std::size_t task_of(std::size_t run) const { return (run - first) / group; }
};

/// One sbatch line and the tasks it stands for.
struct array_submission {
  task_slice slice;
  std::vector<std::size_t> tasks;  ///< elements of the array, ascending
};

/// Cuts runs (ascending indices) into job arrays whose elements are below `most_elements`.
std::vector<array_submission> cut_into_arrays(const std::vector<std::size_t>& runs, std::size_t group,
                                              std::size_t most_elements);

/// `0-3,7` for {0, 1, 2, 3, 7}.
std::string array_specification(const std::vector<std::size_t>& tasks);

/// Submits job arrays of `spillway sweep --task` and watches the plan's folder, which all nodes must see.
/// What it has submitted stands in slurm/JOB.json there: whoever comes later waits for those tasks instead
/// of submitting their runs again. A stop cancels the jobs that were submitted here.
class slurm_engine : public engine {
public:
  explicit slurm_engine(slurm_options options) : options_(std::move(options)) {}
  /// Throws io_error when Slurm's commands fail.
  void carry_out(const plan_folder& plan, const std::vector<std::size_t>& runs,
                 const engine_hooks& hooks) override;

private:
  std::size_t group_size(const plan_folder& plan, const std::vector<std::size_t>& runs,
                         const engine_hooks& hooks) const;
  std::deque<array_submission> to_submit(const plan_folder& plan, const std::vector<std::size_t>& open,
                                         const engine_hooks& hooks) const;
  std::size_t array_limit() const;
  std::vector<std::string> sbatch_words(const plan_folder& plan, const array_submission& what) const;
  std::string submit(const plan_folder& plan, const array_submission& what) const;

  slurm_options options_;
};

}  // namespace spillway
