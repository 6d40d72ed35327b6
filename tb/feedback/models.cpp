#include <spillway/tb/feedback/bandwidth.hpp>
#include <spillway/tb/feedback/costs.hpp>
#include <spillway/tb/feedback/models.hpp>
#include <spillway/tb/feedback/sequential_omega.hpp>
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

json evaluate_costs(const arguments& a) {
  const auto at = [&a](const char* key) { return static_cast<std::uint64_t>(a.whole(key)); };
  const feedback_costs c =
      costs_of({at("N"), at("depth"), at("memory_depth"), at("hot_list"), at("flit_bits")});
  return {{"line_wires", c.line_wires},     {"bus_wires", c.bus_wires},       {"length_bits", c.length_bits},
          {"list_bits", c.list_bits},       {"counter_bits", c.counter_bits}, {"queue_bits", c.queue_bits},
          {"network_bits", c.network_bits}, {"plain_bits", c.plain_bits}};
}

model costs_model() {
  return {"feedback-costs",
          "omega network with feedback, memory queues and bleeding: bits of storage and wires of each part, "
          "and of "
          "the plain network's queues",
          {whole("N", "processors and modules", 256, 2, 1e9), whole("depth", "flits a queue", 4, 1, 65535),
           whole("memory_depth", "flits a memory queue", 32, 1, 65535),
           whole("hot_list", "modules that an interface can list as hot", 256, 1, 1e9),
           whole("flit_bits", "bits of a place", 256, 1, 4096)},
          evaluate_costs};
}

model sequential_model() {
  return {
      "feedback-sequential",
      "omega network with feedback, by a sequential program: requests a cycle and processor that memories "
      "take in 2,000 cycles after 500",
      {whole("stages", "2^stages processors and modules", 8, 1, 12),
       whole("depth", "requests of a queue", 4, 1, 65535),
       whole("memory_depth", "requests of a memory queue", 32, 1, 65535),
       whole("threshold", "requests from which on a module is hot; 0: no feedback", 3, 0, 65535),
       real("h", "share of a hot processor's requests", 0.08, 0, 1),
       real("Ph", "share of hot processors, the first ones", 0.5, 0, 1),
       word("bleeding", "whose blocked requests go all the same", "none",
            {"none", "round_robin", "slots", "random"}),
       word("places", "when a place is free: in the cycle in which its request leaves, or in the next",
            "at_once", {"at_once", "registered"}),
       whole("delay", "cycles by which processors learn later that a module is hot", 0, 0, 1000),
       whole("trials", "runs", 5, 2, 1e4), seed()},
      [](const arguments& a) -> json {
        const std::string& kind = a.word("bleeding");
        const omega_parameters p{a.number("stages"),
                                 a.number("depth"),
                                 a.number("memory_depth"),
                                 a.number("threshold"),
                                 a.real("h"),
                                 a.real("Ph"),
                                 kind == "round_robin" ? program_bleeding::round_robin
                                 : kind == "slots"     ? program_bleeding::slots
                                 : kind == "random"    ? program_bleeding::random
                                                       : program_bleeding::none,
                                 a.word("places") == "registered",
                                 a.number("delay")};
        const auto found = simulate_omega(p, a.number("trials"), a.number("seed"));
        return {{"bandwidth", number(found.mean)}, {"error", number(found.error)}};
      }};
}

}  // namespace

std::vector<model> feedback_models() { return {feedback_model(), costs_model(), sequential_model()}; }

}  // namespace spillway::theory
