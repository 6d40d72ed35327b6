#pragma once
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/distances.hpp>
#include <spillway/platforms/topology/link_table.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What packets hold while they wait for something else, as a graph. What is held is numbered: channel c of
/// link l as l * channels + c, or the switch that a link leads to where its queues share their buffers, or,
/// with classes of buffers, buffer b of switch s as s * classes + b.
class channel_dependencies {
public:
  channel_dependencies(const topology& shape, const link_table& links, const analysis_options& options);

  /// Whether a message finds a buffer at each switch on its way; if not, `why` says why.
  bool has_buffers(std::uint32_t source, std::uint32_t destination, std::string& why) const;
  /// A packet to the terminal holds one channel and asks for another.
  void add(std::uint32_t held, std::uint32_t asked, std::uint32_t destination);
  /// The same for two escape channels, whatever lies between them.
  void add_escape(std::uint32_t held, std::uint32_t asked);
  /// The names of what lies on a cycle of the graph; none: there is no cycle.
  std::vector<std::string> cycle();

  /// What is asked for by what holds one thing: mostly few.
  using list = boost::container::small_vector<std::uint32_t, 6>;

private:
  using lists = std::vector<list>;

  void spread_waits();
  std::string name(std::uint32_t what) const;

  const topology& shape_;
  const link_table& links_;
  const bool shared_pools_, fifo_queues_;
  const unsigned channels_;
  const std::optional<distance_table> distances_;  // with classes of buffers
  const unsigned classes_, free_buffers_;
  lists next_;   // by what is held
  lists waits_;  // by link: hops before it and behind it, of messages that take it
};

}  // namespace spillway
