// What is kept of each pair of terminals.
#include <gtest/gtest.h>

#include <spillway/tb/measure/flow_meter.hpp>

using namespace spillway;

TEST(flow_meter, has_the_numbers_of_each_pair) {
  flow_meter meter;
  // Latencies 1 to 20, five of each, of pair 3 to 1; a single packet back.
  for (unsigned i = 0; i < 100; ++i) {
    delivery d;
    d.source = 3, d.destination = 1, d.length = 2;
    d.created = 7 * i;
    d.cycle = d.created + 1 + i / 5;
    meter.add(d);
  }
  delivery back;
  back.source = 1, back.destination = 3, back.length = 4;
  back.created = 10, back.cycle = 15;
  meter.add(back);
  const std::vector<flow_record> flows = meter.report();
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(flows[0].source, 1u);
  EXPECT_EQ(flows[0].destination, 3u);
  EXPECT_EQ(flows[0].packets, 1u);
  EXPECT_EQ(flows[0].flits, 4u);
  EXPECT_EQ(flows[0].p99, 5);
  EXPECT_EQ(flows[1].packets, 100u);
  EXPECT_EQ(flows[1].flits, 200u);
  EXPECT_DOUBLE_EQ(flows[1].mean, 10.5);
  EXPECT_EQ(flows[1].p99, 20) << "the 99th of 100; the 95th has 19";
  EXPECT_EQ(flows[1].max, 20);
}

TEST(flow_meter, has_no_percentile_outside_of_what_was_seen) {
  flow_meter meter;
  delivery d;
  d.cycle = 26623;  // the last of a bin
  meter.add(d);
  EXPECT_EQ(meter.report().at(0).p99, 26623);
}
