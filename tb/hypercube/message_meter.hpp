#pragma once
#include <cstdint>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/tb/measure/measurement.hpp>
#include <vector>

namespace spillway {

/// Delays of regular and of hot messages and their replies as queueing studies of hypercubes have them
/// (Dandamudi and Eager, section 3): time in queues and links from source to destination, of what arrives in
/// the measured part. The cycle in which a message leaves its last node for the host is not part of it.
class message_meter final : public measurement {
public:
  /// `unit`: cycles of a time unit; `hot_fraction`: h.
  message_meter(const measure_context& context, std::uint64_t unit, double hot_fraction)
      : config_(context), unit_(unit), hot_fraction_(hot_fraction) {}

  void injected(std::uint64_t cycle, const flit& head) override;
  void delivered(const delivery& d) override;
  void write_off(std::uint64_t cycle) override;
  void finish(std::uint64_t cycles) override { ran_ = cycles; }
  /// With a tree the hot messages are the broadcasts, and r_hot the mean delay of one from the root to a
  /// terminal (the root included, with none), what it waits in the hosts on its way included; the sum of the
  /// delays of its hops alone is `messages.r_hot_links`. `messages.r_reg`, `.r_hot`, `.r_avg` = (1 - h) r_reg
  /// + h r_hot in time units, each left out where no such message has come; `.throughput`: messages that a
  /// terminal sends of its own a time unit, replies apart.
  void count(counters& all) const override;

private:
  struct mean {
    std::uint64_t number = 0, cycles = 0;
    void add(std::uint64_t some) { ++number, cycles += some; }
    double in(std::uint64_t unit) const {
      return number ? static_cast<double>(cycles) / static_cast<double>(number * unit) : 0;
    }
  };
  bool measured(std::uint64_t cycle) const {
    return cycle >= config_.warmup && (!config_.cycles || cycle < config_.warmup + config_.cycles);
  }

  void heard(const delivery& d);
  bool any_broadcast() const;
  double delay_of_hops() const;
  double delay_of_broadcasts() const;

  const measure_context config_;
  const std::uint64_t unit_;
  const double hot_fraction_;
  std::uint64_t ran_ = 0;  // cycles
  mean regular_, hot_;
  // By terminal, of broadcasts along the tree, which come in the order in which they were started:
  std::vector<mean> hops_;             // from the parent
  std::vector<mean> broadcasts_;       // from the root
  std::vector<std::uint64_t> heard_;   // since the last reset
  std::vector<std::uint64_t> starts_;  // cycles at which the root hands over the first copies, since then
  std::vector<std::uint64_t> copies_;  // that it has handed over, by the child
  std::uint64_t sent_ = 0;
};

}  // namespace spillway
