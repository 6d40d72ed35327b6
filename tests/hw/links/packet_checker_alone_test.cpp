// A packet checker by itself: what it does without a handler, when it sleeps and what it refuses.
#include <gtest/gtest.h>

#include <cstdint>
#include <spillway/hw/links/packet_checker.hpp>
#include <stdexcept>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

struct packet_checker_alone : sc_test {};

}  // namespace

TEST_F(packet_checker_alone, reports_an_error_by_default) {
  bench b(kernel::signals);
  const any_link l = b.bare_link("l");
  packet_checker_config rules;
  rules.link = "top.a_link";
  auto& check = b.make<packet_checker>("check", rules);
  check.bind(l);
  run(2);
  l.valid.write(true);
  l.data.write(make_flit(3, 7, 12, 2, 4));
  try {
    run(1);
    FAIL() << "no report";
  } catch (const sc_core::sc_report& r) {
    EXPECT_STREQ(r.get_msg_type(), "spillway/PL3");
    EXPECT_STREQ(
        r.get_msg(),
        "PL3 broken on top.a_link at cycle 2 (25 ns): 3>7 #12 2/4 lane 0 is shown where a head is due, "
        "ready 0x0");
  }
  EXPECT_EQ(check.violations(), 1u);
}

TEST_F(packet_checker_alone, sleeps_while_the_link_does_not_change) {
  bench b(kernel::fast);
  packet_checker_config rules;
  rules.patience = 1000;
  const any_link l = b.link("l", rules);
  b.reset();
  run(5);
  const std::uint64_t idle = b.domain().calls();
  run(100);
  EXPECT_EQ(b.domain().calls(), idle);
  l.valid.write(true);  // and nobody listens
  run(100);
  EXPECT_LE(b.domain().calls(), idle + 4) << "of the checker and of the watcher beside it";
  run(1000);
  EXPECT_EQ(b.violations.size(), 1u);
  EXPECT_LE(b.domain().calls(), idle + 5);
}

TEST_F(packet_checker_alone, stays_awake_while_equal_flits_cross) {
  bench b(kernel::fast);
  const any_link l = b.link("l");
  b.reset();
  l.valid.write(true);
  l.ready.write(1);
  run(10);
  EXPECT_EQ(b.last_checker().transfers(), 10u);
}

TEST_F(packet_checker_alone, refuses_a_number_of_lanes_that_a_mask_has_not) {
  packet_checker_config rules;
  for (const unsigned lanes : {0u, 65u}) {
    rules.lanes = lanes;
    EXPECT_THROW(packet_checker("check", rules), std::invalid_argument) << lanes;
  }
}
