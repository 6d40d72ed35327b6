// The combining switch at its pins.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <spillway/hw/combining/combining_switch.hpp>
#include <support/link_bench.hpp>
#include <support/refusal.hpp>

#include "requests.hpp"

using namespace spillway;
using namespace spillway::testing_support;
using spillway::testing_support::kernel;

TEST(combining_switch_config_test, names_what_is_wrong) {
  combining_switch_config config;
  for (unsigned combining_switch_config::*const depth :
       {&combining_switch_config::depth, &combining_switch_config::return_depth}) {
    config.*depth = 0;
    EXPECT_THROW(config.check(), std::invalid_argument);
    config.*depth = 1;
    EXPECT_NO_THROW(config.check());
  }
  for (unsigned combining_switch_config::*const ports :
       {&combining_switch_config::inputs, &combining_switch_config::outputs}) {
    for (const unsigned wrong : {0u, 65u}) {
      config.*ports = wrong;
      EXPECT_THROW(config.check(), std::invalid_argument) << wrong;
    }
    config.*ports = 64;
    EXPECT_NO_THROW(config.check());
  }
  config.inputs = config.outputs = 2;
  EXPECT_NO_THROW(config.check());
}

namespace {

class by_destination final : public routing {
public:
  explicit by_destination(unsigned outputs) : outputs_(outputs) {}
  port_mask outputs(unsigned, unsigned, const flit& f) const override {
    return port_mask{1} << f.destination % outputs_;
  }

private:
  const unsigned outputs_;
};

struct event_book : endpoint_observer {
  std::uint64_t merges = 0, splits = 0;
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit&) override {}
  void combined(std::uint64_t, const flit& survivor, const flit& merged) override {
    EXPECT_EQ(survivor.destination, merged.destination);
    EXPECT_EQ(data_of(survivor), data_of(merged));
    ++merges;
  }
  void split(std::uint64_t, const flit&, const flit&) override { ++splits; }
};

// A switch with processors before it and memories behind it, which answer in order.
struct switch_bench {
  bench b;
  event_book book;
  combining_switch& node;
  std::vector<sender*> processors, memories;
  std::vector<receiver*> answered, asked;
  std::vector<std::size_t> seen;  // by memory: requests that it has begun to answer
  std::vector<std::unique_ptr<clocked>> checkers;

  switch_bench(kernel k, const combining_switch_config& config, unsigned send = 100, unsigned take = 100,
               const std::string& name = "bench")
      : b(k, name),
        node(b.make<combining_switch>("node", config, 0u, std::make_shared<by_destination>(config.outputs))),
        seen(config.outputs),
        checkers(b.checkers_of(node)) {
    node.observe(book);
    std::uint32_t seed = 1;
    const auto join = [&](const std::string& wires, auto& from, auto& to) {
      const any_link l = b.link(wires);
      from.bind(l), to.bind(l);
    };
    for (unsigned i = 0; i < config.inputs; ++i) {
      const std::string n = std::to_string(i);
      processors.push_back(&b.make<sender>("processor" + n, send, ++seed));
      answered.push_back(&b.make<receiver>("answered" + n, take, ++seed));
      join("in" + n, processors[i]->out, node.in[i]);
      join("back" + n, node.return_out[i], answered[i]->in);
    }
    for (unsigned o = 0; o < config.outputs; ++o) {
      const std::string n = std::to_string(o);
      asked.push_back(&b.make<receiver>("asked" + n, take, ++seed));
      memories.push_back(&b.make<sender>("memory" + n, send, ++seed));
      join("out" + n, node.out[o], asked[o]->in);
      join("answer" + n, memories[o]->out, node.return_in[o]);
    }
  }
  void step(unsigned cycles) {
    for (; cycles; --cycles) {
      run(1);
      answer();
    }
  }
  void answer() {
    for (unsigned o = 0; o < asked.size(); ++o)
      for (; seen[o] < asked[o]->got.size(); ++seen[o])
        memories[o]->todo.push_back(reply_to(asked[o]->got[seen[o]].data));
  }
  std::size_t requests_in() const {
    std::size_t n = 0;
    for (const sender* s : processors) n += s->sent.size();
    return n;
  }
  std::size_t replies_out() const {
    std::size_t n = 0;
    for (const receiver* r : answered) n += r->got.size();
    return n;
  }
};

class combining_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(combining_on, a_request_takes_one_cycle_each_way) {
  switch_bench t(GetParam(), {});
  t.processors[1]->todo = {request(1, 0)};
  t.b.reset();
  t.step(10);
  ASSERT_EQ(t.asked[0]->got.size(), 1u);
  EXPECT_EQ(t.asked[0]->got[0].cycle, t.processors[1]->sent[0].cycle + 1);
  ASSERT_EQ(t.answered[1]->got.size(), 1u);
  EXPECT_EQ(t.answered[1]->got[0].cycle, t.memories[0]->sent[0].cycle + 1);
  EXPECT_EQ(t.answered[1]->got[0].data, reply_to(request(1, 0)));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(combining_on, two_requests_that_meet_become_one_and_both_are_answered) {
  switch_bench t(GetParam(), {});
  t.processors[0]->todo = {request(0, 5)};
  t.processors[1]->todo = {request(1, 8)};
  t.b.reset();
  t.step(12);
  ASSERT_EQ(t.asked[0]->got.size(), 1u) << "one request reaches the memory";
  EXPECT_EQ(t.asked[0]->got[0].data, request(0, 5));
  EXPECT_EQ(t.book.merges, 1u);
  for (unsigned i = 0; i < 2; ++i) {
    ASSERT_EQ(t.answered[i]->got.size(), 1u);
    EXPECT_EQ(t.answered[i]->got[0].data, branch_for(request(i, i ? 8 : 5), request(0, 5)));
  }
  EXPECT_EQ(t.answered[0]->got[0].cycle, t.answered[1]->got[0].cycle) << "by two ports in the same cycle";
  EXPECT_EQ(t.node.level(), 0u);
}

TEST_P(combining_on, refuses_a_reply_that_nobody_waits_for) {
  switch_bench t(GetParam(), {});
  t.processors[0]->todo = {request(0, 5)};
  t.b.reset();
  t.step(12);
  ASSERT_EQ(t.replies_out(), 1u);
  t.memories[0]->todo = {reply_to(request(0, 5))};  // once more
  EXPECT_NE(refusal([&] { t.step(12); }).find("a reply to a request that has not passed"), std::string::npos);
}

namespace {

// Two processors that read lines 7 and 8 in turns: requests that are merged.
std::uint64_t merged_reads(kernel k, bool overtakes) {
  combining_switch_config config;
  config.depth = 8;
  config.combining.overtakes = overtakes;
  switch_bench t(k, config, 100, 0);
  t.processors[0]->todo = {read_of(1, 0, 0), read_of(7, 0, 1), read_of(8, 0, 2), read_of(7, 0, 3)};
  t.b.reset();
  t.step(10);
  t.processors[1]->todo = {read_of(7, 1, 0), read_of(8, 1, 1), read_of(9, 1, 2), read_of(7, 1, 3)};
  t.step(10);
  for (receiver* const r : t.asked) r->rate = 100;
  for (receiver* const r : t.answered) r->rate = 100;
  t.step(40);
  EXPECT_EQ(t.asked[0]->got.size(), 8 - t.book.merges);
  EXPECT_EQ(t.replies_out(), 8u);
  for (unsigned i = 0; i < 2; ++i)
    for (const passage& p : t.answered[i]->got)
      EXPECT_EQ(data_of(p.data), data_of(t.processors[i]->sent[p.data.packet].data))
          << "the line that it asked for";
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
  return t.book.merges;
}

}  // namespace

// Before the second's come, 1 is shown and 7, 8, 7 wait.
TEST_P(combining_on, a_read_joins_one_of_its_line_that_it_overtakes_nobody_for) {
  EXPECT_EQ(merged_reads(GetParam(), false), 1u)
      << "the first 7 joins the last; no other is the last of its line";
}

TEST_P(combining_on, a_read_overtakes_those_of_other_lines_if_told_so) {
  EXPECT_EQ(merged_reads(GetParam(), true), 4u) << "the 7 of the first, too, and all but 9 of the second";
}

TEST_P(combining_on, a_request_joins_a_full_queue) {
  combining_switch_config config;
  config.depth = 2;
  switch_bench t(GetParam(), config, 100, 0);
  for (unsigned p = 0; p < 4; ++p)
    for (unsigned i = 0; i < 2; ++i) t.processors[i]->todo.push_back(request(i, p));
  t.b.reset();
  t.step(20);
  EXPECT_EQ(t.requests_in(), 8u) << "one is shown, one waits, and all others are part of them";
  EXPECT_EQ(t.node.level(), 8u);
  EXPECT_EQ(t.book.merges, 6u);
}

TEST_P(combining_on, a_full_wait_buffer_stops_combining_and_loses_nothing) {
  combining_switch_config config;
  config.depth = 2;
  config.combining.records = 1;
  switch_bench t(GetParam(), config, 100, 0);
  for (unsigned p = 0; p < 4; ++p)
    for (unsigned i = 0; i < 2; ++i) t.processors[i]->todo.push_back(request(i, p));
  t.b.reset();
  t.step(20);
  EXPECT_EQ(t.book.merges, 1u);
  EXPECT_EQ(t.requests_in(), 5u) << "two in the queue, one joined, two in the registers";
  for (receiver* const r : t.asked) r->rate = 100;
  for (receiver* const r : t.answered) r->rate = 100;
  t.step(60);
  EXPECT_EQ(t.replies_out(), 8u);
  EXPECT_EQ(t.node.level(), 0u);
  counters all;
  t.node.count(all);
  EXPECT_EQ(all["combining.most_records"], 1);
  EXPECT_GE(all["combining.refused"], 2);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(combining_on, a_queue_of_replies_has_its_depth) {
  combining_switch_config config;
  config.return_depth = 2;
  switch_bench t(GetParam(), config);
  for (unsigned p = 0; p < 8; ++p) t.processors[0]->todo.push_back(request(0, p, 0, flit_kind::data));
  t.answered[0]->rate = 0;
  t.b.reset();
  t.step(60);
  EXPECT_EQ(t.memories[0]->sent.size(), 3u) << "two in the queue, one in the register";
  t.answered[0]->rate = 100;
  t.step(30);
  EXPECT_EQ(t.answered[0]->got.size(), 8u);
}

TEST_P(combining_on, replies_of_all_memories_take_turns_at_a_port) {
  combining_switch_config config;
  config.outputs = 4;
  config.return_depth = 1;
  switch_bench t(GetParam(), config);
  for (unsigned p = 0; p < 40; ++p) t.processors[0]->todo.push_back(request(0, p, p % 4, flit_kind::data));
  t.b.reset();
  run(100);  // all requests are at the memories, and none is answered
  t.step(100);
  ASSERT_EQ(t.answered[0]->got.size(), 40u);
  for (unsigned r = 0; r < 40; ++r) EXPECT_EQ(t.answered[0]->got[r].data.source, r % 4) << "reply " << r;
}

namespace {

combining_switch_config draw_config(dice& d) {
  combining_switch_config config;
  config.inputs = d.between(2, 4);
  config.outputs = d.between(1, 3);
  config.depth = d.between(1, 3);
  config.return_depth = d.between(1, 3);
  config.combining.degree = d.below(4);
  config.combining.records = d.below(5);
  config.combining.in_service = d.percent(50);
  config.combining.overtakes = d.percent(50);
  return config;
}

void add_requests(switch_bench& t, dice& d, unsigned each) {
  for (unsigned i = 0; i < t.processors.size(); ++i)
    for (unsigned p = 0; p < each; ++p)
      t.processors[i]->todo.push_back(d.percent(70) ? read_of(d.below(2), i, p, d.below(4))
                                                    : request(i, p, d.below(4), flit_kind::data));
}

// Requests and how often each has been answered, at the right port and in the order of its memory, or where
// requests overtake others in that of its line.
void expect_answers(const switch_bench& t, std::size_t unanswered, bool overtakes) {
  std::set<std::pair<unsigned, unsigned>> sent, answered;
  for (const sender* s : t.processors)
    for (const passage& p : s->sent) EXPECT_TRUE(sent.insert({p.data.source, p.data.packet}).second);
  for (unsigned i = 0; i < t.answered.size(); ++i) {
    std::map<std::pair<unsigned, unsigned>, int> last;
    for (const passage& p : t.answered[i]->got) {
      EXPECT_EQ(p.data.destination, i) << "the way that its request came";
      EXPECT_EQ(p.data.payload, check_value(p.data));
      EXPECT_TRUE(sent.count({i, p.data.packet}));
      EXPECT_TRUE(answered.insert({i, p.data.packet}).second) << p.data << " a second time";
      const auto before = last.try_emplace({p.data.source, overtakes ? data_of(p.data) : 0}, -1).first;
      EXPECT_GT(static_cast<int>(p.data.packet), before->second) << "out of order";
      before->second = static_cast<int>(p.data.packet);
    }
  }
  EXPECT_EQ(sent.size(), answered.size() + unanswered);
}

}  // namespace

class combining_random : public sc_test, public testing::WithParamInterface<std::tuple<kernel, unsigned>> {};

TEST_P(combining_random, every_request_gets_exactly_one_reply) {
  const auto [k, seed] = GetParam();
  dice d(seed);
  const combining_switch_config config = draw_config(d);
  switch_bench t(k, config, d.between(30, 100), d.between(20, 100));
  add_requests(t, d, 300);
  t.b.reset();
  t.step(8000);
  EXPECT_EQ(t.requests_in(), 300u * config.inputs);
  expect_answers(t, 0, config.combining.overtakes);
  EXPECT_EQ(t.book.merges, t.book.splits);
  EXPECT_EQ(t.book.merges > 0, config.combining.degree != 1);
  EXPECT_EQ(t.node.level(), 0u);
  EXPECT_EQ(t.node.lost_in_reset(), 0u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_P(combining_random, a_reset_counts_what_it_throws_away) {
  const auto [k, seed] = GetParam();
  dice d(seed + 100);
  const combining_switch_config config = draw_config(d);
  switch_bench t(k, config, 100, d.between(20, 60));
  add_requests(t, d, 300);
  t.b.reset();
  t.step(150 + d.below(100));
  t.b.rst(true);
  run(1);
  std::size_t at_memories = 0;
  for (unsigned o = 0; o < t.asked.size(); ++o) {
    at_memories += t.asked[o]->got.size() - t.memories[o]->sent.size();
    t.memories[o]->todo.clear();
    t.seen[o] = t.asked[o]->got.size();
  }
  EXPECT_GT(t.node.lost_in_reset(), 0u);
  EXPECT_EQ(t.node.level(), 0u);
  const std::size_t gone = at_memories + t.node.lost_in_reset();
  EXPECT_EQ(t.requests_in(), t.replies_out() + gone);
  t.b.rst(false);
  t.step(8000);
  expect_answers(t, gone, config.combining.overtakes);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

INSTANTIATE_TEST_SUITE_P(kernels, combining_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
INSTANTIATE_TEST_SUITE_P(draws, combining_random,
                         testing::Combine(testing::Values(kernel::signals, kernel::fast),
                                          testing::Range(1u, 9u)),
                         [](const auto& p) {
                           return name_of(std::get<0>(p.param)) + std::to_string(std::get<1>(p.param));
                         });

class combining_kernels : public sc_test, public testing::WithParamInterface<unsigned> {};

TEST_P(combining_kernels, both_do_the_same_cycle_by_cycle) {
  dice one(GetParam()), other(GetParam());
  const combining_switch_config config = draw_config(one);
  draw_config(other);
  switch_bench signals(kernel::signals, config, 80, 60, "signals"),
      fast(kernel::fast, config, 80, 60, "fast");
  add_requests(signals, one, 200);
  add_requests(fast, other, 200);
  for (switch_bench* const t : {&signals, &fast}) t->b.rst(true);
  run(2);
  for (switch_bench* const t : {&signals, &fast}) t->b.rst(false);
  for (unsigned c = 0; c < 4000; ++c) {
    run(1);
    signals.answer();
    fast.answer();
  }
  EXPECT_EQ(signals.replies_out(), 200u * config.inputs);
  for (unsigned o = 0; o < config.outputs; ++o) EXPECT_EQ(signals.asked[o]->got, fast.asked[o]->got);
  for (unsigned i = 0; i < config.inputs; ++i) EXPECT_EQ(signals.answered[i]->got, fast.answered[i]->got);
}

INSTANTIATE_TEST_SUITE_P(draws, combining_kernels, testing::Range(1u, 7u));
