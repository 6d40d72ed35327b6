#include <algorithm>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/hw/wormhole/router_lanes.hpp>
#include <string>

namespace spillway {

using namespace masks;
using detail::need;

void router_config::check() const {
  const std::size_t ports = std::max(inputs.size(), outputs.size());
  need(!inputs.empty() && !outputs.empty(), "a router has at least one input and one output");
  need(networks >= 1 && virtual_channels >= 1, "a router has at least one virtual channel a network");
  need(ports * networks * virtual_channels <= 64,
       "a router has at most 64 input channels and as many output channels, found " + std::to_string(ports) +
           " ports of " + std::to_string(networks) + " networks with " + std::to_string(virtual_channels) +
           " virtual channels");
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

router_lanes::router_lanes(const router_config& config)
    : lanes_((config.check(), config.lanes())), channels_(config.virtual_channels), all_(low_bits(lanes_)) {
  const bool shared = std::any_of(config.outputs.begin(), config.outputs.end(),
                                  [](const router_port& p) { return p.time_multiplexed; });
  const unsigned shares = shared ? config.networks : 1;
  const auto ports = static_cast<unsigned>(std::max(config.inputs.size(), config.outputs.size()));
  for (unsigned c = 0; c < ports * lanes_; ++c) {
    port_of_[c] = static_cast<std::uint8_t>(c / lanes_);
    network_of_[c] = static_cast<std::uint8_t>(c % lanes_ / channels_);
  }
  for (unsigned o = 0; o < config.outputs.size(); ++o) {
    const router_port& port = config.outputs[o];
    if (!port.terminal) plain_outputs_ |= bit(o);
    for (unsigned s = 0; s < shares; ++s) {
      if (port.cycles == 1 && !port.time_multiplexed) wide_ |= bit(o * shares + s);
      link_output_.push_back(static_cast<std::uint8_t>(o));
    }
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const unsigned c = o * lanes_ + lane, network = network_of_[c];
      link_of_[c] = static_cast<std::uint8_t>(o * shares + (port.time_multiplexed ? network : 0));
      lane_of_[c] = static_cast<std::uint8_t>(port.terminal ? network - port.network : lane);
    }
    const unsigned first = port.terminal ? port.network : 0,
                   end = port.terminal ? config.end_of(port) : config.networks;
    for (unsigned n = first; n < end; ++n) usable_ |= channels_of(o, n, ~std::uint64_t{0});
  }
}

std::uint64_t router_lanes::channels_of(unsigned output, unsigned network, std::uint64_t allowed) const {
  // A terminal takes one packet of a network at a time.
  const std::uint64_t channels = (plain_outputs_ >> output & 1) ? allowed & low_bits(channels_) : 1;
  return channels << (output * lanes_ + network * channels_);
}

std::uint64_t router_lanes::spread(unsigned output, lane_mask ready) const {
  std::uint64_t channels = 0;
  for (unsigned lane = 0; lane < lanes_; lane += channels_) {
    const unsigned c = output * lanes_ + lane;
    if ((usable_ & bit(c)) && (ready >> lane_of_[c] & 1)) channels |= bit(c);
  }
  return channels;
}

}  // namespace spillway
