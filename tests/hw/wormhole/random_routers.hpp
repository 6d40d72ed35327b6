#pragma once
#include <memory>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/switching/masks.hpp>

#include "router_bench.hpp"

namespace spillway::testing_support {

/// For every input and destination some outputs, and for each of them some channels, drawn from a seed.
struct random_routing final : router_routing {
  random_routing(const router_config& c, std::uint32_t seed, dice& d)
      : seed_(seed), outputs_(static_cast<unsigned>(c.outputs.size())), channels_(c.virtual_channels) {
    every_output = 1;  // the packet's destination does not tell its output
    ordered = d.percent(50);
    escapes = d.percent(30) ? 1 : 0;
  }
  port_mask outputs(unsigned, unsigned input, const flit& f) const override {
    const port_mask some = word(input, f.destination) & word(input + 64, f.destination);
    return (some & masks::low_bits(outputs_)) | masks::bit(f.destination % outputs_);
  }
  channel_mask channels(unsigned, unsigned input, unsigned output, const flit& f) const override {
    const std::uint64_t some = word(input + 128, f.destination * 64 + output);
    return escapes | (some & masks::low_bits(channels_)) | masks::bit(some % channels_);
  }

private:
  std::uint64_t word(unsigned a, unsigned b) const { return draw(seed_, a, b); }

  const std::uint32_t seed_;
  const unsigned outputs_, channels_;
};

inline router_port random_port(dice& d, unsigned networks, bool strict) {
  router_port p;
  p.cycles = d.percent(60) ? 1 : d.between(2, 4);
  p.time_multiplexed = strict && d.percent(70);
  p.terminal = d.percent(40);
  if (!p.terminal) return p;
  p.network = d.below(networks);
  if (d.percent(50)) p.lanes = d.between(1, networks - p.network);
  return p;
}

/// A router of at most 64 channels of all kinds of ports and flows.
inline router_config random_router(dice& d) {
  router_config c;
  c.networks = d.percent(50) ? 1 : d.between(2, 3);
  c.virtual_channels = d.between(1, 5);
  const unsigned most = 64 / c.lanes();
  const bool strict = d.percent(30);
  for (unsigned n = d.between(1, std::min(most, 9u)); n; --n)
    c.inputs.push_back(random_port(d, c.networks, false));
  for (unsigned n = d.between(1, std::min(most, 9u)); n; --n)
    c.outputs.push_back(random_port(d, c.networks, strict));
  // Every network can leave by every port, or some packets never would.
  for (router_port& p : c.outputs) p.network = p.lanes = 0;
  c.packet_length = d.between(1, 6);
  const router_flow flows[] = {router_flow::wormhole, router_flow::wormhole, router_flow::cut_through,
                               router_flow::store_and_forward};
  c.flow = d.one_of(flows);
  c.depth = (c.flow == router_flow::wormhole ? 0 : c.packet_length - 1) + d.between(1, 6);
  c.latency = d.percent(60) ? 1 : d.between(2, 5);
  c.entry_latency = d.percent(70) ? 0 : d.between(1, 9);
  c.phase = d.below(c.networks);
  c.one_packet = d.percent(30);
  c.random_output = d.percent(30);
  return c;
}

/// The same traffic for every router of the same seed.
template <class Bench>
void fill(Bench& t, std::uint32_t seed, unsigned packets) {
  dice d(seed);
  const auto inputs = static_cast<unsigned>(t.config.inputs.size());
  for (unsigned n = 0; n < packets; ++n) {
    const unsigned i = d.below(inputs);
    const router_port& port = t.config.inputs[i];
    const unsigned lanes = port.terminal ? t.config.end_of(port) - port.network : t.config.lanes();
    const unsigned destination = d.below(64), length = d.between(1, t.config.packet_length);
    t.send(i, destination, length, d.below(lanes));
  }
}

}  // namespace spillway::testing_support
