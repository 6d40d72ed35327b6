#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <spillway/hw/ecn/ecn_delays.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What an ecn_checker is told of the unit that it watches.
struct ecn_checker_config {
  std::string unit;          ///< name in messages; empty: the checker's own
  unsigned terminal = 0;     ///< number of the terminal
  unsigned terminals = 1;    ///< terminals of the network
  ecn_delays_config delays;  ///< of its throttle
};

/// Watches what a terminal with congestion marks sends and receives, and enforces the rules EC1 to EC3 in
/// docs/checker-rules.md. Where notifications are marks on acknowledgements, it is bound to the notifications
/// of which an ecn_rider makes those, and an ecn_rider_checker watches the rider. It drives nothing.
class ecn_checker final : public clocked {
public:
  packet_watch sent{"sent"};            ///< packets to the network
  packet_watch arrived{"arrived"};      ///< packets from the network
  packet_watch returned{"returned"};    ///< notifications to the throttle
  packet_watch reflected{"reflected"};  ///< notifications of the reflector

  /// `config`: the unit that is watched. `handler`: see violation_handler.
  ecn_checker(const sc_core::sc_module_name& name, ecn_checker_config config, violation_handler handler = {});

  std::uint64_t violations() const { return violations_; }  ///< reported so far

private:
  struct flow {
    unsigned index = 0;
    std::uint64_t tail_sent = 0;
  };

  void reset() override;
  void tick() override;
  void lower_indexes();
  void sees_shown(const flit& f);
  void sees_reflected(const flit& f);
  void fail(const char* rule, const std::string& what);

  const ecn_checker_config config_;
  const violation_handler handler_;
  std::vector<flow> flows_;    // by destination
  std::vector<bool> owed_;     // by source: a marked packet has come since the last notification
  std::optional<flit> waits_;  // shown by `sent`, and refused so far
  std::uint64_t expires_ = 0;  // the timer, at this edge
  std::uint64_t violations_ = 0;
};

}  // namespace spillway
