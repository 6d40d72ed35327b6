#pragma once
#include <cstdint>
#include <spillway/hw/links/flit.hpp>

namespace spillway {

/// What goes on in the place of a dropped packet.
struct dropped_remains {
  flit data;             ///< a packet of one flit
  unsigned network = 0;  ///< logical network in which it goes on, through the same links
};

/// Which packets a switch drops instead of letting them wait, and what it sends on in their place. A plain
/// part without state that changes; one object serves every switch of a platform.
///
/// What remains of a packet may wait where the packet did until it gets into its network: so packets of that
/// network must never wait for any of the one that the packet was in.
class drop_rule {
public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};  ///< more cycles than any packet waits

  virtual ~drop_rule() = default;
  /// Cycles that a packet with this head, of logical network `network`, waits in a switch at most before its
  /// first flit leaves; `never`: it is not dropped.
  virtual std::uint64_t life(unsigned network, const flit& head) const = 0;
  /// What goes on in the place of the packet with this head.
  virtual dropped_remains remains(const flit& head) const = 0;
};

}  // namespace spillway
