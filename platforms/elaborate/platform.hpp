#pragma once
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <spillway/hw/switches/switch_block.hpp>
#include <spillway/platforms/elaborate/terminal_unit.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What a maker of switches is told.
struct switch_context {
  std::string name;  ///< SystemC name
  unsigned node = 0, stage = 0, inputs = 0, outputs = 0;
  unsigned terminals = 0;  ///< of the network
  std::shared_ptr<const routing> routes;
  std::vector<link_end> neighbours;  ///< by output
  unsigned packet_length = 1;        ///< flits of the longest packet
  std::uint64_t seed = 1;
  const nlohmann::json& parameters;  ///< the `switch` section, defaults filled in
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
  std::function<std::unique_ptr<link>(const nlohmann::json& parameters, link_place, clock_domain*)> make_link;

  bool has_lanes(const nlohmann::json& parameters) const { return lanes && lanes(parameters); }
  bool has_shared_pool(const nlohmann::json& parameters) const {
    return shares_pool && shares_pool(parameters);
  }
};

/// Name to maker. A user's program adds its own kinds before it builds a platform.
struct block_kinds {
  std::map<std::string, switch_kind> switches;
  std::map<std::string, interface_kind> interfaces;
};
block_kinds standard_kinds();

enum class kernel { signals, fast };

struct platform_config {
  kernel runs_on = kernel::fast;
  sc_core::sc_time period{1, sc_core::SC_NS};
  unsigned packet_length = 1;                    ///< flits of the longest packet
  unsigned source_queue = 0;                     ///< packets; 0: any number
  std::uint64_t seed = 1;                        ///< of what the blocks draw
  nlohmann::json switches{{"kind", "packet"}};   ///< the `switch` section, defaults filled in
  nlohmann::json interfaces{{"kind", "plain"}};  ///< the `interface` section, defaults filled in
};

/// What the terminals do, and who watches them.
struct workload {
  std::function<std::unique_ptr<packet_supply>(unsigned terminal)> supply;
  std::function<sink_config(unsigned terminal)> service;
  endpoint_observer& observer;
};

/// A network with its terminals, elaborated from a topology graph: one module a vertex, one link an edge,
/// and that as many times as the interfaces want networks.
class platform : public sc_core::sc_module {
public:
  platform(const sc_core::sc_module_name& name, const topology& shape, std::shared_ptr<const routing> routes,
           platform_config config, const block_kinds& kinds, const workload& work);
  ~platform() override;

  /// Binds clock and reset of a block of the testbench's own to those of the platform.
  void attach(clocked& block);
  /// Drives the reset of every block; seen at the next edge.
  void drive_reset(bool active);
  /// Runs for that many edges.
  void run(std::uint64_t cycles);
  std::uint64_t cycle() const { return cycle_; }

  /// Network after network, each in the order of the graph.
  const std::vector<std::unique_ptr<network_block>>& switches() const { return switches_; }
  unsigned networks() const { return networks_; }
  const std::vector<std::unique_ptr<terminal_unit>>& terminals() const { return terminals_; }
  /// The links of the networks, then those within the terminals and what they share.
  const std::vector<link*>& links() const { return all_links_; }
  std::size_t blocks() const { return blocks_; }
  /// Flits that some block holds now.
  std::uint64_t held_flits() const;
  std::uint64_t lost_in_reset() const;
  /// What the blocks have counted.
  counters count() const;

private:
  void make_switches(const topology& shape, const std::shared_ptr<const routing>& routes, unsigned network);
  void make_terminals(const topology& shape, const std::shared_ptr<const routing>& routes,
                      const workload& work);
  void make_links(const topology& shape, unsigned network);
  void tie_open_ports(const topology& shape, unsigned network);
  std::unique_ptr<link> make_link(link_place place);
  void connect(link& l, const vertex& v, unsigned network, unsigned port, bool sends);
  void adopt(platform_part& part);

  const platform_config config_;
  const switch_kind& switch_kind_;
  const interface_kind& interface_kind_;
  const unsigned networks_;
  std::size_t switches_a_network_ = 0, blocks_ = 0;
  std::unique_ptr<clock_domain> domain_;
  std::unique_ptr<sc_core::sc_clock> clock_;
  std::unique_ptr<sc_core::sc_signal<bool>> reset_signal_;
  std::unique_ptr<wire<bool>> reset_wire_;
  std::vector<std::unique_ptr<network_block>> switches_;
  std::unique_ptr<platform_part> shared_;
  std::vector<std::unique_ptr<terminal_unit>> terminals_;
  std::vector<std::unique_ptr<link>> links_;
  std::vector<std::unique_ptr<link>> stubs_;  // open ports: never valid, never ready
  std::vector<link*> all_links_;
  std::uint64_t cycle_ = 0;
};

}  // namespace spillway
