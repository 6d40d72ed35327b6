#include <gtest/gtest.h>

#include <spillway/hw/ecn/ecn_marker.hpp>
#include <spillway/hw/ecn/ecn_marks.hpp>
#include <support/marking_bench.hpp>

#include "../isolation/isolation_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// An isolation switch with a marker that sees its links.
struct marked_switch : isolation_bench {
  ecn_marker& marker;

  explicit marked_switch(kernel k)
      : isolation_bench(k, config()), marker(b.make<ecn_marker>("marker", ecn_marker_config{2, 4, 16})) {
    for (unsigned o = 0; o < 2; ++o) {
      auto& l = b.keep<marking_link>(link_place{"marks" + std::to_string(o)});
      block.connect_marking(o, l);
      l.connect(marker.output[o]);
      static_cast<network_link&>(*out[o]).connect_watch(marker.link[o]);
    }
  }
  static isolation_switch_config config() {
    isolation_switch_config c;
    c.marked = true;
    return c;
  }
  unsigned marked(std::uint32_t destination) const {
    unsigned n = 0;
    for (const passage& p : to[destination / 2]->got)
      n += p.data.destination == destination && (p.data.marks & ecn::forward);
    return n;
  }
};

class ecn_on_isolation : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(ecn_on_isolation, marks_at_the_root) {
  marked_switch t(GetParam());
  for (int n = 0; n < 60; ++n) t.send(0, n % 4 == 3 ? 2 : 0), t.send(1, 0);
  unmark(*t.from[0]), unmark(*t.from[1]);
  t.b.reset();
  run(250);
  EXPECT_EQ(t.arrived(0), 105u);
  EXPECT_GT(t.marked(0), 70u);
  EXPECT_EQ(t.arrived(2), 15u);
  EXPECT_EQ(t.marked(2), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

// Six packets are set aside for a root farther on; the others leave by the same output, which is congested
// for nobody. A stop is not seen as a refusal.
TEST_P(ecn_on_isolation, does_not_mark_what_passes_a_stopped_tree) {
  marked_switch t(GetParam());
  t.b.reset();
  t.stops_out[0]->todo.push_back(set(root_of(0)));
  run(4);
  for (int n = 0; n < 6; ++n) t.send(0, 0);
  for (int n = 0; n < 20; ++n) t.send(0, 1);
  unmark(*t.from[0]);
  run(80);
  EXPECT_EQ(t.block.level(), 6u);
  EXPECT_EQ(t.arrived(1), 20u);
  EXPECT_EQ(t.marked(1), 0u);
}

TEST_P(ecn_on_isolation, sees_refusals_on_its_links) {
  marked_switch t(GetParam());
  t.to[0]->rate = 20;
  for (int n = 0; n < 20; ++n) t.send(0, 0), t.send(1, 0);
  unmark(*t.from[0]), unmark(*t.from[1]);
  t.b.reset();
  run(300);
  EXPECT_EQ(t.arrived(0), 40u);
  EXPECT_EQ(t.marked(0), 0u) << "the output is a victim";
}

INSTANTIATE_TEST_SUITE_P(kernels, ecn_on_isolation, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& one) { return name_of(one.param); });
