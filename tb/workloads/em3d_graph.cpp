#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <spillway/tb/traffic/random.hpp>
#include <spillway/tb/workloads/em3d_graph.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

namespace {

/// An H or E node by its processor and its number there.
using graph_node = std::pair<std::uint32_t, std::uint32_t>;

class edge_dice {
public:
  edge_dice(const em3d_config& config, std::uint32_t processor, unsigned half)
      : config_(config), processor_(processor), stream_(make_stream(config.seed, processor, 18 + half)) {}

  /// Where an edge into one of the processor's nodes comes from.
  graph_node origin() {
    const bool local = config_.dist_span == 0 || below(100) < config_.local_p;
    std::uint32_t from = processor_;
    if (!local) {
      const std::uint32_t away = 1 + below(config_.dist_span);
      from = (processor_ + (below(2) ? away : config_.processors - away)) % config_.processors;
    }
    return {from, below(config_.n_nodes)};
  }

private:
  std::uint32_t below(std::uint32_t n) {
    return boost::random::uniform_int_distribution<std::uint32_t>(0, n - 1)(stream_);
  }

  const em3d_config& config_;
  const std::uint32_t processor_;
  random_stream stream_;
};

}  // namespace

void em3d_config::check() const {
  const auto need = [](bool ok, const std::string& what, std::uint32_t found) {
    if (!ok) throw std::invalid_argument(what + ", found " + std::to_string(found));
  };
  need(n_nodes >= 1, "a processor has at least 1 node", n_nodes);
  need(local_p <= 100, "local_p is 0 to 100 per cent", local_p);
  const std::uint64_t edges = std::uint64_t{n_nodes} * d_nodes, most = (std::uint64_t{1} << 29) / processors;
  if (edges > most)
    throw std::invalid_argument("with " + std::to_string(processors) +
                                " processors n_nodes x d_nodes is at most " + std::to_string(most) +
                                ", found " + std::to_string(edges));
  need(dist_span < processors, "dist_span is less than the number of processors", dist_span);
}

em3d_graph::em3d_graph(const em3d_config& config) {
  config.check();
  for (const unsigned half : {0u, 1u}) draw_half(config, half);
}

void em3d_graph::draw_half(const em3d_config& config, unsigned half) {
  sends_[half].resize(config.processors);
  senders_[half].resize(config.processors);
  for (std::uint32_t p = 0; p < config.processors; ++p) {
    edge_dice dice(config, p, half);
    std::vector<graph_node> needed;
    for (std::uint64_t edge = 0; edge < std::uint64_t{config.n_nodes} * config.d_nodes; ++edge)
      if (const graph_node from = dice.origin(); from.first != p) needed.push_back(from);
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    for (const auto& [from, node] : needed) {
      auto& list = sends_[half][from];
      if (list.empty() || list.back().processor != p) {
        list.push_back({p, 0});
        ++senders_[half][p];
      }
      ++list.back().values;
    }
  }
  for (std::uint32_t from = 0; from < config.processors; ++from) {
    auto& list = sends_[half][from];
    const auto follows = std::find_if(list.begin(), list.end(), [=](auto& t) { return t.processor > from; });
    std::rotate(list.begin(), follows, list.end());
  }
}

}  // namespace spillway
