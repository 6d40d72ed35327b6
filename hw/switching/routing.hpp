#pragma once
#include <cstdint>
#include <spillway/hw/links/flit.hpp>

namespace spillway {

/// Output ports of a switch as a bit mask; bit p is output p. At most 64 ports a switch.
using port_mask = std::uint64_t;

/// Virtual channels of a link as a bit mask; bit c is channel c of the logical network that a flit is in.
using channel_mask = std::uint64_t;

/// What a switch knows of its outputs at the time when a packet enters the network through it.
class output_load {
public:
  virtual ~output_load() = default;
  /// Virtual channels of the packet's logical network that have room for a flit behind the output.
  virtual unsigned credits(unsigned output) const = 0;
  /// Flits in the switch of packets that have chosen the output, or may take it and wait for one.
  virtual unsigned waiting(unsigned output) const = 0;
};

/// Which way a flit may go. One object serves every switch of a platform; it has no state that
/// changes, so a switch may also ask on behalf of its neighbour (look-ahead).
class routing {
public:
  virtual ~routing() = default;

  /// Outputs of switch `node` that a flit which came in at `input` may take; one bit when the
  /// routing is deterministic, 0 when the destination cannot be reached from here.
  virtual port_mask outputs(unsigned node, unsigned input, const flit& f) const = 0;
  /// Virtual channels of the link at `output`, one of those above, that the flit may take there. Only routers
  /// with virtual channels ask.
  virtual channel_mask channels(unsigned /*node*/, unsigned /*input*/, unsigned /*output*/,
                                const flit& /*f*/) const {
    return ~channel_mask{0};
  }
  /// Channels that a flit may turn to wherever it is, and whose dependencies have no cycle although those of
  /// the others may have one (Duato's escape); 0: every channel must be free of cycles.
  virtual channel_mask escape() const { return 0; }
  static constexpr unsigned most_entry_routes = 1 << 12;  ///< bits of flit::route
  /// How many words at_entry() may write, from 0; 0: it is not asked, and heads stay as they are.
  virtual unsigned entry_routes() const { return 0; }
  /// The route part of a head: the switch through which its packet enters the network writes it, by
  /// that `input`, once and before it asks for outputs. The switches after it see it in the head, and write
  /// it again only if decides_again().
  virtual unsigned at_entry(unsigned /*node*/, unsigned /*input*/, const flit& /*head*/,
                            const output_load& /*load*/) const {
    return 0;
  }
  /// Whether switch `node` writes the route part anew of a head that comes from another switch, as it would
  /// of one that enters there. The packet goes on as such a one with the same word; the analysis relies on
  /// it.
  virtual bool decides_again(unsigned /*node*/, unsigned /*input*/, const flit& /*head*/) const {
    return false;
  }
  /// Whether the way on from a switch depends only on the destination, the route part of the head, the input
  /// and the channel there: packets of different sources that meet on a channel go on alike. Then the
  /// analysis follows them together.
  virtual bool memoryless() const { return false; }
  /// Whether all packets of one source and destination take the same way, and so arrive in order.
  virtual bool in_order() const { return true; }
};

}  // namespace spillway
