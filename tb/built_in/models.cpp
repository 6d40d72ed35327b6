#include <iterator>
#include <spillway/tb/circuit/models.hpp>
#include <spillway/tb/dampening/models.hpp>
#include <spillway/tb/feedback/models.hpp>
#include <spillway/tb/hypercube/models.hpp>
#include <spillway/tb/nifdy/models.hpp>
#include <spillway/tb/theory/models.hpp>

// Every mechanism of ours that has formulas: the one list of them. SPILLWAY_HAS_...: whether it is linked.
namespace spillway::theory {

std::vector<model> theory_models() {
  std::vector<model> all;
  const auto add = [&all](std::vector<model> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  };
#if SPILLWAY_HAS_DAMPENING
  add(dampening_models());
#endif
#if SPILLWAY_HAS_CIRCUIT
  add(circuit_models());
#endif
#if SPILLWAY_HAS_HYPERCUBE
  add(hypercube_models());
#endif
#if SPILLWAY_HAS_NIFDY
  add(nifdy_models());
#endif
#if SPILLWAY_HAS_FEEDBACK
  add(feedback_models());
#endif
  add(general_models());
  return all;
}

}  // namespace spillway::theory
