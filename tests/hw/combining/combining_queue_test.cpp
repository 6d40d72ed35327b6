// The queue with search by itself.
#include <gtest/gtest.h>

#include <spillway/hw/combining/combining_queue.hpp>

#include "requests.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

struct item {
  flit message;
  unsigned messages = 1;
};
constexpr std::size_t none = combining_queue<item>::none;

}  // namespace

TEST(combining_queue_test, a_message_joins_the_one_that_waits_for_its_destination) {
  combining_queue<item> queue(combining_config{});
  queue.push({request(1, 0)});
  queue.push({request(2, 0, 5)});
  EXPECT_EQ(*queue.join(request(3, 0), none), request(1, 0));
  EXPECT_EQ(*queue.join(request(3, 1, 5), 0), request(2, 0, 5));
  EXPECT_EQ(queue.join(request(4, 0, 6), none), nullptr) << "no other destination";
  EXPECT_EQ(queue.join(request(4, 0, 0, flit_kind::data), none), nullptr) << "only combinable messages";
  EXPECT_EQ(queue.size(), 2u) << "what joins takes no place";
}

TEST(combining_queue_test, nothing_joins_a_message_that_must_not_be_joined) {
  combining_queue<item> queue(combining_config{});
  queue.push({request(1, 0, 0, flit_kind::data)});
  EXPECT_EQ(queue.join(request(2, 0), none), nullptr);
  queue.push({request(3, 0)});
  EXPECT_NE(queue.join(request(2, 0), 0), nullptr) << "it is not the front";
  queue.take();
  EXPECT_EQ(queue.join(request(2, 1), 0), nullptr) << "the front is being sent";
  EXPECT_NE(queue.join(request(2, 1), none), nullptr) << "it is not yet";
}

TEST(combining_queue_test, joins_in_service_if_told_so) {
  combining_config config;
  config.in_service = true;
  combining_queue<item> queue(config);
  queue.push({request(1, 0)});
  EXPECT_NE(queue.join(request(2, 0), 0), nullptr);
}

TEST(combining_queue_test, keeps_to_its_degree_and_never_passes_a_later_one) {
  combining_config config;
  config.degree = 3;
  combining_queue<item> queue(config);
  queue.push({request(1, 0)});
  EXPECT_NE(queue.join(request(2, 0), none), nullptr);
  queue.push({request(3, 0)});
  EXPECT_EQ(*queue.join(request(4, 0), none), request(3, 0)) << "the latest, though the first has room";
  EXPECT_NE(queue.join(request(5, 0), none), nullptr);
  EXPECT_EQ(queue.join(request(6, 0), none), nullptr) << "three are one now";
  queue.take();
  queue.take();
  EXPECT_EQ(queue.join(request(7, 0), none), nullptr);
}

TEST(combining_queue_test, overtakes_no_message_to_the_same_destination_unless_told_so) {
  for (const bool ordered : {false, true}) {
    combining_config config;
    config.ordered = ordered;
    combining_queue<item> queue(config);
    queue.push({request(1, 0)});
    queue.push({request(2, 0, 5, flit_kind::data)});
    EXPECT_NE(queue.join(request(3, 0), none), nullptr) << "one to another destination is no matter";
    queue.push({request(2, 1, 0, flit_kind::data)});
    EXPECT_EQ(queue.join(request(3, 1), none) == nullptr, ordered);
  }
}

TEST(combining_queue_test, reads_join_those_of_the_same_line) {
  for (const bool overtakes : {false, true}) {
    combining_config config;
    config.overtakes = overtakes;
    combining_queue<item> queue(config);
    queue.push({read_of(7, 1, 0)});
    EXPECT_EQ(queue.join(read_of(8, 2, 0), none), nullptr) << "another line";
    EXPECT_EQ(*queue.join(read_of(7, 2, 0), none), read_of(7, 1, 0));
    queue.push({read_of(8, 3, 0)});
    EXPECT_EQ(*queue.join(read_of(8, 4, 0), none), read_of(8, 3, 0));
    EXPECT_EQ(queue.join(read_of(7, 4, 1), none) != nullptr, overtakes) << "a read of line 8 waits behind";
    queue.push({request(5, 0, 0, flit_kind::data)});
    EXPECT_EQ(queue.join(read_of(8, 6, 0), none), nullptr) << "it may be a write of that line";
  }
}

TEST(combining_queue_test, the_data_do_not_matter_if_told_so) {
  combining_config config;
  config.data_tell = false;
  combining_queue<item> queue(config);
  queue.push({read_of(7, 1, 0)});
  EXPECT_EQ(*queue.join(read_of(8, 2, 0), none), read_of(7, 1, 0));
}
