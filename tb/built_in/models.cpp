#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <spillway/hw/dampening/perfect_family.hpp>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/circuit/blocking.hpp>
#include <spillway/tb/circuit/fat_tree.hpp>
#include <spillway/tb/dampening/dampening.hpp>
#include <spillway/tb/dampening/hash_family.hpp>
#include <spillway/tb/hypercube/hypercube.hpp>
#include <spillway/tb/nifdy/nifdy.hpp>
#include <spillway/tb/theory/crossbar.hpp>
#include <spillway/tb/theory/hotspot.hpp>
#include <spillway/tb/theory/theory.hpp>

namespace spillway::theory {
namespace {

using nlohmann::json;

parameter whole(std::string name, std::string description, std::int64_t initial, double least, double most) {
  return {std::move(name), std::move(description), value(initial), {range::kind::whole, least, most, {}}};
}
parameter real(std::string name, std::string description, double initial, double least, double most) {
  return {std::move(name), std::move(description), value(initial), {range::kind::real, least, most, {}}};
}
parameter word(std::string name, std::string description, std::string initial,
               std::vector<std::string> words) {
  return {std::move(name),
          std::move(description),
          value(std::move(initial)),
          {range::kind::word, 0, 0, std::move(words)}};
}
parameter seed() { return whole("seed", "seed of the random numbers", 1, 0, 4294967295.0); }

/// JSON has no NaN and no infinity: what does not exist is null.
json number(double v) { return std::isfinite(v) ? json(v) : json(nullptr); }

[[noreturn]] void reject(const std::string& model_name, const std::string& found,
                         const std::string& expected) {
  throw config_error(fmt::format("theory {}: found {}, expected {}", model_name, found, expected));
}

bool power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

// The exact sums take jkB steps; past this many they are left out.
constexpr double exact_steps = 5e8;

json evaluate_blocking(const arguments& a) {
  const blocking_parameters p{a.number("B"), a.number("j"), a.number("k"), a.number("P")};
  if (p.k > p.P) reject("blocking", fmt::format("k={}", p.k), fmt::format("at most P={} hotspots", p.P));
  const bool exact = static_cast<double>(p.j) * p.k * p.B <= exact_steps;
  const auto mc = simulate_blocking(p, a.number("trials"), a.number("seed"));
  return {{"g", number(free_buffers(p))},
          {"g_approximation", number(free_buffers_approximation(p))},
          {"g_mc", number(mc.g)},
          {"g_mc_error", number(mc.g_error)},
          {"beta", number(blocked(p))},
          {"beta_approximation", number(blocked_approximation(p))},
          {"beta_exact", exact ? number(blocked_exact(p)) : json(nullptr)},
          {"beta_mc", number(mc.beta)},
          {"beta_mc_error", number(mc.beta_error)},
          {"f", number(none_blocked(p))},
          {"f_as_printed", number(none_blocked_as_printed(p))},
          {"f_exact", exact ? number(none_blocked_exact(p)) : json(nullptr)},
          {"f_mc", number(mc.f)},
          {"f_mc_error", number(mc.f_error)}};
}

model blocking_model() {
  return {"blocking",
          "dampening by hashing: free buffers g, probability beta that a coolspot is blocked, probability f "
          "that none "
          "is; from the paper's formulas, exactly, and by drawing hash functions",
          {whole("B", "buffers", 64, 1, 1e6), whole("j", "entries of a processor's tuple", 4, 1, 1e4),
           whole("k", "hotspots", 8, 0, 1e6), whole("P", "processors", 1000, 1, 1e6),
           whole("trials", "hash functions drawn", 2000, 2, 1e7), seed()},
          evaluate_blocking};
}

/// Sizes of the family H(j, B); null where j does not divide B or the search would take long.
json family_sizes(std::uint32_t j, std::uint32_t B, std::int64_t P) {
  if (B % j != 0 || B > 4096) return nullptr;
  const auto Q = perfect_family_q(j, B);
  const std::uint64_t sets = std::uint64_t{Q.size()} * (B / j);
  json sizes = {{"q", Q}, {"sets", sets}, {"enough_for_P", sets >= static_cast<std::uint64_t>(P)}};
  // The pairwise check of all sets; what perfect_family_q promises, shown.
  sizes["pairs_sharing_two"] =
      sets <= 5000 ? json(pairs_sharing_two(perfect_family(j, B, Q))) : json(nullptr);
  const bool binary = power_of_two(B);
  const auto printed = binary ? perfect_family_q_as_printed(j, B) : std::vector<std::uint32_t>{};
  sizes["pairs_sharing_two_as_printed"] = binary && printed.size() * (B / j) <= 5000
                                              ? json(pairs_sharing_two(perfect_family(j, B, printed)))
                                              : json(nullptr);
  return sizes;
}

json evaluate_sizes(const arguments& a) {
  const std::int64_t P = a.whole("P");
  const auto j = a.number("j"), B = a.number("B");
  const double k = a.real("k"), t = a.real("t"), s = a.real("s"), real_p = static_cast<double>(P);
  if (j > B) reject("dampening-sizes", fmt::format("j={}", j), fmt::format("at most B={}", B));
  const double j_best = best_j(B, k);
  const auto processors = static_cast<std::uint64_t>(P);
  return {{"dampening_target", number(dampening_target(B, j, k))},
          {"theorem_1_k", number(one_free_buffer_hotspots(B, j))},
          {"theorem_1_k_exact", number(one_free_buffer_hotspots_exact(B, j))},
          {"best_j", number(j_best)},
          {"beta_at_best_j", number(beta_at_best_j(j_best))},
          {"theorem_5_k", number(theorem_5_hotspots(B, j, t))},
          {"theorem_5_beta_bound", number(theorem_5_bound(t))},
          {"theorem_7_j", number(theorem_7_j(s))},
          {"theorem_7_k", number(theorem_7_hotspots(B, s))},
          {"lemma_8_f", number(lemma_8_f(real_p, k, j_best))},
          {"lemma_8_f_as_printed", number(lemma_8_f_as_printed(real_p, B, j_best))},
          {"theorem_9_k", number(theorem_9_hotspots(B, real_p, s))},
          {"theorem_9_k_as_printed", number(theorem_9_hotspots_as_printed(B, real_p, s))},
          {"theorem_10_k", number(theorem_10_hotspots(B, real_p, t))},
          {"unique_subset_B", unique_subset_buffers(processors)},
          {"unique_subset_B_bound", unique_subset_buffers_bound(processors)},
          {"binary_digit_B", binary_digit_buffers(processors)},
          {"theorem_2_B", collision_free_buffers(processors, a.real("eps"))},
          {"family", family_sizes(j, B, P)}};
}

model sizes_model() {
  return {"dampening-sizes",
          "dampening switches: hotspots tolerated (theorems 1, 5, 7, 9, 10), best j, buffers for P "
          "processors, and "
          "the family H(j, B) whose sets share at most one buffer",
          {whole("P", "processors", 1000, 2, 1e12), whole("j", "buffers of a processor", 4, 1, 1e6),
           whole("B", "buffers", 64, 1, 1e6), real("k", "hotspots", 8, 1e-6, 1e12),
           real("t", "t of theorems 5 and 10", 1, 0, 1e3),
           real("s", "1/beta of theorem 7, 1/(1 - f) of theorem 9", 100, 1, 1e300),
           real("eps", "probability of two equal subsets in theorem 2", 0.01, 1e-300, 1)},
          evaluate_sizes};
}

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
       whole("trials", "games played", 100, 1, 1e7), seed()},
      evaluate_rounds};
}

json evaluate_hypercube(const arguments& a) {
  hypercube_parameters p;
  p.network = a.word("network") == "bh" ? cube_network::bh : cube_network::bhbh;
  p.combining = a.word("combining") == "none" ? cube_combining::none : cube_combining::software;
  p.D = static_cast<int>(a.whole("D"));
  p.d = static_cast<int>(a.whole("d"));
  p.lambda = a.real("lambda");
  p.alpha = a.real("alpha");
  p.h = a.real("h");
  p.mu_cl = a.real("mu_cl");
  p.mu_ncl = a.real("mu_ncl");
  if (p.d >= p.D) reject("hypercube", fmt::format("d={}", p.d), fmt::format("less than D={}", p.D));
  // Written as decimals, alpha and h may sum to a little more than 1: 0.92 + 0.08 does not, 0.84 + 0.16 may.
  if (p.h >= 1 || p.alpha + p.h > 1 + 1e-12) {
    reject("hypercube", fmt::format("h={}, alpha={}", p.h, p.alpha), "h below 1 and at most 1 - alpha");
  }
  p.alpha = std::min(p.alpha, 1 - p.h);
  const auto delay = delays(p);
  const auto sat = saturation(p);
  return {{"r_reg", delay ? number(delay->r_reg) : json(nullptr)},
          {"r_hot", delay ? number(delay->r_hot) : json(nullptr)},
          {"r_avg", delay ? number(delay->r_avg) : json(nullptr)},
          {"saturated", !delay},
          {"lambda_sat", number(sat.lambda_sat)},
          {"saturates_first", sat.cluster_link ? "CL" : "NCL"},
          {"saturates_first_level", sat.level}};
}

model hypercube_model() {
  return {"hypercube",
          "hypercubes with a hot node: mean delay of regular and hot messages (M/M/1 links, random routing) "
          "and the "
          "rate at which the network saturates",
          {word("network", "bh: one hypercube; bhbh: clusters joined by their interface nodes", "bhbh",
                {"bh", "bhbh"}),
           whole("D", "2^D nodes", 8, 2, 30), whole("d", "2^d nodes a cluster, less than D", 3, 1, 29),
           real("lambda", "messages a node and time unit", 0.3, 0, 1e9),
           real("alpha", "share of messages within the cluster", 0.75, 0, 1),
           real("h", "share of messages to the hot node, at most 1 - alpha", 0.08, 0, 1),
           real("mu_cl", "service rate of cluster links", 1.4, 1e-9, 1e9),
           real("mu_ncl", "service rate of the other links (the paper's BH has 1.4)", 2.8, 1e-9, 1e9),
           word("combining", "combining of hot messages", "none", {"none", "software"})},
          evaluate_hypercube};
}

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

}  // namespace

std::vector<model> theory_models() {
  return {blocking_model(), sizes_model(),    collision_model(), rounds_model(),  hypercube_model(),
          nifdy_model(),    feedback_model(), hotspot_model(),   crossbar_model()};
}

}  // namespace spillway::theory
