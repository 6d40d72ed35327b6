#include <algorithm>
#include <spillway/tb/measure/message_meter.hpp>
#include <spillway/tb/traffic/traffic.hpp>

namespace spillway {

void message_meter::injected(std::uint64_t cycle, const flit& head) {
  if (measured(cycle) && head.kind != flit_kind::reply) ++sent_;
}

void message_meter::delivered(const delivery& d) {
  if (!measured(d.cycle)) return;
  mean& m = d.flags & hot_message ? hot_ : regular_;
  ++m.number;
  m.cycles += d.cycle - d.injected - 1;
}

void message_meter::count(counters& all, std::uint64_t cycles, unsigned terminals) const {
  const double regular = regular_.in(config_.unit), hot = hot_.in(config_.unit);
  all["messages.r_reg"] = regular;
  all["messages.r_hot"] = hot;
  all["messages.r_avg"] = (1 - config_.hot_fraction) * regular + config_.hot_fraction * hot;
  const std::uint64_t end = config_.cycles ? std::min(cycles, config_.warmup + config_.cycles) : cycles;
  if (end <= config_.warmup) return;
  const double units = static_cast<double>(end - config_.warmup) / static_cast<double>(config_.unit);
  all["messages.throughput"] = static_cast<double>(sent_) / (units * terminals);
}

}  // namespace spillway
