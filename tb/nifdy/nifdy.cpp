#include <algorithm>
#include <cmath>
#include <spillway/tb/nifdy/nifdy.hpp>

namespace spillway::theory {

double nifdy_times::interval() const { return std::max({t_send, t_receive, t_link}); }
double nifdy_bandwidth(const nifdy_times& t, double words) { return words / t.interval(); }
double nifdy_roundtrip(const nifdy_times& t) { return 2 * t.latency + t.t_ackproc; }
double nifdy_scalar_bandwidth(const nifdy_times& t, double words) {
  return words / std::max(nifdy_roundtrip(t), t.interval());
}
double nifdy_window_combined(const nifdy_times& t) { return std::max(0.0, 2 * (nifdy_window_each(t) - 1)); }
double nifdy_window_each(const nifdy_times& t) { return (nifdy_roundtrip(t) + t.t_tail) / t.interval(); }

nifdy_advice nifdy_advise(const nifdy_times& t, double volume, bool ack_each) {
  nifdy_advice a;
  a.outstanding = a.pool = volume <= 4 ? 4 : 8;
  if (nifdy_roundtrip(t) <= t.interval()) return a;
  a.dialogs = std::max(1u, static_cast<unsigned>(t.t_send / std::max(t.t_receive, t.t_link)));
  const double step = ack_each ? 1 : 2;
  const double steps = (ack_each ? nifdy_window_each(t) : nifdy_window_combined(t)) / step;
  a.window = static_cast<unsigned>(step * std::max(1.0, volume <= 2 ? std::floor(steps) : std::ceil(steps)));
  return a;
}

}  // namespace spillway::theory
