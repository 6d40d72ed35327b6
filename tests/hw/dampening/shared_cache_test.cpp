#include <gtest/gtest.h>

#include <map>
#include <spillway/hw/dampening/shared_cache.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// A cache with a sender of requests and a receiver of replies on every port.
struct cache_bench {
  bench b;
  shared_cache& cache;
  std::vector<sender*> from;
  std::vector<receiver*> to;

  cache_bench(kernel k, const cache_config& config, unsigned miss_cycles, unsigned take,
              const std::string& name = "b")
      : b(k, name), cache(b.make<shared_cache>("cache", config, miss_cycles)) {
    packet_checker_config rules;
    rules.lanes = 1;
    for (unsigned t = 0; t < config.threads; ++t) {
      const std::string n = std::to_string(t);
      const any_link in = b.link("request" + n, rules), out = b.link("reply" + n, rules);
      from.push_back(&b.make<sender>("from" + n, 60, 10 + t));
      to.push_back(&b.make<receiver>("to" + n, take, 50 + t));
      from[t]->out.bind(in), cache.request[t].bind(in);
      cache.reply[t].bind(out), to[t]->in.bind(out);
    }
  }
  void ask(unsigned thread, std::uint64_t address) {
    flit f = make_flit(thread, 0, static_cast<std::uint32_t>(from[thread]->todo.size()));
    f.payload = address;
    from[thread]->todo.push_back(f);
  }
};

bool is_hit(const flit& reply) { return reply.traffic_class & cache_hit; }

class shared_cache_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(shared_cache_on, a_hit_takes_two_edges_and_a_miss_longer) {
  cache_bench t(GetParam(), {8, 2, eviction_limit::none, 4, 1}, 5, 100);
  t.from[0]->rate = 100;
  t.ask(0, 77), t.ask(0, 77);
  t.b.reset();
  run(40);
  ASSERT_EQ(t.to[0]->got.size(), 2u);
  EXPECT_EQ(t.to[0]->got[0].cycle - t.from[0]->sent[0].cycle, 7u);
  EXPECT_FALSE(is_hit(t.to[0]->got[0].data));
  EXPECT_EQ(t.to[0]->got[1].cycle - t.from[0]->sent[1].cycle, 2u);
  EXPECT_TRUE(is_hit(t.to[0]->got[1].data));
  EXPECT_EQ(t.to[0]->got[1].data.kind, flit_kind::reply);
  EXPECT_EQ(t.to[0]->got[1].data.payload, 77u);
  EXPECT_EQ(t.cache.hits(0), 1u);
  EXPECT_EQ(t.cache.misses(0), 1u);
}

TEST_P(shared_cache_on, answers_every_request_once_and_in_order_under_random_stalls) {
  cache_bench t(GetParam(), {16, 4, eviction_limit::counting, 8, 1}, 3, 50);
  dice d(7);
  for (unsigned i = 0; i < 150; ++i)
    for (unsigned thread = 0; thread < 4; ++thread) t.ask(thread, thread * 100 + d.below(thread ? 4 : 60));
  t.b.reset();
  run(4000);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  std::uint64_t hits = 0;
  for (unsigned thread = 0; thread < 4; ++thread) {
    ASSERT_EQ(t.to[thread]->got.size(), 150u);
    std::uint64_t said = 0;
    for (unsigned i = 0; i < 150; ++i) {
      flit reply = t.to[thread]->got[i].data, request = t.from[thread]->sent[i].data;
      said += is_hit(reply);
      EXPECT_EQ(reply.kind, flit_kind::reply);
      reply.kind = request.kind;
      for (flit* const f : {&reply, &request}) f->traffic_class = f->traffic_class & ~cache_hit;
      EXPECT_EQ(reply, request) << "all other parts are the request's";
    }
    EXPECT_EQ(said, t.cache.hits(thread));
    EXPECT_EQ(t.cache.hits(thread) + t.cache.misses(thread), 150u);
    hits += said;
  }
  EXPECT_GT(hits, 400u);
  EXPECT_EQ(t.cache.level(), 0u);
}

TEST_P(shared_cache_on, looks_up_for_its_threads_in_turn) {
  constexpr unsigned threads = 16;  // more than the cycles from a request to the next one: some always wait
  cache_bench t(GetParam(), {64, threads, eviction_limit::none, 32, 1}, 0, 100);
  for (unsigned thread = 0; thread < threads; ++thread) {
    t.from[thread]->rate = 100;
    for (unsigned i = 0; i < 200; ++i) t.ask(thread, thread);
  }
  t.b.reset();
  run(400);
  const auto asked = [&](unsigned thread) { return t.cache.hits(thread) + t.cache.misses(thread); };
  EXPECT_GT(asked(0), 20u);
  for (unsigned thread = 1; thread < threads; ++thread) EXPECT_NEAR(asked(thread), asked(0), 1) << thread;
}

TEST_P(shared_cache_on, a_reset_empties_it_and_counts_what_is_lost) {
  cache_bench t(GetParam(), {8, 3, eviction_limit::assigned, 4, 1}, 20, 100);
  for (unsigned thread = 0; thread < 3; ++thread) t.ask(thread, 5 + thread);
  t.b.reset();
  run(15);
  EXPECT_EQ(t.cache.level(), 3u);
  t.b.reset();
  EXPECT_EQ(t.cache.level(), 0u);
  EXPECT_EQ(t.cache.lost_in_reset(), 3u);
  t.ask(0, 5);
  run(40);
  ASSERT_EQ(t.to[0]->got.size(), 1u);
  EXPECT_FALSE(is_hit(t.to[0]->got[0].data));  // what the cache held is gone too
}

TEST_P(shared_cache_on, after_a_reset_turns_begin_as_at_first) {
  cache_bench t(GetParam(), {8, 2, eviction_limit::none, 4, 1}, 0, 100);
  for (sender* const s : t.from) s->rate = 100;
  t.ask(0, 5);
  t.b.reset();
  run(20);
  t.b.reset();
  t.ask(0, 6), t.ask(1, 7);
  run(20);
  ASSERT_EQ(t.to[0]->got.size(), 2u);
  ASSERT_EQ(t.to[1]->got.size(), 1u);
  EXPECT_LT(t.to[0]->got[1].cycle, t.to[1]->got[0].cycle);
}

INSTANTIATE_TEST_SUITE_P(kernels, shared_cache_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });

struct shared_cache_both : sc_test {};

TEST_F(shared_cache_both, kernels_give_the_same_replies_in_the_same_cycles) {
  std::vector<std::unique_ptr<cache_bench>> made;
  for (const kernel k : {kernel::signals, kernel::fast}) {
    made.push_back(std::make_unique<cache_bench>(k, cache_config{16, 3, eviction_limit::assigned, 8, 1}, 2,
                                                 70, name_of(k)));
    dice d(9);
    for (unsigned i = 0; i < 100; ++i)
      for (unsigned thread = 0; thread < 3; ++thread) made.back()->ask(thread, d.below(40));
    made.back()->b.rst(true);
  }
  run(2);
  for (auto& t : made) t->b.rst(false);
  run(2000);
  for (unsigned thread = 0; thread < 3; ++thread) {
    EXPECT_TRUE(made[0]->to[thread]->got == made[1]->to[thread]->got);
    EXPECT_EQ(made[0]->to[thread]->got.size(), 100u);
  }
}
