#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Watches the links of an ecn_rider, and enforces the rules EC4 and EC5 in docs/checker-rules.md: a mark is
/// neither lost nor made on the way. It drives nothing.
class ecn_rider_checker final : public clocked {
public:
  packet_watch notifications{"notifications"};  ///< of the reflector, into the rider
  packet_watch acks{"acks"};                    ///< acknowledgements into the rider
  packet_watch reflected{"reflected"};          ///< the same out of it, to the network
  packet_watch returned{"returned"};            ///< acknowledgements from the network, into the rider
  packet_watch notices{"notices"};              ///< notifications out of it, to the throttle

  /// `unit`: name of the rider in messages. `handler`: see violation_handler.
  ecn_rider_checker(const sc_core::sc_module_name& name, std::string unit, unsigned terminals,
                    violation_handler handler = {});

  std::uint64_t violations() const { return violations_; }  ///< reported so far

private:
  void reset() override;
  void tick() override;
  void watch_marks();
  void watch_notices();
  void fail(const char* rule, const std::string& what);

  const std::string unit_;
  const violation_handler handler_;
  std::vector<bool> owed_;                 // by terminal: a mark rides on the next acknowledgement to there
  std::deque<bool> marked_;                // acknowledgements in the rider: whether they leave with the mark
  std::optional<std::uint32_t> returned_;  // whose acknowledgement came with a mark at the edge before
  std::uint64_t violations_ = 0;
};

}  // namespace spillway
