#pragma once
#include <atomic>
#include <functional>
#include <spillway/tb/experiment/experiment.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/record.hpp>
#include <string>

namespace spillway {

/// What a run writes, tells and heeds besides its experiment.
struct run_options {
  atomic_file* deliveries =
      nullptr;  ///< CSV of every delivered packet, complete but not committed; null: none
  /// Called now and then with the cycle reached and, if known, the last one (else 0).
  std::function<void(std::uint64_t cycle, std::uint64_t last)> progress;
  /// Set from outside to end the run early.
  const std::atomic<bool>* stop = nullptr;
  bool history = false;  ///< keep how full switches and links are over time, for a report
};

/// Elaborates the experiment's platform, runs it and measures. Once a process, as SystemC has it. Throws
/// objection_error for what does not fit the platform once there is one, io_error.
run_record run_experiment(const experiment& e, const catalogue& all, const run_options& options);

}  // namespace spillway
