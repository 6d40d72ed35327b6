#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <list>
#include <set>
#include <spillway/hw/dampening/cache_lines.hpp>
#include <stdexcept>

using namespace spillway;

namespace {

class dice {
public:
  explicit dice(std::uint32_t seed) : engine_(seed) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(engine_() % n); }

private:
  boost::random::mt19937 engine_;
};

cache_config config_of(eviction_limit limit, unsigned lines, unsigned threads,
                       eviction_choice choice = eviction_choice::oldest) {
  return {lines, threads, limit, lines / 2, 3, choice};
}

/// Hit rates of threads of which the first streams and each of the others goes at random over as many lines
/// as they have in common, less a few.
struct rates {
  double stream, others;
};
rates share(eviction_limit limit, eviction_choice choice, unsigned threads, std::uint32_t seed) {
  constexpr unsigned lines = 256;
  cache_lines cache(config_of(limit, lines, threads, choice));
  const unsigned working_set = lines * 4 / 10 / (threads - 1);
  dice d(seed);
  std::uint64_t next = 1u << 20, hits[2] = {0, 0}, all[2] = {0, 0};
  for (unsigned step = 0; step < 60000; ++step) {
    // The stream is ten times as fast as the others together.
    const unsigned t = d.below(11) ? 0 : 1 + d.below(threads - 1);
    const bool hit = cache.access(t, t ? t * 10000 + d.below(working_set) : next++);
    if (step < 20000) continue;
    ++all[t > 0];
    hits[t > 0] += hit;
  }
  return {static_cast<double>(hits[0]) / static_cast<double>(all[0]),
          static_cast<double>(hits[1]) / static_cast<double>(all[1])};
}

}  // namespace

TEST(cache_lines, without_a_limit_are_a_plain_lru_cache) {
  cache_lines cache(config_of(eviction_limit::none, 8, 3));
  std::list<std::uint64_t> model;  // newest first
  dice d(2);
  for (unsigned step = 0; step < 30000; ++step) {
    const std::uint64_t address = d.below(step % 1000 < 500 ? 10 : 30);
    const auto known = std::find(model.begin(), model.end(), address);
    const bool hit = known != model.end();
    if (hit)
      model.erase(known);
    else if (model.size() == 8)
      model.pop_back();
    model.push_front(address);
    ASSERT_EQ(cache.access(d.below(3), address), hit);
    ASSERT_FALSE(cache.hot(0));
  }
  EXPECT_EQ(cache.held(0) + cache.held(1) + cache.held(2), 8u);
  cache.clear();
  EXPECT_EQ(cache.held(0), 0u);
  EXPECT_FALSE(cache.access(0, 1));
}

TEST(cache_lines, hot_threads_evict_only_from_those_at_least_as_hot) {
  cache_lines cache(config_of(eviction_limit::counting, 32, 4));
  dice d(4);
  unsigned limited = 0;
  for (unsigned step = 0; step < 30000; ++step) {
    const unsigned t = d.below(8) < 5 ? 0 : d.below(4);
    unsigned before[4];
    for (unsigned u = 0; u < 4; ++u) before[u] = cache.held(u);
    const bool hot = cache.hot(t), full = before[0] + before[1] + before[2] + before[3] == 32;
    if (cache.access(t, t * 1000 + d.below(40)) || !full) continue;
    for (unsigned u = 0; u < 4; ++u) {
      if (!hot || cache.held(u) >= before[u]) continue;
      ++limited;
      ASSERT_GE(before[u], before[t]) << "evicted a line of a cooler thread";
    }
  }
  EXPECT_GT(limited, 50u);
}

TEST(cache_lines, a_thread_that_has_j_lines_keeps_to_its_assigned_ones) {
  // Alone and streaming, it fills the cache and then goes round in its assigned half.
  cache_lines cache(config_of(eviction_limit::assigned, 32, 2));
  for (unsigned a = 0; a < 500; ++a) cache.access(0, a);
  EXPECT_TRUE(cache.hot(0));
  // The lines that are not assigned still hold what first came into them; 500 - 16 and up are in the others.
  unsigned old = 0, recent = 0;
  for (unsigned a = 0; a < 32; ++a) {
    cache_lines copy = cache;
    old += copy.access(0, a);
  }
  for (unsigned a = 484; a < 500; ++a) {
    cache_lines copy = cache;
    recent += copy.access(0, a);
  }
  EXPECT_EQ(old, 16u);
  EXPECT_EQ(recent, 16u);
}

TEST(cache_lines, a_thread_is_limited_as_soon_as_it_has_j_lines) {
  cache_lines cache({8, 2, eviction_limit::assigned, 3, 1, eviction_choice::oldest});
  for (unsigned a = 0; a < 2; ++a) cache.access(0, a);
  EXPECT_FALSE(cache.hot(0));
  cache.access(0, 2);
  EXPECT_TRUE(cache.hot(0));
  EXPECT_FALSE(cache.hot(1));
}

TEST(cache_lines, a_lone_thread_can_own_half_of_the_lines_and_more) {
  for (const eviction_limit limit : {eviction_limit::counting, eviction_limit::assigned}) {
    cache_lines cache(config_of(limit, 64, 4));
    for (unsigned a = 0; a < 1000; ++a) cache.access(2, a);
    EXPECT_GE(cache.held(2), 64u * 45 / 100);
  }
}

TEST(cache_lines, protect_well_behaved_threads_from_one_that_streams) {
  for (const unsigned threads : {2u, 8u})
    for (const std::uint32_t seed : {1u, 2u, 3u, 4u, 5u}) {
      const rates lru = share(eviction_limit::none, eviction_choice::oldest, threads, seed);
      EXPECT_LT(lru.others, 0.25);
      for (const eviction_limit limit : {eviction_limit::counting, eviction_limit::assigned})
        for (const eviction_choice choice : {eviction_choice::oldest, eviction_choice::hottest}) {
          const rates limited = share(limit, choice, threads, seed);
          EXPECT_GT(limited.others, lru.others) << threads << " threads, seed " << seed;
          EXPECT_EQ(limited.stream, 0);
          // Nobody takes its lines, but a slow thread's own are the oldest, so that it takes them itself.
          if (limit == eviction_limit::counting && choice == eviction_choice::oldest) {
            EXPECT_LT(limited.others, 0.5) << threads << " threads, seed " << seed;
          } else {
            EXPECT_GT(limited.others, 0.95) << threads << " threads, seed " << seed;
          }
        }
    }
}

TEST(cache_lines, refuse_what_makes_no_sense) {
  EXPECT_THROW(cache_lines({0, 2, eviction_limit::none, 1, 1}), std::invalid_argument);
  EXPECT_THROW(cache_lines({8, 0, eviction_limit::none, 4, 1}), std::invalid_argument);
  EXPECT_THROW(cache_lines({8, 65, eviction_limit::none, 4, 1}), std::invalid_argument);
  EXPECT_THROW(cache_lines({8, 2, eviction_limit::none, 9, 1}), std::invalid_argument);
}
