#pragma once
#include <functional>
#include <memory>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/experiment/waveform.hpp>
#include <spillway/tb/measure/measurement.hpp>
#include <spillway/tb/report/chrome_trace.hpp>
#include <spillway/tb/traffic/software_entry.hpp>
#include <spillway/tb/workloads/workload.hpp>
#include <string>
#include <vector>

namespace spillway {

/// The network is in reset at the edges [from, until).
struct reset_pulse {
  std::uint64_t from = 0, until = 0;
};

/// An experiment file in the types of the program; every key has been checked.
struct experiment {
  std::string name;
  std::uint64_t seed = 1;
  network_plan network;
  unsigned packet_length = 1;  ///< flits a packet, but for those of a trace
  std::vector<sink_config> sinks;
  std::function<std::unique_ptr<packet_supply>(std::uint32_t terminal)> supply;  ///< traffic, or workload
  /// A workload whose terminals share something; in place of `supply`, or beside it.
  std::function<std::unique_ptr<workload_run>()> workload;
  std::vector<bool> on_workload;  ///< by terminal: has a part of it, and no traffic; empty: all have
  /// What is measured beside what every run is measured for; each makes its part of the run anew.
  std::vector<std::function<std::unique_ptr<measurement>()>> measures;
  bool keeps_order = true;             ///< no packets ask the interfaces to let them overtake others
  bool replies = false;                ///< every packet that arrives is answered
  bool tells_of_packets = true;        ///< terminals hear of the packets that arrive
  bool reduces = false;                ///< packets arrive with other data than they were sent with
  std::vector<std::uint32_t> stopped;  ///< terminals that accept nothing, for good
  software_plan software;              ///< of the terminals
  std::vector<bool> hot;               ///< per terminal: target of a hot spot, or stopped
  std::uint64_t silent_until = 0;      ///< cycle from which all terminals listen; never: one is stopped

  std::vector<reset_pulse> resets;  ///< in order, not overlapping

  struct {
    std::uint64_t warmup, cycles, drain, interval, limit;
    bool pending, overtaking, breakdown, flows;
    bool find_warmup;                      ///< `cycles` begin with a warm-up of unknown length; `warmup` is 0
    std::vector<std::uint64_t> snapshots;  ///< cycles, ascending
  } measure{};
  struct {
    bool links;
    std::uint64_t watchdog;      ///< cycles without a move that are a deadlock; 0: none
    std::uint64_t longest_wait;  ///< cycles that something may wait by itself; the watchdog waits for as long
  } checks{};
  waveform_config trace;        ///< no waveform without a file
  packet_trace_config packets;  ///< no record of packets without a file

  std::string config_yaml;  ///< the experiment as it runs, every default filled in
};

/// What measurements are told of an experiment. All hot spots are known once its traffic has been read.
measure_context measured_part(const experiment& e);

/// Reads what the document says. Throws config_error with the place of what is wrong; refuses a size
/// that the machine's memory cannot hold before it takes any.
experiment read_experiment(const document& file, const catalogue& all);

}  // namespace spillway
