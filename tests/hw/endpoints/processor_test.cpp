#include <gtest/gtest.h>

#include <algorithm>
#include <spillway/hw/endpoints/processor.hpp>
#include <spillway/hw/nifdy/lossy_link.hpp>
#include <support/link_bench.hpp>
#include <utility>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

using cycle_list = std::vector<std::uint64_t>;

struct times_observer : endpoint_observer {
  cycle_list entered, accepted;
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t cycle, const flit&) override { entered.push_back(cycle); }
  void delivered(std::uint64_t cycle, unsigned, const flit& f) override {
    if (f.head()) accepted.push_back(cycle);
  }
};

/// Packets of one length from given cycles on, each as soon as the last has gone; barriers after some of
/// them.
class program : public packet_supply {
public:
  cycle_list at;
  std::uint16_t length = 2;
  std::vector<std::size_t> stops;  // a barrier after so many packets
  std::uint32_t passed_barriers = 0;

  std::uint64_t due(std::uint64_t now, std::size_t backlog) override {
    if (next_ == at.size() || backlog || barriers() > passed_barriers) return never;
    return std::max(now, at[next_]);
  }
  packet_order take(std::uint64_t) override {
    ++next_;
    return {7, length};
  }
  std::uint32_t barriers() const override {
    return static_cast<std::uint32_t>(
        std::count_if(stops.begin(), stops.end(), [this](std::size_t s) { return next_ >= s; }));
  }
  void passed(std::uint64_t, std::uint32_t barriers) override { passed_barriers = barriers; }
  std::uint64_t forget() override { return std::exchange(forgets, 0); }
  std::uint64_t forgets = 0;  // flits

private:
  std::size_t next_ = 0;
};

processor_config costs(unsigned send, unsigned receive, unsigned poll) {
  processor_config config;
  config.send = send;
  config.receive = receive;
  config.poll = poll;
  return config;
}

struct station {
  bench b;
  times_observer log;
  processor& cpu;
  receiver& to;
  sender& from;
  wire<std::uint32_t>* fast_wires[2] = {};
  std::vector<std::shared_ptr<sc_core::sc_signal_inout_if<std::uint32_t>>> counts;

  station(kernel k, const processor_config& config, std::unique_ptr<program> supply,
          const std::string& name = "b", unsigned take_rate = 100)
      : b(k, name),
        cpu(b.make<processor>("cpu", 3u, config, std::move(supply), log)),
        to(b.make<receiver>("to", take_rate)),
        from(b.make<sender>("from")) {
    packet_checker_config rules;
    rules.lanes = 1;
    const any_link out = b.link("out"), in = b.link("in", rules);
    cpu.out.bind(out), to.in.bind(out);
    from.out.bind(in), cpu.in.bind(in);
    for (const char* const what : {"reached", "passed"}) {
      if (k == kernel::fast)
        counts.push_back(std::make_shared<wire<std::uint32_t>>(b.domain()));
      else
        counts.push_back(std::make_shared<sc_core::sc_signal<std::uint32_t>>((name + what).c_str()));
    }
    cpu.reached(*counts[0]);
    cpu.passed(*counts[1]);
  }
};

std::unique_ptr<program> sends_at(cycle_list at) {
  auto p = std::make_unique<program>();
  p->at = std::move(at);
  return p;
}

class processor_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(processor_on, has_not_come_to_a_barrier_with_a_packet_to_send) {
  auto supply = sends_at({0});
  supply->stops = {1};
  station s(GetParam(), costs(0, 0, 1), std::move(supply), "b", 0);
  s.b.reset();
  run(50);
  EXPECT_EQ(s.counts[0]->read(), 0u);
  s.to.rate = 100;
  run(50);
  EXPECT_EQ(s.counts[0]->read(), 1u);
}

TEST_P(processor_on, sends_a_packet_an_interval_of_poll_and_overhead) {
  station s(GetParam(), costs(40, 60, 22), sends_at({0, 0, 0}));
  s.b.reset();
  run(300);
  // From cycle 2 on: a poll at which the interface has no room yet, one that belongs to the packet, and 40
  // cycles of which the transfer of two flits is the last part.
  ASSERT_EQ(s.log.entered.size(), 3u);
  EXPECT_EQ(s.log.entered[1] - s.log.entered[0], 62u);
  EXPECT_EQ(s.log.entered[2] - s.log.entered[1], 62u);
  EXPECT_EQ(s.log.entered[0], 2u + 22 + 22 + 40 - 2 + 1);
}

TEST_P(processor_on, shows_a_packet_that_is_longer_than_its_overhead_after_the_poll) {
  auto supply = sends_at({0});
  supply->length = 6;
  station s(GetParam(), costs(2, 0, 20), std::move(supply));
  s.b.reset();
  run(100);
  // From cycle 2 on: a poll at which the interface has no room yet, and the one that belongs to the packet.
  EXPECT_EQ(s.log.entered, (cycle_list{2 + 20 + 20 + 1}));
}

TEST_P(processor_on, sends_while_a_flit_of_another_lane_is_shown) {
  station s(GetParam(), costs(40, 60, 22), sends_at({0}));
  s.from.add_packet(1, 3, 0, 1, 3);
  s.b.reset();
  run(150);
  EXPECT_EQ(s.log.entered.size(), 1u);
  EXPECT_TRUE(s.log.accepted.empty());
}

TEST_P(processor_on, receives_a_packet_an_overhead_and_before_it_sends) {
  station s(GetParam(), costs(40, 60, 22), sends_at({100}));
  for (unsigned p = 0; p < 4; ++p) s.from.add_packet(1, 3, p, 2);
  s.b.reset();
  run(500);
  ASSERT_EQ(s.log.accepted.size(), 4u);
  for (unsigned p = 1; p < 4; ++p) EXPECT_EQ(s.log.accepted[p] - s.log.accepted[p - 1], 60u);
  ASSERT_EQ(s.log.entered.size(), 1u);
  EXPECT_GT(s.log.entered[0], s.log.accepted[3] + 60 + 22 - 1) << "polls until there is nothing";
}

TEST_P(processor_on, sees_a_message_at_its_next_poll) {
  station s(GetParam(), costs(40, 60, 22), sends_at({}));
  s.b.reset();  // polls at cycles 2, 24, 46, ...
  run(28);
  s.from.add_packet(1, 3, 0, 1);
  run(100);
  ASSERT_EQ(s.log.accepted.size(), 1u);
  EXPECT_EQ(s.log.accepted[0], 47u);
}

TEST_P(processor_on, goes_on_receiving_while_the_interface_is_full) {
  station s(GetParam(), costs(10, 10, 5), sends_at({0}), "b", 0);
  for (unsigned p = 0; p < 3; ++p) s.from.add_packet(1, 3, p, 1);
  s.b.reset();
  run(200);
  EXPECT_EQ(s.log.accepted.size(), 3u);
  EXPECT_TRUE(s.log.entered.empty());
  EXPECT_EQ(s.cpu.held_flits(), 2u);
  s.to.rate = 100;
  run(100);
  EXPECT_EQ(s.log.entered.size(), 1u);
}

TEST_P(processor_on, neither_sends_nor_receives_in_its_times_away) {
  processor_config config = costs(0, 0, 0);
  config.pauses = {{50, 90}};
  station s(GetParam(), config, sends_at({60}));
  s.b.reset();
  run(53);
  s.from.add_packet(1, 3, 0, 1);
  run(100);
  EXPECT_EQ(s.log.accepted, (cycle_list{91}));
  ASSERT_EQ(s.log.entered.size(), 1u);
  EXPECT_GT(s.log.entered[0], 90u);
}

TEST_P(processor_on, comes_to_a_barrier_when_its_packets_have_gone) {
  auto p = sends_at({0, 0, 0});
  p->stops = {2};
  station s(GetParam(), costs(10, 10, 5), std::move(p));
  s.b.reset();
  run(24);
  EXPECT_EQ(s.counts[0]->read(), 0u) << "its second packet is still to be sent";
  run(100);
  EXPECT_EQ(s.counts[0]->read(), 1u);
  EXPECT_EQ(s.log.entered.size(), 2u);
  s.counts[1]->write(1);
  run(50);
  EXPECT_EQ(s.log.entered.size(), 3u);
}

TEST_P(processor_on, counts_what_a_reset_takes) {
  auto supply = sends_at({0, 0, 200});
  program& work = *supply;
  station s(GetParam(), costs(10, 10, 5), std::move(supply));
  s.b.reset();
  run(20);
  ASSERT_EQ(s.log.entered.size(), 1u);
  EXPECT_EQ(s.cpu.held_flits(), 1u);  // the first flit of two has gone
  work.forgets = 3;
  s.b.reset();
  EXPECT_EQ(s.cpu.lost_in_reset(), 1u + 3u);
  run(300);
  EXPECT_EQ(s.log.entered.size(), 3u);
}

TEST_P(processor_on, polls_anew_after_a_reset) {
  station s(GetParam(), costs(40, 60, 22), sends_at({}));
  s.b.reset();  // polls at cycles 2, 24, 46, ...
  run(10);
  s.b.reset();  // and now at 14, 36, ...
  run(12);
  s.from.add_packet(1, 3, 0, 1);
  run(100);
  EXPECT_EQ(s.log.accepted, (cycle_list{36 + 1}));
}

TEST_P(processor_on, goes_on_with_no_message_of_before_a_reset) {
  station s(GetParam(), costs(40, 60, 22), sends_at({}));
  s.from.add_packet(1, 3, 0, 2);
  s.b.reset();
  run(24);
  ASSERT_EQ(s.log.accepted, (cycle_list{24 + 1})) << "of two flits the first";
  s.b.rst(true);
  run(1);
  s.from.todo.clear();
  run(1);
  s.b.rst(false);  // polls at cycles 28, 50, ...
  run(2);
  s.from.add_packet(1, 3, 1, 1);
  run(100);
  EXPECT_EQ(s.log.accepted, (cycle_list{24 + 1, 50 + 1}));
}

INSTANTIATE_TEST_SUITE_P(kernels, processor_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });

struct processors : sc_test {};

TEST_F(processors, are_away_for_a_cycle_or_more) {
  processor_config config = costs(1, 1, 1);
  config.away_every = 40;
  EXPECT_THROW(config.check(), std::invalid_argument);
  EXPECT_THROW(station(kernel::fast, config, sends_at({5})), std::invalid_argument);
  config.away_for = 1;
  config.check();
}

TEST_F(processors, are_the_same_on_both_kernels) {
  processor_config config = costs(13, 17, 7);
  config.away_every = 150;
  config.away_for = 40;
  const auto program_of = [] {
    cycle_list at;
    dice d(4);
    for (unsigned i = 0, c = 0; i < 150; ++i) at.push_back(c += d.below(80));
    return sends_at(std::move(at));
  };
  station a(kernel::signals, config, program_of(), "a", 40), z(kernel::fast, config, program_of(), "z", 40);
  for (station* const s : {&a, &z}) s->b.rst(true);
  run(2);
  for (station* const s : {&a, &z}) s->b.rst(false);
  dice d(9);
  for (unsigned p = 0; p < 200; ++p) {
    a.from.add_packet(1, 3, p, 3), z.from.add_packet(1, 3, p, 3);
    run(d.below(100));
  }
  run(10000);
  EXPECT_EQ(a.log.accepted.size(), 200u);
  EXPECT_EQ(a.log.entered.size(), 150u);
  EXPECT_EQ(a.log.accepted, z.log.accepted);
  EXPECT_EQ(a.log.entered, z.log.entered);
  EXPECT_TRUE(a.b.violations.empty()) << a.b.first_violation();
  EXPECT_LT(z.b.domain().calls(), 4 * z.b.domain().cycle()) << "the processor sleeps";
}

TEST_F(processors, meet_at_a_barrier) {
  bench b(kernel::fast);
  phase_barrier& barrier = b.make<phase_barrier>("barrier", 3u, 5u);
  std::vector<std::unique_ptr<wire<std::uint32_t>>> wires;
  for (unsigned i = 0; i < 4; ++i) wires.push_back(std::make_unique<wire<std::uint32_t>>(b.domain()));
  for (unsigned i = 0; i < 3; ++i) barrier.reached[i](*wires[i]);
  barrier.passed(*wires[3]);
  b.reset();
  wires[0]->write(1), wires[1]->write(2);
  run(20);
  EXPECT_EQ(wires[3]->read(), 0u);
  wires[2]->write(1);
  run(5);
  EXPECT_EQ(wires[3]->read(), 1u);
  wires[2]->write(9);
  run(20);
  EXPECT_EQ(wires[3]->read(), 1u);
  wires[0]->write(2);
  run(20);
  EXPECT_EQ(wires[3]->read(), 2u);
  for (unsigned i = 0; i < 3; ++i) wires[i]->write(0);  // as a reset makes the processors
  b.reset();
  EXPECT_EQ(wires[3]->read(), 0u);
  run(20);
  EXPECT_EQ(wires[3]->read(), 0u);
}

namespace {
class lossy_link_on : public sc_test, public testing::WithParamInterface<kernel> {};
}  // namespace

TEST_P(lossy_link_on, loses_whole_packets_as_often_as_it_is_told) {
  bench b(GetParam());
  sender& from = b.make<sender>("from", 90u);
  receiver& to = b.make<receiver>("to", 80u);
  auto& lossy = b.make<lossy_link>("lossy", 0.1, 1u, 2u);
  const any_link in = b.link("in"), out = b.link("out");
  from.out.bind(in), lossy.in.bind(in);
  lossy.out.bind(out), to.in.bind(out);
  for (unsigned p = 0; p < 3000; ++p) from.add_packet(1, 2, p, 3);
  b.reset();
  run(13000);
  EXPECT_EQ(from.sent.size(), 9000u);
  EXPECT_EQ(to.got.size() + 3 * lossy.dropped(), 9000u);
  EXPECT_NEAR(static_cast<double>(lossy.dropped()), 300, 4 * 16.4);  // four standard deviations
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}

INSTANTIATE_TEST_SUITE_P(kernels, lossy_link_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });

TEST(phase_barrier, takes_a_cycle_or_more) {
  EXPECT_THROW(phase_barrier("barrier", 2, 0), std::invalid_argument);
}
