#pragma once
#include <cstdint>
#include <spillway/tb/measure/scoreboard.hpp>
#include <spillway/tb/report/latency_meter.hpp>
#include <spillway/tb/report/record.hpp>
#include <vector>

namespace spillway {

/// Which part of a run is measured.
struct meter_config {
  std::uint64_t warmup = 0;     ///< cycles before the measured part
  bool find_warmup = false;     ///< `cycles` begin with a warm-up of unknown length; `warmup` is 0
  std::uint64_t cycles = 0;     ///< length of the measured part; 0: to the end of the run
  std::uint64_t interval = 50;  ///< cycles between points of the series
  bool pending = false;         ///< count the packets in the network to each terminal, and those held back
};

/// Measures a run: latency of the packets made in the measured part, throughput in it, and the series
/// over the whole run. Latency counts from creation, network latency from injection.
class meter {
public:
  /// `hot[t]`: terminal t is the target of a hot spot.
  meter(const meter_config& config, std::vector<bool> hot);

  void created(std::uint64_t cycle, const flit& head);
  /// Only needed where packets under way are counted.
  /// An interface begins, or ceases, to hold back a packet that has been injected.
  void holding(std::uint32_t destination, bool begins);
  void injected(std::uint32_t destination);
  void delivered(const delivery& d);
  /// Whether a cycle is of the measured part, or of that in which a warm-up is to be found.
  bool measured(std::uint64_t cycle) const {
    return cycle >= config_.warmup && (!config_.cycles || cycle < config_.warmup + config_.cycles);
  }
  /// Packets made in the measured part and still to come.
  std::uint64_t measured_outstanding() const { return tagged_ - tagged_done_; }
  /// All packets on their way are gone: the network has been reset.
  void write_off();

  /// Ends an interval of the series; `fill[stage]`: share of the stage's buffers in use.
  void sample(std::uint64_t cycle, std::uint64_t in_flight, const std::vector<double>& fill);

  /// Fills in what the meter knows. `cycles`: length of the run.
  void report(run_record& record, std::uint64_t cycles, unsigned terminals) const;

private:
  /// Classes of traffic; hot: to the target of a hot spot.
  static constexpr unsigned cool_class = 0, hot_class = 1, reply_class = 2;
  struct amount {
    std::uint64_t packets = 0, flits = 0;
    void add(unsigned length) { ++packets, flits += length; }
    void merge(const amount& other) { packets += other.packets, flits += other.flits; }
  };
  struct traffic_class {
    amount created, arrived;  ///< within the part
    latency_meter latency, network_latency;
    void merge(const traffic_class& other);
  };
  /// What is counted in a part of the run: packets made in it, and packets delivered in it.
  struct part {
    traffic_class classes[3];
    latency_meter latency, network_latency;
    void merge(const part& other);
  };
  /// Packets of an interval of the series, for confidence intervals and the warm-up.
  struct interval_sums {
    std::uint64_t latency = 0, packets = 0;  ///< made in it
    std::uint64_t delivered = 0;             ///< in it
  };
  unsigned class_of(flit_kind kind, std::uint32_t destination) const {
    return kind == flit_kind::reply ? reply_class : hot_[destination] ? hot_class : cool_class;
  }
  part& part_at(std::uint64_t cycle);
  interval_sums& sums_at(std::uint64_t cycle);
  std::uint64_t find_warmup(run_record& record, std::uint64_t end) const;
  confidence_record confidence(std::uint64_t from, std::uint64_t end, unsigned terminals) const;

  const meter_config config_;
  const std::vector<bool> hot_;
  std::vector<part> parts_;          // of the measured part; one, or equal ones while the warm-up is unknown
  std::uint64_t part_length_ = 0;    // cycles; 0: there is one
  std::vector<interval_sums> sums_;  // by interval
  std::uint64_t tagged_ = 0, tagged_done_ = 0;
  std::uint64_t outstanding_ = 0;
  std::uint64_t created_ = 0, delivered_ = 0, hot_delivered_ = 0, dropped_ = 0;  // in this interval
  std::vector<double> at_, series_created_, series_delivered_, series_hot_, series_in_flight_;
  std::vector<double> series_dropped_;
  bool reset_ = false;                     // there was one
  std::vector<std::vector<double>> fill_;  // by stage
  void add_most(run_record& record, const char* name, const std::vector<std::vector<double>>& series) const;

  std::vector<std::uint32_t> pending_, held_back_;  // packets by destination, if they are counted
  std::vector<std::vector<double>> series_pending_, series_held_back_;
};

}  // namespace spillway
