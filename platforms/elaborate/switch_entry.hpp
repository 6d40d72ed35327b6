#pragma once
#include <memory>
#include <optional>
#include <spillway/hw/switching/drop_rule.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/platforms/elaborate/objection.hpp>
#include <spillway/platforms/elaborate/parts.hpp>
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
  std::shared_ptr<const switch_plan> plan = {};         ///< what the entry's plan() made
  unsigned link_latency = 1;                            ///< cycles of the links between switches
  bool marked = false;                                  ///< something marks packets at its outputs
  std::shared_ptr<drop_rule> drops = {};                ///< null: it drops nothing
  /// By output with a terminal: the input by which that terminal sends, if it sends to this switch.
  std::vector<unsigned> entries = {};
};

/// What an interface wants of the queues of a port.
struct port_queues {
  unsigned depth = 2;           ///< packets that may wait for the network
  bool by_destination = false;  ///< those to one destination do not hold up the others
};

/// What a planner of switches is told.
struct switch_plan_context {
  const topology& shape;
  std::shared_ptr<const routing> routes;
  unsigned packet_length = 1;  ///< flits of the longest packet
  std::uint64_t seed = 1;
  const nlohmann::json& parameters;  ///< the `switch` section, defaults filled in
  unsigned networks = 1;             ///< logical networks on the links
  port_queues queues = {};           ///< what the interfaces want of the ports
};

/// What a maker of ports is told.
struct port_context {
  unsigned terminal = 0;
  unsigned networks = 1;             ///< logical networks of the interface
  link_end next;                     ///< where the network's link leads
  const nlohmann::json& parameters;  ///< the `switch` section
  std::shared_ptr<const switch_plan> plan;
  port_queues queues;
};

/// Cycles of a packet from its making to its arrival in an empty network: of its head or, where packets are
/// stored before they are forwarded, of its tail.
struct zero_load {
  std::uint64_t fixed = 0, per_switch = 0;
  std::uint64_t interfaces = 0;  ///< beside these, in the interfaces and stages at both ends
  std::uint64_t wait = 0;        ///< at most so much longer, until the turn of its network comes
  bool tail = false;
  bool at_most = false;             ///< a switch may take less than that, as it depends on the way
  std::uint64_t cycles_a_flit = 1;  ///< from one flit of a network on a link to the next
};

/// What a latency depends on beside the section `switch`.
struct latency_context {
  const nlohmann::json& parameters;  ///< the `switch` section
  unsigned networks = 1;             ///< logical networks of the interfaces
  unsigned packet_length = 1;
  bool port = false;  ///< the interfaces' links are joined to the network's by ports
  const topology& shape;
  unsigned link_latency = 1;  ///< cycles of the links between switches
};

/// What the packets of a logical network are to those of the others.
enum class network_use : std::uint8_t {
  packets,           ///< of the workload; requests, where there are replies
  replies,           ///< to the packets of network 0, with their numbers
  acknowledgements,  ///< of a protocol of the interfaces
};
using network_uses = std::vector<network_use>;

/// Where a logical network runs: through which copy of the switches, and whether along the links of the graph
/// or with each of them turned round. Then a switch numbers the ports from after those of the other
/// direction.
struct network_course {
  unsigned copy = 0;
  bool turned = false;
};
inline bool operator==(const network_course& a, const network_course& b) {
  return a.copy == b.copy && a.turned == b.turned;
}

/// What a model of the whole network at the transaction level is to know of its switches.
struct transaction_timing {
  bool store_and_forward = false;
  unsigned entry = 0;           ///< cycles from the interface to the network's first link
  unsigned depth = 0;           ///< flits of a queue; 0: not modelled
  bool queue_an_output = true;  ///< one queue an input and output, rather than one an input
};

/// A kind of switch that a platform can be built of.
class switch_entry : public catalogue_entry {
public:
  using axis_entry = switch_entry;
  static axis_place place() { return {"switch", "kind"}; }

  virtual std::unique_ptr<network_block> make(const switch_context& context) const = 0;

  /// Kind of its links, those of the terminals included.
  virtual std::string link_kind() const { return "packet"; }
  virtual std::unique_ptr<network_link> make_link(const nlohmann::json& /*parameters*/,
                                                  link_place place) const {
    return std::make_unique<packet_link>(std::move(place));
  }
  /// Whether `link.latency` may be more than 1: then its links must be plain packet links.
  virtual bool takes_long_links(const nlohmann::json& /*parameters*/) const {
    return link_kind() == "packet";
  }
  /// Whether its inputs have one lane an output, so that senders look ahead.
  virtual bool looks_ahead(const nlohmann::json& /*parameters*/) const { return false; }
  /// Why they cannot let the routing write the route part of heads that enter the network
  /// (routing::at_entry()); empty: they do.
  virtual std::string writes_no_routes(const nlohmann::json& /*parameters*/) const {
    return "switches of kind '" + name() + "' do not ask for";
  }
  /// Why nothing can mark packets at their outputs (network_block::connect_marking()); empty: it can.
  virtual std::string takes_no_marks(const nlohmann::json& /*parameters*/) const {
    return "switches of kind '" + name() + "' do not show what waits for their outputs";
  }
  /// Why they cannot drop packets (switch_context::drops); empty: they can.
  virtual std::string drops_nothing(const nlohmann::json& /*parameters*/) const {
    return "switches of kind '" + name() + "' let packets wait for as long as it takes";
  }
  /// Whether they take the lowest of several outputs that the routing allows, always.
  virtual bool takes_the_lowest(const nlohmann::json& /*parameters*/) const { return false; }
  /// Virtual channels of a link, of one logical network.
  virtual unsigned channels(const nlohmann::json& /*parameters*/) const { return 1; }
  /// Where each logical network of the interfaces runs. Networks with the same course share its links.
  /// Throws std::invalid_argument for such as its switches cannot carry.
  virtual std::vector<network_course> courses(const network_uses& networks) const;

  /// Whether make_port() joins packet links to links of its kind.
  virtual bool has_port() const { return false; }
  /// Makes what stands between the packet links of a terminal's interface, one a logical network, and its
  /// links of the network, one a course; nullptr: nothing, they are the same.
  virtual std::unique_ptr<interface_stage> make_port(const port_context&) const { return nullptr; }

  /// Whether they make one of what all terminals contribute to a round (packet_requests::reductions), and
  /// pass on nothing else.
  virtual bool reduces() const { return false; }
  /// Whether they keep the packets of a pair of terminals in order where the routing does.
  virtual bool keeps_order(const nlohmann::json& /*parameters*/) const { return true; }
  /// What does not fit in an experiment with such switches.
  virtual std::vector<objection> object_to(const experiment_view&) const { return {}; }
  /// Why packets do not arrive with the data that they are sent with; empty: they do.
  virtual std::string changes_data(const nlohmann::json& /*parameters*/) const { return {}; }
  /// Plans what all switches and interfaces share, or nullptr. Throws std::invalid_argument when the section
  /// does not fit the network, objection_error where it is a key that does not.
  virtual std::shared_ptr<const switch_plan> plan(const switch_plan_context&) const { return nullptr; }

  /// Flits of one logical network that the buffers of a switch with so many inputs and outputs have room for,
  /// in a network of so many terminals; nullopt: it takes memory for what it holds only.
  virtual std::optional<double> room(const nlohmann::json& /*parameters*/, unsigned /*inputs*/,
                                     unsigned /*outputs*/, std::size_t /*terminals*/) const {
    return std::nullopt;
  }
  /// Latency without contention; nullopt: not known.
  virtual std::optional<zero_load> latency(const latency_context&) const { return std::nullopt; }
  /// Tells the analysis of its buffers.
  virtual void describe_buffers(const nlohmann::json& /*parameters*/, analysis_options&) const {}
  /// What a model at the transaction level takes from them, which then has the timing of the pins where there
  /// is no contention; nullopt: there is none.
  virtual std::optional<transaction_timing> transactions(const nlohmann::json& /*parameters*/) const {
    return std::nullopt;
  }

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
