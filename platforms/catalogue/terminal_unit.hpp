#pragma once
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/link.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Blocks that a platform clocks, resets and asks for numbers: those of one terminal, or those that all
/// terminals share (a bus, an arbiter).
class platform_part {
public:
  virtual ~platform_part() = default;
  /// The blocks; the platform binds their clock and reset.
  virtual std::vector<clocked*> blocks() = 0;
  /// Links between its own blocks, for checkers and waveforms.
  virtual std::vector<network_link*> links() { return {}; }
  /// Flits that it holds now: made, and neither in the network nor delivered.
  virtual std::uint64_t held_flits() const { return 0; }
  /// Flits thrown away by resets so far.
  virtual std::uint64_t lost_in_reset() const { return 0; }
  /// Flits that switches within it have sent so far, where it models the network.
  virtual std::uint64_t forwarded() const { return 0; }
  /// Adds what its mechanism counts.
  virtual void count(counters&) const {}
  /// Who watches what happens to messages within the network, on the way to `next`.
  virtual endpoint_observer& observer(endpoint_observer& next) { return next; }
};

/// What stands between a terminal's workload and the networks.
class terminal_unit : public platform_part {
public:
  /// Bind the pins towards or from a network; network 0 unless the kind has more.
  virtual void connect_output(unsigned network, network_link& l) = 0;
  virtual void connect_input(unsigned network, network_link& l) = 0;
};

/// What all switches of a platform and the interfaces at its edge share, such as tables.
class switch_plan {
public:
  virtual ~switch_plan() = default;
};

/// What a maker of terminal units is told.
struct terminal_context {
  unsigned terminal = 0, terminals = 0, networks = 1;
  std::unique_ptr<packet_supply> supply;  ///< the workload
  sink_config service;
  endpoint_observer& observer;
  std::shared_ptr<const routing> routes;
  link_end next;               ///< where its output leads, in every network
  unsigned packet_length = 1;  ///< flits of the longest packet
  unsigned source_queue = 0;   ///< packets; 0: any number
  std::uint64_t seed = 1;
  const nlohmann::json& parameters;  ///< the `interface` section, defaults filled in
  platform_part* shared = nullptr;   ///< what the kind's `shared` made
  clock_domain* domain = nullptr;    ///< for links between its own blocks; nullptr: sc_signals
  std::shared_ptr<const switch_plan> switches = {};  ///< what the switches' kind has planned
};

struct network_plan;

/// What a maker of shared parts is told.
struct shared_context {
  unsigned terminals = 0;
  std::uint64_t seed = 1;
  const nlohmann::json& parameters;
  clock_domain* domain = nullptr;
  const nlohmann::json& switches;  ///< the `switch` section, defaults filled in
  const network_plan& plan;        ///< valid only while the part is being made
};

/// A kind of interface that the terminals of a platform can have.
struct interface_kind {
  std::function<std::unique_ptr<terminal_unit>(terminal_context)> make;
  /// Copies of the switch graph that it needs, such as request and reply; empty: one.
  std::function<unsigned(const nlohmann::json& parameters)> networks;
  /// Makes what all its units share; empty: nothing.
  std::function<std::unique_ptr<platform_part>(const shared_context&)> shared;
  /// Whether it delivers the packets of one source in order over any network; empty: no.
  std::function<bool(const nlohmann::json& parameters)> in_order;
  /// What is wrong with an experiment whose interfaces are of this kind, in words; empty: nothing.
  std::function<std::string(const nlohmann::json& experiment, unsigned terminals)> check;
  /// Flits of the longest packet that it makes by itself, such as a reply; empty: 1.
  std::function<unsigned(const nlohmann::json& parameters)> longest = {};
  /// Whether network 1 carries replies to the requests of network 0, with their numbers.
  std::function<bool(const nlohmann::json& parameters)> answers = {};
  /// JSON Schema of its keys (see add_kind); null for the kinds that yaml/schema describes.
  nlohmann::json keys = {};
  /// Kind of the links that it binds to; the switches must have the same.
  std::string link_kind = "packet";
  /// Another kind that it can bind to instead; empty: none.
  std::string other_link_kind = {};
  /// Whether a program of the user's own drives it, so that there is nothing to run from a file alone.
  bool driven_from_outside = false;
  /// The same at the transaction level: what its units share is a model of the network too, and no pins of
  /// theirs are bound. Null: there is none.
  std::shared_ptr<const interface_kind> transactions = nullptr;

  /// Flits of the longest packet in the networks, beside a workload's.
  unsigned longest_packet(const nlohmann::json& parameters, unsigned workload) const {
    return longest ? std::max(workload, longest(parameters)) : workload;
  }
};

/// The plain interface: a source and a sink.
std::unique_ptr<terminal_unit> make_plain_unit(terminal_context context);

}  // namespace spillway
