#include <gtest/gtest.h>

#include <algorithm>

#include "pool_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

using traffic_case = std::tuple<pool_kind, unsigned, kernel>;  // organisation, size

class buffer_pool_traffic : public sc_test, public testing::WithParamInterface<traffic_case> {
protected:
  using benches = std::vector<std::unique_ptr<pool_bench>>;

  // Every depth, packet length and switching mode, all in one simulation.
  benches all(kernel k) {
    const auto& [kind, size, unused] = GetParam();
    benches made;
    for (const unsigned depth : {1u, 2u, 4u, 7u})
      for (unsigned length = 1; length <= 4; ++length)
        for (const switching mode : {switching::cut_through, switching::store_and_forward}) {
          if (depth < length) continue;
          const auto n = static_cast<unsigned>(made.size());
          made.push_back(std::make_unique<pool_bench>(k, pool_config(kind, size, depth, length, mode),
                                                      "b" + std::to_string(n) + name_of(k), n % 2 ? 50 : 100,
                                                      n % 3 ? 60 : 100));
          fill(*made.back(), size, length, n);
        }
    return made;
  }
  static void fill(pool_bench& t, unsigned size, unsigned length, unsigned seed) {
    dice d(seed);
    for (unsigned p = 0; p < 60; ++p)
      for (unsigned i = 0; i < size; ++i) t.send(i, d.below(size), 1 + d.below(length));
  }
};

}  // namespace

TEST_P(buffer_pool_traffic, loses_duplicates_and_reorders_nothing) {
  auto made = all(std::get<2>(GetParam()));
  for (auto& t : made) t->b.rst(true);
  run(2);
  for (auto& t : made) t->b.rst(false);
  run(4000);
  for (auto& t : made) {
    SCOPED_TRACE(t->pool.name());
    t->expect_all_delivered();
  }
}

/// Beside a pool that nothing has come to before the reset.
TEST_P(buffer_pool_traffic, goes_after_a_reset_as_if_there_had_been_none_before) {
  const auto& [kind, size, k] = GetParam();
  benches used, fresh;
  for (const auto& [length, mode] :
       {std::pair(1u, switching::cut_through), std::pair(3u, switching::cut_through),
        std::pair(3u, switching::store_and_forward)})
    for (benches* const made : {&used, &fresh}) {
      const std::string name = (made == &used ? "used" : "fresh") + std::to_string(made->size());
      made->push_back(std::make_unique<pool_bench>(k, pool_config(kind, size, 7, length, mode), name));
    }
  const auto each = [&](auto&& f) {
    for (benches* const made : {&used, &fresh})
      for (std::size_t n = 0; n < made->size(); ++n) f(*(*made)[n], n);
  };
  for (std::size_t n = 0; n < used.size(); ++n) fill(*used[n], size, n ? 3 : 1, 8);
  run(53);
  each([](pool_bench& t, std::size_t) { t.b.rst(true); });
  run(1);
  each([&, size = size](pool_bench& t, std::size_t n) {
    for (sender* const from : t.from) from->todo.clear();
    for (receiver* const to : t.to) to->got.clear();
    std::fill(t.packets.begin(), t.packets.end(), 0);
    fill(t, size, n ? 3 : 1, 9);
  });
  run(1);
  each([](pool_bench& t, std::size_t) { t.b.rst(false); });
  run(400);
  for (std::size_t n = 0; n < used.size(); ++n) {
    EXPECT_GT(used[n]->pool.lost_in_reset(), 0u);
    for (unsigned o = 0; o < size; ++o) {
      EXPECT_GT(fresh[n]->to[o]->got.size(), 30u);
      EXPECT_TRUE(used[n]->to[o]->got == fresh[n]->to[o]->got) << used[n]->pool.name() << ", output " << o;
    }
  }
}

namespace {

std::string name_of_case(const testing::TestParamInfo<traffic_case>& info) {
  const auto& [kind, size, k] = info.param;
  return std::string(kind.name) + "_" + std::to_string(size) + "x" + std::to_string(size) + "_" + name_of(k);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(every, buffer_pool_traffic,
                         testing::Combine(testing::ValuesIn(pool_kinds), testing::Values(2u, 4u),
                                          testing::Values(kernel::signals, kernel::fast)),
                         name_of_case);

namespace {

class full_pool : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

/// A flit taken at this edge wants no further place: only those that still wait have the first claim.
TEST_P(full_pool, keeps_places_for_inputs_that_wait) {
  constexpr unsigned size = 8, packets = 400;
  pool_bench t(GetParam(), pool_config(pool_kinds[2], size, 4));
  for (unsigned p = 0; p < packets; ++p)
    for (unsigned i = 0; i < size; ++i) t.send(i, (i + p) % size);
  run(size * packets / 3);  // over 3 flits a cycle
  t.expect_all_delivered();
}

INSTANTIATE_TEST_SUITE_P(every, full_pool, testing::Values(kernel::signals, kernel::fast));
