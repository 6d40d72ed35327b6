// A clock domain that several threads step: the same values and calls as with one, who stays with whom, and
// what is said in the order of the blocks.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <map>
#include <ostream>
#include <spillway/hw/kernel/edge_log.hpp>
#include <spillway/hw/kernel/thread_team.hpp>
#include <stdexcept>
#include <support/link_bench.hpp>
#include <thread>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

struct wide {
  std::array<std::uint64_t, 5> words{};
  bool operator==(const wide& other) const { return words == other.words; }
  friend std::ostream& operator<<(std::ostream& os, const wide& w) { return os << w.words[0]; }
  friend void sc_trace(sc_core::sc_trace_file*, const wide&, const std::string&) {}
};

struct said {
  std::uint64_t cycle;
  unsigned who;
  bool operator==(const said& o) const { return cycle == o.cycle && who == o.who; }
};

/// Mixes what it reads into its state, writes small and wide pins, sleeps for times near and far, and says
/// so now and then.
class mixer : public clocked {
public:
  row<input<std::uint16_t>> in{3, "in"};
  input<wide> wide_in{"wide_in"};
  output<std::uint16_t> out{"out"};
  output<bool> odd{"odd"};
  output<wide> wide_out{"wide_out"};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> calls;  // cycle, state
  std::thread::id thread;

  mixer(const sc_core::sc_module_name& name, unsigned number, edge_log<said>& log)
      : clocked(name), number_(number), state_(number * 7919u), log_(log) {}

private:
  void reset() override { state_ = number_ * 7919u; }
  void tick() override {
    thread = std::this_thread::get_id();
    for (auto& pin : in) state_ = state_ * 6364136223846793005u + pin.read();
    state_ ^= wide_in.read().words[4] + cycle();
    calls.emplace_back(cycle(), state_);
    const std::uint64_t draw = state_ >> 40;
    if (draw % 3 == 0) out.write(static_cast<std::uint16_t>(draw >> 3));
    odd.write(draw & 1);
    if (draw % 5 == 0) wide_out.write({{draw, 1, 2, 3, state_}});
    if (draw % 4 == 0) log_.say({cycle(), number_});
    if (draw % 7 < 4) wake_at(cycle() + 1 + draw % 7);
    if (draw % 11 == 0) wake_at(cycle() + 300 + draw % 50);
    if (calls.size() % 2 == 0) wake_at(cycle() + 2);  // so that none sleeps for ever
  }
  const unsigned number_;
  std::uint64_t state_;
  edge_log<said>& log_;
};

/// Only reads.
class spy : public clocked {
public:
  input<bool> odd{"odd"};
  std::uint64_t calls = 0;
  std::thread::id thread;
  explicit spy(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override {}
  void tick() override {
    thread = std::this_thread::get_id();
    ++calls;
  }
};

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

/// A domain of mixers, each of which reads four others; each is spied on.
struct mixed_network {
  clock_domain domain{"domain", period()};
  wire<bool> rst{domain};
  std::vector<said> heard;
  std::size_t throws_at = 0;  // when it has heard so much; 0: never
  edge_log<said> log;
  std::vector<std::unique_ptr<mixer>> mixers;
  std::vector<std::unique_ptr<spy>> spies;
  std::vector<std::unique_ptr<wire<std::uint16_t>>> outs;
  std::vector<std::unique_ptr<wire<bool>>> odds;
  std::vector<std::unique_ptr<wire<wide>>> wides;

  std::map<std::thread::id, unsigned> heard_by;

  mixed_network(unsigned size, unsigned threads, unsigned least = 1, bool late = false)
      : log((domain.use_threads(threads, least), &domain),
            [this](const said& s) {
              heard.push_back(s), ++heard_by[std::this_thread::get_id()];
              if (heard.size() == throws_at) throw std::runtime_error("heard enough");
            },
            late) {
    dice d(11);
    for (unsigned n = 0; n < size; ++n) {
      mixers.push_back(std::make_unique<mixer>(("mixer_" + std::to_string(n)).c_str(), n, log));
      outs.push_back(std::make_unique<wire<std::uint16_t>>(domain));
      odds.push_back(std::make_unique<wire<bool>>(domain));
      wides.push_back(std::make_unique<wire<wide>>(domain));
    }
    for (unsigned n = 0; n < size; ++n) {
      mixer& m = *mixers[n];
      m.clk(domain), m.rst(rst), m.out(*outs[n]), m.odd(*odds[n]), m.wide_out(*wides[n]);
      for (auto& pin : m.in) pin(*outs[d.below(size)]);
      m.wide_in(*wides[d.below(size)]);
      spies.push_back(std::make_unique<spy>(("spy_" + std::to_string(n)).c_str()));
      spies[n]->clk(domain), spies[n]->rst(rst), spies[n]->odd(*odds[n]);
    }
  }
};

struct threads_test : sc_test {};

void expect_equal(const mixed_network& one, const mixed_network& many) {
  EXPECT_GT(one.domain.calls(), 10000u);
  EXPECT_EQ(one.domain.calls(), many.domain.calls());
  EXPECT_EQ(one.heard.size(), many.heard.size());
  EXPECT_EQ(one.heard, many.heard) << "in the order of the blocks";
  for (std::size_t n = 0; n < one.mixers.size(); ++n) {
    ASSERT_EQ(one.mixers[n]->calls, many.mixers[n]->calls) << n;
    ASSERT_EQ(one.outs[n]->read(), many.outs[n]->read()) << n;
    ASSERT_EQ(one.wides[n]->read(), many.wides[n]->read()) << n;
    ASSERT_EQ(one.spies[n]->calls, many.spies[n]->calls) << n;
  }
}

}  // namespace

TEST_F(threads_test, several_threads_give_what_one_gives) {
  mixed_network one(90, 1), two(90, 2), five(90, 5);
  // So that the blocks of a part do not all come before those of the next.
  for (unsigned n = 0; n < 90; n += 6) five.domain.keep_together(*five.mixers[n]);
  run(400);
  for (auto* network : {&one, &two, &five}) network->rst.write(true), network->outs[3]->write(77);
  run(2);
  for (auto* network : {&one, &two, &five}) network->rst.write(false), network->outs[5]->write(99);
  run(600);
  EXPECT_EQ(one.domain.threads(), 1u);
  EXPECT_EQ(two.domain.threads(), 2u);
  EXPECT_EQ(five.domain.threads(), 5u);
  EXPECT_EQ(five.domain.why_fewer(), "");
  EXPECT_EQ(five.domain.cycle(), 1002u);
  expect_equal(one, two);
  expect_equal(one, five);
}

TEST_F(threads_test, what_is_told_late_is_the_same_and_told_by_who_called) {
  mixed_network one(90, 1), two(90, 2, 1, true), three(90, 3, 1, true);
  run(1000);
  EXPECT_LT(two.heard.size(), one.heard.size()) << "what the last edge said comes beside the next";
  two.domain.catch_up(), three.domain.catch_up();
  expect_equal(one, two);
  expect_equal(one, three);
  for (const mixed_network* network : {&two, &three}) {
    ASSERT_EQ(network->heard_by.size(), 1u);
    EXPECT_EQ(network->heard_by.begin()->first, std::this_thread::get_id());
  }
  const auto heard = two.heard.size();
  two.domain.catch_up();
  EXPECT_EQ(two.heard.size(), heard) << "nothing is told twice";
}

TEST_F(threads_test, few_blocks_tell_late_what_they_tell_one_thread) {
  mixed_network one(5, 1), two(5, 2, 1, true);
  run(4000);
  two.domain.catch_up();
  EXPECT_EQ(two.domain.threads(), 2u);
  expect_equal(one, two);
}

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

TEST_F(threads_test, few_blocks_give_what_they_give_one_thread) {
  mixed_network one(5, 1), two(5, 2);
  run(4000);
  EXPECT_EQ(two.domain.threads(), 2u);
  expect_equal(one, two);
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

TEST_F(threads_test, a_small_domain_is_stepped_by_fewer_and_says_so) {
  mixed_network network(30, 8, 25);
  run(2);
  EXPECT_EQ(network.domain.threads(), 2u);
  EXPECT_EQ(network.domain.why_fewer(), "60 blocks are too few, each thread should have 25");
}

TEST_F(threads_test, pins_on_signals_keep_one_thread) {
  mixed_network network(30, 2);
  sc_core::sc_signal<bool> signal("signal");
  // The last is for output pins what reading is for input pins.
  struct talker : clocked {
    output<bool> out{"out"};
    explicit talker(const sc_core::sc_module_name& name) : clocked(name) {}
    void reset() override {}
    void tick() override { out.write(!out.read()); }
  } talker("talker");
  talker.clk(network.domain), talker.rst(network.rst), talker.out(signal);
  run(2);
  EXPECT_EQ(network.domain.threads(), 1u);
  EXPECT_EQ(network.domain.why_fewer(), "talker has pins that are bound to signals");
  EXPECT_TRUE(signal.read());
}

TEST_F(threads_test, doubts_of_sleepers_keep_one_thread) {
  mixed_network network(30, 2);
  network.domain.doubt_sleepers();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(network.domain.threads(), 1u);
  EXPECT_EQ(network.domain.why_fewer(), "sleepers are doubted one by one");
}

TEST_F(threads_test, wires_of_another_domain_keep_one_thread) {
  mixed_network network(30, 2);
  clock_domain other("other", period());
  wire<bool> far(other);
  spy reader("reader");
  reader.clk(network.domain), reader.rst(network.rst), reader.odd(far);
  run(2);
  EXPECT_EQ(network.domain.threads(), 1u);
  EXPECT_EQ(network.domain.why_fewer(), "reader has pins that are bound to signals");
}

TEST_F(threads_test, what_a_block_throws_reaches_who_steps_the_domain) {
  struct thrower : clocked {
    output<bool> out{"out"};
    unsigned number;
    thrower(const sc_core::sc_module_name& name, unsigned n) : clocked(name), number(n) {}
    void reset() override {}
    void tick() override {
      if (cycle() == 2) throw std::runtime_error("block " + std::to_string(number));
      wake_at(cycle() + 1);
    }
  };
  struct throwers {
    clock_domain domain;
    wire<bool> rst{domain};
    std::vector<std::unique_ptr<thrower>> all;
    std::vector<std::unique_ptr<wire<bool>>> wires;
    throwers(const char* name, unsigned threads) : domain(name, period()) {
      domain.use_threads(threads);
      for (unsigned n = 0; n < 80; ++n) {
        all.push_back(std::make_unique<thrower>((name + std::to_string(n)).c_str(), n));
        wires.push_back(std::make_unique<wire<bool>>(domain));
        all[n]->clk(domain), all[n]->rst(rst), all[n]->out(*wires[n]);
      }
    }
    std::string thrown() {
      domain.step(), domain.step();
      try {
        domain.step();
      } catch (const std::runtime_error& error) {
        return error.what();
      }
      return "nothing";
    }
  } one("one", 1), two("two", 2);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  ASSERT_EQ(two.domain.threads(), 2u);
  const std::string first = one.thrown();
  EXPECT_EQ(first.substr(0, 6), "block ");
  EXPECT_EQ(two.thrown(), first) << "the first in the order of the blocks";
}

TEST_F(threads_test, what_somebody_throws_who_is_told_late_reaches_who_steps_the_domain) {
  mixed_network few(5, 2, 1, true), many(90, 2, 1, true);  // one thread does all, and two
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (mixed_network* network : {&few, &many}) {
    ASSERT_EQ(network->domain.threads(), 2u);
    network->throws_at = 3;
    const auto step_on = [network] {
      while (network->heard.size() < 10 && network->domain.cycle() < 1000) network->domain.step();
    };
    EXPECT_THROW(step_on(), std::runtime_error);
    EXPECT_EQ(network->heard.size(), 3u);
  }
}

TEST_F(threads_test, takes_1_to_64_threads) {
  clock_domain domain("domain", period());
  EXPECT_THROW(domain.use_threads(0), std::invalid_argument);
  EXPECT_THROW(domain.use_threads(65), std::invalid_argument);
  EXPECT_NO_THROW(domain.use_threads(64));
}

TEST_F(threads_test, may_have_as_few_blocks_as_there_are) {
  mixed_network network(5, 2, 0);
  run(1);
  EXPECT_EQ(network.domain.threads(), 2u);
}

TEST(thread_team, does_each_job_once_in_every_thread_and_waits) {
  constexpr unsigned threads = 4;
  std::array<std::atomic<unsigned>, threads> done{};
  std::atomic<unsigned> before{0};
  std::atomic<bool> early{false};
  {
    thread_team* self = nullptr;
    thread_team team(threads, [&](unsigned n) {
      ++before;
      self->meet();
      if (before % threads != 0) early = true;
      self->meet();
      ++done[n];
    });
    self = &team;
    for (unsigned round = 1; round <= 500; ++round) {
      team.run();
      for (const auto& count : done) ASSERT_EQ(count, round);
      // Long enough for them to fall asleep, now and then.
      if (round % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  EXPECT_FALSE(early) << "nobody goes on before all have met";
}
