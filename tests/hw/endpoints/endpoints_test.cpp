#include <gtest/gtest.h>

#include <algorithm>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/packet/fifo_queue.hpp>
#include <support/link_bench.hpp>
#include <support/refusal.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

// Packets at given cycles.
class listed_supply : public packet_supply {
public:
  struct item {
    std::uint64_t cycle;
    packet_order order;
  };
  explicit listed_supply(std::vector<item> items) : items_(std::move(items)) {}
  std::uint64_t due(std::uint64_t now, std::size_t) override {
    if (next_ == items_.size()) return never;
    return std::max(now, items_[next_].cycle);
  }
  packet_order take(std::uint64_t) override { return items_[next_++].order; }

private:
  std::vector<item> items_;
  std::size_t next_ = 0;
};

// As many packets as wanted, the next as soon as `backlog` has fallen to 0.
class eager_supply : public packet_supply {
public:
  std::uint64_t due(std::uint64_t now, std::size_t backlog) override { return backlog ? never : now; }
  packet_order take(std::uint64_t) override { return {7, 2}; }
};

// A packet as soon as fewer than three are at the source.
class window_supply : public packet_supply {
public:
  std::uint64_t due(std::uint64_t now, std::size_t backlog) override { return backlog < 3 ? now : never; }
  packet_order take(std::uint64_t) override { return {7, 2}; }
};

// A packet every 10 cycles, however many wait.
class steady_supply : public packet_supply {
public:
  explicit steady_supply(unsigned& asked) : asked_(asked) {}
  std::uint64_t due(std::uint64_t now, std::size_t) override {
    ++asked_;
    return std::max(now, next_);
  }
  packet_order take(std::uint64_t now) override {
    next_ = now + 10;
    return {7, 2};
  }
  bool depends_on_backlog() const override { return false; }

private:
  unsigned& asked_;
  std::uint64_t next_ = 10;
};

struct log_observer : endpoint_observer {
  std::vector<passage> made, entered, arrived;
  void created(std::uint64_t cycle, const flit& head) override { made.push_back({cycle, head}); }
  void injected(std::uint64_t cycle, const flit& head) override { entered.push_back({cycle, head}); }
  void delivered(std::uint64_t cycle, unsigned terminal, const flit& f) override {
    EXPECT_EQ(terminal, 7u);
    EXPECT_EQ(f.payload, check_value(f));
    arrived.push_back({cycle, f});
  }
  std::vector<std::uint64_t> arrival_cycles() const {
    std::vector<std::uint64_t> cycles;
    for (const passage& p : arrived) cycles.push_back(p.cycle);
    return cycles;
  }
};

struct terminals {
  bench b;
  log_observer log;
  source& from;
  sink& to;

  terminals(kernel k, std::unique_ptr<packet_supply> supply, const sink_config& config = {},
            unsigned queue = 0, const std::string& name = "b")
      : b(k, name),
        from(b.make<source>("from", 3u, std::move(supply), log, std::shared_ptr<const routing>{}, link_end{},
                            queue)),
        to(b.make<sink>("to", 7u, config, log)) {
    packet_checker_config rules;
    rules.lanes = 1;
    const any_link l = b.link("l", rules);
    from.out.bind(l), to.in.bind(l);
  }
};

std::unique_ptr<packet_supply> at(std::vector<std::uint64_t> cycles, std::uint16_t length = 1) {
  std::vector<listed_supply::item> items;
  for (const std::uint64_t c : cycles) items.push_back({c, {7, length}});
  return std::make_unique<listed_supply>(std::move(items));
}

class endpoints_on : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  static void expect_legal(const terminals& t) {
    EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  }
};

using cycles = std::vector<std::uint64_t>;

}  // namespace

TEST_P(endpoints_on, takes_one_cycle_from_source_to_sink) {
  terminals t(GetParam(), at({10, 20, 21, 40}));
  t.b.reset();
  run(60);
  ASSERT_EQ(t.log.made.size(), 4u);
  ASSERT_EQ(t.log.entered.size(), 4u);
  EXPECT_EQ(t.log.made[0].cycle, 10u);
  EXPECT_EQ(t.log.entered[0].cycle, 11u);
  EXPECT_EQ(t.log.arrival_cycles(), (cycles{11, 21, 22, 41}));
  expect_legal(t);
}

TEST_P(endpoints_on, sends_the_flits_of_a_packet_in_a_row) {
  terminals t(GetParam(), at({10, 10, 30}, 3));
  t.b.reset();
  run(60);
  EXPECT_EQ(t.log.arrival_cycles(), (cycles{11, 12, 13, 14, 15, 16, 31, 32, 33}));
  ASSERT_EQ(t.log.entered.size(), 3u) << "once a packet";
  EXPECT_EQ(t.log.entered[1].cycle, 14u);
  for (std::size_t n = 0; n < t.log.arrived.size(); ++n) {
    EXPECT_EQ(t.log.arrived[n].data.packet, n / 3);
    EXPECT_EQ(t.log.arrived[n].data.index, n % 3);
    EXPECT_EQ(t.log.arrived[n].data.source, 3u);
    EXPECT_EQ(t.log.arrived[n].data.destination, 7u);
  }
  expect_legal(t);
}

TEST_P(endpoints_on, count_packets_by_logical_network) {
  std::vector<listed_supply::item> items;
  for (const std::uint8_t network : {0, 0, 1, 2, 1}) items.push_back({10, {7, 1, flit_kind::data, network}});
  terminals t(GetParam(), std::make_unique<listed_supply>(std::move(items)));
  t.b.reset();
  run(30);
  std::vector<unsigned> numbers;
  for (const passage& p : t.log.made) numbers.push_back(p.data.packet);
  EXPECT_EQ(numbers, (std::vector<unsigned>{0, 1, 0, 0, 1}));
}

TEST_P(endpoints_on, accepts_one_flit_an_interval) {
  sink_config config;
  config.interval = 4;
  terminals t(GetParam(), at({10, 10, 10, 30, 36}), config);
  t.b.reset();
  run(60);
  EXPECT_EQ(t.log.arrival_cycles(), (cycles{11, 15, 19, 31, 37}));
  EXPECT_EQ(t.from.backlog(), 0u);
  expect_legal(t);
}

TEST_P(endpoints_on, does_not_listen_in_its_pauses) {
  sink_config config;
  config.pauses = {{12, 20}, {25, 26}, {40, packet_supply::never}};
  terminals t(GetParam(), at({9, 10, 11, 19, 24, 38, 39, 40}), config);
  t.b.reset();
  run(400);
  EXPECT_EQ(t.log.arrival_cycles(), (cycles{10, 11, 20, 21, 26, 39}));
  EXPECT_EQ(t.from.backlog(), 2u);
  EXPECT_EQ(t.from.backlog_flits(), 2u);
  expect_legal(t);
}

TEST_P(endpoints_on, makes_no_packet_while_its_queue_is_full) {
  sink_config config;
  config.interval = 10;
  terminals t(GetParam(), at(cycles(20, 10)), config, 3);
  t.b.reset();
  run(15);
  EXPECT_EQ(t.from.backlog(), 3u);
  run(300);
  ASSERT_EQ(t.log.made.size(), 20u);
  EXPECT_EQ(t.log.arrived.size(), 20u);
  for (std::size_t n = 3; n < 20; ++n)
    EXPECT_EQ(t.log.made[n].cycle, t.log.arrived[n - 3].cycle) << "in the cycle in which a place is free";
  expect_legal(t);
}

TEST_P(endpoints_on, asks_again_when_the_backlog_changes) {
  terminals t(GetParam(), std::make_unique<eager_supply>());
  t.b.reset();
  run(102);
  EXPECT_NEAR(static_cast<double>(t.log.arrived.size()), 100, 2) << "a flit a cycle";
  expect_legal(t);
}

TEST_P(endpoints_on, the_packet_that_is_shown_is_part_of_the_backlog) {
  sink_config config;
  config.pauses = {{1, 1000}};
  terminals t(GetParam(), std::make_unique<window_supply>(), config);
  t.b.reset();
  run(100);
  EXPECT_EQ(t.log.made.size(), 3u);
  EXPECT_EQ(t.from.backlog(), 3u);
}

TEST_P(endpoints_on, do_not_ask_again_who_does_not_mind_the_backlog) {
  unsigned asked = 0;
  terminals t(GetParam(), std::make_unique<steady_supply>(asked));
  t.b.reset();
  const unsigned before = asked;
  run(1000);
  EXPECT_NEAR(static_cast<double>(t.log.made.size()), 100, 1);
  EXPECT_LE(asked - before, 2 * t.log.made.size() + 1) << "before and after each packet is made";
  expect_legal(t);
}

TEST_P(endpoints_on, count_what_a_reset_throws_away) {
  sink_config config;
  config.pauses = {{12, 1000}};
  terminals t(GetParam(), at({10, 10, 500}, 3), config);
  t.b.reset();
  run(30);
  ASSERT_EQ(t.log.arrived.size(), 1u);
  EXPECT_EQ(t.from.backlog_flits(), 5u);
  t.b.reset();
  EXPECT_EQ(t.from.lost_in_reset(), 5u);
  EXPECT_EQ(t.from.backlog(), 0u);
  run(1500);
  EXPECT_EQ(t.log.arrived.size(), 4u) << "and goes on after it";
  expect_legal(t);
}

TEST_P(endpoints_on, a_sink_listens_after_a_reset_whatever_it_took_before) {
  sink_config config;
  config.interval = 100;
  terminals t(GetParam(), at({10, 30}), config);
  t.b.reset();
  run(18);
  t.b.reset();
  run(200);
  EXPECT_EQ(t.log.arrival_cycles(), (cycles{11, 31}));
  expect_legal(t);
}

TEST_P(endpoints_on, a_sink_that_listens_at_a_reset_listens_after_it) {
  terminals t(GetParam(), at({10, 30}));
  t.b.reset();
  run(18);
  t.b.reset();
  run(20);
  EXPECT_EQ(t.log.arrival_cycles(), (cycles{11, 31}));
  expect_legal(t);
}

INSTANTIATE_TEST_SUITE_P(kernels, endpoints_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });

struct endpoints_test : sc_test {};

TEST_F(endpoints_test, sleep_between_packets) {
  terminals t(kernel::fast, at({1000, 2000}));
  t.b.reset();
  run(10);
  const std::uint64_t before = t.b.domain().calls();
  run(900);
  EXPECT_EQ(t.b.domain().calls(), before);
  run(2000);
  EXPECT_LT(t.b.domain().calls(), before + 40);
  EXPECT_EQ(t.log.arrival_cycles(), (cycles{1001, 2001}));
}

TEST_F(endpoints_test, source_reports_a_routing_that_has_no_way_ahead) {
  struct : routing {
    port_mask outputs(unsigned, unsigned, const flit& f) const override { return f.destination == 5 ? 2 : 0; }
  } known;
  bench b(kernel::fast);
  log_observer log;
  std::vector<listed_supply::item> items{{5, {5, 1}}, {9, {6, 1}}};
  auto& from =
      b.make<source>("from", 3u, std::make_unique<listed_supply>(std::move(items)), log,
                     std::shared_ptr<const routing>(std::shared_ptr<void>(), &known), link_end{4, 1, 2}, 0u);
  auto& to = b.make<receiver>("to");
  const any_link l = b.bare_link("l");
  from.out.bind(l), to.in.bind(l);
  b.reset();
  try {
    run(20);
    ADD_FAILURE() << "accepted";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), "spillway/routing");
    EXPECT_NE(std::string(report.get_msg())
                  .find("a packet from terminal 3 to terminal 6 comes to input 1 of "
                        "switch 4, and the routing allows no output there"),
              std::string::npos)
        << report.get_msg();
  }
  ASSERT_EQ(to.got.size(), 1u);
  EXPECT_EQ(to.got[0].data.lane, 1u);
}

TEST_F(endpoints_test, sink_takes_no_flit_of_a_lane_that_it_has_not) {
  bench b(kernel::fast);
  log_observer log;
  const any_link l = b.bare_link("l");
  auto& from = b.make<sender>("from");
  b.make<sink>("to", 7u, sink_config{}, log).in.bind(l);
  from.out.bind(l);
  from.add_packet(1, 7, 0, 1, 2);
  from.todo[0].payload = check_value(from.todo[0]);
  b.reset();
  run(20);
  EXPECT_TRUE(from.sent.empty());
  EXPECT_TRUE(log.arrived.empty());
}

// What flits have no bits for would go elsewhere, or be another packet.
TEST(packet_maker_test, reports_orders_that_no_flit_can_tell_of) {
  const auto refused = [](const packet_order& order) {
    log_observer log;
    packet_maker maker(3, std::make_unique<listed_supply>(std::vector<listed_supply::item>{{0, order}}), log,
                       0);
    const std::string said = refusal([&] { maker.make(0); });
    return said.find("spillway/packet: terminal 3 is to send") != std::string::npos;
  };
  packet_order order{1, 1};
  EXPECT_FALSE(refused(order));
  order.length = 0;
  EXPECT_TRUE(refused(order));
  order = {flit::most_terminals, 1};
  EXPECT_TRUE(refused(order));
  order = {flit::most_terminals - 1, 1};
  EXPECT_FALSE(refused(order));
  order.traffic_class = 16;
  EXPECT_TRUE(refused(order));
}
