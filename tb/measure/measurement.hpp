#pragma once
#include <cstdint>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/tb/measure/scoreboard.hpp>
#include <spillway/tb/report/record.hpp>
#include <string>
#include <vector>

namespace spillway {

struct terminal_tree;

/// What makers of measurements are told of the run.
struct measure_context {
  std::uint64_t warmup = 0;  ///< cycles before the measured part
  std::uint64_t cycles = 0;  ///< length of the measured part; 0: to the end of the run
  unsigned terminals = 0;
  const terminal_tree* tree = nullptr;  ///< along which the software of terminals passes messages on
  std::vector<bool> hot = {};           ///< by terminal: a target of a hot spot, or stopped
  /// A table can say for which packets others wait: terminals hear of them, with the data that they were sent
  /// with, and do not answer them.
  bool keeps_dependencies = true;
};

/// Watches the packets of a run, and adds to its result what it found. Cycles are edges since the start.
/// Several threads may tell of a cycle beside the next one, if no workload runs: what terminals do may not
/// depend on what a measurement was told.
class measurement {
public:
  virtual ~measurement() = default;
  /// A packet has come into being.
  virtual void created(std::uint64_t /*cycle*/, const flit& /*head*/) {}
  /// A head has entered the network.
  virtual void injected(std::uint64_t /*cycle*/, const flit& /*head*/) {}
  virtual void delivered(const delivery&) {}
  /// A reset: all packets under way are gone.
  virtual void write_off(std::uint64_t /*cycle*/) {}
  /// The run is over after so many cycles.
  virtual void finish(std::uint64_t /*cycles*/) {}
  virtual void count(counters&) const {}
  /// Names of its columns in series.csv, such as `guarantee.slowest`.
  virtual std::vector<std::string> columns() const { return {}; }
  /// An interval of the series ends: a value for each column.
  virtual std::vector<double> sample(std::uint64_t /*cycle*/) { return {}; }
  /// Pictures over time for the report, made of columns of the series.
  virtual std::vector<series_picture> pictures() const { return {}; }
  virtual std::vector<table_record> tables() const { return {}; }
  virtual std::vector<compared_number> compared() const { return {}; }
  /// A fault for a run that has come to rest; none for one that was cut off, as what is under way may end it.
  static constexpr const char* fault_at_rest = "waiting";
  /// Status of a run that this makes a fault, such as `guarantee broken`, or `fault_at_rest`; empty: it is
  /// none.
  virtual std::string fault() const { return {}; }
  /// What is wrong, in words.
  virtual std::vector<std::string> findings() const { return {}; }
};

}  // namespace spillway
