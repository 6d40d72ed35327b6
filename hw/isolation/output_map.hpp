#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <utility>
#include <vector>

namespace spillway {

/// All outputs of the switches of a network by number, and where they lead: what tells by which of them the
/// rest of a packet's route goes. In hardware, what a routing table knows of each destination.
class output_map {
public:
  /// `ends[n]`: what the outputs of switch n lead to. The lowest output that `routes` allows is taken.
  output_map(std::shared_ptr<const routing> routes, std::vector<std::vector<link_end>> ends)
      : routes_(std::move(routes)), ends_(std::move(ends)) {
    std::uint32_t outputs = 0;
    for (const auto& node : ends_) {
      first_.push_back(outputs);
      outputs += static_cast<std::uint32_t>(node.size());
    }
    first_.push_back(outputs);
  }

  std::uint32_t number(unsigned node, unsigned output) const { return first_[node] + output; }  ///< of it
  std::uint32_t outputs() const { return first_.back(); }  ///< of all switches

  /// Calls f with the numbers of the outputs by which a packet with this head goes on from `at`, a switch or
  /// a terminal, until f says that it has seen enough.
  template <class F>
  void each_ahead(link_end at, const flit& head, F&& f) const {
    for (std::uint32_t hops = 0; !at.terminal && hops < outputs(); ++hops) {
      const unsigned o = next_output(*routes_, at.node, at.input, head, ends_[at.node].size());
      if (f(number(at.node, o))) return;
      at = ends_[at.node][o];
    }
  }

private:
  const std::shared_ptr<const routing> routes_;
  const std::vector<std::vector<link_end>> ends_;
  std::vector<std::uint32_t> first_;  // by switch: number of its output 0; then of all
};

}  // namespace spillway
