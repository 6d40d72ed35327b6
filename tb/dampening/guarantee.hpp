#pragma once
#include <cstdint>
#include <map>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/tb/measure/measurement.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace spillway {

/// What a network promises while some destinations receive too slowly or not at all (Kuszmaul and Kuszmaul,
/// section I). Both count from injection.
enum class guarantee_kind {
  none,
  strong,  ///< every message to a coolspot is delivered in time
  weak,    ///< so is every message to a coolspot from an innocent processor
};

/// What is promised.
struct guarantee_config {
  guarantee_kind kind = guarantee_kind::none;
  std::uint64_t within = 1000;  ///< cycles from injection to delivery
  bool required = true;         ///< a message that comes too late is a fault; else it is only counted
};

/// Holds a run to a promise. A processor is complicit while a message of its own to a hotspot is in the
/// network, and innocent otherwise; the weak promise is about messages whose sender was innocent all the
/// while.
class guarantee_checker final : public measurement {
public:
  /// `hot[t]`: terminal t is a hotspot, all others are coolspots.
  guarantee_checker(const guarantee_config& config, std::vector<bool> hot);

  void injected(std::uint64_t cycle, const flit& head) override;
  void delivered(const delivery& d) override;
  /// A reset throws away what is under way: no promise is broken by that, and every sender is innocent again.
  void write_off(std::uint64_t cycle) override;
  /// The run is over: what is still under way and overdue is stuck.
  void finish(std::uint64_t cycle) override;

  /// Messages that came too late or not at all.
  std::uint64_t broken() const { return late_ + stuck_; }
  /// The first of them, in words.
  std::vector<std::string> findings() const override { return faults_; }
  std::string fault() const override { return config_.required && broken() ? "guarantee broken" : ""; }
  /// Adds `guarantee.covered` (messages it was about), `.late`, `.stuck`, `.stuck_share` (of the covered),
  /// `.worst` (cycles), and `.coolspots`, `.coolspots_blocked` (those with a stuck message),
  /// `.blocked_share`.
  void count(counters& all) const override;
  /// In cycles from injection, of messages to coolspots: the slowest that came in the interval, and the
  /// oldest that is still under way.
  std::vector<std::string> columns() const override { return {"guarantee.slowest", "guarantee.oldest"}; }
  std::vector<double> sample(std::uint64_t cycle) override;
  std::vector<series_picture> pictures() const override;

private:
  struct flight {
    std::uint64_t injected;
    std::uint32_t destination;
  };

  /// A reply bears the number of its request: its kind, source, destination and number.
  using identity = std::tuple<bool, std::uint32_t, std::uint32_t, std::uint32_t>;

  bool covers(std::uint32_t source, std::uint64_t since) const;
  void fault(std::uint64_t cycle, std::uint32_t source, std::uint32_t packet, const flight& f,
             const char* what);

  const guarantee_config config_;
  const std::vector<bool> hot_;
  std::map<identity, flight> cool_;            // under way
  std::vector<std::uint32_t> to_hotspots_;     // under way, by source
  std::vector<std::uint64_t> innocent_since_;  // by source
  std::vector<bool> blocked_;                  // by destination
  std::uint64_t covered_ = 0, late_ = 0, stuck_ = 0, worst_ = 0;
  std::uint64_t slowest_ = 0;  // in this interval
  std::vector<std::string> faults_;
};

}  // namespace spillway
