// What is made of the messages along a tree 0 -> 1 -> 2, in cycles.
#include <gtest/gtest.h>

#include <spillway/tb/combining/combining_tree.hpp>
#include <spillway/tb/combining/tree_supply.hpp>
#include <spillway/tb/hypercube/message_meter.hpp>

using namespace spillway;

namespace {

class message_meter_test : public testing::Test {
protected:
  /// A copy of a broadcast is handed over by the host at one cycle and arrives at another.
  void hop(std::uint32_t from, std::uint64_t injected, std::uint64_t arrived) {
    flit head;
    head.source = from;
    head.destination = from + 1;
    head.traffic_class = tree_down;
    meter.injected(injected, head);
    delivery d;
    d.source = from;
    d.destination = from + 1;
    d.injected = d.created = injected;
    d.cycle = arrived;
    d.traffic_class = tree_down;
    meter.delivered(d);
  }
  double counted(const std::string& name) {
    meter.finish(1000);
    counters all;
    meter.count(all);
    return all.at("messages." + name);
  }

  const terminal_tree tree = fan_in_tree(3, 1, 0);
  message_meter meter{measure_context{0, 0, 3, &tree}, 1, 1.0};
};

TEST_F(message_meter_test, a_broadcast_that_no_host_keeps_waiting_takes_its_hops) {
  hop(0, 10, 21);
  hop(1, 23, 34);
  EXPECT_DOUBLE_EQ(counted("r_hot_links"), (0 + 10 + 20) / 3.0);
  EXPECT_DOUBLE_EQ(counted("r_hot"), counted("r_hot_links"));
}

TEST_F(message_meter_test, what_it_waits_in_a_host_is_part_of_its_delay) {
  hop(0, 10, 21);
  hop(0, 40, 51);
  hop(1, 53, 64);  // the first one, 30 cycles later than it could go
  hop(1, 66, 77);  // the second one, 13 cycles
  EXPECT_DOUBLE_EQ(counted("r_hot_links"), (0 + 10 + 20) / 3.0);
  EXPECT_DOUBLE_EQ(counted("r_hot"), (0 + 10 + (20 + 30 + 20 + 13) / 2.0) / 3);
}

TEST_F(message_meter_test, after_a_reset_broadcasts_count_anew) {
  hop(0, 10, 21);
  meter.write_off(100);
  hop(0, 110, 121);
  hop(1, 123, 134);
  EXPECT_DOUBLE_EQ(counted("r_hot"), (0 + 10 + 20) / 3.0);
}

}  // namespace
