#pragma once
#include <cstdint>
#include <spillway/hw/links/flit.hpp>

namespace spillway {

/// Output ports of a switch as a bit mask; bit p is output p. At most 64 ports a switch.
using port_mask = std::uint64_t;

/// Virtual channels of a link as a bit mask; bit c is channel c of the logical network that a flit is in.
using channel_mask = std::uint64_t;

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
  /// Whether all packets of one source and destination take the same way, and so arrive in order.
  virtual bool in_order() const { return true; }
};

}  // namespace spillway
