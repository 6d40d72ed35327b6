#pragma once
#include <cstdint>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/tb/measure/scoreboard.hpp>
#include <spillway/tb/traffic/combining_tree.hpp>
#include <vector>

namespace spillway {

/// What a message_meter counts, and in which unit.
struct message_meter_config {
  std::uint64_t warmup = 0;              ///< cycles before the measured part
  std::uint64_t cycles = 0;              ///< length of the measured part; 0: to the end of the run
  std::uint64_t unit = 1;                ///< cycles of a time unit
  double hot_fraction = 0;               ///< h
  const combining_tree* tree = nullptr;  ///< of software combining, if there is any
};

/// Delays of regular and of hot messages and their replies as queueing studies of hypercubes have them
/// (Dandamudi and Eager, section 3): time in queues and links from source to destination, of what arrives in
/// the measured part. The cycle in which a message leaves its last node for the host is not part of it.
class message_meter {
public:
  explicit message_meter(const message_meter_config& config) : config_(config) {}

  void injected(std::uint64_t cycle, const flit& head);
  void delivered(const delivery& d);
  /// With a tree the hot messages are the broadcasts, and r_hot the mean delay of one from the root to a
  /// terminal (the root included, with none): the sum of the delays of its hops.
  /// `messages.r_reg`, `.r_hot`, `.r_avg` = (1 - h) r_reg + h r_hot in time units, each left out
  /// where no such message has come; `.throughput`: messages that a terminal sends of its own a time unit,
  /// replies apart. `cycles`: length of the run.
  void count(counters& all, std::uint64_t cycles, unsigned terminals) const;

private:
  struct mean {
    std::uint64_t number = 0, cycles = 0;
    double in(std::uint64_t unit) const {
      return number ? static_cast<double>(cycles) / static_cast<double>(number * unit) : 0;
    }
  };
  bool measured(std::uint64_t cycle) const {
    return cycle >= config_.warmup && (!config_.cycles || cycle < config_.warmup + config_.cycles);
  }

  const message_meter_config config_;
  double delay_along_tree() const;

  mean regular_, hot_;
  std::vector<mean> hops_;  // along the tree, by the child
  std::uint64_t sent_ = 0;
};

}  // namespace spillway
