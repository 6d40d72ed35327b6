#include <algorithm>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/wormhole/router_config.hpp>
#include <string>

namespace spillway {

using detail::need;

unsigned router_config::ports() const {
  return static_cast<unsigned>(std::max(inputs.size(), outputs.size()));
}

void router_config::check() const {
  need(!inputs.empty() && !outputs.empty(), "a router has at least one input and one output");
  need(ports() <= 64, "a router has at most 64 inputs and as many outputs, found " + std::to_string(ports()));
  need(networks >= 1 && virtual_channels >= 1, "a router has at least one virtual channel a network");
  need(networks <= 64 && virtual_channels <= 64 && lanes() <= 64,
       "a link has at most 64 virtual channels over all networks, found " + std::to_string(networks) +
           " networks with " + std::to_string(virtual_channels));
  need(depth >= 1 && depth <= 4096, "a virtual channel has 1 to 4096 flits, found " + std::to_string(depth));
  need(flow == router_flow::wormhole || depth >= packet_length,
       "a virtual channel must hold a whole packet: it has room for " + std::to_string(depth) +
           " flits, packets have up to " + std::to_string(packet_length));
  need(latency >= 1, "a router takes at least 1 cycle");
  for (const router_port& port : outputs) need(port.cycles >= 1, "a flit is on a link for at least 1 cycle");
  for (const auto* side : {&inputs, &outputs})
    for (const router_port& port : *side)
      need(port.network < networks && end_of(port) <= networks,
           "the networks of a terminal are below " + std::to_string(networks));
}

}  // namespace spillway
