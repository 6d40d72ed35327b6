#pragma once
#include <array>
#include <cstdint>
#include <spillway/hw/links/packet_link.hpp>
#include <vector>

namespace spillway {

/// When a packet may leave a router, and what room the next one must have for it.
enum class router_flow {
  wormhole,           ///< flit by flit: a packet may lie across several routers
  cut_through,        ///< as soon as the head has come, if the next router has room for the whole packet
  store_and_forward,  ///< after the tail has come, likewise
};

/// One side of a link of a router.
struct router_port {
  bool terminal = false;          ///< its lanes are logical networks; otherwise they are virtual channels
  unsigned network = 0;           ///< terminal: logical network of lane 0
  unsigned cycles = 1;            ///< output: cycles that a flit is on the link, at least 1
  bool time_multiplexed = false;  ///< output: network n has cycle (t + phase) mod networks = n, and no other
  unsigned lanes = 0;             ///< terminal: networks that it has, from the first on; 0: all
};

/// Ports, channels and timing of a wormhole_router.
struct router_config {
  std::vector<router_port> inputs, outputs;
  unsigned networks = 1;          ///< logical networks that share the links
  unsigned virtual_channels = 1;  ///< of each logical network on each link
  unsigned depth = 4;             ///< flits a virtual channel
  router_flow flow = router_flow::wormhole;
  unsigned packet_length = 1;  ///< flits of the longest packet, for which the other flows ask for room
  unsigned latency = 1;        ///< cycles of a head from input to output, link of one cycle included
  unsigned entry_latency = 0;  ///< further cycles of a head that comes from a terminal
  unsigned phase = 0;          ///< of time multiplexing
  bool one_packet = false;     ///< a channel takes the next packet only when it is empty
  bool random_output = false;  ///< of several outputs a packet keeps to one drawn for it, whatever is free

  /// Lanes of a link between routers.
  unsigned lanes() const { return networks * virtual_channels; }
  /// First network after those of a terminal's port.
  unsigned end_of(const router_port& port) const { return port.lanes ? port.network + port.lanes : networks; }
  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// How queues, output channels and links of a router are numbered: queue i * lanes + c is channel c of input
/// i, likewise the output channels; link o * shares + s is output o, or network s on it where networks take
/// turns. A channel counts over all networks: c = network * virtual_channels + v. A plain part.
class router_lanes {
public:
  /// Throws as router_config::check().
  explicit router_lanes(const router_config& config);

  unsigned lanes() const { return lanes_; }
  unsigned links() const { return static_cast<unsigned>(link_output_.size()); }
  unsigned input_of(unsigned queue) const { return port_of_[queue]; }
  unsigned output_of(unsigned channel) const { return port_of_[channel]; }
  /// Queues of an input, or channels of an output.
  std::uint64_t of_port(unsigned port) const { return all_ << (port * lanes_); }
  unsigned network_of(unsigned queue_or_channel) const { return network_of_[queue_or_channel]; }
  unsigned link_of(unsigned channel) const { return link_of_[channel]; }
  unsigned output_of_link(unsigned link) const { return link_output_[link]; }
  /// Lane that a flit has on the link when it is sent in this channel.
  std::uint8_t lane_of(unsigned channel) const { return lane_of_[channel]; }
  /// Output channels of `output` that the ready mask of its link speaks of.
  std::uint64_t channels_ready(unsigned output, lane_mask ready) const {
    return (plain_outputs_ >> output & 1) ? (ready & all_) << (output * lanes_) : spread(output, ready);
  }
  /// Channels of `output` that a flit of `network` may take, of those that the routing allows.
  std::uint64_t channels_of(unsigned output, unsigned network, std::uint64_t allowed) const;
  /// Links on which a flit is shown in the cycle after it was chosen.
  std::uint64_t wide() const { return wide_; }
  /// Every output channel that can be used.
  std::uint64_t usable() const { return usable_; }

private:
  std::uint64_t spread(unsigned output, lane_mask ready) const;

  unsigned lanes_, channels_;
  std::uint64_t all_, plain_outputs_ = 0, wide_ = 0, usable_ = 0;
  std::array<std::uint8_t, 64> port_of_{}, network_of_{}, link_of_{}, lane_of_{};
  std::vector<std::uint8_t> link_output_;
};

}  // namespace spillway
