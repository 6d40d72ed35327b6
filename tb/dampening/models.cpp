#include <fmt/format.h>

#include <spillway/hw/dampening/perfect_family.hpp>
#include <spillway/tb/dampening/blocking.hpp>
#include <spillway/tb/dampening/dampening.hpp>
#include <spillway/tb/dampening/hash_family.hpp>
#include <spillway/tb/dampening/models.hpp>
#include <spillway/tb/dampening/sequential_butterfly.hpp>
#include <spillway/tb/dampening/thread_cache.hpp>
#include <spillway/tb/theory/parameters.hpp>

namespace spillway::theory {
namespace {

using nlohmann::json;

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
  if (k > real_p) reject("dampening-sizes", fmt::format("k={}", k), fmt::format("at most P={} hotspots", P));
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
          {"square_root_B", square_root_buffers(processors)},
          {"oblivious_bound", number(oblivious_routing_bound(real_p, a.real("degree")))},
          {"p_buffer_bytes", number(storage_bytes(real_p, 1, a.real("message_bytes")))},
          {"ten_p_buffer_bytes", number(storage_bytes(real_p, 10, a.real("message_bytes")))},
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
           real("eps", "probability of two equal subsets in theorem 2", 0.01, 1e-300, 1),
           real("degree", "links of a node, for the bound of oblivious routing", 4, 1, 1e6),
           real("message_bytes", "bytes of a message", 10240, 1, 1e12)},
          evaluate_sizes};
}

model reports_model() {
  return {
      "dampening-reports",
      "figure 3 of dampening switches before its hot spot, by a sequential program: messages a cycle with "
      "hashing and with counting, and their ratio, by when senders learn that a message has left",
      {whole("stages", "2^stages processors, 2x2 switches", 7, 1, 12),
       whole("B", "buffers of an input port", 13, 1, 64),
       whole("j", "buffers of a processor with hashing", 6, 1, 64),
       word("reports", "when a sender knows that a message has left", "one_a_cycle",
            {"at_once", "registered", "one_a_cycle"}),
       whole("trials", "networks drawn", 24, 2, 1e4), seed()},
      [](const arguments& a) -> json {
        const std::string& when = a.word("reports");
        const butterfly_parameters p{a.number("stages"), a.number("B"), a.number("j"),
                                     when == "at_once"      ? report_delay::at_once
                                     : when == "registered" ? report_delay::registered
                                                            : report_delay::one_a_cycle};
        if (p.j > p.B)
          reject("dampening-reports", fmt::format("j={}", p.j), fmt::format("at most B={}", p.B));
        const auto found = simulate_butterfly(p, a.number("trials"), a.number("seed"));
        return {{"hashing", number(found.hashing)},
                {"counting", number(found.counting)},
                {"ratio", number(found.ratio)},
                {"ratio_error", number(found.ratio_error)}};
      }};
}

model cache_model() {
  return {"shared-cache",
          "a cache that threads share while one streams, by running it: hit rates of the others with and "
          "without a limit to what a hot thread may evict, and the lines of the stream",
          {whole("lines", "lines of the cache", 256, 1, 65536),
           whole("threads", "threads, one of which streams", 8, 2, 64),
           whole("j", "lines that a thread may have before it is hot", 128, 1, 65536),
           word("limit", "which lines a hot thread may evict", "counting", {"none", "counting", "assigned"}),
           word("choice", "which of them goes", "oldest", {"oldest", "hottest"}),
           real("working_sets", "lines of the others' working sets, as a share of the cache", 0.4, 1e-6, 1),
           whole("pace", "accesses of the stream to one of each other thread", 16, 1, 1e4),
           whole("rounds", "of accesses that count, after as many that do not", 1000, 1, 1e6),
           whole("trials", "seeds that are run", 10, 1, 1e4), seed()},
          [](const arguments& a) -> json {
            thread_cache_parameters p;
            const std::string& limit = a.word("limit");
            p.cache.lines = a.number("lines");
            p.cache.threads = a.number("threads");
            p.cache.j = a.number("j");
            p.cache.limit = limit == "none"       ? eviction_limit::none
                            : limit == "counting" ? eviction_limit::counting
                                                  : eviction_limit::assigned;
            p.cache.choice =
                a.word("choice") == "oldest" ? eviction_choice::oldest : eviction_choice::hottest;
            p.working_sets = a.real("working_sets");
            p.pace = a.number("pace");
            p.rounds = a.number("rounds");
            if (p.cache.j > p.cache.lines)
              reject("shared-cache", fmt::format("j={}", p.cache.j),
                     fmt::format("at most lines={}", p.cache.lines));
            const auto found = simulate_thread_cache(p, a.number("trials"), a.number("seed"));
            return {{"others_hit", number(found.others_hit)},
                    {"others_hit_plain", number(found.others_hit_plain)},
                    {"least_gain", number(found.least_gain)},
                    {"stream_share", number(found.stream_share)},
                    {"lone_share", number(found.lone_share)}};
          }};
}

}  // namespace

std::vector<model> dampening_models() {
  return {blocking_model(), sizes_model(), reports_model(), cache_model()};
}

}  // namespace spillway::theory
