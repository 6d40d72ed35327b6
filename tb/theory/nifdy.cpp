#include <algorithm>
#include <spillway/tb/theory/nifdy.hpp>

namespace spillway::theory {

double nifdy_times::interval() const { return std::max({t_send, t_receive, t_link}); }
double nifdy_bandwidth(const nifdy_times& t, double words) { return words / t.interval(); }
double nifdy_roundtrip(const nifdy_times& t) { return 2 * t.latency + t.t_ackproc; }
double nifdy_scalar_bandwidth(const nifdy_times& t, double words) {
  return words / std::max(nifdy_roundtrip(t), t.interval());
}
double nifdy_window_combined(const nifdy_times& t) {
  return std::max(0.0, 2 * (nifdy_roundtrip(t) / t.interval() - 1));
}
double nifdy_window_each(const nifdy_times& t) { return nifdy_roundtrip(t) / t.interval(); }

}  // namespace spillway::theory
