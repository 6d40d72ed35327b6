#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <map>
#include <spillway/hw/switching/separable_allocator.hpp>

using namespace spillway;

namespace {

using grants = std::map<unsigned, unsigned>;  // requester to resource

grants allocate(separable_allocator& a, const std::map<unsigned, std::uint64_t>& requests) {
  for (const auto& [requester, wanted] : requests) a.request(requester, wanted);
  grants given;
  a.allocate([&](unsigned requester, unsigned resource) {
    EXPECT_TRUE(given.emplace(requester, resource).second) << requester << " got two resources";
  });
  return given;
}

}  // namespace

TEST(separable_allocator, gives_each_what_it_asked_for_and_nothing_twice) {
  separable_allocator a(20, 14);
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

TEST(separable_allocator, shares_one_resource_evenly) {
  separable_allocator a(5, 3);
  std::vector<unsigned> won(5);
  for (int round = 0; round < 500; ++round)
    for (const auto& [requester, resource] : allocate(a, {{0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 4}})) {
      EXPECT_EQ(resource, 2u);
      ++won[requester];
    }
  EXPECT_EQ(won, std::vector<unsigned>(5, 100));
}

TEST(separable_allocator, learns_to_serve_all_of_a_full_demand) {
  // Who wants everything finds, by the pointers that move apart, a resource of its own.
  separable_allocator a(4, 4);
  for (int round = 0; round < 8; ++round) allocate(a, {{0, 15}, {1, 15}, {2, 15}, {3, 15}});
  for (int round = 0; round < 8; ++round)
    EXPECT_EQ(allocate(a, {{0, 15}, {1, 15}, {2, 15}, {3, 15}}).size(), 4u) << "round " << round;
}

TEST(separable_allocator, forgets_the_requests_once_they_are_judged) {
  separable_allocator a(3, 3);
  EXPECT_EQ(allocate(a, {{0, 1}, {1, 1}}).size(), 1u);
  EXPECT_TRUE(allocate(a, {}).empty());
  a.request(2, 7);
  a.clear();
  EXPECT_TRUE(allocate(a, {}).empty());
}

TEST(separable_allocator, grants_a_lone_request_as_any_other) {
  separable_allocator a(5, 7), b(5, 7);
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
