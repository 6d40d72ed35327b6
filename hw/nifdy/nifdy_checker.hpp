#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/violation.hpp>
#include <spillway/hw/nifdy/nifdy_config.hpp>
#include <spillway/hw/nifdy/nifdy_header.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// Parameters of the unit that is watched; docs/checker-rules.md states the rules in full.
struct nifdy_checker_config {
  std::string unit;            ///< name of the unit in messages; empty: the checker's own
  unsigned links = 1;          ///< links to and from the networks
  unsigned outstanding = 8;    ///< O
  unsigned dialogs = 1;        ///< D
  unsigned window = 4;         ///< W
  bool lossy = false;          ///< packets and acknowledgements may come again
  std::uint64_t patience = 0;  ///< NL9 cycles that a dialog may be without a packet; 0: any number
};

/// Watches the pins of one NIFDY unit and enforces the rules of its protocol, NL1 to NL9 in
/// docs/checker-rules.md. It drives nothing.
class nifdy_checker : public clocked {
public:
  row<packet_watch> to_network;               ///< to_network<n>: what the unit sends
  row<packet_watch> from_network;             ///< from_network<n>: what it receives
  packet_watch to_processor{"to_processor"};  ///< what it gives to the processor

  /// `config`: the unit that is watched. `handler`: see violation_handler.
  nifdy_checker(const sc_core::sc_module_name& name, nifdy_checker_config config,
                violation_handler handler = {});

  std::uint64_t violations() const { return violations_; }  ///< reported so far
  /// Dialogs that this unit has granted and that are not over.
  std::size_t open_dialogs() const { return incoming_.size(); }

private:
  struct scalar_state {  // of a destination
    std::uint32_t packet = 0;
    bool outstanding = false, toggle = false, request = false;
  };
  struct outgoing_dialog {
    bool open = false, left = false;
    std::uint32_t peer = 0;
    std::uint16_t name = 0, next = 0, acknowledged = 0;
  };
  struct incoming_dialog {
    std::uint32_t source = 0;
    std::uint16_t next = 0;         // all before it have come
    std::set<std::uint16_t> early;  // and these
    int exit_at = -1;
    std::uint64_t last_activity = 0;
  };
  struct source_state {    // of a source
    unsigned scalars = 0;  // not acknowledged
    bool requested = false;
    bool ever = false;
  };

  void reset() override;
  void tick() override;
  void sees_sent(const flit& f);
  void sees_scalar(const flit& f);
  void sees_bulk(const flit& f);
  void sees_own_ack(const flit& f);
  void sees_own_grant(const flit& f);
  void sees_come(const flit& f);
  void sees_ack(const flit& f);
  void sees_bulk_ack(const flit& f);
  void sees_bulk_come(const flit& f);
  void sees_accepted(const flit& f);
  void check_patience();
  void fail(const char* rule, const std::string& what);

  const nifdy_checker_config config_;
  const violation_handler handler_;
  std::map<std::uint32_t, scalar_state> scalars_;  // by destination
  unsigned outstanding_ = 0;
  bool requested_ = false;
  outgoing_dialog out_;
  std::map<std::uint16_t, incoming_dialog> incoming_;  // by name
  std::map<std::uint16_t, std::uint16_t> over_;        // by name: sequence after the last packet
  std::map<std::uint32_t, source_state> sources_;      // by source
  // By source, its replies apart, which have the numbers of their requests: last packet.
  std::map<std::pair<std::uint32_t, bool>, std::uint32_t> accepted_;
  std::uint64_t violations_ = 0, alarm_ = 0;
};

}  // namespace spillway
