#include <algorithm>
#include <spillway/tb/combining/tree_supply.hpp>
#include <spillway/tb/hypercube/message_meter.hpp>
#include <spillway/tb/traffic/traffic.hpp>

namespace spillway {

void message_meter::injected(std::uint64_t cycle, const flit& head) {
  if (measured(cycle) && head.kind != flit_kind::reply && !(head.traffic_class & tree_down)) ++sent_;
}

void message_meter::delivered(const delivery& d) {
  if (!measured(d.cycle) || d.traffic_class & tree_up) return;
  if (d.traffic_class & tree_down && d.destination >= hops_.size())
    hops_.resize(d.destination + std::size_t{1});
  mean& m = d.traffic_class & tree_down     ? hops_[d.destination]
            : d.traffic_class & hot_message ? hot_
                                            : regular_;
  ++m.number;
  m.cycles += d.cycle - d.injected - 1;
}

double message_meter::delay_along_tree() const {
  const terminal_tree& tree = *config_.tree;
  double sum = 0;
  for (std::uint32_t t = 0; t < tree.terminals(); ++t)
    for (std::uint32_t at = t; at != tree.root; at = tree.parent[at])
      if (at < hops_.size()) sum += hops_[at].in(unit_);
  return sum / tree.terminals();
}

void message_meter::count(counters& all) const {
  const double regular = regular_.in(unit_);
  const double hot = config_.tree ? delay_along_tree() : hot_.in(unit_);
  const bool any_regular = regular_.number != 0, any_hot = config_.tree ? !hops_.empty() : hot_.number != 0;
  const double h = hot_fraction_;
  if (any_regular) all["messages.r_reg"] = regular;
  if (any_hot) all["messages.r_hot"] = hot;
  if ((any_regular || h == 1) && (any_hot || h == 0)) all["messages.r_avg"] = (1 - h) * regular + h * hot;
  const std::uint64_t end = config_.cycles ? std::min(ran_, config_.warmup + config_.cycles) : ran_;
  if (end <= config_.warmup) return;
  const double units = static_cast<double>(end - config_.warmup) / static_cast<double>(unit_);
  all["messages.throughput"] = static_cast<double>(sent_) / (units * config_.terminals);
}

}  // namespace spillway
