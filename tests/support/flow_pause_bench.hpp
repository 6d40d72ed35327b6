#pragma once
#include <spillway/hw/flow_pause/flow_pause_switch.hpp>
#include <support/link_bench.hpp>

// What tests of switches that pause flows are built from.

namespace spillway::testing_support {

/// Four destinations behind two switches of two ports in a row: the first, node 0, looks at nothing but the
/// upper bit, the second, node 1, at the lower one.
struct bitwise_routing : routing {
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    return port_mask{1} << (node == 0 ? f.destination / 2 % 2 : f.destination % 2);
  }
};

/// With a lane for each queue, and inputs that hold 12 flits.
inline flow_pause_config flow_pause_config_of(unsigned queues = 4, unsigned threshold = 2,
                                              unsigned length = 1) {
  flow_pause_config c;
  c.queues = c.lanes = queues;
  c.threshold = threshold;
  c.places = 12;
  c.flows = 64;
  c.packet_length = length;
  return c;
}

/// Of all sources with tests of such switches.
struct flow_pause_switch_test : sc_test {};

}  // namespace spillway::testing_support
