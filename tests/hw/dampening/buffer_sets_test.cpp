#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <set>
#include <spillway/hw/dampening/buffer_sets.hpp>
#include <spillway/hw/dampening/perfect_family.hpp>
#include <spillway/tb/dampening/dampening.hpp>
#include <spillway/tb/dampening/hash_family.hpp>
#include <stdexcept>

using namespace spillway;

namespace {

buffer_sets make(set_family family, std::uint32_t P, std::uint32_t B, std::uint32_t j,
                 std::uint64_t seed = 1) {
  return make_buffer_sets({family, P, B, j, seed});
}
std::set<std::uint32_t> as_set(const std::vector<std::uint32_t>& v) { return {v.begin(), v.end()}; }
std::set<std::set<std::uint32_t>> different(const buffer_sets& sets) {
  std::set<std::set<std::uint32_t>> all;
  for (const auto& s : sets) all.insert(as_set(s));
  return all;
}

}  // namespace

TEST(buffer_sets, the_six_processors_of_the_paper) {
  // Section V: AB, AC, AD, BC, BD, CD.
  const auto sets = different(make(set_family::unique, 6, 4, 0));
  EXPECT_EQ(sets.size(), 6u);
  for (const auto& s : sets) EXPECT_EQ(s.size(), 2u);
  EXPECT_THROW(make(set_family::unique, 7, 4, 0), std::invalid_argument);
}

TEST(buffer_sets, half_of_one_buffer_is_none) {
  EXPECT_THROW(make(set_family::unique, 1, 1, 0), std::invalid_argument);
  EXPECT_EQ(make(set_family::unique, 1, 2, 0).front().size(), 1u);
}

TEST(buffer_sets, unique_subsets_are_unique_at_the_least_size) {
  for (const std::uint32_t P : {2u, 6u, 64u, 128u, 1000u, 1024u, 4096u}) {
    const std::uint32_t B = theory::unique_subset_buffers(P);
    for (const std::uint64_t seed : {0u, 7u}) {
      const auto sets = make(set_family::unique, P, B, 0, seed);
      EXPECT_EQ(different(sets).size(), P) << P;
      for (const auto& s : sets) EXPECT_EQ(as_set(s).size(), B / 2);
    }
    EXPECT_THROW(make(set_family::unique, P, B - 1, 0), std::invalid_argument);
  }
  EXPECT_EQ(theory::unique_subset_buffers(1000), 13u);
}

TEST(buffer_sets, colexicographic_order_counts_all_subsets) {
  std::vector<std::vector<std::uint32_t>> all;
  for (std::uint64_t rank = 0; rank < subsets_of(7, 3); ++rank) all.push_back(subset_at(rank, 3));
  EXPECT_EQ(all.size(), 35u);
  for (std::size_t i = 1; i < all.size(); ++i) {
    // Colexicographic: reversed, they ascend.
    EXPECT_TRUE(
        std::lexicographical_compare(all[i - 1].rbegin(), all[i - 1].rend(), all[i].rbegin(), all[i].rend()));
  }
  EXPECT_EQ(all.back(), (std::vector<std::uint32_t>{4, 5, 6}));
  EXPECT_EQ(subsets_of(62, 31), 465428353255261088u);
  EXPECT_EQ(subsets_of(200, 100), std::uint64_t{1} << 63);
  EXPECT_EQ(subsets_of(3, 4), 0u);
}

TEST(buffer_sets, binary_digits_take_one_of_each_pair) {
  for (const std::uint32_t P : {2u, 3u, 64u, 1000u}) {
    const std::uint32_t B = theory::binary_digit_buffers(P);
    const auto sets = make(set_family::binary_digits, P, B, 0, 5);
    EXPECT_EQ(different(sets).size(), P);
    for (const auto& s : sets) {
      std::set<std::uint32_t> pairs;
      for (const std::uint32_t b : s) pairs.insert(b / 2);
      EXPECT_EQ(pairs.size(), B / 2);
      EXPECT_EQ(s.size(), B / 2);
    }
    EXPECT_TRUE(theory::is_k_perfect(sets, 1));
    EXPECT_THROW(make(set_family::binary_digits, P, B - 1, 0), std::invalid_argument);
  }
}

TEST(buffer_sets, no_set_of_the_perfect_family_meets_another_twice) {
  for (const auto& [j, B, P] : {std::tuple{4u, 64u, 64u}, {8u, 256u, 128u}, {3u, 27u, 20u}}) {
    const auto sets = make(set_family::perfect, P, B, j, 9);
    EXPECT_EQ(theory::pairs_sharing_two(sets), 0u);
    EXPECT_EQ(different(sets).size(), P);
    for (const auto& s : sets) EXPECT_EQ(s.size(), j);
  }
  EXPECT_TRUE(theory::is_k_perfect(make(set_family::perfect, 64, 64, 4), 3));
  const auto sets = perfect_family_q(4, 64).size() * 16;
  EXPECT_NO_THROW(make(set_family::perfect, static_cast<std::uint32_t>(sets), 64, 4));
  EXPECT_THROW(make(set_family::perfect, static_cast<std::uint32_t>(sets) + 1, 64, 4), std::invalid_argument);
  EXPECT_THROW(make(set_family::perfect, 8, 64, 5), std::invalid_argument);
}

// Section V counts all halves of 3 lg P buffers, C(18, 9) = 48620; a + i b with b coprime to 18 gives 18 * 6
// / 2, as b and -b give the same ones: too few for 64 processors to differ.
TEST(buffer_sets, double_hash_has_few_halves) {
  EXPECT_EQ(different(make(set_family::double_hash, 5000, 18, 9)).size(), 54u);
  unsigned shared_halves = 0, shared_random = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    shared_halves += different(make(set_family::double_hash, 64, 18, 9, seed)).size() < 64;
    shared_random += different(make(set_family::subsets, 64, 18, 9, seed)).size() < 64;
  }
  EXPECT_EQ(shared_halves, 50u);
  EXPECT_LT(shared_random, 9u) << "64 * 63 / 2 / 48620 of 50 are 2";
}

TEST(buffer_sets, double_hash_steps_through_different_buffers) {
  for (const std::uint32_t B : {1u, 12u, 30u, 31u}) {
    const std::uint32_t j = std::min(B, 12u);
    for (const auto& s : make(set_family::double_hash, 500, B, j)) {
      EXPECT_EQ(as_set(s).size(), j);
      // Equal steps: some a and b give exactly this set.
      bool found = false;
      for (std::uint32_t a = 0; a < B && !found; ++a)
        for (std::uint32_t b = 0; b < B && !found; ++b) {
          std::set<std::uint32_t> steps;
          for (std::uint32_t i = 0; i < j; ++i) steps.insert((a + i * b) % B);
          found = steps == as_set(s);
        }
      EXPECT_TRUE(found);
    }
  }
  EXPECT_THROW(make(set_family::double_hash, 5, 4, 5), std::invalid_argument);
}

TEST(buffer_sets, tuples_repeat_as_often_as_independent_draws) {
  // Number of different buffers in j = 6 draws from B = 13, against the exact distribution.
  constexpr std::uint32_t P = 20000, B = 13, j = 6;
  std::vector<double> seen(j + 1), expected(j + 1);
  for (const auto& s : make(set_family::tuples, P, B, j)) ++seen[as_set(s).size()];
  std::vector<double> now{1};
  for (std::uint32_t i = 0; i < j; ++i) {
    std::vector<double> next(now.size() + 1);
    for (std::size_t x = 0; x < now.size(); ++x) {
      next[x] += now[x] * static_cast<double>(x) / B;
      next[x + 1] += now[x] * (B - static_cast<double>(x)) / B;
    }
    now = next;
  }
  double chi = 0;
  for (std::size_t x = 2; x <= j; ++x) chi += (seen[x] - P * now[x]) * (seen[x] - P * now[x]) / (P * now[x]);
  EXPECT_LT(chi, quantile(boost::math::chi_squared(4), 0.9999));
}

TEST(buffer_sets, every_buffer_is_drawn_equally_often) {
  constexpr std::uint32_t P = 20000, B = 13, j = 6;
  for (const set_family family : {set_family::tuples, set_family::subsets, set_family::double_hash}) {
    std::vector<double> first(B);
    for (const auto& s : make(family, P, B, j)) ++first[s.front()];
    double chi = 0;
    for (const double n : first) chi += (n - P / 13.0) * (n - P / 13.0) / (P / 13.0);
    EXPECT_LT(chi, quantile(boost::math::chi_squared(B - 1), 0.9999));
  }
  for (const auto& s : make(set_family::subsets, 100, 6, 6)) EXPECT_EQ(as_set(s).size(), 6u);
}

TEST(buffer_sets, seeds_give_other_mappings_and_the_same_seed_the_same) {
  for (const set_family family : {set_family::tuples, set_family::subsets, set_family::double_hash,
                                  set_family::unique, set_family::binary_digits, set_family::perfect}) {
    const std::uint32_t B = family == set_family::unique ? 12 : 64;
    const auto a = make(family, 64, B, 4, 1), b = make(family, 64, B, 4, 2);
    EXPECT_EQ(a, make(family, 64, B, 4, 1));
    unsigned same = 0;
    for (std::size_t p = 0; p < a.size(); ++p) same += as_set(a[p]) == as_set(b[p]);
    EXPECT_LT(same, 16u) << static_cast<int>(family);
  }
}

TEST(buffer_sets, p_buffers_are_exclusive) {
  const auto sets = make(set_family::per_processor, 10, 20, 2);
  std::set<std::uint32_t> all;
  for (const auto& s : sets) all.insert(s.begin(), s.end());
  EXPECT_EQ(all.size(), 20u);
  EXPECT_THROW(make(set_family::per_processor, 10, 19, 2), std::invalid_argument);
}
