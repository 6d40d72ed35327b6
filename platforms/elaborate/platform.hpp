#pragma once
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/switches/switch_block.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What a maker of switches is told.
struct switch_context {
  std::string name;  ///< SystemC name
  unsigned node = 0, inputs = 0, outputs = 0;
  std::shared_ptr<const routing> routes;
  std::vector<link_end> neighbours;  ///< by output
  unsigned packet_length = 1;        ///< flits of the longest packet
  const nlohmann::json& parameters;  ///< the `switch` section, defaults filled in
};

/// A kind of switch that a platform can be built of.
struct switch_kind {
  std::function<std::unique_ptr<switch_block>(const switch_context&)> make;
  /// Whether its inputs have one lane an output, so that senders look ahead.
  std::function<bool(const nlohmann::json& parameters)> lanes;
  /// Whether packets for different outputs compete for the same buffers, so that one that waits can
  /// block all the others.
  std::function<bool(const nlohmann::json& parameters)> shares_pool;
};

/// Name to maker. A user's program adds its own kinds before it builds a platform.
struct block_kinds {
  std::map<std::string, switch_kind> switches;
};
block_kinds standard_kinds();

enum class kernel { signals, fast };

/// A link of a platform: where it leads, and its wires on either kernel.
struct platform_link {
  std::string name;
  int from_switch = -1, to_switch = -1;  ///< -1: a terminal
  unsigned from_port = 0, to_port = 0;
  std::unique_ptr<packet_signals> signals;
  std::unique_ptr<packet_wires> wires;

  bool valid() const { return signals ? signals->valid.read() : wires->valid.read(); }
  const flit& data() const { return signals ? signals->data.read() : wires->data.read(); }
  lane_mask ready() const { return signals ? signals->ready.read() : wires->ready.read(); }

  template <class Bundle>
  void connect(Bundle& end) {
    if (signals)
      end.bind(*signals);
    else
      end.bind(*wires);
  }
};

struct platform_config {
  kernel runs_on = kernel::fast;
  sc_core::sc_time period{1, sc_core::SC_NS};
  unsigned packet_length = 1;  ///< flits of the longest packet
  unsigned source_queue = 0;   ///< packets; 0: any number
};

/// A network with its terminals, elaborated from a topology graph: one module a vertex, one link an edge.
class platform : public sc_core::sc_module {
public:
  using supply_maker = std::function<std::unique_ptr<packet_supply>(unsigned terminal)>;
  using sink_maker = std::function<sink_config(unsigned terminal)>;

  platform(const sc_core::sc_module_name& name, const topology& shape, std::shared_ptr<const routing> routes,
           const platform_config& config, const block_kinds& kinds, const nlohmann::json& switch_parameters,
           const supply_maker& supplies, const sink_maker& sinks, endpoint_observer& observer);
  ~platform() override;

  /// Binds clock and reset of a block of the testbench's own to those of the platform.
  void attach(clocked& block);
  /// Drives the reset of every block; seen at the next edge.
  void drive_reset(bool active);
  /// Runs for that many edges.
  void run(std::uint64_t cycles);
  std::uint64_t cycle() const { return cycle_; }

  const std::vector<std::unique_ptr<switch_block>>& switches() const { return switches_; }
  const std::vector<std::unique_ptr<source>>& sources() const { return sources_; }
  const std::vector<std::unique_ptr<sink>>& sinks() const { return sinks_; }
  std::vector<platform_link>& links() { return links_; }
  std::size_t blocks() const { return switches_.size() + sources_.size() + sinks_.size(); }
  std::uint64_t lost_in_reset() const;

private:
  void make_switches(const topology& shape, const std::shared_ptr<const routing>& routes,
                     const block_kinds& kinds, const nlohmann::json& parameters);
  void make_links(const topology& shape);
  void tie_open_ports(const topology& shape);

  const platform_config config_;
  std::unique_ptr<clock_domain> domain_;
  std::unique_ptr<sc_core::sc_clock> clock_;
  std::unique_ptr<sc_core::sc_signal<bool>> reset_signal_;
  std::unique_ptr<wire<bool>> reset_wire_;
  std::vector<std::unique_ptr<switch_block>> switches_;
  std::vector<std::unique_ptr<source>> sources_;
  std::vector<std::unique_ptr<sink>> sinks_;
  std::vector<platform_link> links_;
  std::vector<platform_link> stubs_;  // open ports: never valid, never ready
  std::uint64_t cycle_ = 0;
};

}  // namespace spillway
