#pragma once
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/platforms/catalogue/terminal_unit.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What a maker of switches is told.
struct switch_context {
  std::string name;  ///< SystemC name
  unsigned network = 0;
  unsigned node = 0, stage = 0, inputs = 0, outputs = 0;
  unsigned terminals = 0;  ///< of the network
  std::shared_ptr<const routing> routes;
  std::vector<link_end> neighbours;  ///< by output
  unsigned packet_length = 1;        ///< flits of the longest packet
  std::uint64_t seed = 1;
  const nlohmann::json& parameters;                     ///< the `switch` section, defaults filled in
  unsigned networks = 1;                                ///< logical networks on its links
  port_mask terminal_inputs = 0, terminal_outputs = 0;  ///< ports with a terminal at the other end
  std::shared_ptr<const switch_plan> plan = {};         ///< what the kind's `plan` made
  clock_domain* domain = nullptr;                       ///< for links within the switch; nullptr: sc_signals
};

/// What a maker of terminal ports is told.
struct port_context {
  std::string name;
  unsigned networks = 1;
  const nlohmann::json& parameters;  ///< the `switch` section
};

/// Cycles of a packet from its making to its arrival in an empty network: of its head or, where packets are
/// stored before they are forwarded, of its tail.
struct zero_load {
  std::uint64_t fixed = 0, per_switch = 0;
  std::uint64_t wait = 0;  ///< at most so much longer, until the turn of its network comes
  bool tail = false;
  std::uint64_t cycles_a_flit = 1;  ///< from one flit of a network on a link to the next
};

/// What a planner of switches is told.
struct switch_plan_context {
  const topology& shape;
  std::shared_ptr<const routing> routes;
  unsigned packet_length = 1;  ///< flits of the longest packet
  std::uint64_t seed = 1;
  const nlohmann::json& parameters;  ///< the `switch` section, defaults filled in
  unsigned networks = 1;             ///< logical networks on the links
};

/// A kind of switch that a platform can be built of.
struct switch_kind {
  std::function<std::unique_ptr<network_block>(const switch_context&)> make;
  /// Whether its inputs have one lane an output, so that senders look ahead; empty: no.
  std::function<bool(const nlohmann::json& parameters)> lanes;
  /// Whether packets for different outputs compete for the same buffers, so that one that waits can
  /// block all the others; empty: no.
  std::function<bool(const nlohmann::json& parameters)> shares_pool;
  /// Makes the links of a network of such switches, those of the terminals included; empty: packet links.
  std::function<std::unique_ptr<network_link>(const nlohmann::json& parameters, link_place, clock_domain*)>
      make_link;
  /// Makes the port of a terminal, where one copy of the graph carries all its networks: a block whose links
  /// `n` are those of network n of the terminal and whose link `networks` leads to and from the network. May
  /// return nullptr for a single network. Empty: each network has a copy of the graph.
  std::function<std::unique_ptr<network_block>(const port_context&)> make_port = {};
  /// Latency without contention; empty: not known.
  std::function<zero_load(const nlohmann::json& parameters, unsigned networks, unsigned packet_length)>
      latency = {};
  /// JSON Schema of its keys (see add_kind); null for the kinds that yaml/schema describes.
  nlohmann::json keys = {};
  /// Kind of its links; the interfaces must have the same.
  std::string link_kind = "packet";
  /// The only topology that it is made for; empty: any.
  std::string topology_kind = {};
  /// Network 1 is network 0 with every link turned round, through the same blocks: they number its ports from
  /// after those of network 0. For interfaces whose network 1 answers network 0.
  bool mirrored = false;
  /// Plans what all switches and interfaces share, or nullptr; empty: nothing. Throws std::invalid_argument
  /// when the section does not fit the network.
  std::function<std::shared_ptr<const switch_plan>(const switch_plan_context&)> plan = {};

  /// Flits of one logical network that the buffers of a switch with so many inputs and outputs have room for,
  /// in a network of so many terminals; empty: it takes memory for what it holds only.
  std::function<double(const nlohmann::json& parameters, unsigned inputs, unsigned outputs,
                       std::size_t terminals)>
      room = {};

  /// What else the analysis is to know of its buffers; empty: nothing.
  std::function<void(const nlohmann::json& parameters, analysis_options&)> buffers = {};

  bool has_lanes(const nlohmann::json& parameters) const { return lanes && lanes(parameters); }
  bool has_shared_pool(const nlohmann::json& parameters) const {
    return shares_pool && shares_pool(parameters);
  }
};

/// Name to maker. A user's program adds its own kinds before it builds a platform.
struct block_kinds : catalogue {
  std::map<std::string, switch_kind> switches;
  std::map<std::string, interface_kind> interfaces;
};
block_kinds standard_kinds();

/// The JSON Schema of experiments of these kinds.
nlohmann::json experiment_schema(const block_kinds& kinds);

}  // namespace spillway
