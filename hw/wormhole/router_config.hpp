#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/switching/drop_rule.hpp>
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
  bool terminal = false;  ///< its lanes are logical networks; otherwise they are virtual channels
  unsigned network = 0;   ///< terminal: logical network of lane 0
  unsigned cycles = 1;    ///< output: cycles that a flit is on the link, at least 1
  /// Output: network n has cycle (t + phase) mod networks = n, and no other; a single network has them all.
  bool time_multiplexed = false;
  unsigned lanes = 0;  ///< terminal: networks that it has, from the first on; 0: all
  unsigned entry = 0;  ///< terminal, output: input by which it sends; of use to drop_rule alone
};

/// Ports, channels and timing of a wormhole router.
struct router_config {
  std::vector<router_port> inputs;   ///< 1 to 64
  std::vector<router_port> outputs;  ///< 1 to 64
  unsigned networks = 1;             ///< logical networks that share the links, at least 1
  /// Of each logical network on each link, at least 1; over all networks a link has at most 64.
  unsigned virtual_channels = 1;
  unsigned depth = 4;                        ///< flits a virtual channel, 1 to 4096
  router_flow flow = router_flow::wormhole;  ///< flit by flit, unless said otherwise
  unsigned packet_length = 1;  ///< flits of the longest packet, for which the other flows ask for room
  unsigned latency = 1;  ///< cycles of a head from input to output, at least 1, link of one cycle included
  unsigned entry_latency = 0;  ///< further cycles of a head that comes from a terminal
  unsigned phase = 0;          ///< of time multiplexing
  bool one_packet = false;     ///< a channel takes the next packet only when it is empty
  bool marked = false;         ///< what waits for its outputs is shown, and its heads get marks
  bool priority = false;       ///< flits of a logical network go before those of the networks below it
  std::shared_ptr<drop_rule> drops = {};  ///< of this router; null: nothing is dropped
  bool random_output = false;  ///< of several outputs a packet keeps to one drawn for it, whatever is free
  std::uint64_t seed = 1;      ///< of these draws

  unsigned ports() const;  ///< the greater number of inputs or outputs
  /// Lanes of a link between routers.
  unsigned lanes() const { return networks * virtual_channels; }
  /// The same of any of its links.
  unsigned lanes_of(const router_port& port) const {
    return port.terminal ? end_of(port) - port.network : lanes();
  }
  /// First network after those of a terminal's port.
  unsigned end_of(const router_port& port) const { return port.lanes ? port.network + port.lanes : networks; }
  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

}  // namespace spillway
