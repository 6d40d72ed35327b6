#pragma once
#include <algorithm>
#include <cstdint>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/experiment/experiment.hpp>
#include <spillway/tb/measure/meter.hpp>
#include <spillway/tb/measure/scoreboard.hpp>
#include <spillway/tb/workloads/workload.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What ends a run: its measured part is over, all has arrived, nothing moves any more, or its last cycle has
/// come. All that it is made of must outlive it.
class run_end {
public:
  /// `workload`: nullptr without one. `supplies`: of each terminal, filled in before the first call of at().
  run_end(const experiment& e, const scoreboard& board, const meter& m, const platform& network,
          const workload_run* workload, const std::vector<packet_supply*>& supplies);

  /// In a word what ends the run at this cycle; empty: nothing does. To be called after every interval, which
  /// is looked back on.
  std::string at(std::uint64_t cycle);
  /// Cycle at which the measured part ends; 0: not at a certain one.
  std::uint64_t window() const { return e_.measure.cycles ? e_.measure.warmup + e_.measure.cycles : 0; }
  /// Cycles without a move after which nothing can be waiting by time alone.
  std::uint64_t patience() const { return std::max(e_.checks.watchdog, e_.checks.longest_wait); }

private:
  std::string window_over(std::uint64_t cycle);
  std::string drained(std::uint64_t cycle);
  std::string stands(std::uint64_t cycle);
  bool only_backs_off() const;
  bool traffic_over() const;

  const experiment& e_;
  const scoreboard& board_;
  const meter& meter_;
  const platform& network_;
  const workload_run* const workload_;
  const std::vector<packet_supply*>& supplies_;
  std::uint64_t moves_ = 0, last_move_ = 0, progress_ = 0;
  std::uint64_t forwarded_until_ = 0;  // so many forwarded flits count as moves
  std::uint64_t drained_from_ = 0;     // the traffic is over, as far as is known; 0: it is not yet
  std::uint64_t created_ = 0;          // packets that there were then
  bool acknowledging_ = false;
};

}  // namespace spillway
