#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <support/refusal.hpp>
#include <utility>

#include "dampening_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

constexpr unsigned processors = 16;

struct variant {
  std::string name;
  flow_control flow;
  bool pool_per_input;
  unsigned latency;
  std::shared_ptr<const assignment_plan> (*plan)();
};
void PrintTo(const variant& v, std::ostream* os) { *os << v.name; }

std::shared_ptr<const assignment_plan> hashed() {
  return sets_everywhere(make_buffer_sets({set_family::unique, processors, 6, 3, 1}), 6);
}
std::shared_ptr<const assignment_plan> own_buffers() {
  return sets_everywhere(make_buffer_sets({set_family::per_processor, processors, processors, 1, 1}),
                         processors);
}
std::shared_ptr<const assignment_plan> dias_kumar() { return counting_everywhere(6, 1); }
std::shared_ptr<const assignment_plan> counting() { return counting_everywhere(8, 3); }
std::shared_ptr<const assignment_plan> unrestricted() { return counting_everywhere(6, 6); }
std::shared_ptr<const assignment_plan> modified() {
  return std::make_shared<same_everywhere>(
      [] { return std::make_unique<modified_counting_assignment>(8, 4); });
}

std::vector<variant> all_variants() {
  struct rule {
    const char* name;
    std::shared_ptr<const assignment_plan> (*plan)();
  };
  const rule rules[] = {{"hashed", hashed},     {"own_buffers", own_buffers},   {"dias_kumar", dias_kumar},
                        {"counting", counting}, {"unrestricted", unrestricted}, {"modified", modified}};
  std::vector<variant> list;
  for (const rule& r : rules)
    for (const unsigned latency : {1u, 3u}) {
      const std::string end = "_latency_" + std::to_string(latency);
      list.push_back(
          {r.name + std::string("_sender") + end, flow_control::sender_calculates, true, latency, r.plan});
      list.push_back({r.name + std::string("_receiver_input") + end, flow_control::receiver_calculates, true,
                      latency, r.plan});
      list.push_back({r.name + std::string("_receiver_switch") + end, flow_control::receiver_calculates,
                      false, latency, r.plan});
    }
  return list;
}

dampening_switch_config config_of(const variant& v, unsigned size) {
  dampening_switch_config c;
  c.inputs = c.outputs = size;
  c.flow = v.flow;
  c.pool_per_input = v.pool_per_input;
  c.link_latency = v.latency;
  return c;
}

void fill_pool(dampening_bench& t, unsigned messages, unsigned seed, unsigned below = processors) {
  dice d(seed);
  for (unsigned m = 0; m < messages; ++m)
    for (unsigned i = 0; i < t.config.inputs; ++i) t.send(i, d.below(below));
}

class every_dampening_switch : public sc_test, public testing::WithParamInterface<variant> {};

}  // namespace

TEST_P(every_dampening_switch, loses_nothing_keeps_order_and_is_the_same_on_both_kernels) {
  std::vector<std::unique_ptr<dampening_bench>> made;
  for (const kernel k : {kernel::signals, kernel::fast})
    for (const unsigned size : {2u, 4u})
      for (const unsigned take : {100u, 40u}) {
        const std::string name = name_of(k) + std::to_string(size) + "_" + std::to_string(take);
        made.push_back(std::make_unique<dampening_bench>(k, config_of(GetParam(), size), GetParam().plan(),
                                                         2u, 80u, take, name));
        fill_pool(*made.back(), 150, size);
        made.back()->b.rst(true);
      }
  run(2);
  for (auto& t : made) t->b.rst(false);
  run(4000);
  for (auto& t : made) t->expect_all_delivered();
  for (std::size_t i = 0; i < made.size() / 2; ++i)
    for (std::size_t o = 0; o < made[i]->to.size(); ++o) {
      const auto &a = made[i]->to[o]->got, &b = made[i + made.size() / 2]->to[o]->got;
      EXPECT_TRUE(a == b) << "output " << o;
      EXPECT_GT(a.size(), 20u);
    }
}

TEST_P(every_dampening_switch, stands_stopped_destinations_and_a_reset) {
  // Output 0 leads nowhere; everything is thrown away soon, and again when all has stopped, and starts anew.
  std::vector<std::unique_ptr<dampening_bench>> made;
  for (const kernel k : {kernel::signals, kernel::fast}) {
    made.push_back(std::make_unique<dampening_bench>(k, config_of(GetParam(), 3), GetParam().plan(), 2u, 100u,
                                                     100u, name_of(k)));
    made.back()->to[0]->rate = 0;
    fill_pool(*made.back(), 100, 3);
    made.back()->b.rst(true);
  }
  run(2);
  for (auto& t : made) t->b.rst(false);
  std::vector<std::uint64_t> lost(made.size());
  const auto throw_away = [&] {
    for (auto& t : made) t->b.rst(true);
    run(1);
    for (auto& t : made)
      for (auto* f : t->from) f->todo.clear();
    run(2);
    for (std::size_t n = 0; n < made.size(); ++n) {
      dampening_bench& t = *made[n];
      EXPECT_EQ(t.level(), 0u);
      std::uint64_t gone = 0;
      for (const auto* i : t.interfaces) gone += i->lost_in_reset();
      for (const auto* s : t.switches) gone += s->lost_in_reset();
      EXPECT_EQ(t.sent(), t.arrived() + gone - std::exchange(lost[n], gone));
      for (auto* f : t.from) f->sent.clear();
      for (auto* r : t.to) r->got.clear();
    }
    EXPECT_EQ(lost[0], lost[1]);
  };
  const auto begin_anew = [&](unsigned messages, unsigned seed) {
    for (auto& t : made) fill_pool(*t, messages, seed), t->b.rst(false);
  };
  run(20);  // flits are on all links
  throw_away();
  begin_anew(100, 3);
  run(600);
  for (auto& t : made) {
    EXPECT_EQ(t->sent(), t->arrived() + t->level());
    EXPECT_GT(t->level(), 3u);
  }
  throw_away();
  for (auto& t : made) t->to[0]->rate = 100;
  begin_anew(60, 4);
  run(900);
  for (auto& t : made) t->expect_all_delivered();
}

INSTANTIATE_TEST_SUITE_P(variants, every_dampening_switch, testing::ValuesIn(all_variants()),
                         [](const auto& i) { return i.param.name; });

namespace {

class dampening_switch_on : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  static dampening_switch_config receiver(unsigned size, bool per_input = false, unsigned latency = 1) {
    dampening_switch_config c;
    c.inputs = c.outputs = size;
    c.flow = flow_control::receiver_calculates;
    c.pool_per_input = per_input;
    c.link_latency = latency;
    return c;
  }
};

}  // namespace

TEST_P(dampening_switch_on, a_message_takes_one_cycle_a_switch_and_no_buffer_when_nothing_is_in_its_way) {
  dampening_bench t(GetParam(), receiver(2), hashed(), 3);
  t.send(0, 3);
  t.b.reset();
  run(20);
  ASSERT_EQ(t.to[1]->got.size(), 1u);
  // From the interface to the switches to the receiver: an edge each.
  EXPECT_EQ(t.to[1]->got[0].cycle - t.from[0]->sent[0].cycle, 4u);
  EXPECT_EQ(t.counter("dampening.passed_through"), 3);
  EXPECT_EQ(t.counter("dampening.work"), 0);
}
TEST_P(dampening_switch_on, one_input_sends_a_message_every_cycle) {
  std::vector<std::unique_ptr<dampening_bench>> made;
  for (const flow_control flow : {flow_control::sender_calculates, flow_control::receiver_calculates}) {
    dampening_switch_config c = receiver(2, true);
    c.flow = flow;
    made.push_back(std::make_unique<dampening_bench>(GetParam(), c, hashed(), 2u, 100u, 100u,
                                                     "b" + std::to_string(made.size())));
    for (unsigned m = 0; m < 60; ++m) made.back()->send(0, m % processors);
    made.back()->b.rst(true);
  }
  run(2);
  for (auto& t : made) t->b.rst(false);
  run(80);
  for (auto& t : made) {
    t->expect_all_delivered();
    std::uint64_t last = 0;
    for (const auto* r : t->to) last = std::max(last, r->got.back().cycle);
    EXPECT_EQ(last - t->from[0]->sent.front().cycle, 59u + 3);
  }
}

TEST_P(dampening_switch_on, one_stopped_destination_holds_up_nobody) {
  // Output 0 serves destinations 0, 4, 8, 12, of which only 0 is sent to.
  dampening_bench t(GetParam(), receiver(4), hashed(), 2);
  t.to[0]->rate = 0;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned m = 0; m < 12; ++m) t.send(i, 0);
  dice d(1);
  for (unsigned m = 0; m < 200; ++m)
    for (unsigned i = 0; i < 4; ++i) t.send(i, d.below(4) * 4 + 1 + d.below(3));
  t.b.reset();
  run(1500);
  t.expect_no_violation();
  EXPECT_EQ(t.to[1]->got.size() + t.to[2]->got.size() + t.to[3]->got.size(), 800u);
  EXPECT_GE(t.counter("dampening.embargoes"), 1);
  EXPECT_EQ(t.level(), 48u);
}
TEST_P(dampening_switch_on, the_same_fills_an_unrestricted_pool_and_stops_everybody) {
  dampening_bench t(GetParam(), receiver(4), unrestricted(), 2);
  t.to[0]->rate = 0;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned m = 0; m < 12; ++m) t.send(i, 0);
  dice d(1);
  for (unsigned m = 0; m < 200; ++m)
    for (unsigned i = 0; i < 4; ++i) t.send(i, d.below(4) * 4 + 1 + d.below(3));
  t.b.reset();
  run(1500);
  t.expect_no_violation();
  EXPECT_LT(t.arrived(), 100u);
  EXPECT_GE(t.counter("dampening.interdictions"), 1);
}

TEST_P(dampening_switch_on, messages_move_from_the_bank_and_leave_from_it) {
  dampening_bench t(GetParam(), receiver(4), sets_everywhere(buffer_sets(processors, {0}), 1), 2, 100, 70);
  fill_pool(t, 200, 5);
  t.b.reset();
  run(4000);
  t.expect_all_delivered();
  EXPECT_GT(t.counter("dampening.spilled"), 50);
  EXPECT_GT(t.counter("dampening.moved"), 20);
  EXPECT_GT(t.counter("dampening.sent_from_bank"), 20);
  EXPECT_EQ(t.counter("dampening.spilled"),
            t.counter("dampening.moved") + t.counter("dampening.sent_from_bank"));
  EXPECT_EQ(t.counter("dampening.embargoes"), t.counter("dampening.releases"));
}

TEST_P(dampening_switch_on, the_bank_never_overflows_however_long_the_links) {
  // Everybody shares one buffer and nobody listens: the bank fills to the brim.
  dampening_switch_config c = receiver(4, false, 5);
  c.emergency = 4;
  c.extra = c.reserve();
  dampening_bench t(GetParam(), c, sets_everywhere(buffer_sets(processors, {0}), 1), 1);
  for (auto* r : t.to) r->rate = 0;
  fill_pool(t, 60, 6);
  t.b.reset();
  run(400);
  t.expect_no_violation();
  EXPECT_GT(t.counter("dampening.most_in_a_bank"), 4);
  EXPECT_LE(t.counter("dampening.most_in_a_bank"), 4 + c.extra);
  EXPECT_EQ(t.sent(), t.level());
  for (auto* r : t.to) r->rate = 100;
  run(4000);
  t.expect_all_delivered();
}

TEST_P(dampening_switch_on, the_bank_is_as_large_as_said) {
  dampening_switch_config c = receiver(4);
  c.emergency = 5;
  c.extra = 9;
  dampening_bench t(GetParam(), c, hashed(), 1);
  EXPECT_EQ(dynamic_cast<const banked_switch&>(*t.switches[0]).bank(0).slots(), 14u);
  EXPECT_EQ(t.switches[0]->capacity(), 6u + 14u);
  EXPECT_EQ(t.switches[0]->places().size(), 6u);
}

TEST_P(dampening_switch_on, what_has_left_the_pool_takes_up_no_place_of_it) {
  dampening_switch_config c;
  c.inputs = c.outputs = 2;
  dampening_bench t(GetParam(), c, counting_everywhere(4, 4), 1);
  fill_pool(t, 100, 1);
  t.b.reset();
  run(20);
  for (auto* r : t.to) r->rate = 0;
  run(100);
  const auto& full = *t.switches[0];
  EXPECT_EQ(full.stored(), 8u);
  EXPECT_EQ(full.capacity(), 8u);
  EXPECT_EQ(full.level(), 8u + 2u) << "each output shows one";
  EXPECT_EQ(full.fullest(), 1);
}

TEST_P(dampening_switch_on, three_hotspots_of_a_pool_that_counts_leave_room_for_the_others) {
  // Of 16 buffers four for a hotspot. Destinations 0, 2 and 4 have stopped; messages for them come at both
  // inputs.
  dampening_bench t(GetParam(), receiver(2), std::make_shared<same_everywhere>([] {
                      return std::make_unique<modified_counting_assignment>(16, 4);
                    }),
                    1, 100, 100, "b", 200);
  t.to[0]->rate = 0;
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned m = 0; m < 30; ++m)
      for (const unsigned hot : {0u, 2u, 4u}) t.send(i, hot);
  dice d(1);
  for (unsigned m = 0; m < 200; ++m)
    for (unsigned i = 0; i < 2; ++i) t.send(i, 1 + 2 * d.below(8));
  t.b.reset();
  run(1500);
  t.expect_no_violation();
  EXPECT_EQ(t.to[1]->got.size(), 400u);
  EXPECT_GE(t.counter("dampening.spilled"), 3) << "what was under way";
}

TEST_P(dampening_switch_on, sender_calculates_reports_every_message_and_receiver_few) {
  dampening_switch_config c = receiver(4, true);
  c.flow = flow_control::sender_calculates;
  dampening_bench t(GetParam(), c, hashed(), 2);
  fill_pool(t, 100, 7);
  t.b.reset();
  run(1500);
  t.expect_all_delivered();
  EXPECT_EQ(t.counter("dampening.reports"), t.counter("dampening.messages"));
}

INSTANTIATE_TEST_SUITE_P(kernels, dampening_switch_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });

TEST(dampening_switch_test, is_refused_unless_an_output_has_one_neighbour) {
  bench b(kernel::fast);
  dampening_switch_config config;
  const auto make = [&](std::size_t neighbours) {
    b.make<dampening_switch>("with_" + std::to_string(neighbours), config, 0u,
                             std::make_shared<modulo_routing>(config.outputs),
                             std::vector<link_end>(neighbours), hashed());
  };
  for (const std::size_t wrong : {config.outputs - 1, config.outputs + 1})
    EXPECT_EQ(refusal<std::invalid_argument>([&] { make(wrong); }), "one neighbour an output expected");
  EXPECT_NO_THROW(make(config.outputs));
}

/// A receiver that embargoes one processor after the other and frees none.
struct embargoes_all final : clocked {
  embargo_in in{"in"};
  explicit embargoes_all(const sc_core::sc_module_name& name) : clocked(name) {}
  void reset() override {}
  void tick() override {
    control_message one;
    one.embargo = true;
    one.terminal = static_cast<std::uint32_t>(cycle());
    in.control.write(one);
    wake_at(cycle() + 1);
  }
};

class foreign_neighbours : public sc_test {
protected:
  /// What is said in a run with a switch of one input and output, and with what `add` makes.
  template <class F>
  std::string said(const F& add) {
    dampening_switch_config config;
    config.inputs = config.outputs = 1;
    config.flow = flow_control::receiver_calculates;
    auto& made = b.make<banked_switch>("pool", config, 0u, std::make_shared<modulo_routing>(1),
                                       std::vector<link_end>(1), counting());
    checked_embargo_link in(b, "in", false), out(b, "out", false);
    in.connect(made.in[0]);
    out.connect(made.out[0]);
    add(in, out);
    return refusal<sc_core::sc_report>([] { run(1000); });
  }
  bench b{kernel::fast, "b"};
};

TEST_F(foreign_neighbours, of_a_switch_that_embargo_more_than_can_be_are_named) {
  EXPECT_THAT(said([this](auto& in, auto& out) {
                in.connect(b.make<sender>("from", 100u, 1u).out);
                out.connect(b.make<embargoes_all>("to").in);
              }),
              testing::HasSubstr("pool: the receiver at output 0 embargoes processor "));
}

TEST_F(foreign_neighbours, of_a_switch_that_send_packets_of_several_flits_are_told) {
  EXPECT_THAT(said([this](auto& in, auto& out) {
                auto& from = b.make<sender>("from", 100u, 1u);
                from.add_packet(0, 0, 0, 2);
                in.connect(from.out);
                out.connect(b.make<receiver>("to", 100u, 1u).in);
              }),
              testing::HasSubstr("pool: a packet of 2 flits has come to input 0, expected 1 to 1"));
}

// A message that it could not hold would never go through.
TEST(embargo_interface_test, holds_one_message_at_least) {
  bench b(kernel::fast);
  const auto make = [&](unsigned depth) {
    embargo_interface_config config;
    config.depth = depth;
    b.make<embargo_interface>("holds_" + std::to_string(depth), config, nullptr, false);
  };
  EXPECT_EQ(refusal<std::invalid_argument>([&] { make(0); }),
            "an interface holds at least 1 message, found 0");
  EXPECT_NO_THROW(make(1));
}

// A sender keeps as many as the widest switch that may say them.
TEST(dampening_switch_config, has_embargoes_of_the_widest_switch) {
  const auto rule = sets_everywhere({{0, 1}, {1, 2}, {2, 3}, {3, 0}}, 4)->make(0, 0);
  dampening_switch_config narrow, wide;
  narrow.flow = wide.flow = flow_control::receiver_calculates;
  narrow.pool_per_input = wide.pool_per_input = false;
  narrow.inputs = 2, wide.inputs = 16;
  const std::size_t few = narrow.embargoes(*rule);
  narrow.widest = 16;
  EXPECT_GT(wide.embargoes(*rule), few);
  EXPECT_EQ(narrow.embargoes(*rule), wide.embargoes(*rule));
  wide.widest = 2;
  EXPECT_EQ(narrow.embargoes(*rule), wide.embargoes(*rule)) << "its own inputs count, too";
}

TEST(dampening_switch_config, refuses_what_cannot_work) {
  dampening_switch_config c;
  EXPECT_NO_THROW(c.check());
  c.pool_per_input = false;
  EXPECT_THROW(c.check(), std::invalid_argument);
  c.flow = flow_control::receiver_calculates;
  EXPECT_NO_THROW(c.check());
  c.extra = 3;
  EXPECT_THROW(c.check(), std::invalid_argument);
  c.extra = 4;
  EXPECT_NO_THROW(c.check());
  c.link_latency = 2;
  EXPECT_THROW(c.check(), std::invalid_argument);
  EXPECT_EQ(c.slots(13), 17u);
  c.extra = 0;
  EXPECT_EQ(c.slots(13), 13u + 10);
  for (const unsigned cycles : {0u, 65536u, 1u << 31}) {
    c.link_latency = cycles;
    EXPECT_THROW(c.check(), std::invalid_argument) << cycles;
  }
}
