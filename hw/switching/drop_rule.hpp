#pragma once
#include <cstdint>
#include <spillway/hw/links/flit.hpp>

namespace spillway {

/// What goes on in the place of a dropped packet.
struct dropped_remains {
  flit data;             ///< a packet of one flit
  unsigned network = 0;  ///< logical network in which it goes on, through the same links
  /// Routed as if the terminal had sent it for which the packet was; of use with drop_place::last only.
  bool returns = false;
};

/// Where a packet is that a switch may drop; known only to a rule that watches_terminals().
struct drop_place {
  bool last = false;     ///< its only way on is to its terminal
  unsigned output = 0;   ///< last: by this output
  unsigned backlog = 0;  ///< last: flits in the switch for that output, its own included
};

/// Which packets a switch drops instead of letting them wait, and what it sends on in their place. A plain
/// part of one switch.
///
/// What remains of a packet may wait where the packet did until it gets into its network: so packets of that
/// network must never wait for any of the one that the packet was in.
class drop_rule {
public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};  ///< it is not dropped here, whatever happens
  static constexpr std::uint64_t lasting = std::uint64_t{1} << 62;  ///< not unless its drop_place changes

  virtual ~drop_rule() = default;
  /// Whether the switch is to count what waits for each of its terminals.
  virtual bool watches_terminals() const { return false; }
  /// Bits that it stores for each terminal.
  virtual unsigned bits_of_terminal() const { return 0; }
  /// At a reset.
  virtual void clear() {}
  /// Cycles that a packet with this head, of logical network `network`, waits in a switch at most before its
  /// first flit leaves.
  virtual std::uint64_t life(unsigned network, const flit& head, const drop_place& place) const = 0;
  /// What goes on in the place of the packet with this head, which is dropped at cycle `now`.
  virtual dropped_remains remains(const flit& head, const drop_place& place, std::uint64_t now) = 0;
};

}  // namespace spillway
