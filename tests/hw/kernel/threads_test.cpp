// A clock domain that several threads step: the same values and calls as with one, what is said in the order
// of the blocks, and what keeps it to fewer.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <spillway/hw/kernel/clock_domain.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/edge_log.hpp>
#include <spillway/hw/kernel/single_threaded.hpp>
#include <spillway/hw/kernel/thread_team.hpp>
#include <spillway/hw/links/packet_checker.hpp>
#include <stdexcept>
#include <string>
#include <support/link_bench.hpp>
#include <support/mixed_network.hpp>
#include <thread>
#include <vector>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

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

TEST_F(threads_test, few_blocks_give_what_they_give_one_thread) {
  mixed_network one(5, 1), two(5, 2);
  run(4000);
  EXPECT_EQ(two.domain.threads(), 2u);
  expect_equal(one, two);
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
  EXPECT_EQ(network.domain.why_fewer(),
            "talker reaches beyond its clock domain: to signals, sockets or another domain");
  EXPECT_TRUE(signal.read());
}

TEST_F(threads_test, a_block_that_says_so_keeps_one_thread) {
  mixed_network network(30, 2);
  struct notifier : single_threaded {
    sc_core::sc_event ticked{"ticked"};
    explicit notifier(const sc_core::sc_module_name& name) : single_threaded(name) {}
    void reset() override {}
    void tick() override { ticked.notify(); }
  } notifier("notifier");
  notifier.clk(network.domain), notifier.rst(network.rst);
  run(2);
  EXPECT_EQ(network.domain.threads(), 1u);
  EXPECT_EQ(network.domain.why_fewer(),
            "notifier reaches beyond its clock domain: to signals, sockets or another domain");
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
  EXPECT_EQ(network.domain.why_fewer(),
            "reader reaches beyond its clock domain: to signals, sockets or another domain");
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
  run(1);
  EXPECT_THROW(domain.use_threads(2), std::logic_error) << "wires have their places";
}

TEST_F(threads_test, a_log_of_no_domain_cannot_be_told_by_several) {
  // Says at every edge that it is there.
  struct speaker final : clocked {
    output<bool> out{"out"};
    edge_log<int>& log;
    speaker(const sc_core::sc_module_name& name, edge_log<int>& told) : clocked(name), log(told) {}
    void reset() override {}
    void tick() override {
      log.say(1);
      wake_at(cycle() + 1);
    }
  };
  edge_log<int> log(nullptr, [](int) {});
  clock_domain domain("domain", period());
  wire<bool> rst(domain), first(domain), second(domain);
  speaker a("a", log), b("b", log);
  domain.use_threads(2);
  for (speaker* s : {&a, &b}) s->clk(domain), s->rst(rst);
  a.out(first), b.out(second);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  ASSERT_EQ(domain.threads(), 2u);
  EXPECT_THROW(domain.step(), std::logic_error);
}

// SystemC's reports are not for several threads.
TEST_F(threads_test, errors_are_reported_after_the_edge_by_the_thread_that_steps_the_domain) {
  // Shows a flit for one cycle only, which nobody takes: PL1.
  struct fickle final : clocked {
    packet_out out{"out"};
    explicit fickle(const sc_core::sc_module_name& name) : clocked(name) {}
    void reset() override {}
    void tick() override {
      out.valid.write(cycle() == 2);
      wake_at(cycle() + 1);
    }
  };
  clock_domain domain("domain", period());
  wire<bool> rst(domain);
  domain.use_threads(2);
  std::vector<std::unique_ptr<packet_wires>> links;
  std::vector<std::unique_ptr<fickle>> senders;
  std::vector<std::unique_ptr<packet_checker>> checkers;
  for (unsigned n = 0; n < 80; ++n) {
    const std::string number = std::to_string(n);
    links.push_back(std::make_unique<packet_wires>(domain));
    senders.push_back(std::make_unique<fickle>(("sender_" + number).c_str()));
    checkers.push_back(
        std::make_unique<packet_checker>(("check_" + number).c_str(), packet_checker_config{}));
    senders[n]->clk(domain), senders[n]->rst(rst), senders[n]->out.bind(*links[n]);
    checkers[n]->clk(domain), checkers[n]->rst(rst), checkers[n]->bind(*links[n]);
  }
  // So that the blocks of a part do not all come before those of the next.
  domain.keep_together(*senders[0]), domain.keep_together(*senders[79]);
  static std::vector<std::string> reports;
  static std::thread::id reporting;
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& report, const sc_core::sc_actions&) {
    const std::string message = report.get_msg();
    reports.push_back(message.substr(0, message.find(" at cycle")));
    reporting = std::this_thread::get_id();
  });
  run(8);
  EXPECT_EQ(domain.threads(), 2u);
  EXPECT_EQ(reporting, std::this_thread::get_id());
  std::sort(checkers.begin(), checkers.end(),
            [](const auto& a, const auto& b) { return a->domain_index() < b->domain_index(); });
  std::vector<std::string> in_order;
  for (const auto& checker : checkers) in_order.push_back("PL1 broken on " + std::string(checker->name()));
  EXPECT_EQ(reports, in_order);
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
