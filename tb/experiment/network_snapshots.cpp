#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <spillway/platforms/topology/topology.hpp>
#include <spillway/tb/experiment/network_snapshots.hpp>
#include <utility>

namespace spillway {

namespace {

/// Switches lie by stage and, within it, in the order of their numbers.
void lay_out(const topology& shape, network_record& drawn) {
  std::map<unsigned, unsigned> rows;  // by stage: switches so far
  for (const auto v : shape.switches) {
    const unsigned stage = shape.g[v].stage;
    drawn.switches.push_back({stage, rows[stage]++});
  }
  for (const auto e : boost::make_iterator_range(edges(shape.g))) {
    const vertex &from = shape.g[boost::source(e, shape.g)], &to = shape.g[boost::target(e, shape.g)];
    if (from.role == vertex::switch_ && to.role == vertex::switch_)
      drawn.links.emplace_back(from.index, to.index);
  }
}

}  // namespace

void network_snapshots::sample() {
  const std::uint64_t cycle = network_.cycle();
  if (next_ == at_.size() || cycle < at_[next_]) return;
  while (next_ < at_.size() && at_[next_] <= cycle) ++next_;
  // Of several physical networks the fullest switch in a place is shown.
  std::vector<double> fullest(shape_.switches.size());
  for (std::size_t s = 0; s < network_.switches().size(); ++s) {
    double& here = fullest[s % fullest.size()];
    here = std::max(here, network_.switches()[s]->fullest());
  }
  taken_.push_back({cycle, std::move(fullest)});
}

network_record network_snapshots::report(history_record history) const {
  network_record drawn;
  drawn.moments = taken_;
  drawn.history = std::move(history);
  if (!drawn.moments.empty() || !drawn.history.cycles.empty()) lay_out(shape_, drawn);
  return drawn;
}

}  // namespace spillway
