#pragma once
#include <spillway/hw/switching/routing.hpp>

namespace spillway {

/// A routing by the switch and the destination alone, whatever way a packet has come: an analysis asks once
/// for all inputs and channels.
class node_routing : public routing {
public:
  /// Outputs of switch `node` that lead to the destination.
  virtual port_mask outputs_to(unsigned destination, unsigned node) const = 0;
  /// Virtual channels of the link at `output`, one of those.
  virtual channel_mask channels_to(unsigned destination, unsigned node, unsigned output) const = 0;

  port_mask outputs(unsigned node, unsigned /*input*/, const flit& f) const final {
    return outputs_to(f.destination, node);
  }
  channel_mask channels(unsigned node, unsigned /*input*/, unsigned output, const flit& f) const final {
    return channels_to(f.destination, node, output);
  }
  bool memoryless() const final { return true; }
};

}  // namespace spillway
