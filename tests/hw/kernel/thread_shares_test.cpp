// Which thread steps which blocks of a clock domain.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <spillway/hw/kernel/clock_domain.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <string>
#include <support/mixed_network.hpp>
#include <thread>
#include <utility>
#include <vector>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Awake at every edge, or only at every hundredth; counts its calls by threads other than that of the test.
class riser : public clocked {
public:
  output<bool> out{"out"};
  unsigned calls = 0, elsewhere = 0;
  riser(const sc_core::sc_module_name& name, unsigned pause) : clocked(name), pause_(pause) {}

private:
  void reset() override {}
  void tick() override {
    ++calls;
    if (std::this_thread::get_id() != home_) ++elsewhere;
    wake_at(cycle() + pause_);
  }
  const unsigned pause_;
  const std::thread::id home_ = std::this_thread::get_id();
};

/// Some of them in a domain of two threads.
struct risers {
  clock_domain domain;
  wire<bool> rst{domain};
  std::vector<std::unique_ptr<riser>> all;
  std::vector<std::unique_ptr<wire<bool>>> wires;
  risers(const char* name, unsigned size, unsigned pause) : domain(name, period()) {
    domain.use_threads(2);
    for (unsigned n = 0; n < size; ++n) {
      all.push_back(std::make_unique<riser>((name + std::to_string(n)).c_str(), pause));
      wires.push_back(std::make_unique<wire<bool>>(domain));
      all[n]->clk(domain), all[n]->rst(rst), all[n]->out(*wires[n]);
    }
  }
  unsigned elsewhere() const {
    unsigned sum = 0;
    for (const auto& r : all) sum += r->elsewhere;
    return sum;
  }
};

}  // namespace

TEST_F(threads_test, who_is_told_late_has_fewer_blocks) {
  mixed_network network(90, 2, 1, true);
  run(50);
  unsigned own = 0;
  for (const auto& m : network.mixers) own += m->thread == std::this_thread::get_id();
  EXPECT_NEAR(own, 90 * 9 / 19, 1) << "of twenty parts of the work one is telling, and each thread has ten";
}

// As each kind costs what it costs.
TEST_F(threads_test, each_has_its_share_of_every_kind) {
  struct talker : clocked {
    row<output<bool>> out{8, "out"};
    std::thread::id thread;
    explicit talker(const sc_core::sc_module_name& name) : clocked(name) {}
    void reset() override {}
    void tick() override { thread = std::this_thread::get_id(); }
  };
  mixed_network network(60, 3);
  std::vector<std::unique_ptr<talker>> talkers;
  std::vector<std::unique_ptr<wire<bool>>> wires;
  for (unsigned n = 0; n < 30; ++n) {
    talkers.push_back(std::make_unique<talker>(("talker_" + std::to_string(n)).c_str()));
    talkers[n]->clk(network.domain), talkers[n]->rst(network.rst);
    for (auto& pin : talkers[n]->out)
      wires.push_back(std::make_unique<wire<bool>>(network.domain)), pin(*wires.back());
  }
  run(5);
  std::map<std::thread::id, std::pair<unsigned, unsigned>> share;
  for (const auto& m : network.mixers) ++share[m->thread].first;
  for (const auto& t : talkers) ++share[t->thread].second;
  ASSERT_EQ(share.size(), 3u);
  for (const auto& [thread, of] : share) {
    EXPECT_NEAR(of.first, 20, 4);
    EXPECT_EQ(of.second, 10u);
  }
}

TEST_F(threads_test, each_steps_its_share_and_who_watches_is_with_whom_it_watches) {
  mixed_network network(90, 3);
  run(50);
  std::map<std::thread::id, unsigned> share;
  for (std::size_t n = 0; n < 90; ++n) {
    ++share[network.mixers[n]->thread];
    EXPECT_EQ(network.mixers[n]->thread, network.spies[n]->thread) << n;
  }
  ASSERT_EQ(share.size(), 3u);
  for (const auto& [thread, blocks] : share) EXPECT_NEAR(blocks, 30, 6);
  EXPECT_EQ(share.count(std::this_thread::get_id()), 1u) << "one of them is who called";
}

TEST_F(threads_test, what_a_block_is_made_of_stays_together) {
  struct inner : clocked {
    output<bool> out{"out"};
    std::thread::id thread;
    explicit inner(const sc_core::sc_module_name& name) : clocked(name) {}
    void reset() override {}
    void tick() override { thread = std::this_thread::get_id(); }
  };
  struct outer : clocked {
    inner first{"first"}, second{"second"};
    output<bool> out{"out"};
    std::thread::id thread;
    explicit outer(const sc_core::sc_module_name& name) : clocked(name) {
      for (inner* i : {&first, &second}) i->clk(clk), i->rst(rst_of());
    }
    input<bool>& rst_of() { return rst; }
    void reset() override {}
    void tick() override { thread = std::this_thread::get_id(); }
  };
  clock_domain domain("domain", period());
  domain.use_threads(4);
  wire<bool> rst(domain);
  std::vector<std::unique_ptr<outer>> all;
  std::vector<std::unique_ptr<wire<bool>>> wires;
  for (unsigned n = 0; n < 30; ++n) {
    all.push_back(std::make_unique<outer>(("outer_" + std::to_string(n)).c_str()));
    all[n]->clk(domain), all[n]->rst(rst);
    for (output<bool>* pin : {&all[n]->first.out, &all[n]->second.out, &all[n]->out})
      wires.push_back(std::make_unique<wire<bool>>(domain)), (*pin)(*wires.back());
  }
  run(3);
  EXPECT_EQ(domain.threads(), 4u);
  std::map<std::thread::id, unsigned> share;
  for (const auto& o : all) {
    EXPECT_EQ(o->thread, o->first.thread);
    EXPECT_EQ(o->thread, o->second.thread);
    ++share[o->thread];
  }
  EXPECT_EQ(share.size(), 4u);
}

TEST_F(threads_test, blocks_that_share_more_than_wires_stay_together) {
  mixed_network network(60, 3);
  for (unsigned n = 0; n < 60; n += 6) network.domain.keep_together(*network.mixers[n]);
  run(50);
  std::map<std::thread::id, unsigned> others;
  for (unsigned n = 0; n < 60; ++n) {
    if (n % 6 == 0)
      EXPECT_EQ(network.mixers[n]->thread, network.mixers[0]->thread) << n;
    else
      ++others[network.mixers[n]->thread];
    EXPECT_EQ(network.mixers[n]->thread, network.spies[n]->thread) << n;
  }
  EXPECT_EQ(others.size(), 3u);
}

TEST_F(threads_test, edges_at_which_few_blocks_are_awake_are_one_threads) {
  risers few("few", 40, 1), rare("rare", 60, 100), many("many", 100, 1);
  run(1000);
  for (const risers* r : {&few, &rare, &many}) EXPECT_EQ(r->domain.threads(), 2u);
  EXPECT_EQ(few.elsewhere(), 0u);
  EXPECT_EQ(few.domain.calls(), 40000u);
  EXPECT_EQ(rare.elsewhere(), 0u);
  EXPECT_EQ(rare.domain.calls(), 600u) << "the idle edges between cost no calls";
  EXPECT_EQ(many.elsewhere(), 50000u) << "half of the blocks are the other thread's";
}

TEST_F(threads_test, who_asks_before_the_first_edge_is_called_by_its_own_thread) {
  struct sleeper : clocked {
    output<bool> out{"out"};
    std::vector<std::pair<std::uint64_t, std::thread::id>> calls;
    explicit sleeper(const sc_core::sc_module_name& name) : clocked(name) {}
    void end_of_elaboration() override {
      clocked::end_of_elaboration();
      wake_at(7), wake_at(700);
    }
    void reset() override {}
    void tick() override { calls.emplace_back(cycle(), std::this_thread::get_id()); }
  };
  clock_domain domain("domain", period());
  domain.use_threads(3);
  wire<bool> rst(domain);
  std::vector<std::unique_ptr<sleeper>> all;
  std::vector<std::unique_ptr<riser>> busy;  // so that no edge is one thread's
  std::vector<std::unique_ptr<wire<bool>>> wires;
  for (unsigned n = 0; n < 72; ++n) {
    busy.push_back(std::make_unique<riser>(("busy_" + std::to_string(n)).c_str(), 1));
    wires.push_back(std::make_unique<wire<bool>>(domain));
    busy[n]->clk(domain), busy[n]->rst(rst), busy[n]->out(*wires[n]);
  }
  for (unsigned n = 0; n < 12; ++n) {
    all.push_back(std::make_unique<sleeper>(("sleeper_" + std::to_string(n)).c_str()));
    wires.push_back(std::make_unique<wire<bool>>(domain));
    all[n]->clk(domain), all[n]->rst(rst), all[n]->out(*wires.back());
  }
  run(1000);
  ASSERT_EQ(domain.threads(), 3u);
  for (const auto& s : all) {
    ASSERT_EQ(s->calls.size(), 3u) << "the first edge, and those that it asked for";
    EXPECT_EQ(s->calls[1], std::make_pair(std::uint64_t{7}, s->calls[0].second));
    EXPECT_EQ(s->calls[2], std::make_pair(std::uint64_t{700}, s->calls[0].second));
  }
}
