#include <spillway/tb/nifdy/models.hpp>
#include <spillway/tb/nifdy/nifdy.hpp>
#include <spillway/tb/theory/parameters.hpp>

namespace spillway::theory {
namespace {

using nlohmann::json;

json evaluate_nifdy(const arguments& a) {
  nifdy_times t;
  t.t_send = a.real("t_send");
  t.t_receive = a.real("t_receive");
  t.t_link = a.real("t_link");
  t.latency = a.real("latency");
  t.t_ackproc = a.real("t_ackproc");
  t.t_tail = a.real("t_tail");
  return {{"bandwidth", nifdy_bandwidth(t, a.real("words"))},
          {"bandwidth_scalar", nifdy_scalar_bandwidth(t, a.real("words"))},
          {"t_roundtrip", nifdy_roundtrip(t)},
          {"scalar_suffices", nifdy_roundtrip(t) <= t.interval()},
          {"window_combined", nifdy_window_combined(t)},
          {"window_each", nifdy_window_each(t)}};
}

model nifdy_model() {
  return {"nifdy",
          "bandwidth between two nodes, round trip, and the window that hides it",
          {real("t_send", "cycles to send a packet", 40, 1e-9, 1e9),
           real("t_receive", "cycles to receive a packet", 60, 1e-9, 1e9),
           real("t_link", "cycles of a packet on a link", 32, 1e-9, 1e9),
           real("latency", "T_lat, cycles one way; 70 is the 8x8 mesh over 14 hops", 70, 0, 1e9),
           real("t_ackproc", "cycles to make and take the ack, both ends", 4, 0, 1e9),
           real("t_tail", "cycles by which a bulk packet is acknowledged later than when its head has come",
                0, 0, 1e9),
           real("words", "words of a packet", 1, 1e-9, 1e9)},
          evaluate_nifdy};
}

}  // namespace

std::vector<model> nifdy_models() { return {nifdy_model()}; }

}  // namespace spillway::theory
