#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace spillway {

/// Parameters of EM3D's graph, with the names of the Split-C program.
struct em3d_config {
  std::uint32_t processors = 1;
  std::uint32_t n_nodes = 200;  ///< E nodes a processor, and as many H nodes
  std::uint32_t d_nodes = 10;   ///< edges into a node
  std::uint32_t local_p = 80;   ///< per cent of them that come from a node of the same processor
  std::uint32_t dist_span = 5;  ///< the others come from up to so many processors away, either way
  std::uint64_t seed = 1;

  /// Throws std::invalid_argument that names the rule and the values; more than 2^30 edges are refused.
  void check() const;
};

/// What processors send each other in an iteration of EM3D: in its first half the values of H nodes, in its
/// second those of E nodes, each value once to each processor that has a node with an edge from it.
class em3d_graph {
public:
  struct transfer {
    std::uint32_t processor, values;
  };

  explicit em3d_graph(const em3d_config& config);

  /// What processor `from` sends in a half (0 or 1), first to the processor that follows it.
  const std::vector<transfer>& sends(std::uint32_t from, unsigned half) const { return sends_[half][from]; }
  /// How many processors send to `to` in a half: those that its own edges come from.
  std::uint32_t senders(std::uint32_t to, unsigned half) const { return senders_[half][to]; }

private:
  void draw_half(const em3d_config& config, unsigned half);

  std::vector<std::vector<transfer>> sends_[2];
  std::vector<std::uint32_t> senders_[2];
};

}  // namespace spillway
