#include <algorithm>
#include <spillway/tb/combining/tree_supply.hpp>
#include <spillway/tb/hypercube/message_meter.hpp>
#include <spillway/tb/traffic/traffic.hpp>

namespace spillway {

namespace {

/// Cycles that a host needs to pass a broadcast on when nothing waits: it hears of it, and shows it.
constexpr std::uint64_t relay = 2;

}  // namespace

void message_meter::injected(std::uint64_t cycle, const flit& head) {
  if (head.traffic_class & tree_down) {
    if (head.source != config_.tree->root) return;
    copies_.resize(config_.terminals);
    if (copies_[head.destination]++ == starts_.size()) starts_.push_back(cycle);
  } else if (measured(cycle) && head.kind != flit_kind::reply) {
    ++sent_;
  }
}

void message_meter::delivered(const delivery& d) {
  if (d.traffic_class & tree_down) return heard(d);
  if (!measured(d.cycle) || d.traffic_class & tree_up) return;
  (d.traffic_class & hot_message ? hot_ : regular_).add(d.cycle - d.injected - 1);
}

void message_meter::heard(const delivery& d) {
  heard_.resize(config_.terminals), hops_.resize(config_.terminals), broadcasts_.resize(config_.terminals);
  const std::uint64_t start = starts_[heard_[d.destination]++];
  if (!measured(d.cycle)) return;
  hops_[d.destination].add(d.cycle - d.injected - 1);
  broadcasts_[d.destination].add(d.cycle - start - 1 -
                                 (relay + 1) * (config_.tree->depth(d.destination) - 1));
}

void message_meter::write_off(std::uint64_t) {
  heard_.clear();
  starts_.clear();
  copies_.clear();
}

bool message_meter::any_broadcast() const {
  return std::any_of(broadcasts_.begin(), broadcasts_.end(), [](const mean& m) { return m.number != 0; });
}

double message_meter::delay_of_hops() const {
  const terminal_tree& tree = *config_.tree;
  double sum = 0;
  for (std::uint32_t t = 0; t < tree.terminals(); ++t)
    for (std::uint32_t at = t; at != tree.root; at = tree.parent[at]) sum += hops_[at].in(unit_);
  return sum / tree.terminals();
}

double message_meter::delay_of_broadcasts() const {
  double sum = 0;
  for (const mean& m : broadcasts_) sum += m.in(unit_);
  return sum / config_.tree->terminals();
}

void message_meter::count(counters& all) const {
  const double regular = regular_.in(unit_);
  const double hot = config_.tree ? delay_of_broadcasts() : hot_.in(unit_);
  const bool any_regular = regular_.number != 0, any_hot = config_.tree ? any_broadcast() : hot_.number != 0;
  const double h = hot_fraction_;
  if (any_regular) all["messages.r_reg"] = regular;
  if (any_hot) all["messages.r_hot"] = hot;
  if (any_hot && config_.tree) all["messages.r_hot_links"] = delay_of_hops();
  if ((any_regular || h == 1) && (any_hot || h == 0)) all["messages.r_avg"] = (1 - h) * regular + h * hot;
  const std::uint64_t end = config_.cycles ? std::min(ran_, config_.warmup + config_.cycles) : ran_;
  if (end <= config_.warmup) return;
  const double units = static_cast<double>(end - config_.warmup) / static_cast<double>(unit_);
  all["messages.throughput"] = static_cast<double>(sent_) / (units * config_.terminals);
}

}  // namespace spillway
