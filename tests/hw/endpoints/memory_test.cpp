#include <gtest/gtest.h>

#include <hw/packet/pool_bench.hpp>
#include <spillway/hw/endpoints/memory_module.hpp>
#include <spillway/hw/feedback/module_watch.hpp>
#include <spillway/hw/packet/memory_checker.hpp>
#include <spillway/hw/packet/memory_queue.hpp>
#include <support/feedback_bench.hpp>
#include <support/refusal.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

class memory_on : public sc_test, public testing::WithParamInterface<kernel> {};

// A last-stage switch: output 0 leads to a memory, output 1 elsewhere.
struct last_stage {
  bench b;
  memory_queue& queue;
  std::vector<sender*> from;
  std::vector<receiver*> to;
  memory_link& link;
  memory_checker& check;

  static buffer_pool_config config(unsigned depth) {
    buffer_pool_config c = pool_config(pool_kinds[2], 2, 4);
    c.memory_depth = depth;
    return c;
  }
  last_stage(kernel k, unsigned depth, unsigned send, unsigned take)
      : b(k),
        queue(b.make<memory_queue>("queue", config(depth), 0u, std::make_shared<straight_routing>(),
                                   std::vector<link_end>{{0, 0, 1, true}, {}})),
        link(b.keep<memory_link>(place("memory"))),
        check(b.make<memory_checker>("check", packet_checker_config{}, b.collect())) {
    for (unsigned i = 0; i < 2; ++i) {
      const any_link in = b.link("in" + std::to_string(i));
      from.push_back(&b.make<sender>("from" + std::to_string(i), send, 3 + i));
      from[i]->out.bind(in), queue.in[i].bind(in);
      to.push_back(&b.make<receiver>("to" + std::to_string(i), take, 7 + i));
    }
    queue.connect_output(0, link);
    link.connect(to[0]->in), link.connect(check), link.connect_length(check.length);
    const any_link out = b.link("out");
    queue.out[1].bind(out), to[1]->in.bind(out);
  }
};

}  // namespace

TEST_P(memory_on, queue_takes_two_requests_a_cycle_and_shows_its_length) {
  last_stage t(GetParam(), 9, 100, 0);
  t.b.reset();
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned p = 0; p < 20; ++p) t.from[i]->add_packet(i, 0, p, 1, 0);
  run(2);  // shown, then accepted
  for (unsigned full = 2; full <= 8; full += 2) {
    EXPECT_EQ(t.link.length(), full);
    run(1);
  }
  run(5);
  EXPECT_EQ(t.link.length(), 9u) << "to the last place";
  EXPECT_EQ(t.queue.level(0), 9u);
  EXPECT_EQ(t.queue.capacity(), 13u) << "the other output keeps its depth";
  t.to[0]->rate = 100;
  run(60);
  EXPECT_EQ(t.to[0]->got.size(), 40u);
  EXPECT_EQ(t.link.length(), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(memory_on, queue_loses_nothing_under_random_traffic_and_counts_what_a_reset_throws_away) {
  last_stage t(GetParam(), 6, 70, 80);
  dice d(4);
  for (unsigned p = 0; p < 300; ++p)
    for (unsigned i = 0; i < 2; ++i) {
      const unsigned o = d.below(3) ? 0 : 1;
      t.from[i]->add_packet(i, o, p, 1, o);
    }
  t.b.reset();
  run(100);
  const std::size_t taken = t.from[0]->sent.size() + t.from[1]->sent.size();
  EXPECT_GT(taken, 50u);
  t.b.reset(1);
  const std::size_t sent = t.from[0]->sent.size() + t.from[1]->sent.size();
  const std::size_t got = t.to[0]->got.size() + t.to[1]->got.size();
  EXPECT_EQ(sent, got + t.queue.lost_in_reset());
  EXPECT_EQ(t.queue.level(), 0u);
  run(2000);
  EXPECT_EQ(t.to[0]->got.size() + t.to[1]->got.size() + t.queue.lost_in_reset(), 600u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

namespace {

// A memory with a sender of requests and a receiver of replies.
struct memory_bench {
  bench b;
  event_log log;
  memory_module memory;
  sender& from;
  receiver& to;

  memory_bench(kernel k, const memory_config& config, unsigned send = 100, unsigned take = 100)
      : b(k),
        memory("memory", 5, config, sink_config{}, log, nullptr, {}),
        from(b.make<sender>("from", send)),
        to(b.make<receiver>("to", take)) {
    for (clocked* const block : memory.blocks()) b.clock(*block);
    const any_link in = b.link("in"), out = b.link("out");
    from.out.bind(in), memory.in().bind(in);
    memory.out().bind(out), to.in.bind(out);
  }
};

}  // namespace

TEST_P(memory_on, module_answers_after_its_latency) {
  memory_config config;
  config.latency = 7;
  memory_bench t(GetParam(), config);
  t.b.reset();
  t.from.add_packet(3, 5, 0);
  t.from.add_packet(4, 5, 0, 2);
  t.from.add_packet(3, 5, 1);
  run(40);
  ASSERT_EQ(t.log.arrived.size(), 4u);
  ASSERT_EQ(t.to.got.size(), 3u);
  const std::size_t last_flits[] = {0, 2, 3};
  for (unsigned r = 0; r < 3; ++r) {
    const flit& reply = t.to.got[r].data;
    EXPECT_EQ(t.to.got[r].cycle, t.log.arrived[last_flits[r]].cycle + 8) << "shown 7 cycles later";
    EXPECT_EQ(reply.source, 5u);
    EXPECT_EQ(reply.destination, t.log.arrived[last_flits[r]].data.source);
    EXPECT_EQ(reply.packet, t.log.arrived[last_flits[r]].data.packet) << "the request's";
    EXPECT_EQ(reply.kind, flit_kind::reply);
    EXPECT_EQ(reply.network, 1u);
    EXPECT_EQ(reply.payload, check_value(reply));
  }
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(memory_on, module_takes_a_request_a_cycle_and_answers_each_once) {
  memory_config config;
  config.latency = 20;
  memory_bench t(GetParam(), config);
  for (unsigned p = 0; p < 50; ++p) t.from.add_packet(p % 4, 5, p / 4);
  t.b.reset();
  run(120);
  const auto arrivals = cycles_of(t.log.arrived);
  ASSERT_EQ(arrivals.size(), 50u);
  EXPECT_EQ(arrivals.back() - arrivals.front(), 49u);
  ASSERT_EQ(t.to.got.size(), 50u);
  for (unsigned p = 0; p < 50; ++p) EXPECT_EQ(t.to.got[p].data.destination, p % 4);
  EXPECT_EQ(t.memory.held_flits(), 0u);
}

TEST_P(memory_on, module_speaks_by_its_arrival_link) {
  memory_config config;
  config.latency = 3;
  memory_bench t(GetParam(), config);
  ASSERT_EQ(t.memory.links().size(), 1u);
  auto& taken = link_cast<arrival_link>(*t.memory.links()[0]);
  t.b.reset();
  t.from.add_packet(3, 5, 0);
  unsigned shown = 0;
  for (unsigned edge = 0; edge < 20; ++edge) {
    run(1);
    const bool valid = taken.with([](const auto& wires) { return wires.valid.read(); });
    EXPECT_EQ(valid, !t.log.arrived.empty() && !shown);
    EXPECT_EQ(t.memory.held_flits() != 0, !t.log.arrived.empty() && t.to.got.empty())
        << "also while on the link";
    shown += valid;
  }
  EXPECT_EQ(shown, 1u);
  EXPECT_EQ(t.to.got.size(), 1u);
}

TEST_P(memory_on, module_counts_the_replies_that_a_reset_throws_away) {
  memory_config config;
  config.latency = 30;
  config.reply_length = 2;
  memory_bench t(GetParam(), config, 100, 10);
  for (unsigned p = 0; p < 60; ++p) t.from.add_packet(1, 5, p);
  t.b.reset();
  run(45);
  const std::size_t taken = t.log.arrived.size();
  const std::uint64_t held = t.memory.held_flits();
  EXPECT_GT(taken, 30u);
  EXPECT_EQ(held + t.to.got.size(), 2 * taken);
  t.b.reset(1);
  const std::size_t answered = t.to.got.size();
  EXPECT_EQ(t.memory.lost_in_reset() + answered, 2 * taken);
  EXPECT_EQ(t.memory.held_flits(), 0u);
  t.to.rate = 100;
  run(200);
  EXPECT_EQ(t.to.got.size() - answered, 2 * (t.log.arrived.size() - taken)) << "and goes on after it";
}

INSTANTIATE_TEST_SUITE_P(kernels, memory_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });

TEST(memory_config_test, names_what_is_wrong) {
  memory_config config;
  config.latency = 0;
  EXPECT_THROW(config.check(), std::invalid_argument);
  config.latency = 1;
  for (const unsigned flits : {0u, 65536u}) {
    config.reply_length = flits;
    EXPECT_THROW(config.check(), std::invalid_argument) << flits;
  }
  for (const unsigned flits : {1u, 65535u}) {
    config.reply_length = flits;
    EXPECT_NO_THROW(config.check()) << flits;
  }
  buffer_pool_config pool = pool_config(pool_kinds[0], 2, 4);
  pool.memory_depth = 8;
  EXPECT_THROW(pool.check(), std::invalid_argument) << "one queue an input has none for the memory";
}

TEST(memory_queue_test, is_the_queue_of_an_output) {
  for (const pool_kind& kind : pool_kinds)
    EXPECT_EQ(refusal<std::invalid_argument>([&] {
                const buffer_pool_config config = pool_config(kind, 2, 4);
                memory_queue("queue", config, 0u, std::make_shared<straight_routing>(),
                             std::vector<link_end>{{0, 0, 1, true}, {}});
              }),
              pool_config(kind, 2, 4).organisation == buffering::output
                  ? ""
                  : "a memory queue is the queue of an output");
}

TEST(memory_queue_test, has_lengths_of_outputs_that_lead_to_terminals) {
  std::vector<link_end> ends(2);
  ends[0].terminal = true;
  memory_queue queue("queue", pool_config(pool_kinds[2], 2, 8), 0u, std::make_shared<straight_routing>(),
                     ends);
  EXPECT_NO_THROW(queue.length(0));
  for (const unsigned other : {1u, 9u}) EXPECT_THROW(queue.length(other), std::out_of_range) << other;
}

TEST(memory_queue_test, lets_its_link_know_how_much_it_may_hold_without_showing_any) {
  for (const switching mode : {switching::cut_through, switching::store_and_forward}) {
    memory_queue queue("queue", pool_config(pool_kinds[2], 2, 8, 4, mode), 0u,
                       std::make_shared<straight_routing>(), std::vector<link_end>{{0, 0, 1, true}, {}});
    memory_link link(place("memory"));
    queue.connect_output(0, link);
    EXPECT_EQ(link.unshown(), mode == switching::store_and_forward ? 3u : 0u) << "a packet but for its tail";
  }
}

TEST(module_watch_test, counts_idle_cycles_while_a_request_is_held) {
  event_log log;
  module_watch watch(2, log);
  const flit request = make_flit(0, 1, 0);
  watch.created(10, request);
  watch.injected(14, request);
  watch.delivered(20, 1, request);
  watch.created(20, make_flit(0, 1, 1));
  watch.injected(22, make_flit(0, 1, 1));
  watch.delivered(25, 1, make_flit(0, 1, 1));
  EXPECT_EQ(log.arrived.size(), 2u) << "and passes everything on";
  counters all;
  watch.count(all);
  EXPECT_EQ(all["busiest.module"], 1);
  EXPECT_EQ(all["undershoot.busiest_idle_cycles"], 25 - 1);
  EXPECT_EQ(all["undershoot.busiest_idle_while_held"], 4 + 1) << "cycles 10 to 13, and 21";
  EXPECT_EQ(all["undershoot.idle_cycles"], 24 + 25);
}

TEST(module_watch_test, counts_no_episode_that_a_reset_has_ended) {
  event_log log;
  module_watch watch(1, log);
  watch.created(1, make_flit(0, 0, 0)), watch.injected(1, make_flit(0, 0, 0));
  watch.monitored(5, 0, 3, true), watch.monitored(9, 0, 2, false);
  watch.monitored(11, 0, 3, true);
  watch.write_off(12);
  watch.monitored(20, 0, 3, true), watch.monitored(30, 0, 1, false);  // the first release after it
  counters all;
  watch.count(all);
  EXPECT_EQ(all["overshoot.busiest_releases"], 0);
  watch.monitored(40, 0, 3, true), watch.monitored(45, 0, 1, false);
  watch.count(all = {});
  EXPECT_EQ(all["overshoot.busiest_releases"], 1);
}

TEST(module_watch_test, takes_requests_that_are_combined_for_one) {
  event_log log;
  module_watch watch(1, log);
  const auto inject = [&](std::uint64_t cycle, std::uint32_t n) {
    watch.created(cycle - 1, make_flit(0, 0, n)), watch.injected(cycle, make_flit(0, 0, n));
  };
  watch.monitored(5, 0, 3, true), watch.monitored(9, 0, 2, false);  // the first release
  inject(11, 0), inject(12, 1);
  watch.combined(14, make_flit(0, 0, 0), make_flit(0, 0, 1));
  inject(16, 2);
  watch.monitored(20, 0, 3, true), watch.monitored(27, 0, 1, false);  // the second
  counters all;
  watch.count(all);
  EXPECT_EQ(all["overshoot.busiest_network_peak_max"], 2);
}

TEST(module_watch_test, measures_what_follows_a_release) {
  for (const bool reversed : {false, true}) {  // calls of one cycle come in any order
    event_log log;
    module_watch watch(1, log);
    std::uint32_t n = 0;
    const auto inject = [&](std::uint64_t cycle) {
      watch.created(cycle - 1, make_flit(0, 0, n));
      watch.injected(cycle, make_flit(0, 0, n++));
    };
    watch.monitored(5, 0, 3, true);
    watch.monitored(9, 0, 2, false);  // the first release
    for (const std::uint64_t cycle : {11, 12, 13, 14}) inject(cycle);
    if (reversed) inject(15);
    watch.delivered(15, 0, make_flit(0, 0, 0));
    if (!reversed) watch.created(15, make_flit(0, 0, n)), watch.injected(15, make_flit(0, 0, n));
    watch.monitored(20, 0, 3, true);
    watch.monitored(21, 0, 4, true);
    watch.monitored(27, 0, 1, false);  // the second
    counters all;
    watch.count(all);
    EXPECT_EQ(all["overshoot.busiest_releases"], 1);
    EXPECT_EQ(all["overshoot.busiest_queue_peak_max"], 4);
    EXPECT_EQ(all["overshoot.busiest_network_peak_max"], 4);
    EXPECT_EQ(all["overshoot.busiest_hot_cycles_mean"], 7);
  }
}
