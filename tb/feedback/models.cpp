#include <spillway/tb/feedback/bandwidth.hpp>
#include <spillway/tb/feedback/models.hpp>
#include <spillway/tb/theory/parameters.hpp>

namespace spillway::theory {
namespace {

using nlohmann::json;

json evaluate_feedback(const arguments& a) {
  const feedback_parameters p{static_cast<double>(a.whole("N")), a.real("h"), a.real("Ph"), a.real("b0")};
  return {{"bound", unsaturated_bandwidth(p)},
          {"hot_rate", hot_processor_rate(p)},
          {"saturated", saturated_bandwidth(p)}};
}

model feedback_model() {
  return {"feedback",
          "omega network with a hot module: bandwidth without tree saturation, where the hot module alone "
          "limits the "
          "hot processors, and with full tree saturation",
          {whole("N", "processors and modules", 256, 1, 1e9),
           real("h", "share of a hot processor's requests", 0.02, 0, 1),
           real("Ph", "share of hot processors", 0.5, 0, 1),
           real("b0", "bandwidth under uniform traffic; 1 is a network without contention", 1, 1e-9, 1)},
          evaluate_feedback};
}

}  // namespace

std::vector<model> feedback_models() { return {feedback_model()}; }

}  // namespace spillway::theory
