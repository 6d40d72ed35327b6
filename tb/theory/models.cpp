#include <spillway/tb/theory/crossbar.hpp>
#include <spillway/tb/theory/hotspot.hpp>
#include <spillway/tb/theory/models.hpp>
#include <spillway/tb/theory/parameters.hpp>
#include <spillway/tb/theory/shared_buffer.hpp>

namespace spillway::theory {
namespace {

using nlohmann::json;

model hotspot_model() {
  return {"hotspot",
          "bound on the requests a cycle and processor when a fraction of all requests goes to one module",
          {whole("N", "processors", 256, 1, 1e9), real("fraction", "share of the requests, h", 0.05, 0, 1)},
          [](const arguments& a) -> json {
            return {{"bound", hotspot_bound(static_cast<double>(a.whole("N")), a.real("fraction"))}};
          }};
}

json evaluate_crossbar(const arguments& a) {
  const auto k = a.number("k");
  if (k <= 20) {
    return {{"throughput", crossbar_throughput(k)},
            {"error", 0},
            {"method", "exact"},
            {"limit", crossbar_limit()}};
  }
  const auto batches = simulate_crossbar(k, a.number("slots"), a.number("seed"));
  return {{"throughput", batches.mean()},
          {"error", number(batches.error())},
          {"method", "simulation"},
          {"limit", crossbar_limit()}};
}

model crossbar_model() {
  return {
      "crossbar",
      "throughput of a saturated k x k crossbar with one FIFO an input (exact to k = 20, simulated beyond)",
      {whole("k", "ports", 2, 1, 4096), whole("slots", "slots simulated", 20000, 20, 1e9), seed()},
      evaluate_crossbar};
}

model dynamic_threshold_model() {
  return {
      "dynamic-threshold",
      "places that each of M saturated queues holds of a buffer that they share by dynamic thresholds, and "
      "those that stay free",
      {whole("places", "of the buffer, B", 240, 1, 1e9), whole("queues", "saturated queues, M", 4, 0, 1e9),
       real("alpha", "places of a queue for each free one", 1, 1e-9, 1e9)},
      [](const arguments& a) -> json {
        const double free = dynamic_threshold_free(static_cast<double>(a.whole("places")),
                                                   static_cast<double>(a.whole("queues")), a.real("alpha"));
        return {{"share", a.real("alpha") * free}, {"free", free}};
      }};
}

}  // namespace

std::vector<model> general_models() { return {hotspot_model(), crossbar_model(), dynamic_threshold_model()}; }

}  // namespace spillway::theory
