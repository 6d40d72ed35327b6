#pragma once
#include <cstdint>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/channel_dependencies.hpp>
#include <spillway/platforms/topology/link_table.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// Follows the routes of packets from terminal to terminal, and notes what they hold while they wait.
class route_walker {
public:
  /// `ordered`: nothing waits for the escape channels in a cycle, so that their dependencies need not be
  /// known.
  route_walker(const topology& shape, const routing& routes, const analysis_options& options,
               bool ordered = false);

  /// Takes every way that the routing allows, with every route that may be written at the entry; returns the
  /// switches on the shortest, or 0 and says why not.
  unsigned follow(std::uint32_t source, std::uint32_t destination, std::string& why);
  /// The same for all sources at once, where ways that meet go on alike: the switches on the shortest way of
  /// each. Returns none if one of them does not arrive.
  std::vector<unsigned> follow_all(std::uint32_t destination);

  /// What lies on a cycle of the dependencies of all that was followed; empty: they have none.
  std::vector<std::string> cycle() { return dependencies_.cycle(); }
  /// Where a packet has no escape channel, if the routing has any.
  const std::string& no_escape() const { return no_escape_; }
  /// The first place found where a packet may take several outputs; empty: there is none.
  const std::string& several() const { return several_; }
  /// Channels looked at so far: the work done.
  std::uint64_t visited() const { return visited_; }

private:
  struct place {
    std::uint32_t channel, source;
    unsigned switches;  // before it
  };
  using step = std::pair<std::uint32_t, std::uint32_t>;  // channels, the later one first
  struct way {
    std::uint32_t round = 0;      // in which the rest was written
    std::uint32_t last_step = 0;  // to the channel
    std::uint32_t distance = 0;   // switches to the end
  };

  /// Takes every way of the packet, the nearest first.
  unsigned follow_route(std::string& why);
  /// Follows the packets of all sources to the flit's destination.
  std::vector<unsigned> follow_all_routes();
  /// Calls f for everything that a packet there may ask for, having noted that it holds one and waits for the
  /// other.
  template <class F>
  void go_on(const place& here, F&& f);
  /// Switches from each of the links `first` to the end of the steps.
  std::vector<unsigned> hops_back(const std::vector<std::uint32_t>& first, std::vector<std::uint32_t> reached,
                                  const std::vector<step>& steps);
  /// Where the route may be written anew: with each other word the packet waits for what one does that enters
  /// there, and then goes on as that one, which is followed from its own source.
  void add_other_routes(std::uint32_t channel);
  /// Calls f(link, channel of it) for everything that a packet which holds `channel` may ask for.
  template <class F>
  void each_next(std::uint32_t channel, F&& f);
  /// Duato's extended dependencies: from an escape channel to the escape channels that are asked for next, at
  /// once or after any number of other channels.
  void add_escapes(const std::vector<place>& reached);

  void visit(std::vector<place>& reached, const place& next);
  channel_mask all_channels() const;
  std::uint32_t link_of(std::uint32_t channel) const { return channel / channels_; }
  bool into_terminal(std::uint32_t link) const { return links_.into_terminal(link); }
  /// Into a terminal every way is an escape: it takes all that comes.
  bool is_escape(std::uint32_t link, unsigned c) const { return into_terminal(link) || (escape_ >> c & 1); }

  const topology& shape_;
  const routing& routes_;
  const bool unbounded_, ordered_;
  const unsigned channels_;
  const channel_mask escape_;
  const link_table links_;
  channel_dependencies dependencies_;
  flit flit_;
  std::vector<std::uint32_t> seen_;  // by channel: last round that came here
  std::uint32_t round_ = 0;
  std::vector<way> ways_back_;  // by channel
  std::string no_escape_, several_;
  std::uint64_t visited_ = 0;
};

}  // namespace spillway
