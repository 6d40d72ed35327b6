#include <fmt/format.h>

#include <spillway/tb/circuit/fat_tree.hpp>
#include <spillway/tb/circuit/models.hpp>
#include <spillway/tb/theory/parameters.hpp>

namespace spillway::theory {
namespace {

using nlohmann::json;

std::int64_t tree_nodes(const std::string& model_name, const arguments& a) {
  const std::int64_t n = a.whole("n");
  if (!power_of_two(n)) reject(model_name, fmt::format("n={}", n), "a power of two");
  return n;
}

json evaluate_collision(const arguments& a) {
  const auto n = static_cast<std::uint64_t>(tree_nodes("collision", a));
  return {{"pr_c2", number(pr_c2(n))},       {"pr_c2_sum", number(pr_c2_sum(n))},
          {"lower", number(pr_c2_lower(n))}, {"upper", number(pr_c2_upper(n))},
          {"bins", model_1_bins(n)},         {"bins_model_2", n < 4 ? json(nullptr) : json(model_2_bins(n))}};
}

model collision_model() {
  return {"collision",
          "circuit-switched fat tree: probability that two messages collide (lemma 1), its bounds, the bins "
          "of the "
          "balls-and-bins models",
          {whole("n", "processing nodes, a power of two; the lower bound holds from 4", 64, 2, 1073741824)},
          evaluate_collision};
}

json evaluate_rounds(const arguments& a) {
  const auto n = static_cast<std::uint32_t>(tree_nodes("rounds", a));
  const std::uint32_t m = a.number("m");
  if (m > n) reject("rounds", fmt::format("m={}", m), fmt::format("at most n={} messages", n));
  const bool first = a.word("model") == "I";
  const std::uint32_t b = first ? model_1_bins(n) : model_2_bins(n);
  random_engine engine(a.number("seed"));
  sample rounds;
  for (std::uint32_t trial = 0; trial < a.number("trials"); ++trial) {
    rounds.add(first ? model_1_rounds(engine, b, m) : model_2_rounds(engine, n, b, m));
  }
  return {{"mean", rounds.mean()},
          {"min", rounds.least()},
          {"max", rounds.most()},
          {"error", number(rounds.error())},
          {"lg_m", std::log2(m)},
          {"fit", rounds_fit(n, m)},
          {"bound", rounds_bound(n, m, a.real("epsilon"))},
          {"phase_1_successes", phase_1_successes(n, m)},
          {"phase_1_observed", phase_1_observed(n, m)},
          {"bins", b},
          {"delivered_first_round", first ? json(expected_delivered(b, m)) : json(nullptr)}};
}

model rounds_model() {
  return {
      "rounds",
      "circuit-switched fat tree: delivery rounds of m messages by the balls-and-bins models",
      {whole("n", "processing nodes, a power of two", 64, 4, 16777216),
       whole("m", "messages, at most n", 64, 1, 16777216),
       word("model", "I: every ball on its own; II: the balls of one destination together", "I", {"I", "II"}),
       whole("trials", "games played", 100, 1, 1e7),
       real("epsilon", "probability with which the rounds may exceed the bound of theorem 1", 0.01, 1e-300,
            0.999999),
       seed()},
      evaluate_rounds};
}

}  // namespace

std::vector<model> circuit_models() { return {collision_model(), rounds_model()}; }

}  // namespace spillway::theory
