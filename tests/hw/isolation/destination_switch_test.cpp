#include <gtest/gtest.h>

#include <spillway/hw/isolation/destination_gate.hpp>
#include <spillway/hw/isolation/destination_switch.hpp>
#include <support/link_bench.hpp>
#include <support/marking_bench.hpp>
#include <support/refusal.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Four destinations behind two switches of two ports in a row: the first, node 0, looks at nothing but the
/// upper bit, the second, node 1, at the lower one; its outputs lead to terminals.
struct bitwise_routing : routing {
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    return port_mask{1} << (node == 0 ? f.destination / 2 : f.destination % 2);
  }
};

destination_switch_config config_of(unsigned queues, unsigned depth = 4, unsigned length = 1) {
  destination_switch_config c;
  c.queues = queues;
  c.depth = depth;
  c.packet_length = length;
  return c;
}

/// One switch between senders and receivers; destinations 0 and 1 leave by its outputs of these numbers.
struct switch_bench {
  bench b;
  std::vector<any_link> in, out;
  std::vector<sender*> from;
  std::vector<receiver*> to;
  destination_switch& block;
  std::vector<std::uint32_t> packets = std::vector<std::uint32_t>(2);
  const unsigned queues;

  switch_bench(kernel k, const destination_switch_config& config, const std::string& name = "b",
               unsigned send_rate = 100, unsigned take_rate = 100)
      : b(k, name),
        block(b.make<destination_switch>("switch", config, 1u, std::make_shared<bitwise_routing>(),
                                         std::vector<link_end>(2, link_end{0, 0, 1, true}))),
        queues(config.queues) {
    packet_checker_config rules;
    for (unsigned p = 0; p < 2; ++p) {
      rules.lanes = queues;
      in.push_back(b.link("in" + std::to_string(p), rules));
      from.push_back(&b.make<sender>("from" + std::to_string(p), send_rate, 10 + p));
      from[p]->out.bind(in[p]), block.in[p].bind(in[p]);
      rules.lanes = 1;
      out.push_back(b.link("out" + std::to_string(p), rules));
      to.push_back(&b.make<receiver>("to" + std::to_string(p), take_rate, 50 + p));
      block.out[p].bind(out[p]), to[p]->in.bind(out[p]);
    }
  }
  void send(unsigned i, unsigned destination, unsigned length = 1) {
    from[i]->add_packet(i, destination, packets[i]++, length, destination % queues);
  }
  std::size_t arrived(std::uint32_t destination) const {
    std::size_t n = 0;
    for (const receiver* r : to)
      for (const passage& p : r->got) n += p.data.destination == destination;
    return n;
  }
};

/// All flits that `from` sent are in `to`, those of each pair in order.
void expect_same(const std::vector<sender*>& from, const std::vector<receiver*>& to) {
  for (std::uint32_t s = 0; s < from.size(); ++s)
    for (std::uint32_t d = 0; d < 4; ++d) {
      std::vector<flit> sent, got;
      for (const passage& p : from[s]->sent)
        if (p.data.destination == d) sent.push_back(p.data), sent.back().lane = 0;
      for (const receiver* r : to)
        for (const passage& p : r->got)
          if (p.data.destination == d && p.data.source == s) got.push_back(p.data);
      EXPECT_TRUE(sent == got) << s << " to " << d << ": " << sent.size() << " sent, " << got.size()
                               << " arrived";
    }
}

/// Two senders, two switches in a row with lanes between them, four receivers behind two of the second kind.
struct row_bench {
  bench b;
  std::vector<sender*> from;
  std::vector<receiver*> to;
  destination_switch &first, &low, &high;
  std::vector<std::uint32_t> packets = std::vector<std::uint32_t>(2);

  row_bench(kernel k, const std::string& name, unsigned length, unsigned take_rate)
      : b(k, name),
        first(make(0, "first", length, false)),
        low(make(1, "low", length, true)),
        high(make(1, "high", length, true)) {
    packet_checker_config lanes;
    lanes.lanes = 4;
    for (unsigned p = 0; p < 2; ++p) {
      const any_link in = b.link("in" + std::to_string(p), lanes);
      from.push_back(&b.make<sender>("from" + std::to_string(p), 100, 10 + p));
      from[p]->out.bind(in), first.in[p].bind(in);
      destination_switch& next = p ? high : low;
      const any_link between = b.link("between" + std::to_string(p), lanes);
      first.out[p].bind(between), next.in[0].bind(between);
      const any_link idle = b.link("idle" + std::to_string(p), lanes);
      b.make<sender>("nobody" + std::to_string(p)).out.bind(idle), next.in[1].bind(idle);
      for (unsigned o = 0; o < 2; ++o) {
        packet_checker_config one;
        one.lanes = 1;
        const any_link out = b.link("out" + std::to_string(2 * p + o), one);
        to.push_back(&b.make<receiver>("to" + std::to_string(2 * p + o), take_rate, 50 + 2 * p + o));
        next.out[o].bind(out), to.back()->in.bind(out);
      }
    }
  }
  void send(unsigned i, unsigned destination, unsigned length = 1) {
    from[i]->add_packet(i, destination, packets[i]++, length, destination);
  }

private:
  destination_switch& make(unsigned node, const std::string& name, unsigned length, bool last) {
    return b.make<destination_switch>(name, config_of(4, 2 * length, length), node,
                                      std::make_shared<bitwise_routing>(),
                                      std::vector<link_end>(2, link_end{1, 0, last ? 1u : 2u, last}));
  }
};

class destination_switch_on : public sc_test, public testing::WithParamInterface<kernel> {};
struct destination_switch_test : sc_test {};

std::string refusal_of(const destination_switch_config& config) {
  return refusal<std::invalid_argument>([&] { config.check(); });
}

}  // namespace

TEST_P(destination_switch_on, passes_a_flit_in_one_cycle) {
  switch_bench t(GetParam(), config_of(2));
  t.b.reset();
  run(5);
  t.send(0, 1), t.send(1, 0);
  run(10);
  for (unsigned i = 0; i < 2; ++i) {
    ASSERT_EQ(t.to[1 - i]->got.size(), 1u);
    EXPECT_EQ(t.to[1 - i]->got[0].cycle, t.from[i]->sent[0].cycle + 1);
  }
}

TEST_P(destination_switch_on, shows_nothing_while_the_rest_of_a_packet_has_not_come) {
  switch_bench t(GetParam(), config_of(2, 4, 2));
  const auto flit_of = [](unsigned index) { return make_flit(0, 1, 0, index, 2, 1); };
  t.from[0]->todo.push_back(flit_of(0));
  t.b.reset();
  run(20);
  EXPECT_EQ(t.arrived(1), 1u);
  EXPECT_FALSE(t.out[1].valid.read());
  t.from[0]->todo.push_back(flit_of(1));
  run(20);
  EXPECT_EQ(t.arrived(1), 2u);
}

TEST_P(destination_switch_on, passes_a_permutation_at_full_rate) {
  switch_bench t(GetParam(), config_of(2));
  for (int n = 0; n < 100; ++n) t.send(0, 1), t.send(1, 0);
  t.b.reset();
  run(120);
  for (unsigned o = 0; o < 2; ++o) {
    ASSERT_EQ(t.to[o]->got.size(), 100u);
    EXPECT_EQ(t.to[o]->got.back().cycle - t.to[o]->got.front().cycle, 99u);
  }
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

// Four destinations behind two outputs, of which 0 and 2 share output 0 and, with two queues, a queue.
TEST_P(destination_switch_on, lets_no_packet_wait_for_one_to_another_destination) {
  switch_bench t(GetParam(), config_of(4, 2));
  t.to[0]->rate = 0;
  t.b.reset();
  t.send(0, 0), t.send(0, 0);
  for (int n = 0; n < 10; ++n) t.send(0, 1);
  run(40);
  EXPECT_EQ(t.arrived(1), 10u);
  EXPECT_EQ(t.in[0].ready.read(), 0xeu) << "only the queue of destination 0 is full";
  EXPECT_EQ(t.block.level(), 2u);
  EXPECT_EQ(t.block.fullest(), 1);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(destination_switch_on, shares_an_output_between_its_queues) {
  switch_bench t(GetParam(), config_of(4));
  for (int n = 0; n < 400; ++n) t.send(0, 0), t.send(1, n % 2 ? 0 : 2);
  t.b.reset();
  run(300);
  EXPECT_GE(t.to[0]->got.size(), 290u) << "the output is busy in every cycle";
  EXPECT_NEAR(static_cast<double>(t.arrived(2)), 150, 60) << "two queue numbers, and each has turns";
}

TEST_P(destination_switch_on, loses_and_turns_round_nothing_between_lanes_that_stall) {
  row_bench t(GetParam(), "b", 3, 40);
  dice d(5);
  for (int n = 0; n < 300; ++n) t.send(d.below(2), d.below(4), d.between(1, 3));
  t.b.reset();
  run(4000);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  for (const sender* s : t.from) EXPECT_TRUE(s->todo.empty());
  expect_same(t.from, t.to);
  EXPECT_EQ(t.first.level() + t.low.level() + t.high.level(), 0u);
}

TEST_P(destination_switch_on, holds_no_destination_up_behind_another_switch) {
  row_bench t(GetParam(), "b", 1, 100);
  t.to[0]->rate = 0;
  t.b.reset();
  for (int n = 0; n < 4; ++n) t.send(0, 0);  // as much as its queues in both switches hold
  for (int n = 0; n < 50; ++n) t.send(0, 1), t.send(1, 1 + n % 3);
  run(300);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  for (const sender* s : t.from) EXPECT_TRUE(s->todo.empty()) << s->todo.size();
  EXPECT_EQ(t.first.level(), 2u) << "those to the stopped receiver";
  EXPECT_EQ(t.low.level(), 2u);
}

TEST_P(destination_switch_on, is_emptied_by_a_reset_and_counts_the_loss) {
  switch_bench t(GetParam(), config_of(2, 4, 2));
  for (receiver* r : t.to) r->rate = 0;
  for (int n = 0; n < 20; ++n) t.send(0, n % 2, 2), t.send(1, n % 2, 2);
  t.b.reset();
  run(30);
  const unsigned held = t.block.level();
  ASSERT_GE(held, 4u);
  t.b.rst(true);
  run(1);
  EXPECT_EQ(t.block.level(), 0u);
  EXPECT_EQ(t.block.lost_in_reset(), held);
  for (sender* s : t.from) s->todo.clear(), s->sent.clear();
  for (receiver* r : t.to) r->rate = 100;
  run(3);
  t.b.rst(false);
  for (int n = 0; n < 20; ++n) t.send(0, n % 2, 2), t.send(1, n % 2, 1);
  run(200);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  expect_same(t.from, t.to);
}

TEST_P(destination_switch_on, gives_destinations_that_share_a_queue_the_fate_of_its_head) {
  switch_bench t(GetParam(), config_of(1));
  t.to[0]->rate = 0;
  t.b.reset();
  t.send(0, 0), t.send(0, 1), t.send(1, 1);
  run(20);
  EXPECT_EQ(t.arrived(1), 1u) << "that of the other input";
}

TEST_P(destination_switch_on, shows_what_waits_for_an_output_and_marks_its_heads_once) {
  destination_switch_config config = config_of(4);
  config.marked = true;
  switch_bench t(GetParam(), config);
  marking_bench marks(t.b, t.block, 2);
  t.to[0]->rate = 0;
  for (int n = 0; n < 3; ++n) t.send(0, 0);
  t.send(1, 2), t.send(1, 1);
  unmark(*t.from[0]), unmark(*t.from[1]);
  t.b.reset();
  run(10);
  EXPECT_EQ(marks.waiting(0), 4u);
  EXPECT_EQ(marks.waiting(1), 0u);
  marks.give(0, 9);  // the first is shown and refused already
  run(10);
  t.to[0]->rate = 100;
  run(20);
  ASSERT_EQ(t.to[0]->got.size(), 4u);
  for (unsigned n = 0; n < 4; ++n) EXPECT_EQ(t.to[0]->got[n].data.marks, n ? 9u : 0u) << n;
  ASSERT_EQ(t.to[1]->got.size(), 1u);
  EXPECT_EQ(t.to[1]->got[0].data.marks, 0u);
  EXPECT_EQ(marks.waiting(0), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

INSTANTIATE_TEST_SUITE_P(kernels, destination_switch_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });

TEST_F(destination_switch_test, runs_alike_on_both_kernels) {
  row_bench a(kernel::signals, "a", 2, 60), f(kernel::fast, "f", 2, 60);
  for (row_bench* t : {&a, &f}) {
    dice d(9);
    for (int n = 0; n < 200; ++n) t->send(d.below(2), d.below(4), d.between(1, 2));
    t->b.rst(true);
  }
  run(2);
  for (row_bench* t : {&a, &f}) t->b.rst(false);
  run(1000);
  for (unsigned o = 0; o < 4; ++o) {
    EXPECT_FALSE(a.to[o]->got.empty());
    EXPECT_TRUE(a.to[o]->got == f.to[o]->got) << "output " << o;
  }
}

TEST_F(destination_switch_test, refuses_what_it_cannot_be) {
  EXPECT_EQ(refusal_of(config_of(65)),
            "a link has 1 to 64 lanes, one a queue: expected 1 to 64 queues an input, found 65");
  EXPECT_EQ(refusal_of(config_of(4, 2, 3)),
            "a queue must hold a whole packet: it has room for 2 flits, packets have up to 3");
  EXPECT_EQ(refusal_of(config_of(64, 600)), "a switch holds at most 65535 flits, found 76800");
  EXPECT_EQ(refusal_of(config_of(0)),
            "a link has 1 to 64 lanes, one a queue: expected 1 to 64 queues an input, found 0");
  EXPECT_EQ(refusal_of(config_of(4, 4, 0)),
            "a queue must hold a whole packet: it has room for 4 flits, packets have up to 0");
  destination_switch_config c = config_of(2);
  c.inputs = 65;
  EXPECT_EQ(refusal_of(c), "a switch has 1 to 64 inputs and outputs, found 65 and 2");
  c.inputs = 2, c.outputs = 0;
  EXPECT_EQ(refusal_of(c), "a switch has 1 to 64 inputs and outputs, found 2 and 0");
  c = config_of(1, 65535), c.inputs = 1;
  EXPECT_EQ(refusal_of(c), "");
  c.depth = 65536;
  EXPECT_EQ(refusal_of(c), "a switch holds at most 65535 flits, found 65536");
  c = config_of(64, 1), c.inputs = c.outputs = 64;
  EXPECT_EQ(refusal_of(c), "");
}

namespace {

/// A gate of four lanes, of which the network takes those in `lanes`.
struct gate_bench {
  bench b;
  any_link in, out;
  sender& from;
  destination_gate& gate;
  std::uint32_t packet = 0;

  gate_bench(kernel k, bool by_destination)
      : b(k),
        in(b.link("in", one_lane())),
        out(b.link("out")),
        from(b.make<sender>("from")),
        gate(b.make<destination_gate>("gate", destination_gate_config{4, 6, by_destination})) {
    from.out.bind(in), gate.in.bind(in), gate.out.bind(out);
  }
  static packet_checker_config one_lane() {
    packet_checker_config rules;
    rules.lanes = 1;
    return rules;
  }
  void send(std::uint32_t destination, unsigned length = 1) {
    from.add_packet(7, destination, packet++, length);
  }
  /// Destinations of the flits that cross while the network takes these lanes; each in the right one.
  std::vector<unsigned> taken(lane_mask lanes, unsigned cycles) {
    std::vector<unsigned> all;
    out.ready.write(lanes);
    for (unsigned n = 0; n < cycles; ++n, run(1)) {
      if (!out.valid.read() || !accepts(lanes, out.data.read())) continue;
      EXPECT_EQ(out.data.read().lane, out.data.read().destination % 4);
      all.push_back(out.data.read().destination);
    }
    return all;
  }
};

class destination_gate_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(destination_gate_on, sends_a_flit_a_cycle_into_the_lane_of_its_destination) {
  gate_bench t(GetParam(), false);
  for (unsigned n = 0; n < 20; ++n) t.send(n);
  t.b.reset();
  const std::vector<unsigned> all = t.taken(0xf, 24);
  ASSERT_EQ(all.size(), 20u);
  for (unsigned n = 0; n < 20; ++n) EXPECT_EQ(all[n], n);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(destination_gate_on, holds_all_up_in_one_fifo) {
  gate_bench t(GetParam(), false);
  for (const unsigned d : {0, 1, 2, 3}) t.send(d, 2);
  t.b.reset();
  EXPECT_TRUE(t.taken(0xe, 20).empty());
  EXPECT_EQ(t.gate.level(), 6u);
}

TEST_P(destination_gate_on, lets_others_pass_with_a_queue_a_destination) {
  gate_bench t(GetParam(), true);
  for (const unsigned d : {0, 1, 2, 4, 3}) t.send(d, 2);
  t.b.reset();
  EXPECT_EQ(t.taken(0xe, 20), (std::vector<unsigned>{1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(t.gate.level(), 4u) << "0 and 4 have the same lane";
  EXPECT_EQ(t.taken(0xf, 10), (std::vector<unsigned>{0, 0, 4, 4}));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  EXPECT_EQ(t.gate.lost_in_reset(), 0u);
}

TEST(destination_gate_config_test, names_what_is_wrong) {
  const auto said_of = [](unsigned lanes, unsigned depth) {
    return refusal<std::invalid_argument>([&] { destination_gate_config{lanes, depth, true}.check(); });
  };
  EXPECT_EQ(said_of(0, 6), "a link has 1 to 64 lanes, found 0");
  EXPECT_EQ(said_of(65, 6), "a link has 1 to 64 lanes, found 65");
  EXPECT_EQ(said_of(4, 0), "a gate holds 1 to 65535 flits, found 0");
  EXPECT_EQ(said_of(4, 65536), "a gate holds 1 to 65535 flits, found 65536");
  EXPECT_EQ(said_of(1, 1), "");
  EXPECT_EQ(said_of(64, 65535), "");
}

INSTANTIATE_TEST_SUITE_P(kernels, destination_gate_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });
