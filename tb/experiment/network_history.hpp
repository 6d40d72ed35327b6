#pragma once
#include <cstdint>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/experiment/network_load.hpp>
#include <spillway/tb/report/record.hpp>
#include <string>
#include <vector>

namespace spillway {

/// How full the switches were and how much the links were used over the whole run, at some moments: at most
/// 200 of a run however long, and of a large network fewer, so that the report stays small.
class network_history {
public:
  network_history(const platform& network, const topology& shape, const network_load& load);

  /// An interval of the series ends.
  void sample();
  history_record take() const;

  /// What is kept for a network of so many switches and links; 0: nothing, it is too large.
  static std::size_t most_moments(std::size_t switches, std::size_t links);

private:
  struct moment {
    std::uint64_t cycle = 0;
    std::string fullest;               // shares as history_record has them
    std::vector<std::uint32_t> flits;  // since the start, by link
    std::vector<std::uint32_t> blocked;
    std::string stopped;
  };
  struct drawn_link {
    int from, to;  // as history_record has them
    const link_counter* counter;
  };
  moment now() const;
  void halve();

  const platform& network_;
  const std::size_t switches_;  // of one copy
  std::vector<drawn_link> links_;
  std::size_t most_ = 0;
  std::string left_out_;
  std::uint64_t intervals_ = 0, stride_ = 1;
  bool any_stopped_ = false;
  std::vector<moment> moments_;
};

}  // namespace spillway
