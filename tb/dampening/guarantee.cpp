#include <fmt/format.h>

#include <algorithm>
#include <spillway/tb/dampening/guarantee.hpp>
#include <utility>

namespace spillway {

guarantee_checker::guarantee_checker(const guarantee_config& config, std::vector<bool> hot)
    : config_(config),
      hot_(std::move(hot)),
      to_hotspots_(hot_.size()),
      innocent_since_(hot_.size()),
      blocked_(hot_.size()) {}

void guarantee_checker::injected(std::uint64_t cycle, const flit& head) {
  if (hot_[head.destination])
    ++to_hotspots_[head.source];
  else
    cool_[{head.kind == flit_kind::reply, head.source, head.destination, head.packet}] = {cycle,
                                                                                          head.destination};
}

bool guarantee_checker::covers(std::uint32_t source, std::uint64_t since) const {
  if (config_.kind == guarantee_kind::strong) return true;
  return to_hotspots_[source] == 0 && innocent_since_[source] <= since;
}

void guarantee_checker::delivered(const delivery& d) {
  if (hot_[d.destination]) {
    if (--to_hotspots_[d.source] == 0) innocent_since_[d.source] = d.cycle;
    return;
  }
  const auto it = cool_.find({d.kind == flit_kind::reply, d.source, d.destination, d.packet});
  if (it == cool_.end()) return;
  slowest_ = std::max(slowest_, d.cycle - d.injected);
  if (covers(d.source, d.injected)) {
    ++covered_;
    worst_ = std::max(worst_, d.cycle - d.injected);
    if (d.cycle - d.injected > config_.within) {
      ++late_;
      fault(d.cycle, d.source, d.packet, it->second, "came only now");
    }
  }
  cool_.erase(it);
}

std::vector<double> guarantee_checker::sample(std::uint64_t cycle) {
  std::uint64_t oldest = cycle;
  for (const auto& [key, f] : cool_) oldest = std::min(oldest, f.injected);
  return {static_cast<double>(std::exchange(slowest_, 0)), static_cast<double>(cycle - oldest)};
}

std::vector<series_picture> guarantee_checker::pictures() const {
  return {
      {"guarantee",
       fmt::format("Messages to coolspots: how long the slowest that came in an interval was in the network, "
                   "and how long the oldest has been that is still there. At most {} are promised.",
                   config_.within),
       "cycles from injection", columns(), static_cast<double>(config_.within), "promised"}};
}

void guarantee_checker::write_off(std::uint64_t cycle) {
  cool_.clear();
  for (std::size_t t = 0; t < hot_.size(); ++t) {
    if (to_hotspots_[t]) innocent_since_[t] = cycle;
    to_hotspots_[t] = 0;
  }
}

void guarantee_checker::finish(std::uint64_t cycle) {
  for (const auto& [key, f] : cool_) {
    const auto& [reply, source, destination, packet] = key;
    if (cycle - f.injected <= config_.within || !covers(source, f.injected)) continue;
    ++covered_;
    ++stuck_;
    worst_ = std::max(worst_, cycle - f.injected);
    blocked_[f.destination] = true;
    fault(cycle, source, packet, f, "has not come");
  }
}

void guarantee_checker::fault(std::uint64_t cycle, std::uint32_t source, std::uint32_t packet,
                              const flight& f, const char* what) {
  constexpr std::size_t shown = 20;
  if (faults_.size() >= shown) return;
  faults_.push_back(
      fmt::format("cycle {}: {} guarantee: packet {} of terminal {} to coolspot {} {}, {} cycles "
                  "after its injection; promised within {}",
                  cycle, config_.kind == guarantee_kind::strong ? "strong" : "weak", packet, source,
                  f.destination, what, cycle - f.injected, config_.within));
}

void guarantee_checker::count(counters& all) const {
  all["guarantee.covered"] = static_cast<double>(covered_);
  all["guarantee.late"] = static_cast<double>(late_);
  all["guarantee.stuck"] = static_cast<double>(stuck_);
  all["guarantee.worst"] = static_cast<double>(worst_);
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  const auto coolspots = static_cast<double>(std::count(hot_.begin(), hot_.end(), false));
  const auto blocked = static_cast<double>(std::count(blocked_.begin(), blocked_.end(), true));
  all["guarantee.stuck_share"] = share(static_cast<double>(stuck_), static_cast<double>(covered_));
  all["guarantee.coolspots"] = coolspots;
  all["guarantee.coolspots_blocked"] = blocked;
  all["guarantee.blocked_share"] = share(blocked, coolspots);
}

}  // namespace spillway
