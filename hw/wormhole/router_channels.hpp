#pragma once
#include <cstdint>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/port_sets.hpp>
#include <spillway/hw/wormhole/router_config.hpp>
#include <vector>

namespace spillway {

/// How channels and links of a router are numbered: channel c of input or output p is p * stride + c, where c
/// counts over all networks: c = network * virtual_channels + v. Link s of output o is o * stride + s: s is
/// 0, or the network where networks take turns. The strides are those of the `Set`. A plain part.
template <class Set>
class router_channels {
public:
  using index = typename Set::index;  ///< holds the number of a channel

  /// Whether the channels of such a router can be numbered.
  static bool fits(const router_config& config);
  /// Throws as router_config::check(), or if the channels do not fit.
  explicit router_channels(const router_config& config);

  unsigned lanes() const { return lanes_; }  ///< channels of a port: networks times virtual channels
  /// Numbers of channels and links are below these.
  unsigned channels() const { return channels_; }
  unsigned links() const { return links_; }  ///< see channels()
  /// Of `channel` of `port`, counted over all networks.
  unsigned number(unsigned port, unsigned channel) const { return port * stride_ + channel; }
  /// @{
  /// Of the channel with this number: port, channel at that port, logical network.
  unsigned port_of(unsigned channel) const { return facts_[channel].port; }
  unsigned lane(unsigned channel) const { return channel - port_of(channel) * stride_; }
  unsigned network_of(unsigned channel) const { return facts_[channel].network; }
  /// @}
  /// Number of a channel when the numbers have no gaps.
  unsigned dense(unsigned channel) const { return Set::dense(channel, lanes_); }
  /// The link of an output channel.
  unsigned link_of(unsigned channel) const { return facts_[channel].link; }
  /// Number of the output that the link is of.
  unsigned output_of_link(unsigned link) const { return output_of_link_[link]; }
  /// Lane that a flit has on the link when it is sent in this output channel.
  std::uint8_t lane_of(unsigned channel) const { return facts_[channel].lane; }

  /// The channels of a port in a set, bit c for channel c.
  std::uint64_t at_port(const Set& set, unsigned port) const { return set.members(port * stride_, all_); }
  /// The channels of a port in a set become `channels`, bit c for channel c.
  void assign_port(Set& set, unsigned port, std::uint64_t channels) const {
    set.assign(port * stride_, all_, channels);
  }
  /// Adds `channels` of a port.
  void add_port(Set& set, unsigned port, std::uint64_t channels) const { set.add(port * stride_, channels); }

  /// All channels of a port, bit c for channel c.
  std::uint64_t all() const { return all_; }
  /// Channels of `output` that the ready mask of its link speaks of, bit c for channel c.
  std::uint64_t with_credit(unsigned output, lane_mask ready) const {
    return between_routers_ >> output & 1 ? ready & all_ : networks_with_credit(output, ready);
  }
  /// Channels of `output` that a flit of `network` may take, of those that the routing allows.
  std::uint64_t of_network(unsigned output, unsigned network, std::uint64_t allowed) const;
  /// Links on which a flit is shown in the cycle after it was chosen.
  const Set& wide() const { return wide_; }
  /// Every output channel that can be used.
  const Set& usable() const { return usable_; }

private:
  struct facts {
    std::uint8_t port, network, lane;
    index link;
  };

  static unsigned lanes_of(const router_config& config);
  static unsigned shares_of(const router_config& config);
  void number_output(const router_config& config, unsigned output);
  std::uint64_t networks_with_credit(unsigned output, lane_mask ready) const;

  unsigned lanes_, virtual_channels_, stride_, channels_;
  unsigned shares_, links_;  // links of an output, and of all
  std::uint64_t all_;
  std::uint64_t between_routers_ = 0;          // outputs that lead to a router
  typename Set::template table<facts> facts_;  // by channel
  typename Set::template table<std::uint8_t> output_of_link_;
  Set wide_, usable_;
};

extern template class router_channels<word_set>;
extern template class router_channels<two_level_set>;

}  // namespace spillway
