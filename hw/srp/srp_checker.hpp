#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/violation.hpp>
#include <spillway/hw/srp/srp_messages.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// What an srp_checker is told of the terminal that it watches.
struct srp_checker_config {
  std::string unit;                          ///< name in messages; empty: the checker's own
  unsigned terminals = 1;                    ///< of the network
  unsigned smallest = 1;                     ///< flits of a message for which room is reserved
  unsigned overhead = 1050;                  ///< cycles that are reserved for 1,000 flits
  srp_reserve reserve = srp_reserve::first;  ///< when room is reserved
};

/// Watches what a terminal with speculative reservation sends and receives, and enforces the rules SR1 to SR4
/// in docs/checker-rules.md. It drives nothing.
class srp_checker final : public clocked {
public:
  packet_watch speculates{"speculates"};  ///< to the network: speculative packets,
  packet_watch sends{"sends"};            ///< reserved ones,
  packet_watch asks{"asks"};              ///< requests,
  packet_watch answers{"answers"};        ///< answers
  packet_watch guessed{"guessed"};        ///< from the network: speculative packets,
  packet_watch asked{"asked"};            ///< requests,
  packet_watch answered{"answered"};      ///< answers

  /// `config`: the terminal that is watched. `handler`: see violation_handler.
  srp_checker(const sc_core::sc_module_name& name, srp_checker_config config, violation_handler handler = {});

  std::uint64_t violations() const { return violations_; }  ///< reported so far

private:
  using packet_name = srp::packet_name;
  /// Of the reservation to a destination.
  struct flow {
    bool open = false, granted = false, refused = false;
    std::uint64_t start = 0;
    std::uint64_t left = 0;  // flits neither delivered nor sent for good
  };

  void reset() override;
  void tick() override;
  bool is_new(const packet_watch& pins, std::optional<flit>& waits);
  void sees_request(const flit& request);
  void sees_speculation(const flit& head);
  void sees_data(const flit& head);
  void keeps_time(const flit& head, std::uint64_t start);
  void hears(const flit& answer);
  void sees_answer(const flit& answer);
  void sees_grant(const flit& grant);
  void sees_receipt(std::set<packet_name>& owed, const flit& answer, const char* of);
  void done(flow& f, unsigned flits);
  flow& flow_to(const flit& f) { return flows_[f.destination % flows_.size()]; }
  void fail(const char* rule, const flit& f, const std::string& what);

  const srp_checker_config config_;
  const violation_handler handler_;
  std::vector<flow> flows_;                         // by destination
  std::map<packet_name, unsigned> unanswered_;      // speculative packets sent: flits
  std::map<packet_name, std::uint64_t> deferred_;   // dropped by the last switch: when they may go
  std::map<std::uint32_t, std::uint64_t> waiting_;  // reservations that have come, by source: flits
  std::set<packet_name> come_, dropped_;            // speculative packets that no answer has been sent for
  std::optional<flit> speculation_waits_, data_waits_, request_waits_;  // shown, and refused so far
  std::uint64_t reserved_until_ = 0;                                    // of this terminal's time
  std::uint64_t violations_ = 0;
};

}  // namespace spillway
