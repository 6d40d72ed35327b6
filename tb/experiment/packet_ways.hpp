#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <spillway/hw/kernel/edge_log.hpp>
#include <spillway/hw/links/link_counter.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/measure/journeys.hpp>
#include <spillway/tb/report/record.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// Follows the packets of a run through the platform, by what the checkers of its links see: the way of each
/// that has arrived, and, if that is wanted, what became of the time of all that are counted.
class packet_ways final : public head_listener {
public:
  /// `checkers`: all that the platform has made, or none. `stages`: by switch, the row that it counts in, and
  /// the rows' names. `breakdown`: whether time is of interest.
  packet_ways(platform& network, const std::vector<std::unique_ptr<stepped>>& checkers,
              std::vector<unsigned> row_of_switch, std::vector<std::string> rows, bool breakdown,
              journeys::handler to);

  /// Has `to` hear of each head that crosses a link of platform::edges(), too.
  void on_crossing(std::function<void(std::uint64_t cycle, std::uint32_t link, const flit& head)> to) {
    crossed_ = std::move(to);
  }
  /// Whether any link tells of packets.
  bool follows() const { return follows_; }
  void head_crosses(std::uint64_t cycle, std::uint32_t link, const flit& head) override;
  void delivered(const delivery& d) { journeys_.delivered(d); }
  void write_off() { journeys_.write_off(); }
  /// The run is over.
  void settle() { journeys_.settle(); }

  /// A packet that is to be counted has gone this way.
  void count(const journey* way) { breakdown_.add(way); }
  /// Fills in the breakdown, also that of the rows of switches.
  void report(run_record& record) const;

private:
  struct crossing {
    std::uint64_t cycle;
    std::uint32_t link;
    flit head;
  };
  void pass(const crossing& c);

  bool follows_ = false;
  std::function<void(std::uint64_t, std::uint32_t, const flit&)> crossed_;
  const std::vector<std::string> rows_;
  journeys journeys_;
  latency_breakdown breakdown_;
  std::optional<edge_log<crossing>> log_;
};

}  // namespace spillway
