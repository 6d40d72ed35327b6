// One switch that pauses flows: its queues, its pauses, what it shows and refuses.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <spillway/hw/flow_pause/flow_pause_switch.hpp>
#include <stdexcept>
#include <string>
#include <support/flow_pause_bench.hpp>
#include <support/link_bench.hpp>
#include <support/marking_bench.hpp>
#include <support/refusal.hpp>
#include <vector>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// One switch of node 1, whose links have four lanes, between senders and who takes the lanes in `takes`.
struct switch_bench {
  bench b;
  flow_pause_switch& block;
  std::vector<packet_link*> in, out;
  std::vector<sender*> from;
  std::vector<std::unique_ptr<clocked>> checkers;
  std::vector<std::uint32_t> packets = std::vector<std::uint32_t>(2);
  lane_mask takes[2] = {0, 0};
  std::vector<passage> got;  // lane and all, by either output

  explicit switch_bench(kernel k, const flow_pause_config& config = flow_pause_config_of())
      : b(k),
        block(b.make<flow_pause_switch>("switch", config, 1u, std::make_shared<bitwise_routing>(),
                                        std::vector<link_end>(config.outputs, link_end{2, 0, 4, false}))) {
    for (unsigned p = 0; p < config.inputs; ++p) {
      in.push_back(&b.keep<packet_link>(link_place{"in" + std::to_string(p)}));
      from.push_back(&b.make<sender>("from" + std::to_string(p)));
      if (config.lanes > 1) from[p]->out.lanes().declare(config.lanes);
      in[p]->connect(from[p]->out), block.connect_input(p, *in[p]);
    }
    for (unsigned p = 0; p < config.outputs; ++p) {
      out.push_back(&b.keep<packet_link>(link_place{"out" + std::to_string(p)}));
      block.connect_output(p, *out[p]);
      take(p, 0);
    }
    checkers = b.checkers_of(block);
    for (const auto& links : {in, out})
      for (packet_link* l : links) {
        checkers.push_back(l->make_checker(b.collect()));
        b.clock(*checkers.back());
      }
  }
  void send(unsigned input, unsigned destination, unsigned lane, unsigned length = 1) {
    from[input]->add_packet(input, destination, packets[input]++, length, lane);
  }
  void take(unsigned output, lane_mask lanes) {
    takes[output] = lanes;
    out[output]->with([&](auto& w) { w.ready.write(lanes); });
  }
  void pass(unsigned cycles) {
    for (unsigned n = 0; n < cycles; ++n) {
      for (unsigned o = 0; o < out.size(); ++o)
        if (out[o]->valid() && accepts(takes[o], out[o]->data()))
          got.push_back({block.cycle(), out[o]->data()});
      run(1);
    }
  }
  /// Takes this lane alone until it is empty; the destinations that have come.
  std::vector<unsigned> drained(unsigned output, unsigned lane) {
    got.clear();
    take(output, lane_mask{1} << lane);
    pass(30);
    take(output, 0);
    std::vector<unsigned> all;
    for (const passage& p : got) {
      EXPECT_EQ(p.data.lane, lane);
      all.push_back(p.data.destination);
    }
    return all;
  }
  double counted(const std::string& name) const {
    counters all;
    block.count(all);
    return all.at("flow_pause." + name);
  }
};

class flow_pause_switch_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(flow_pause_switch_on, passes_a_permutation_at_full_rate_a_cycle_later) {
  switch_bench t(GetParam());
  t.take(0, ~lane_mask{0}), t.take(1, ~lane_mask{0});
  for (int n = 0; n < 100; ++n) t.send(0, 1, n % 4), t.send(1, 0, n % 4);
  t.b.reset();
  t.pass(110);
  ASSERT_EQ(t.got.size(), 200u);
  EXPECT_EQ(t.got.back().cycle - t.got.front().cycle, 99u);
  EXPECT_EQ(t.got.front().cycle, t.from[0]->sent[0].cycle + 1);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

// Even destinations leave by output 0.
TEST_P(flow_pause_switch_on, gives_each_flow_a_queue_of_its_own_while_there_are_some) {
  switch_bench t(GetParam());
  t.b.reset();
  for (const unsigned d : {2, 4, 6}) t.send(0, d, 0), run(3);
  run(4);
  EXPECT_EQ(t.drained(0, 1), std::vector<unsigned>{4});
  EXPECT_EQ(t.drained(0, 0), std::vector<unsigned>{2});
  EXPECT_EQ(t.drained(0, 2), std::vector<unsigned>{6});
  EXPECT_EQ(t.counted("no_queue_free"), 0);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(flow_pause_switch_on, tells_the_flows_of_two_sources_apart_unless_destinations_are_flows) {
  for (const flow_key key : {flow_key::pair, flow_key::destination}) {
    state_memory memory;
    const flow_table table(1, 64, key, memory);
    const bool same = table.line_of(make_flit(0, 2, 0)) == table.line_of(make_flit(1, 2, 7));
    EXPECT_EQ(same, key == flow_key::destination);
  }
  switch_bench t(GetParam());
  t.b.reset();
  t.send(0, 2, 0), t.send(1, 2, 0);
  run(8);
  EXPECT_EQ(t.drained(0, 0).size(), 1u);
  EXPECT_EQ(t.drained(0, 1).size(), 1u);
}

TEST_P(flow_pause_switch_on, keeps_a_flow_in_its_queue_until_all_of_it_has_left) {
  flow_pause_config config = flow_pause_config_of();
  config.threshold = 0;
  switch_bench t(GetParam(), config);
  t.b.reset();
  t.send(0, 2, 0);
  run(6);
  for (int n = 0; n < 3; ++n) t.send(0, 4, 1);
  run(8);
  EXPECT_EQ(t.drained(0, 0), std::vector<unsigned>{2});
  t.send(0, 4, 2);  // queue 0 is free, and 4 has packets in queue 1
  run(6);
  EXPECT_EQ(t.drained(0, 1), std::vector<unsigned>(4, 4));
  t.send(0, 4, 2);  // now nothing of it is here
  run(6);
  EXPECT_EQ(t.drained(0, 0), std::vector<unsigned>{4});
}

TEST_P(flow_pause_switch_on, shares_the_queue_of_the_hash_when_none_is_free) {
  switch_bench t(GetParam(), flow_pause_config_of(2, 0));
  state_memory memory;
  const flow_table table(1, 64, flow_key::pair, memory);
  t.b.reset();
  for (const unsigned d : {2, 4, 6, 8}) t.send(0, d, 0);
  run(12);
  EXPECT_EQ(t.counted("no_queue_free"), 2);
  std::vector<unsigned> expected[2] = {{2}, {4}};
  for (const unsigned d : {6, 8}) expected[table.line_of(make_flit(0, d, 0)) % 2].push_back(d);
  EXPECT_EQ(t.drained(0, 0), expected[0]);
  EXPECT_EQ(t.drained(0, 1), expected[1]);
}

// Nobody takes output 0. Of the packets in lane 2 the third has two before it, as many as may be.
TEST_P(flow_pause_switch_on, pauses_the_lane_that_fills_a_queue_and_no_other) {
  switch_bench t(GetParam());
  t.take(1, ~lane_mask{0});
  t.b.reset();
  for (int n = 0; n < 8; ++n) t.send(0, 2, 2);
  run(12);
  EXPECT_EQ(t.in[0]->ready(), 0xbu) << "lane 2 alone is closed";
  EXPECT_EQ(t.in[1]->ready(), 0xfu);
  EXPECT_EQ(t.block.level(), 3u);
  for (int n = 0; n < 20; ++n) t.send(1, 1, 2), t.send(1, 3, 3);
  t.pass(60);
  EXPECT_EQ(t.got.size(), 40u) << "its lanes and the other output are open";
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(flow_pause_switch_on, opens_a_lane_when_fewer_than_its_share_are_before_all_of_it) {
  switch_bench t(GetParam());
  t.b.reset();
  for (int n = 0; n < 4; ++n) t.send(0, 2, 2);
  run(12);
  ASSERT_EQ(t.in[0]->ready(), 0xbu);
  t.take(0, 1);  // at the next edge the first of three leaves, and one is before the third
  run(1);
  t.take(0, 0);
  EXPECT_EQ(t.in[0]->ready(), 0xfu);
  run(4);
  EXPECT_EQ(t.in[0]->ready(), 0xbu) << "the fourth has come";
  EXPECT_EQ(t.counted("pauses"), 2);
}

// In one queue of two inputs' packets by turns: of each lane the packet that paused it is the third and the
// fourth.
TEST_P(flow_pause_switch_on, keeps_a_lane_paused_whose_packet_has_just_its_share_before_it) {
  flow_pause_config config = flow_pause_config_of();
  config.key = flow_key::destination;
  switch_bench t(GetParam(), config);
  t.b.reset();
  for (int n = 0; n < 2; ++n) t.send(0, 2, 2), t.send(1, 2, 1);
  run(12);
  ASSERT_EQ(t.block.level(), 4u);
  ASSERT_EQ(t.in[0]->ready(), 0xbu);
  ASSERT_EQ(t.in[1]->ready(), 0xdu);
  t.take(0, 1);
  run(1);
  EXPECT_EQ(t.in[0]->ready(), 0xfu);
  EXPECT_EQ(t.in[1]->ready(), 0xdu) << "two are before its second";
  run(1);
  EXPECT_EQ(t.in[1]->ready(), 0xfu);
}

TEST_P(flow_pause_switch_on, keeps_a_lane_paused_while_another_queue_moves) {
  switch_bench t(GetParam());
  t.b.reset();
  for (int n = 0; n < 3; ++n) t.send(0, 2, 0), t.send(1, 2, 1);
  run(16);
  ASSERT_EQ(t.in[0]->ready(), 0xeu);
  ASSERT_EQ(t.in[1]->ready(), 0xdu);
  EXPECT_EQ(t.drained(0, 1).size(), 3u);
  EXPECT_EQ(t.in[0]->ready(), 0xeu);
  EXPECT_EQ(t.in[1]->ready(), 0xfu);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(flow_pause_switch_on, divides_the_threshold_among_the_queues_that_send) {
  switch_bench t(GetParam(), flow_pause_config_of(4, 4));
  t.b.reset();
  t.take(0, 0);
  for (int n = 0; n < 8; ++n) t.send(0, 2, 0);
  run(14);
  EXPECT_EQ(t.block.level(), 5u) << "four may be before a packet";
  t.send(1, 4, 0), t.send(1, 6, 0), t.send(1, 8, 0);  // three more queues
  run(8);
  EXPECT_EQ(t.in[1]->ready(), 0xfu);
  for (int n = 0; n < 4; ++n) t.send(1, 4, 1);
  run(8);
  EXPECT_EQ(t.block.level(), 12u) << "none of the four queues sends, and each may have four";
  for (int n = 0; n < 40; ++n) t.send(1, 6, 2), t.send(1, 8, 3);
  t.take(0, 0xe);  // three queues send, of which each may have one
  t.pass(20);
  EXPECT_GT(t.counted("pauses"), 10);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(flow_pause_switch_on, takes_nothing_without_places_and_pauses_nothing_without_a_threshold) {
  switch_bench t(GetParam(), flow_pause_config_of(4, 0));
  t.b.reset();
  for (int n = 0; n < 20; ++n) t.send(0, 2, 2);
  run(30);
  EXPECT_EQ(t.block.level(), 12u);
  EXPECT_EQ(t.block.fullest(), 1);
  EXPECT_EQ(t.in[0]->ready(), 0u);
  EXPECT_EQ(t.in[1]->ready(), 0xfu) << "the places of an input are its own";
  EXPECT_EQ(t.counted("pauses"), 0);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

// A queue counts in 16 bits the flits that have joined and left it. It is never empty, and never near its
// threshold.
TEST_F(flow_pause_switch_test, pauses_nothing_as_the_counts_of_a_queue_wrap_round) {
  switch_bench t(kernel::fast, flow_pause_config_of(4, 8));
  t.b.reset();
  for (int n = 0; n < 6; ++n) t.send(0, 2, 0);
  run(12);
  for (int n = 0; n < 66000; ++n) t.send(0, 2, 0);
  t.take(0, 1);
  run(65900);
  EXPECT_GE(t.block.level(), 2u);
  EXPECT_LE(t.block.level(), 6u);
  EXPECT_GT(t.from[0]->sent.size(), 65800u);
  EXPECT_EQ(t.counted("pauses"), 0);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(flow_pause_switch_on, shares_an_output_evenly_between_its_queues) {
  switch_bench t(GetParam());
  t.take(0, ~lane_mask{0});
  for (int n = 0; n < 300; ++n) t.send(0, n % 2 ? 4 : 2, n % 2), t.send(1, 6, 2);
  t.b.reset();
  t.pass(300);
  unsigned count[3] = {0, 0, 0};
  for (const passage& p : t.got) ++count[p.data.destination / 2 - 1];
  EXPECT_GE(t.got.size(), 295u) << "the output is busy in every cycle";
  for (const unsigned c : count) EXPECT_NEAR(c, 100, 51) << "and no flow starves";
}

TEST_P(flow_pause_switch_on, is_emptied_by_a_reset_and_counts_the_loss) {
  switch_bench t(GetParam(), flow_pause_config_of(4, 2, 2));
  for (int n = 0; n < 20; ++n) t.send(0, 2 * (n % 3), n % 3, 2), t.send(1, n % 4, n % 4, 2);
  t.b.reset();
  run(40);
  const unsigned held = t.block.level();
  ASSERT_GE(held, 8u);
  ASSERT_NE(t.in[0]->ready(), 0xfu);
  t.b.rst(true);
  run(1);
  EXPECT_EQ(t.block.level(), 0u);
  EXPECT_EQ(t.block.lost_in_reset(), held);
  for (sender* s : t.from) s->todo.clear(), s->sent.clear();
  run(3);
  t.b.rst(false);
  run(2);
  EXPECT_EQ(t.in[0]->ready(), 0xfu) << "no pause outlives the reset";
  for (int n = 0; n < 20; ++n) t.send(0, n % 4, n % 4, 2), t.send(1, n % 4, n % 4);
  t.take(0, 0xf), t.take(1, 0xf);
  t.pass(200);
  EXPECT_EQ(t.got.size(), 60u);
  EXPECT_EQ(t.block.level(), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

// The gate of a terminal.
TEST_P(flow_pause_switch_on, lets_flows_pass_each_other_behind_a_link_of_one_lane) {
  flow_pause_config config = flow_pause_config_of();
  config.inputs = config.outputs = config.lanes = 1;
  switch_bench t(GetParam(), config);
  t.b.reset();
  for (int n = 0; n < 5; ++n) t.send(0, 0, 0);
  for (int n = 0; n < 5; ++n) t.send(0, 4, 0);
  run(20);
  EXPECT_EQ(t.in[0]->ready(), 1u) << "its lane is never paused";
  EXPECT_EQ(t.drained(0, 1), std::vector<unsigned>(5, 4));
  EXPECT_EQ(t.block.level(), 5u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(flow_pause_switch_on, shows_what_waits_for_an_output_and_marks_its_heads_once) {
  flow_pause_config config = flow_pause_config_of();
  config.marked = true;
  switch_bench t(GetParam(), config);
  marking_bench marks(t.b, t.block, 2);
  t.b.reset();
  t.send(0, 2, 0), t.send(0, 4, 1), t.send(1, 1, 0);
  unmark(*t.from[0]), unmark(*t.from[1]);
  t.pass(10);
  EXPECT_EQ(marks.waiting(0), 2u);
  EXPECT_EQ(marks.waiting(1), 1u);
  marks.give(0, 6);  // the first is shown and refused already
  t.pass(3);
  t.take(0, 2), t.pass(2);  // then the other, which is taken
  t.take(0, 0), t.pass(3);  // and the first again
  t.take(0, 1), t.pass(3);
  ASSERT_EQ(t.got.size(), 2u);
  EXPECT_EQ(t.got[0].data.destination, 4u);
  EXPECT_EQ(t.got[0].data.marks, 6u);
  EXPECT_EQ(t.got[1].data.destination, 2u);
  EXPECT_EQ(t.got[1].data.marks, 0u);
  EXPECT_EQ(marks.waiting(0), 0u);
  EXPECT_EQ(marks.waiting(1), 1u);
  // Others take their places, and are marked anew.
  for (unsigned n = 0; n < 12; ++n) t.send(0, 2, 0);
  unmark(*t.from[0]);
  t.take(0, ~lane_mask{0}), t.pass(40);
  ASSERT_EQ(t.got.size(), 14u);
  for (unsigned n = 2; n < 14; ++n) EXPECT_EQ(t.got[n].data.marks, 6u) << n;
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(flow_pause_switch_on, has_no_checkers_before_its_ports_are_connected) {
  bench b(GetParam());
  auto& block = b.make<flow_pause_switch>(
      "switch", flow_pause_config_of(), 1u, std::make_shared<bitwise_routing>(),
      std::vector<link_end>(flow_pause_config_of().outputs, link_end{2, 0, 4, false}));
  EXPECT_THROW(b.checkers_of(block), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(kernels, flow_pause_switch_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });

TEST_F(flow_pause_switch_test, refuses_what_it_cannot_be) {
  const auto refusal_of = [](flow_pause_config c) {
    return refusal<std::invalid_argument>([&] { c.check(); });
  };
  EXPECT_EQ(refusal_of(flow_pause_config_of(65)),
            "a link has 1 to 64 lanes, one a queue: found 65 queues an output and links of 65 lanes");
  EXPECT_EQ(refusal_of(flow_pause_config_of(4, 2, 13)),
            "an input must hold a whole packet: it has places for 12 flits, packets have up to 13");
  flow_pause_config c = flow_pause_config_of(4, 2, 0);
  EXPECT_EQ(refusal_of(c),
            "an input must hold a whole packet: it has places for 12 flits, packets have up to 0");
  c = flow_pause_config_of(), c.places = 40000;
  EXPECT_EQ(refusal_of(c), "a switch holds at most 65535 flits, found 80000");
  c.inputs = 1, c.places = 65535;
  EXPECT_EQ(refusal_of(c), "");
  c.places = 65536;
  EXPECT_EQ(refusal_of(c), "a switch holds at most 65535 flits, found 65536");
  c = flow_pause_config_of(), c.flows = 0;
  EXPECT_EQ(refusal_of(c), "an output knows 1 to 65536 flows, found 0");
  c.flows = 65537;
  EXPECT_EQ(refusal_of(c), "an output knows 1 to 65536 flows, found 65537");
  c.flows = 65536;
  EXPECT_EQ(refusal_of(c), "");
  c = flow_pause_config_of(), c.lanes = 0;
  EXPECT_EQ(refusal_of(c),
            "a link has 1 to 64 lanes, one a queue: found 4 queues an output and links of 0 lanes");
  c = flow_pause_config_of(), c.outputs = 65;
  EXPECT_EQ(refusal_of(c), "a switch has 1 to 64 inputs and outputs, found 2 and 65");
}
