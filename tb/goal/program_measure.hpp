#pragma once
#include <spillway/tb/measure/measurement.hpp>

namespace spillway {

class goal_run;

/// What a program of ranks took: time to completion, progress and waiting by rank, the critical path, and the
/// time of its steps.
class program_measure final : public measurement {
public:
  explicit program_measure(const goal_run& run);

  void created(std::uint64_t cycle, const flit& head) override;
  void delivered(const delivery& d) override;
  void write_off(std::uint64_t cycle) override;
  void finish(std::uint64_t cycles) override;
  /// `goal.completion` (cycles to the end of the last operation), `.finished` (ranks), `.operations`,
  /// `.messages`,
  /// `.bytes`, `.local_messages`, `.most_open`; of the critical path `.path.host`, `.path.interface`,
  /// `.path.network` (cycles) and `.path.messages`; means over ranks in cycles `.busy`, `.waits.network`,
  /// `.waits.partner`, `.waits.interface`; of steps `.steps`, `.step.mean`, `.step.p99`, `.step.max`.
  void count(counters& all) const override;
  std::vector<std::string> columns() const override;
  std::vector<double> sample(std::uint64_t cycle) override;
  std::vector<series_picture> pictures() const override;
  std::vector<table_record> tables() const override;
  std::vector<compared_number> compared() const override;
  std::string fault() const override;
  std::vector<std::string> findings() const override { return complaints_; }

private:
  std::vector<double> step_times() const;

  const goal_run& run_;
  std::size_t rows_;  // of the picture of progress: a rank, or several
  std::vector<std::string> complaints_;
  bool over_ = false, goes_on_ = false;
  std::uint64_t created_ = 0, delivered_ = 0, gone_ = 0;  // packets; those that a reset has taken
  std::uint64_t last_ = 0;                                // cycle of the last delivery
};

}  // namespace spillway
