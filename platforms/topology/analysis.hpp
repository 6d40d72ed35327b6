#pragma once
#include <cstdint>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What can be known of a network without running it.
struct analysis {
  std::uint64_t pairs = 0, unreachable = 0;  ///< ordered pairs of terminals looked at; without a route
  std::string example;                       ///< one of those, in words
  unsigned diameter = 0;                     ///< switches on the longest route
  double mean_hops = 0;                      ///< switches on a route, over all pairs
  unsigned max_ports = 0;                    ///< of a switch
  bool acyclic = true;                       ///< the channel dependency graph has no cycle
  std::vector<std::string> cycle;            ///< the links of one, or their channels, if not
  std::string no_escape;                     ///< where a packet has no escape channel, if the routing has any
  bool feed_forward = false;                 ///< no way leads back to a switch, whatever the routing
  std::uint64_t bisection = 0;               ///< links between two halves of the terminals; 0: not known
  bool unbounded = false;                    ///< queues have no bound, so nothing ever waits for room
  bool certified = false;                    ///< of all routes there is a certificate
  std::string several;    ///< the first place found where the routing allows several ways, in words
  bool together = false;  ///< all sources were followed at once, to one destination after the other
  bool sampled =
      false;  ///< only some of the sources, or destinations, were followed, the network being large

  bool sound() const { return unreachable == 0 && deadlock_free(); }
  bool deadlock_free() const { return acyclic && no_escape.empty(); }
};

/// What an analysis is to know of buffers, and how far it goes.
struct analysis_options {
  /// The queues of a switch draw on the same buffers: what a packet holds and waits for is the switch, not
  /// the link.
  bool shared_pools = false;
  unsigned channels = 1;           ///< virtual channels of a link, of one logical network
  std::uint64_t most = 4'000'000;  ///< pairs of terminals to follow, or the like amount of work
  static constexpr std::uint64_t all_pairs = std::uint64_t{1} << 56;  ///< `most` that leaves none out
  /// What finds no way is sent back to its source: nothing waits in the network, so nothing deadlocks.
  bool rejects = false;
  /// Buffers have no bound.
  bool unbounded = false;
  /// Buffers of each switch where a message may enter only those numbered 0 .. hop_classes - 1 - r, r being
  /// the links between switches that it still has to go from there (Merlin and Schweitzer); 0: no such rule.
  unsigned hop_classes = 0;
  /// There is a certificate() of the network: no order of its escape channels is looked for again.
  bool certified = false;
  /// With them: messages for one link wait behind each other, so that each waits for what any of them may.
  bool fifo_queues = false;
};

/// Follows all routes of every pair of terminals and builds the channel dependency graph (Dally and Seitz: an
/// edge from each virtual channel to every next one that a packet may ask for while it holds the first).
/// Acyclic means free of deadlock. If the routing has escape channels, only their dependencies count, also
/// those through other channels, and every switch must offer one (Duato). With `hop_classes` what a message
/// holds is a buffer of a switch, and it counts as waiting for the highest that it may enter at the next: one
/// that it is sure to get if those never wait for each other in a cycle. Past `most` pairs, or the like
/// amount of work, the sources are sampled evenly, of a memoryless routing the destinations; no cycle found
/// is then a proof only if the network is feed-forward. The bisection is what the kind of the topology knows
/// of it. Hops are those of the shortest way.
analysis analyse(const topology& shape, const routing& routes, const analysis_options& options = {});

/// The analysis for people, a line a fact.
std::string describe(const analysis& a);

/// The topology as GraphML, for `.txt` as an edge list or, for `.dot` and `.svg`, in the language of
/// Graphviz: chosen by the ending of the file's name. Throws std::invalid_argument for any other.
std::string graph_text(const topology& shape, const std::string& file);

}  // namespace spillway
