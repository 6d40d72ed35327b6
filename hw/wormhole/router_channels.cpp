#include <algorithm>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/wormhole/router_channels.hpp>
#include <string>

namespace spillway {

template <class Set>
bool router_channels<Set>::fits(const router_config& config) {
  return (config.ports() - 1) * Set::stride(config.lanes()) + config.lanes() <= Set::size;
}

/// Lanes of a link, once it is sure that all have numbers.
template <class Set>
unsigned router_channels<Set>::lanes_of(const router_config& config) {
  config.check();
  detail::need(fits(config), "a router of this type has at most 64 channels over all ports, found " +
                                 std::to_string(config.ports()) + " ports of " +
                                 std::to_string(config.lanes()) + ": take a large_wormhole_router");
  return config.lanes();
}

/// Links of an output: where networks take turns on any, each has its own.
template <class Set>
unsigned router_channels<Set>::shares_of(const router_config& config) {
  const bool turns = std::any_of(config.outputs.begin(), config.outputs.end(),
                                 [](const router_port& p) { return p.time_multiplexed; });
  return turns ? config.networks : 1;
}

template <class Set>
router_channels<Set>::router_channels(const router_config& config)
    : lanes_(lanes_of(config)),
      virtual_channels_(config.virtual_channels),
      stride_(Set::stride(lanes_)),
      channels_(config.ports() * stride_),
      shares_(shares_of(config)),
      links_(static_cast<unsigned>(config.outputs.size()) * Set::stride(shares_)),
      all_(masks::low_bits(lanes_)),
      facts_(channels_),
      output_of_link_(links_) {
  for (unsigned p = 0; p < config.ports(); ++p)
    for (unsigned c = 0; c < lanes_; ++c) {
      facts& f = facts_[number(p, c)];
      f.port = static_cast<std::uint8_t>(p);
      f.network = static_cast<std::uint8_t>(c / virtual_channels_);
    }
  for (unsigned o = 0; o < config.outputs.size(); ++o) number_output(config, o);
}

template <class Set>
void router_channels<Set>::number_output(const router_config& config, unsigned output) {
  const router_port& port = config.outputs[output];
  const unsigned first_link = output * Set::stride(shares_);
  if (!port.terminal) between_routers_ |= masks::bit(output);
  for (unsigned s = 0; s < shares_; ++s) {
    if (port.cycles == 1 && !port.time_multiplexed) wide_.insert(first_link + s);
    output_of_link_[first_link + s] = static_cast<std::uint8_t>(output);
  }
  for (unsigned c = 0; c < lanes_; ++c) {
    facts& f = facts_[number(output, c)];
    f.link = static_cast<index>(first_link + (port.time_multiplexed ? f.network : 0));
    f.lane = static_cast<std::uint8_t>(port.terminal ? f.network - port.network : c);
  }
  const unsigned first = port.terminal ? port.network : 0,
                 end = port.terminal ? config.end_of(port) : config.networks;
  for (unsigned n = first; n < end; ++n) add_port(usable_, output, of_network(output, n, ~std::uint64_t{0}));
}

template <class Set>
std::uint64_t router_channels<Set>::of_network(unsigned output, unsigned network,
                                               std::uint64_t allowed) const {
  // A terminal takes one packet of a network at a time.
  const std::uint64_t channels =
      between_routers_ >> output & 1 ? allowed & masks::low_bits(virtual_channels_) : 1;
  return channels << (network * virtual_channels_);
}

template <class Set>
std::uint64_t router_channels<Set>::networks_with_credit(unsigned output, lane_mask ready) const {
  std::uint64_t channels = 0;
  for (unsigned c = 0; c < lanes_; c += virtual_channels_) {
    const unsigned channel = number(output, c);
    if (usable_.contains(channel) && (ready >> lane_of(channel) & 1)) channels |= masks::bit(c);
  }
  return channels;
}

template class router_channels<word_set>;
template class router_channels<two_level_set>;

}  // namespace spillway
