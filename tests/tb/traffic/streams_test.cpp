// What is drawn at random: nothing that is drawn tells anything of what else is, and all destinations come as
// often as they should. Bounds are of 5 standard deviations, which chance passes once in a million; what a
// bug does is far past.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/tb/combining/tree_supply.hpp>
#include <spillway/tb/traffic/injections/batch.hpp>
#include <spillway/tb/traffic/injections/bernoulli.hpp>
#include <spillway/tb/traffic/patterns/all_to_one.hpp>
#include <spillway/tb/traffic/patterns/bit_complement.hpp>
#include <spillway/tb/traffic/patterns/bit_reversal.hpp>
#include <spillway/tb/traffic/patterns/cshift.hpp>
#include <spillway/tb/traffic/patterns/group_shift.hpp>
#include <spillway/tb/traffic/patterns/hotspot.hpp>
#include <spillway/tb/traffic/patterns/shift.hpp>
#include <spillway/tb/traffic/patterns/shuffle.hpp>
#include <spillway/tb/traffic/patterns/tornado.hpp>
#include <spillway/tb/traffic/patterns/transpose.hpp>
#include <spillway/tb/traffic/patterns/uniform.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <support/terminals.hpp>

using namespace spillway;
using spillway::testing_support::first_terminals;

namespace {

double correlation(const std::vector<double>& a, const std::vector<double>& b, std::size_t lag) {
  const std::size_t n = a.size() - lag;
  const double count = static_cast<double>(n);
  double sum_a = 0, sum_b = 0, ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < n; ++i) sum_a += a[i + lag] / count, sum_b += b[i] / count;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = a[i + lag] - sum_a, y = b[i] - sum_b;
    ab += x * y, aa += x * x, bb += y * y;
  }
  return ab / std::sqrt(aa * bb);
}

void expect_independent(const std::vector<double>& a, const std::vector<double>& b, const char* what) {
  const double bound = 5 / std::sqrt(static_cast<double>(a.size()));
  for (std::size_t lag = 0; lag < 3; ++lag) {
    EXPECT_LT(std::abs(correlation(a, b, lag)), bound) << what << ", " << lag << " later";
    EXPECT_LT(std::abs(correlation(b, a, lag)), bound) << what << ", " << lag << " earlier";
  }
}

TEST(independence, of_who_stops_and_who_sends_to_the_hot_spot) {
  constexpr unsigned seeds = 1000;
  unsigned both = 0;
  for (unsigned seed = 0; seed < seeds; ++seed)
    both += choose_terminals(0.5, 16, true, seed)[choose_stopped(1, 16, seed).front()];
  EXPECT_NEAR(both, seeds / 2, 5 * std::sqrt(seeds / 4));
}

TEST(independence, of_when_where_and_how_long) {
  const packet_lengths lengths({1, 2, 3, 4, 5, 6, 7, 8}, {1, 1, 1, 1, 1, 1, 1, 1});
  const auto list = std::make_shared<traffic_list>(
      traffic_list{{std::make_shared<uniform_pattern>(1000),
                    std::make_shared<bernoulli_injection>(offered_load{0.1, 4.5}), lengths}});
  traffic_supply supply(list, 0, 1, 0);
  std::vector<double> gaps, places, sizes;
  std::uint64_t last = 0;
  while (gaps.size() < 20000) {
    const std::uint64_t now = supply.due(last, 0);
    const packet_order order = supply.take(now);
    gaps.push_back(static_cast<double>(now - last));
    places.push_back(order.destination);
    sizes.push_back(order.length);
    last = now;
  }
  expect_independent(gaps, places, "gaps and destinations");
  expect_independent(gaps, sizes, "gaps and lengths");
  expect_independent(places, sizes, "destinations and lengths");
}

class no_packets final : public packet_supply {
public:
  std::uint64_t due(std::uint64_t, std::size_t) override { return never; }
  packet_order take(std::uint64_t) override { return {}; }
  bool exhausted() const override { return true; }
};

/// Cycles at which a terminal comes to its barriers, nobody else being there.
std::uint64_t first_arrival(std::uint32_t terminal, std::uint64_t seed) {
  tree_rules rules;
  rules.tree = fan_in_tree(64, 63, 63);
  rules.episodes = 1;
  rules.think = 1000;
  rules.seed = seed;
  const auto shared = std::make_shared<tree_rules>(rules);
  tree_supply supply(shared, std::make_shared<tree_watch>(rules.tree), terminal, 1,
                     std::make_unique<no_packets>());
  std::uint64_t now = 0;
  while (supply.due(now, 0) > now && now < 100000) now = std::min(supply.due(now, 0), now + 1000);
  return now;
}

TEST(independence, of_terminals_that_think) {
  std::set<std::uint64_t> seen;
  std::vector<double> here, other;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (std::uint32_t t = 0; t < 31; ++t) {
      here.push_back(static_cast<double>(first_arrival(t, seed)));
      other.push_back(static_cast<double>(first_arrival(t + 31, seed)));
      seen.insert(static_cast<std::uint64_t>(here.back()));
    }
  EXPECT_GT(seen.size(), 500u) << "some 1240 times of 1000 cycles on average";
  EXPECT_NEAR(std::accumulate(here.begin(), here.end(), 0.0) / 1240, 1001.5, 142) << "exponential";
  expect_independent(here, other, "two that think");
}

/// The sum of (found - expected)^2 / expected, for `counts` of as much each: with many counts near their
/// number.
double chi_square(const std::vector<double>& counts) {
  const double mean = std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(counts.size());
  double sum = 0;
  for (const double n : counts) sum += (n - mean) * (n - mean) / mean;
  return sum;
}

TEST(hot_spot, cool_packets_go_to_all_terminals_and_oneself) {
  constexpr std::uint32_t terminals = 16, self = 5;
  const hotspot_pattern pattern(terminals, 0.25, {2});
  random_stream random = make_stream(1, self, 1);
  std::vector<double> cool(terminals);
  double hot = 0;
  for (unsigned i = 0; i < 64000; ++i) {
    packet_order order;
    pattern.address(order, self, i, random);
    if (order.kind == flit_kind::combinable)
      ++hot;
    else
      ++cool[order.destination];
  }
  EXPECT_NEAR(hot, 16000, 5 * 110);
  EXPECT_LT(chi_square(cool), 15 + 5 * std::sqrt(30.0)) << "15 degrees of freedom";
}

TEST(tornado, goes_as_far_as_it_can_without_being_half_way_around) {
  for (std::uint32_t n = 2; n < 20; ++n) {
    const tornado_pattern pattern(n);
    random_stream random = make_stream(1, 0, 1);
    for (std::uint32_t t = 0; t < n; ++t) {
      packet_order order;
      pattern.address(order, t, 0, random);
      const std::uint32_t way = (order.destination + n - t) % n;
      EXPECT_LT(2 * way, n) << n;
      EXPECT_GE(2 * (way + 1), n) << n;
    }
  }
}

TEST(tornado, goes_so_far_along_every_dimension) {
  const tornado_pattern pattern(8 * 5 * 2, {8, 5, 2});
  random_stream random = make_stream(1, 0, 1);
  for (std::uint32_t t = 0; t < 80; ++t) {
    packet_order order;
    pattern.address(order, t, 0, random);
    const std::uint32_t x = (t % 8 + 3) % 8, y = (t / 8 % 5 + 2) % 5, z = t / 40;
    EXPECT_EQ(order.destination, x + 8 * y + 40 * z) << t;
  }
}

/// Where each of the terminals sends; one that sends nothing has its own number.
std::vector<std::uint32_t> destinations(const pattern& where, std::uint32_t terminals) {
  random_stream random = make_stream(1, 0, 1);
  std::vector<std::uint32_t> all;
  for (std::uint32_t t = 0; t < terminals; ++t) {
    packet_order order;
    where.address(order, t, 0, random);
    all.push_back(order.destination);
    EXPECT_EQ(where.silent(t), order.destination == t) << t;
  }
  return all;
}

TEST(permutations, send_where_their_names_say) {
  using list = std::vector<std::uint32_t>;
  EXPECT_EQ(destinations(bit_complement_pattern(8), 8), (list{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(destinations(bit_reversal_pattern(8), 8), (list{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(destinations(shuffle_pattern(8), 8), (list{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(destinations(shuffle_pattern(1), 1), list{0});
  EXPECT_EQ(destinations(transpose_pattern(16), 16),
            (list{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
  EXPECT_EQ(destinations(shift_pattern(5, 3), 5), (list{3, 4, 0, 1, 2}));
  EXPECT_EQ(destinations(all_to_one_pattern(4, 2), 4), (list{2, 2, 2, 2}));
}

TEST(cshift, sends_to_all_others_in_turn_and_then_no_more) {
  const cshift_pattern where(4, 2);
  random_stream random = make_stream(1, 0, 1);
  std::vector<std::uint32_t> all;
  for (std::uint64_t number = 0; number < where.packets(); ++number) {
    packet_order order;
    where.address(order, 2, number, random);
    all.push_back(order.destination);
  }
  EXPECT_EQ(all, (std::vector<std::uint32_t>{3, 3, 0, 0, 1, 1}));
  EXPECT_FALSE(where.silent(0));
  EXPECT_TRUE(cshift_pattern(1).silent(0)) << "there is nobody else";
}

TEST(group_shift, sends_to_all_of_one_group_alike) {
  const group_shift_pattern pattern(24, 8, 2);  // three groups, to the second after
  random_stream random = make_stream(1, 0, 1);
  std::vector<unsigned> sent(24);
  for (unsigned number = 0; number < 800; ++number) {
    packet_order order;
    pattern.address(order, 13, number, random);
    ++sent.at(order.destination);
  }
  for (unsigned t = 0; t < 24; ++t) EXPECT_NEAR(sent[t], t < 8 ? 100 : 0, t < 8 ? 50 : 0) << t;
}

// Of 64 terminals two choices of 16 have 4 in common on average, hypergeometric with a standard deviation of
// 1.512; from the same numbers they would have 16.
TEST(independence, of_the_senders_of_batches_in_several_streams_and_entries) {
  constexpr std::uint32_t terminals = 64, senders = 16;
  const double runs = 400;
  for (const auto& [stream, entry] :
       {std::pair(1u, 0u), std::pair(2u, 0u), std::pair(0u, 1u), std::pair(1u, 1u)}) {
    double together = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      const batch_plan a(first_terminals(terminals), senders, 1, seed),
          b(first_terminals(terminals), senders, 1, seed, stream, entry);
      for (std::uint32_t t = 0; t < terminals; ++t) together += a.count(t) == 1 && b.count(t) == 1;
    }
    EXPECT_NEAR(together / runs, 4, 5 * 1.512 / std::sqrt(runs)) << stream << ' ' << entry;
  }
}

// A choice and another from the same numbers would go together: whoever is chosen first sends first.
TEST(independence, of_the_sources_of_a_hot_spot_and_the_senders_of_batches) {
  constexpr std::uint32_t terminals = 64;
  double together = 0, runs = 400;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    const std::vector<bool> hot = choose_terminals(0.5, terminals, true, seed);
    const batch_plan plan(first_terminals(terminals), terminals / 2, 1, seed);
    for (std::uint32_t t = 0; t < terminals; ++t) together += hot[t] && plan.count(t) == 1;
  }
  // Hypergeometric: 16 of 32 on average, standard deviation 2.016.
  EXPECT_NEAR(together / runs, 16, 5 * 2.016 / std::sqrt(runs));
  // The one sender of a batch is the first number of the stream that is for batches.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    random_stream own = make_stream(seed, 0, purpose_of(purpose::batches, 0));
    EXPECT_EQ(batch_plan(first_terminals(terminals), 1, 1, seed).count(below(terminals, own)), 1u) << seed;
  }
}

}  // namespace
