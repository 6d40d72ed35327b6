#include <gtest/gtest.h>

#include <spillway/hw/ecn/ecn_marker.hpp>
#include <spillway/hw/ecn/ecn_marks.hpp>
#include <string>
#include <support/refusal.hpp>

#include "../packet/pool_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

buffer_pool_config marked_config(buffering organisation, unsigned ports, unsigned depth) {
  buffer_pool_config c;
  c.inputs = c.outputs = ports;
  c.organisation = organisation;
  c.depth = depth;
  c.marked = true;
  return c;
}

/// A pool with a marker beside it.
struct marked_pool : pool_bench {
  ecn_marker& marker;

  marked_pool(kernel k, const buffer_pool_config& config, unsigned threshold, unsigned room,
              const std::string& name = "b")
      : pool_bench(k, config, name),
        marker(b.make<ecn_marker>("marker", ecn_marker_config{config.outputs, threshold, room})) {
    for (unsigned o = 0; o < config.outputs; ++o) {
      link_place place;
      place.name = name + "_marks_" + std::to_string(o);
      auto& l = b.keep<marking_link>(place);
      links.push_back(&l);
      pool.connect_marking(o, l);
      l.connect(marker.output[o]);
      if (room) marker.link[o].bind(out[o]);
    }
  }
  /// Packets of one flit without marks.
  void send_all(unsigned i, unsigned o, unsigned count) {
    for (unsigned n = 0; n < count; ++n) {
      send(i, o);
      from[i]->todo.back().marks = 0;
    }
  }
  unsigned waiting(unsigned o) const {
    return links[o]->with([](const auto& w) { return unsigned{w.waiting.read()}; });
  }
  unsigned marks(unsigned o) const {
    return links[o]->with([](const auto& w) { return unsigned{w.marks.read()}; });
  }
  unsigned marked_of(unsigned o) const {
    unsigned n = 0;
    for (const passage& p : to[o]->got) n += (p.data.marks & ecn::forward) != 0;
    return n;
  }
  std::vector<marking_link*> links;
};

class ecn_markers : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

/// The pins say what waits for each output, whatever the queues are.
TEST_P(ecn_markers, see_what_waits) {
  std::vector<std::unique_ptr<marked_pool>> all;
  for (const buffering b :
       {buffering::fifo, buffering::voq, buffering::output, buffering::shared, buffering::damq}) {
    all.push_back(std::make_unique<marked_pool>(GetParam(), marked_config(b, 3, 8), 100, 0,
                                                "b" + std::to_string(all.size())));
    marked_pool& t = *all.back();
    t.to[0]->rate = t.to[2]->rate = 0;
    t.send_all(0, 0, 3), t.send_all(0, 2, 2), t.send_all(1, 2, 1);
    t.b.rst(true);
  }
  run(2);
  for (auto& t : all) t->b.rst(false);
  run(30);
  for (auto& t : all) {
    EXPECT_EQ(t->waiting(0), 3u);
    EXPECT_EQ(t->waiting(1), 0u);
    EXPECT_EQ(t->waiting(2), 3u);
    t->to[0]->rate = 100;
  }
  run(30);
  for (auto& t : all) EXPECT_EQ(t->waiting(0), 0u);
}

/// Two inputs send to output 0 what one output takes, and the queue grows; the rest to output 1.
TEST_P(ecn_markers, mark_at_the_root) {
  marked_pool t(GetParam(), marked_config(buffering::voq, 3, 16), 4, 16);
  t.send_all(0, 0, 40), t.send_all(1, 0, 40), t.send_all(2, 1, 40);
  t.b.reset();
  run(120);
  EXPECT_EQ(t.to[0]->got.size(), 80u);
  const unsigned before = t.marked_of(0);
  EXPECT_GT(before, 60u);
  EXPECT_LT(before, 80u);
  // Those that leave before the queue has grown are not marked.
  EXPECT_EQ(t.to[0]->got.front().data.marks, 0u);
  EXPECT_EQ(t.marked_of(1), 0u);
  EXPECT_EQ(t.marks(0), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

/// An output whose next takes a flit in five cycles has as long a queue, and is a victim.
TEST_P(ecn_markers, know_victims) {
  marked_pool strict(GetParam(), marked_config(buffering::voq, 2, 16), 4, 16);
  strict.to[0]->rate = 20;
  strict.send_all(0, 0, 40), strict.send_all(1, 0, 40);
  strict.b.reset();
  run(300);
  EXPECT_GT(strict.to[0]->got.size(), 30u);
  EXPECT_EQ(strict.marked_of(0), 0u);
}

TEST_P(ecn_markers, mark_victims_if_asked_to) {
  marked_pool all(GetParam(), marked_config(buffering::voq, 2, 16), 4, 0);
  all.to[0]->rate = 20;
  all.send_all(0, 0, 40), all.send_all(1, 0, 40);
  all.b.reset();
  run(300);
  EXPECT_GT(all.marked_of(0), 20u);
}

TEST_P(ecn_markers, forget_in_a_reset_what_was_refused) {
  marked_pool t(GetParam(), marked_config(buffering::voq, 2, 16), 4, 1000);
  t.to[0]->rate = 0;
  t.send_all(0, 0, 8);
  t.b.reset();
  run(40);
  t.b.rst(true);
  run(2);
  t.b.rst(false);
  t.to[0]->rate = 100;
  t.send_all(0, 0, 40), t.send_all(1, 0, 40);
  run(120);
  EXPECT_GT(t.marked_of(0), 50u);
}

TEST_P(ecn_markers, are_given_pins_by_pools_that_are_made_for_them_alone) {
  buffer_pool_config config = marked_config(buffering::voq, 2, 4);
  config.marked = false;
  pool_bench t(GetParam(), config);
  auto& l = t.b.keep<marking_link>(link_place{"marks"});
  EXPECT_THROW(t.pool.connect_marking(0, l), std::logic_error);
  t.b.reset();
  run(1);
}

TEST(ecn_marker_config_test, names_what_is_wrong) {
  const auto said_of = [](unsigned outputs, unsigned threshold) {
    return refusal<std::invalid_argument>([&] { ecn_marker_config{outputs, threshold, 0}.check(); });
  };
  EXPECT_EQ(said_of(0, 4), "a switch has 1 to 64 outputs, found 0");
  EXPECT_EQ(said_of(65, 4), "a switch has 1 to 64 outputs, found 65");
  EXPECT_EQ(said_of(2, 0), "an output is congested from 1 to 65535 flits on, found 0");
  EXPECT_EQ(said_of(2, 65536), "an output is congested from 1 to 65535 flits on, found 65536");
  EXPECT_EQ(said_of(1, 1), "");
  EXPECT_EQ(said_of(64, 65535), "");
}

INSTANTIATE_TEST_SUITE_P(kernels, ecn_markers, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& one) { return name_of(one.param); });
