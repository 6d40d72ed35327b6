#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// A number nobody has measured: null in result.json, a dash in the report.
inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

/// Latency of a set of packets, in cycles. latency_meter::summary() fills it.
struct latency_summary {
  double mean = not_measured, p50 = not_measured, p99 = not_measured, max = not_measured;
};

/// How much was created and delivered a cycle and terminal over the measured part: packets, and flits, the
/// unit of a traffic's rate.
struct load_summary {
  double offered = not_measured, throughput = not_measured;
  double offered_flits = not_measured, throughput_flits = not_measured;
};

/// What one class of packets saw. Latency counts from creation (source queue included), network latency
/// from injection.
struct class_record {
  std::uint64_t delivered = 0;  ///< packets, over the measured part
  latency_summary latency, network_latency;
  load_summary load;
};

/// One bin of a latency histogram: `count` packets that took value .. value + width - 1 cycles.
struct latency_bin {
  std::uint64_t value = 0, count = 0, width = 1;
};

/// One column of series.csv: one number an interval.
struct column {
  std::string name;
  std::vector<double> values;
};

/// What happened in each interval of the run. All columns have the same length; write_results() throws
/// std::invalid_argument if not. The report draws `delivered` and `created` (packets in the interval)
/// and `in_flight` (packets at its end); any other column goes to series.csv as well.
struct series_record {
  std::uint64_t interval = 0;   ///< cycles
  std::vector<column> columns;  ///< first `cycle`: the end of each interval
};

/// Cycles of each interval: the last of a run may be shorter. Empty without the column `cycle`.
std::vector<double> lengths_of(const series_record& s);

/// A digit for each of 64 values.
inline constexpr const char* history_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The digit of a share: 0 is the first, 1 the last.
inline char history_digit(double share) {
  return history_digits[std::lround(std::clamp(share, 0.0, 1.0) * 63)];
}

/// The network over time, at some moments, for a report that can be asked.
struct history_record {
  std::vector<std::uint64_t> cycles;       ///< of the moments, ascending
  std::vector<std::pair<int, int>> links;  ///< between switches; -1 - t: terminal t
  std::vector<std::string> fullest;        ///< by moment: a digit a switch, share in use of its fullest queue
  /// By moment: a digit a link, share of the cycles since the moment before in which a flit crossed it, and
  /// in which one was shown and did not.
  std::vector<std::string> used, blocked;
  /// By moment: a digit a link, how many destinations its receiver has stopped, 63 for more. Empty: never
  /// any.
  std::vector<std::string> stopped;
  std::string left_out;  ///< why there is none, where somebody wanted it
};

/// The network as it is drawn, stage by stage, and how full each switch was at some moments.
struct network_record {
  struct place {
    unsigned column = 0, row = 0;
  };
  struct moment {
    std::uint64_t cycle = 0;
    std::vector<double> fullest;  ///< by switch: share in use of its fullest queue
  };
  std::vector<place> switches;
  std::vector<std::pair<unsigned, unsigned>> links;  ///< between switches
  std::vector<moment> moments;                       ///< empty: nobody asked for any
  history_record history;
};

/// A picture over time that a measurement asks for: columns of the series in one chart.
struct series_picture {
  std::string name;     ///< for a file: letters, digits and underscores
  std::string caption;  ///< what to see, in a sentence or two
  std::string y_label;
  std::vector<std::string> columns;
  double bound = not_measured;  ///< a level line, where values come near it
  std::string bound_label = {};
  bool heat = false;  ///< a row of cells a column, 0 to 1, instead of curves
  /// Points of its own, joined in their order, instead of columns.
  std::vector<double> x = {}, y = {};
};

/// A counter that a measurement wants to see side by side where runs are compared.
struct compared_number {
  std::string counter, label;  ///< its name; what it is, with its unit
};

/// A table that a measurement adds to the report.
struct table_record {
  std::string name;  ///< letters, digits and underscores
  std::string caption;
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;  ///< as long as the heads; the first cell names the row
};

/// What the columns of series.csv that hold an occupancy_record start with.
inline constexpr const char* occupancy_prefix = "occupancy.";

/// What the columns of series.csv that hold the packets under way to a terminal start with.
inline constexpr const char* pending_prefix = "pending.";

/// Occupancy of the buffers of a stage at the end of an interval, 0 (empty) to 1 (full).
struct occupancy_record {
  std::uint64_t interval = 0;             ///< cycles
  std::vector<std::string> stages;        ///< label of each row, first the one nearest to the sources
  std::vector<std::vector<double>> rows;  ///< rows[stage][interval]
};

/// What a link did in the measured part: a line of links.csv.
struct link_record {
  std::string name, kind;  ///< its path
  std::string from, to;    ///< switches and terminals; empty: within one of them
  double flits = not_measured;
  double utilisation = not_measured;  ///< flits a cycle
  double blocked = not_measured;      ///< cycles in which a flit waited and did not cross
};

/// What a switch did in the measured part: a line of switches.csv.
struct switch_record {
  std::string name;
  unsigned stage = 0;
  std::uint64_t flits = 0;  ///< forwarded
  /// Flits in it, at the ends of the intervals of the series.
  double mean_occupancy = not_measured, greatest_occupancy = not_measured;
  unsigned capacity = 0;                                         ///< flits
  double blocked_in = not_measured, blocked_out = not_measured;  ///< sums over its links
  /// Measured packets that have passed it, and cycles from the way in of their first flits to their way out.
  double packets = not_measured, mean_delay = not_measured, greatest_delay = not_measured;
};

/// Where the measured packets that could be followed were, in cycles a packet: all but `switches` add up to
/// their mean latency, and so do all but `stages`.
struct breakdown_record {
  bool wanted = false;
  std::uint64_t packets = 0, not_followed = 0;
  double source = not_measured;     ///< until the source has sent the first flit
  double interface = not_measured;  ///< from there until that has entered the network
  double switches = not_measured, links = not_measured;
  double arrival = not_measured;  ///< from its arrival at the terminal to the last flit's delivery
  std::vector<std::pair<std::string, double>> stages;  ///< of the switches, as occupancy_record::stages
};

/// The measured packets from one terminal to another: a line of flows.csv.
struct flow_record {
  std::uint32_t source = 0, destination = 0;
  std::uint64_t packets = 0, flits = 0;  ///< delivered
  double mean = 0, p99 = 0, max = 0;     ///< latency from creation, cycles
};

/// How sure the means of the measured part are: half of their confidence intervals of 95 %, by batch means.
struct confidence_record {
  double throughput = not_measured, latency = not_measured;
  /// Why they may be wrong, or are not there, in a sentence; empty: nothing speaks against them.
  std::string warning;
};

/// Registers, or wires: whole flits, and all other bits.
struct size_record {
  std::uint64_t flits = 0, bits = 0;
};
/// What a circuit of the network takes: storage of its parts, and the wires of its links.
struct hardware_record {
  size_record switches, register_stages, interfaces, wires;
};

/// Everything that is known about one run; write_results() turns it into files.
struct run_record {
  /// "ok", or what stopped or spoilt the run: "protocol violation", "lost flits", "duplicated packets",
  /// "misordered packets", "corrupted packets", "guarantee broken", "deadlock", "interrupted", "limit".
  std::string status = "ok";
  std::string name;
  std::string kernel;          ///< "fast", "signals" or "doubting"
  std::string level = "pins";  ///< of abstraction: "pins" or "transaction"
  std::uint64_t seed = 0;

  std::uint64_t cycles = 0;                              ///< of the whole run
  std::uint64_t measured_from = 0, measured_cycles = 0;  ///< the measured part; 0 cycles: not declared
  std::uint64_t terminals = 0, blocks = 0, links = 0;
  std::uint64_t places = 0;  ///< flits that the switches can hold
  hardware_record hardware;

  std::uint64_t created = 0, injected = 0, delivered = 0;  ///< packets, over the whole run
  std::uint64_t lost = 0, duplicated = 0;                  ///< flits
  std::uint64_t misordered = 0;                            ///< packets, and flits within a packet
  std::uint64_t corrupted = 0;                             ///< flits whose content or terminal is wrong
  std::uint64_t violations = 0;                            ///< of link rules
  std::uint64_t reset_dropped = 0;                         ///< packets written off by a reset
  std::uint64_t reset_dropped_flits = 0;                   ///< those of their flits that had not arrived
  std::uint64_t lost_in_reset = 0;                         ///< flits that the blocks threw away in resets

  double hops = not_measured;             ///< flits that switches forwarded for each that was delivered
  double forwarded_flits = not_measured;  ///< by all switches, measured part; control's too
  double throughput = not_measured;       ///< packets delivered a cycle and terminal, measured part
  double offered = not_measured;          ///< packets created a cycle and terminal, measured part
  double throughput_flits = not_measured, offered_flits = not_measured;  ///< the same in flits
  confidence_record confidence;  ///< of throughput and mean latency, where a measured part is declared
  bool warmup_found = false;     ///< `measured_from` was found by the rule MSER-5, not said
  latency_summary latency, network_latency;
  /// `hot`, `cool`, both always written, and `reply` where there are replies; the numbers above are of all.
  std::map<std::string, class_record> classes;
  std::map<std::string, double> counters;  ///< what the mechanisms of the run count, by dotted name

  double wall_seconds = 0, hops_per_second = 0;  ///< of timing.json: they differ between equal runs
  unsigned threads = 1;                          ///< likewise
  std::string why_fewer_threads;                 ///< than wanted; empty: there were as many
  bool saturated = false;                        ///< a result, not a fault
  bool partial = false;                          ///< stopped before its end: numbers so far
  std::vector<std::string> findings;             ///< faults and remarks, one sentence each

  std::vector<latency_bin> histogram;  ///< of latency from creation, ascending
  series_record series;
  std::vector<series_picture> pictures;  ///< of the measurements, beside those of every run
  std::vector<table_record> tables;      ///< of the measurements
  std::vector<compared_number> compared;
  occupancy_record occupancy;
  network_record network;
  std::vector<link_record> link_rows;
  std::vector<switch_record> switch_rows;
  breakdown_record breakdown;
  bool flows_wanted = false;
  std::vector<flow_record> flows;  ///< by source, then destination
  std::string config_yaml;         ///< the experiment as it ran, every default filled in
};

/// A network that is not saturated delivers this share of what it is offered.
constexpr double sustained_share = 0.95;

/// Whether a network falls behind: of the packets that are created a cycle and terminal it delivers less than
/// a share, and at least ten fewer in all these cycles of all terminals; of a light load the few that are
/// under way at the end may be a large share.
inline bool falls_behind(double delivered, double created, double share, double terminal_cycles) {
  return delivered < share * created && (created - delivered) * terminal_cycles > 9.5;
}

}  // namespace spillway
