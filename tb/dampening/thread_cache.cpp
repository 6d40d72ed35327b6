#include <algorithm>
#include <spillway/tb/dampening/thread_cache.hpp>
#include <spillway/tb/theory/sample.hpp>

namespace spillway::theory {
namespace {

struct outcome {
  double hit, stream;
};

/// The same accesses for the same seed, whatever the limit.
outcome run(const thread_cache_parameters& p, const cache_config& config, std::uint32_t seed) {
  cache_lines lines(config);
  random_engine random(seed);
  const std::uint32_t others = config.threads - 1;
  const auto set = static_cast<std::uint32_t>(p.working_sets * config.lines / others);
  std::uint64_t streamed = 0, hits = 0;
  for (std::uint32_t round = 0; round < 2 * p.rounds; ++round) {
    for (std::uint32_t i = 0; i < p.pace; ++i) lines.access(0, streamed++);
    for (unsigned t = 1; t <= others; ++t) {
      const bool hit = lines.access(t, std::uint64_t{t} << 40 | below(random, std::max(set, 1U)));
      hits += hit && round >= p.rounds;
    }
  }
  return {static_cast<double>(hits) / p.rounds / others, static_cast<double>(lines.held(0)) / config.lines};
}

double alone(const cache_config& config) {
  cache_lines lines(config);
  for (std::uint64_t a = 0; a < std::uint64_t{8} * config.lines; ++a) lines.access(0, a);
  return static_cast<double>(lines.held(0)) / config.lines;
}

}  // namespace

thread_cache_rates simulate_thread_cache(const thread_cache_parameters& p, std::uint32_t trials,
                                         std::uint32_t seed) {
  sample hit, plain, gain, stream, lone;
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    cache_config limited = p.cache, any = p.cache;
    limited.seed = any.seed = seed + trial;
    any.limit = eviction_limit::none;
    any.choice = eviction_choice::oldest;
    const outcome with = run(p, limited, seed + trial), without = run(p, any, seed + trial);
    hit.add(with.hit);
    plain.add(without.hit);
    gain.add(with.hit - without.hit);
    stream.add(with.stream);
    lone.add(alone(limited));
  }
  return {hit.mean(), plain.mean(), gain.least(), stream.mean(), lone.least()};
}

}  // namespace spillway::theory
