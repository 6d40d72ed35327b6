#pragma once
#include <algorithm>
#include <memory>
#include <spillway/platforms/elaborate/packet_requests.hpp>
#include <spillway/platforms/elaborate/switch_entry.hpp>
#include <string>
#include <vector>

namespace spillway {

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
  const nlohmann::json& parameters;                  ///< the section of the interface, defaults filled in
  platform_part* shared = nullptr;                   ///< what the entry's share() made
  std::shared_ptr<const switch_plan> switches = {};  ///< what the switches' entry has planned
};

/// The link by which the terminal's sink tells its source of arrivals; nullptr: the workload does not listen.
inline std::unique_ptr<arrival_link> make_arrival_link(const terminal_context& c) {
  if (!c.supply->listens()) return nullptr;
  return std::make_unique<arrival_link>(link_place{"link_arrivals_" + std::to_string(c.terminal)});
}

/// What a maker of stages is told.
struct stage_context {
  unsigned terminal = 0, terminals = 0;
  unsigned networks = 1;  ///< of what stands on the terminal's side
  endpoint_observer& observer;
  std::shared_ptr<const routing> routes;
  link_end next;
  unsigned packet_length = 1;  ///< flits of the longest packet
  std::uint64_t seed = 1;
  const nlohmann::json& parameters;  ///< its member of `stages`, defaults filled in
};

struct network_plan;

/// What a maker of shared parts is told.
struct shared_context {
  unsigned terminals = 0;
  std::uint64_t seed = 1;
  const nlohmann::json& parameters;
  const switch_entry& switches;
  const network_plan& plan;             ///< valid only while the part is being made
  sc_core::sc_time period, first_edge;  ///< of the clock
  clock_domain* domain = nullptr;       ///< of the fast kernel
};

/// A kind of interface that the terminals of a platform can have.
class interface_entry : public catalogue_entry {
public:
  using axis_entry = interface_entry;
  static axis_place place() { return {"interface", "kind"}; }

  virtual std::unique_ptr<terminal_unit> make(terminal_context context) const = 0;
  /// Kind of the links that it binds to.
  virtual std::string link_kind() const { return "packet"; }
  /// The logical networks that it needs, by number.
  virtual network_uses networks(const nlohmann::json& /*parameters*/) const { return {network_use::packets}; }
  /// Makes what all its units share; nullptr: nothing.
  virtual std::unique_ptr<platform_part> share(const shared_context&) const { return nullptr; }
  /// What it wants of the queues of a port, where switches have ports.
  virtual port_queues queues(const nlohmann::json& /*parameters*/) const { return {}; }
  /// Whether it delivers the packets of one source in order over any network.
  virtual bool in_order(const nlohmann::json& /*parameters*/) const { return false; }
  /// Whether it keeps the packets of a pair of terminals in order, replies too, where the network does.
  virtual bool keeps_order(const nlohmann::json& /*parameters*/) const { return true; }
  /// Flits of the longest packet that it makes by itself, such as a reply.
  virtual unsigned longest(const nlohmann::json& /*parameters*/) const { return 1; }
  /// Cycles that it adds to the way of a packet of so many flits, both ends together, without contention.
  virtual unsigned latency(const nlohmann::json& /*parameters*/, unsigned /*flits*/) const { return 0; }
  /// Whether its terminals carry out what the experiment says in `traffic`, `workload` and `endpoint`; else a
  /// program of the user's own drives them.
  virtual bool takes_workload() const { return true; }
  /// What the terminals' software can ask of it.
  virtual packet_requests requests(const nlohmann::json& /*parameters*/) const { return {}; }
  /// Whether a terminal's source hears of what arrives there, as programs that answer want.
  virtual bool answers() const { return false; }
  /// Whether it needs a routing that keeps the packets of one source and destination in order.
  virtual bool needs_order() const { return false; }
  /// What does not fit in an experiment with such interfaces.
  virtual std::vector<objection> object_to(const experiment_view&) const { return {}; }
  /// The same at the transaction level: what its units share is a model of the network too, and no pins of
  /// theirs are bound. nullptr: there is none.
  virtual const interface_entry* transactions() const { return nullptr; }
  /// Whether that entry is for the functional level, too.
  virtual bool functional() const { return false; }
  /// Of an entry for the transaction level: whether its model needs the switches of the graph. If not, a
  /// topology may leave them out.
  virtual bool needs_switches() const { return true; }

protected:
  using catalogue_entry::catalogue_entry;
};

/// A kind of stage between the interfaces and the network; a member of the list `stages`.
class stage_entry : public catalogue_entry {
public:
  using axis_entry = stage_entry;
  static axis_place place() { return {"stages", "kind"}; }

  virtual std::unique_ptr<interface_stage> make(const stage_context& context) const = 0;
  /// The logical networks on the network's side, by those on the terminal's. Throws std::invalid_argument for
  /// such as it cannot carry.
  virtual network_uses networks(const nlohmann::json& /*parameters*/, const network_uses& inner) const {
    return inner;
  }
  /// See interface_entry.
  virtual port_queues queues(const nlohmann::json& /*parameters*/) const { return {}; }
  virtual bool in_order(const nlohmann::json& /*parameters*/) const { return false; }
  /// Whether it keeps the packets of a pair of terminals in order where the network does.
  virtual bool keeps_order(const nlohmann::json& /*parameters*/) const { return true; }
  virtual unsigned longest(const nlohmann::json& /*parameters*/) const { return 1; }
  virtual packet_requests requests(const nlohmann::json& /*parameters*/) const { return {}; }
  /// Cycles that it adds to the way of a packet of so many flits, both ends together, without contention.
  virtual unsigned latency(const nlohmann::json& /*parameters*/, unsigned /*flits*/) const { return 0; }
  /// Whether a terminal may have several of them. Not if each writes into the same part of a head.
  virtual bool repeats() const { return true; }
  /// What does not fit in its member of `stages`, at keys of that such as `/pool`, with packets of so many
  /// flits at most.
  virtual std::vector<objection> object_to(const nlohmann::json& /*parameters*/,
                                           unsigned /*packet_length*/) const {
    return {};
  }

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
