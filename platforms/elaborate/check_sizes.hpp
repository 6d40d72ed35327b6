#pragma once
#include <spillway/platforms/topology/topology.hpp>

namespace spillway {

/// Checks the configuration of switches with the ports of each switch of a network. Throws what its check()
/// does.
template <class Config>
void check_sizes(const topology& shape, Config config) {
  for (const auto v : shape.switches) {
    config.inputs = shape.input_ports(v);
    config.outputs = shape.output_ports(v);
    config.check();
  }
}

}  // namespace spillway
