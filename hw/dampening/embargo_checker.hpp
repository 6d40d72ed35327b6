#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <spillway/hw/dampening/embargo_link.hpp>
#include <spillway/hw/links/packet_checker.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// Which rules an embargo_checker enforces; docs/checker-rules.md states them in full.
struct embargo_checker_config {
  packet_checker_config packet;   ///< PL1 to PL5, and the name of the link in messages
  bool embargoes = true;          ///< EL1 nothing is sent whose embargo could be known
  bool releases = true;           ///< EL2 a release only after an embargo, and in turns
  bool one_message = true;        ///< EL3 at most one control message a cycle
  bool interdicts = true;         ///< EL4 nothing is sent while an interdiction could be known
  bool reports = true;            ///< EL5 a report is about a message that was sent and not yet reported
  bool quiet = true;              ///< EL6 no control and no interdiction out of reset
  bool places = true;             ///< EL7 a message names a place that is free, where the sender calculates
  bool sender_calculates = true;  ///< messages are reported; else they are not kept account of
  unsigned pool = 0;              ///< places of the receiver's partition; 0: not known
};

/// Watches the wires of one embargo link and drives none; the packet rules hold on it too. `rst` is the reset
/// of the link's blocks.
class embargo_checker : public packet_checker {
public:
  input<std::uint16_t> place{"place"};        ///< sampled with the flit that is shown
  input<control_message> control{"control"};  ///< what the receiver tells
  input<bool> interdict{"interdict"};         ///< the receiver stops all

  /// `config`: the rules. `handler`: see violation_handler.
  explicit embargo_checker(const sc_core::sc_module_name& name, embargo_checker_config config = {},
                           violation_handler handler = {});

  /// Binds to the wires of any bundle that has those of an embargo link.
  template <class Bundle>
  void bind(Bundle& link) {
    packet_checker::bind(link);
    place(link.place), control(link.control), interdict(link.interdict);
  }

  /// Control messages seen.
  std::uint64_t messages() const { return messages_; }
  unsigned stopped() const override { return static_cast<unsigned>(embargoed_.size()); }

private:
  using terminal = std::pair<bool, std::uint32_t>;  // by source or not, number

  void reset() override;
  void tick() override;
  void check_sent(const flit& f);
  void check_place(const flit& f, std::uint16_t named);
  void check_control(const control_message& m);

  const embargo_checker_config rules_;
  std::set<terminal> embargoed_;                   // as the sender could know at the edge before
  std::vector<std::optional<flit>> not_reported_;  // accepted, by place
  bool interdicted_ = false;                       // at the edge before
  bool waits_ = false;                             // the flit that is shown was shown at the edge before
  bool was_in_reset_ = false, reset_reported_ = false;
  std::uint64_t messages_ = 0;
};

}  // namespace spillway
