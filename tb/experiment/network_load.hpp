#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/links/link_counter.hpp>
#include <spillway/hw/links/violation.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/report/record.hpp>
#include <unordered_map>
#include <vector>

namespace spillway {

/// What crosses each link and how full each switch is, in the measured part of a run. It costs next to
/// nothing: the checkers of links count what they look at anyway, and the switches are asked for their level
/// at the end of each interval of the series.
class network_load {
public:
  /// `checkers`: all that the platform has made, or none.
  network_load(const platform& network, const topology& shape,
               const std::vector<std::unique_ptr<stepped>>& checkers);

  /// The measured part begins now; after that it ends, if anything is left of the run.
  void begin();
  void end();
  /// An interval of the series ends. Rule RM1: no switch, and no queue of it that it tells apart, holds more
  /// flits than it has places for; each that does is reported once.
  void sample(const violation_handler& handler);
  /// Flits in the switch of that number at the last sample.
  unsigned level(std::size_t number) const { return levels_[number]; }

  /// The counter of a link of platform::edges(); nullptr: nobody counts.
  const link_counter* counter_of(std::size_t edge) const { return edge_counters_[edge]; }

  /// Fills in the rows of links and switches.
  void report(run_record& record) const;

private:
  struct counted {
    std::vector<link_counts> links;        // by platform::links()
    std::vector<std::uint64_t> forwarded;  // by each switch
    std::uint64_t forwarded_by_all = 0;    // those without pins included
    std::uint64_t cycle = 0;
  };
  struct fullness {
    std::uint64_t sum = 0;
    unsigned most = 0;
  };
  counted count() const;
  void check_room(std::size_t number, std::uint64_t cycle, const violation_handler& handler);
  link_record row_of(std::size_t link, const counted& last) const;
  std::string name_of(int switch_number, int terminal) const;
  void add_blocked(std::vector<switch_record>& rows, const std::vector<link_record>& links) const;

  const platform& network_;
  const topology& shape_;
  std::vector<const link_counter*> counters_;       // by platform::links(); nullptr: nobody counts
  std::vector<const link_counter*> edge_counters_;  // by platform::edges()
  std::unordered_map<const network_link*, std::size_t> edge_of_;
  std::vector<unsigned> levels_;
  std::vector<fullness> filled_;
  std::vector<bool> overfull_;  // and reported
  std::uint64_t samples_ = 0;
  bool begun_ = false, ended_ = false;
  counted first_, last_;
};

}  // namespace spillway
