#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <map>
#include <spillway/hw/switching/separable_allocator.hpp>

using namespace spillway;

namespace {

using grants = std::map<unsigned, unsigned>;  // requester to resource

template <class Set>
Set set_of(std::uint64_t word) {
  Set set;
  set.add(0, word);
  return set;
}

template <class Set>
grants allocate(separable_allocator<Set>& a, const std::map<unsigned, std::uint64_t>& requests) {
  for (const auto& [requester, wanted] : requests) a.request(requester, set_of<Set>(wanted));
  grants given;
  a.allocate([&](unsigned requester, unsigned resource) {
    EXPECT_TRUE(given.emplace(requester, resource).second) << requester << " got two resources";
  });
  return given;
}

template <class Set>
struct separable_allocator_test : testing::Test {};
using sets = testing::Types<word_set, two_level_set>;
TYPED_TEST_SUITE(separable_allocator_test, sets, );

}  // namespace

TYPED_TEST(separable_allocator_test, gives_each_what_it_asked_for_and_nothing_twice) {
  state_memory memory;
  separable_allocator<TypeParam> a(20, 14, memory);
  boost::random::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::map<unsigned, std::uint64_t> requests;
    for (unsigned r = 0; r < 20; ++r)
      if (const std::uint64_t wanted = random() & random() & 0x3fff) requests[r] = wanted;
    const grants given = allocate(a, requests);
    EXPECT_EQ(given.empty(), requests.empty());
    std::uint64_t used = 0;
    for (const auto& [requester, resource] : given) {
      EXPECT_TRUE(requests.at(requester) >> resource & 1);
      EXPECT_FALSE(used >> resource & 1) << "resource " << resource << " given twice";
      used |= std::uint64_t{1} << resource;
    }
  }
}

TYPED_TEST(separable_allocator_test, shares_one_resource_evenly) {
  state_memory memory;
  separable_allocator<TypeParam> a(5, 3, memory);
  std::vector<unsigned> won(5);
  for (int round = 0; round < 500; ++round)
    for (const auto& [requester, resource] : allocate(a, {{0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 4}})) {
      EXPECT_EQ(resource, 2u);
      ++won[requester];
    }
  EXPECT_EQ(won, std::vector<unsigned>(5, 100));
}

TYPED_TEST(separable_allocator_test, learns_to_serve_all_of_a_full_demand) {
  // Who wants everything finds, by the pointers that move apart, a resource of its own.
  state_memory memory;
  separable_allocator<TypeParam> a(4, 4, memory);
  for (int round = 0; round < 8; ++round) allocate(a, {{0, 15}, {1, 15}, {2, 15}, {3, 15}});
  for (int round = 0; round < 8; ++round)
    EXPECT_EQ(allocate(a, {{0, 15}, {1, 15}, {2, 15}, {3, 15}}).size(), 4u) << "round " << round;
}

TYPED_TEST(separable_allocator_test, forgets_the_requests_once_they_are_judged) {
  state_memory memory;
  separable_allocator<TypeParam> a(3, 3, memory);
  EXPECT_EQ(allocate(a, {{0, 1}, {1, 1}}).size(), 1u);
  EXPECT_TRUE(allocate(a, {}).empty());
  a.request(2, set_of<TypeParam>(7));
  a.clear();
  EXPECT_TRUE(allocate(a, {}).empty());
}

TYPED_TEST(separable_allocator_test, is_as_new_when_cleared) {
  state_memory memory;
  separable_allocator<TypeParam> used(4, 4, memory), fresh(4, 4, memory);
  const std::map<unsigned, std::uint64_t> all{{0, 0xf}, {1, 0xf}, {2, 0xf}, {3, 0xf}}, one{{2, 0x6}};
  for (unsigned n = 0; n < 3; ++n) allocate(used, one), allocate(used, all);
  used.clear();
  for (unsigned n = 0; n < 6; ++n) {
    EXPECT_EQ(allocate(used, all), allocate(fresh, all)) << n;
    EXPECT_EQ(allocate(used, one), allocate(fresh, one)) << n;
  }
}

TYPED_TEST(separable_allocator_test, grants_a_lone_request_as_any_other) {
  state_memory memory;
  separable_allocator<TypeParam> a(5, 7, memory), b(5, 7, memory);
  boost::random::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const unsigned requester = random() % 5, resource = random() % 7;
    ASSERT_EQ(allocate(a, {{requester, std::uint64_t{1} << resource}}), (grants{{requester, resource}}));
    b.grant_alone(requester, resource);
    std::map<unsigned, std::uint64_t> requests;
    for (unsigned r = 0; r < 5; ++r) requests[r] = 1 + random() % 127;
    ASSERT_EQ(allocate(a, requests), allocate(b, requests)) << round;
  }
}

TEST(separable_allocator, serves_requesters_and_resources_of_many_ports) {
  state_memory memory;
  separable_allocator<two_level_set> a(4096, 4096, memory);
  std::map<unsigned, unsigned> won;
  for (int round = 0; round < 30; ++round) {
    for (const unsigned requester : {5u, 70u, 4095u}) {
      two_level_set wanted;
      wanted.insert(3000);
      a.request(requester, wanted);
    }
    a.allocate([&](unsigned requester, unsigned resource) {
      EXPECT_EQ(resource, 3000u);
      ++won[requester];
    });
  }
  EXPECT_EQ(won, (std::map<unsigned, unsigned>{{5, 10}, {70, 10}, {4095, 10}}));
}
