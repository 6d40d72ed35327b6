#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace spillway {

/// One line on standard error that tells how far something is: cycle, percent, rate, time left. Written only
/// to a terminal, at most five times a second, and cleared at the end.
class progress {
public:
  /// `total`: cycles of the run, 0 if not known. `unit`: what is counted.
  explicit progress(std::uint64_t total, std::string unit = "cycle");
  ~progress() { finish(); }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// What is done before there is anything to count, such as `checking the network`: shown at once. Time
  /// counts from the next update on.
  void say(const std::string& what);
  /// Cheap, but call it every few hundred cycles rather than every cycle.
  void update(std::uint64_t cycle);
  /// Clears the line, so that messages start on a clean one. May be called more than once.
  void finish();
  /// Whether standard error is a terminal.
  bool shown() const { return shown_; }

  /// The text of the line for a cycle, after `seconds` of work.
  static std::string line(std::uint64_t cycle, std::uint64_t total, double seconds,
                          const std::string& unit = "cycle");

private:
  using clock = std::chrono::steady_clock;

  const std::uint64_t total_;
  const std::string unit_;
  const bool shown_;
  bool dirty_ = false;  // there is a line to clear
  bool said_ = false;   // nothing has been counted yet
  clock::time_point start_ = clock::now();
  clock::time_point next_ = start_ + std::chrono::milliseconds(500);
};

}  // namespace spillway
