// Each rule of packet links is broken by itself; what a checker counts, and that a reset makes it forget.
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <support/link_bench.hpp>
#include <utility>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

// What a twin of the honest sender does wrong, once: while its flit waits at or after cycle 20, or in reset.
enum class fault { none, changes_flit, withdraws, steps_on, loud_in_reset };

class faulty_sender : public clocked {
public:
  packet_out out{"out"};
  faulty_sender(const sc_core::sc_module_name& name, fault what) : clocked(name), fault_(what) {}

private:
  void reset() override {
    n_ = 0;
    showing_ = false;
    ++resets_;
    out.valid.write(fault_ == fault::loud_in_reset && resets_ == 1);
  }
  bool once(fault f) {
    if (fault_ != f || done_ || cycle() < 20 || n_ % 3 != 1) return false;
    return done_ = true;
  }
  void tick() override {
    wake_at(cycle() + 1);
    resets_ = 0;
    const bool waits = showing_ && !(out.ready.read() & 1);
    bool gap = false;
    if (!waits && showing_) ++n_;
    if (waits) {
      if (once(fault::changes_flit)) bent_ = n_;
      if (once(fault::steps_on)) ++n_;
      gap = once(fault::withdraws);
    }
    showing_ = !gap;
    flit f = make_flit(1, 2, n_ / 3, n_ % 3, 3);
    if (n_ == bent_) f.payload ^= 1;
    out.valid.write(showing_);
    out.data.write(f);
  }

  const fault fault_;
  bool done_ = false, showing_ = false;
  unsigned n_ = 0, bent_ = ~0u, resets_ = 0;  // edges of this reset
};

// Two lanes take turns on a link whenever one must wait; `forgets`: comes back with another flit.
class two_lane_sender : public clocked {
public:
  packet_out out{"out"};
  two_lane_sender(const sc_core::sc_module_name& name, bool forgets) : clocked(name), forgets_(forgets) {}

private:
  void reset() override { out.valid.write(false); }
  void tick() override {
    wake_at(cycle() + 1);
    if (showing_ && (out.ready.read() >> lane_ & 1))
      ++n_[lane_];
    else if (showing_ && forgets_ && cycle() >= 20)
      forgets_ = false, bent_ = n_[lane_], bent_lane_ = lane_;
    lane_ ^= 1;
    flit f = make_flit(1, 2, n_[lane_] / 3, n_[lane_] % 3, 3, lane_);
    if (lane_ == bent_lane_ && n_[lane_] == bent_) f.payload ^= 1;
    showing_ = true;
    out.valid.write(true);
    out.data.write(f);
  }

  bool forgets_, showing_ = false;
  unsigned n_[2] = {0, 0};
  unsigned lane_ = 0, bent_ = ~0u, bent_lane_ = 2;
};

// Raises one ready bit at a time.
class picky_receiver : public clocked {
public:
  packet_in in{"in"};
  explicit picky_receiver(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { in.ready.write(0); }
  void tick() override {
    wake_at(cycle() + 1);
    in.ready.write(lane_mask{1} << dice_.below(3));
  }
  dice dice_{5};
};

class packet_checker_on : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  // A link with an honest sender of packets of three flits; `edit` breaks what it is to send.
  void send(packet_checker_config rules, const std::function<void(std::deque<flit>&)>& edit,
            unsigned receiver_rate = 60) {
    bench_ = std::make_unique<bench>(GetParam());
    const any_link l = bench_->link("l", rules);
    auto& from = bench_->make<sender>("from", 70);
    auto& to = bench_->make<receiver>("to", receiver_rate);
    from.out.bind(l), to.in.bind(l);
    for (unsigned p = 0; p < 40; ++p) from.add_packet(1, 2, p, 3);
    if (edit) edit(from.todo);
    from_ = &from, to_ = &to;
    bench_->reset();
    run(500);
  }
  void play(fault what, packet_checker_config rules = {}) {
    bench_ = std::make_unique<bench>(GetParam());
    const any_link l = bench_->link("l", rules);
    auto& from = bench_->make<faulty_sender>("from", what);
    auto& to = bench_->make<receiver>("to", 50);
    from.out.bind(l), to.in.bind(l);
    to_ = &to;
    bench_->reset(4);
    run(300);
    EXPECT_GT(to.got.size(), 100u);
  }
  void play_lanes(bool forgets) {
    bench_ = std::make_unique<bench>(GetParam());
    const any_link l = bench_->link("l", {});
    bench_->make<two_lane_sender>("from", forgets).out.bind(l);
    bench_->make<picky_receiver>("to").in.bind(l);
    bench_->reset(4);
    run(500);
    EXPECT_GT(bench_->last_checker().transfers(), 50u);
  }
  void expect_only(const std::string& rule) {
    ASSERT_EQ(bench_->violations.size(), 1u) << bench_->first_violation();
    const violation& v = bench_->violations.front();
    EXPECT_EQ(v.rule, rule) << v.message;
    EXPECT_EQ(v.link, bench_->last_checker().name());
    EXPECT_NE(v.message.find(rule + " broken on " + v.link + " at cycle " + std::to_string(v.cycle)),
              std::string::npos)
        << v.message;
  }
  /// A link that has no patience beyond 25 cycles, and shows a flit that nobody takes yet.
  any_link show_at_edge_3(packet_checker_config rules) {
    rules.patience = 25;
    bench_ = std::make_unique<bench>(GetParam());
    const any_link l = bench_->link("l", rules);
    bench_->rst(false);
    run(3);
    l.valid.write(true), l.data.write(make_flit(1, 2, 0));
    return l;
  }
  void expect_silence() { EXPECT_TRUE(bench_->violations.empty()) << bench_->first_violation(); }

  std::unique_ptr<bench> bench_;
  sender* from_ = nullptr;
  receiver* to_ = nullptr;
};

packet_checker_config without(bool packet_checker_config::*rule) {
  packet_checker_config rules;
  rules.*rule = false;
  return rules;
}

// Flit 31 is the middle one of packet 10.
void lose_middle(std::deque<flit>& todo) { todo.erase(todo.begin() + 31); }
void lose_head(std::deque<flit>& todo) { todo.erase(todo.begin() + 30); }
void lose_tail(std::deque<flit>& todo) { todo.erase(todo.begin() + 32); }
void bend_destination(std::deque<flit>& todo) { todo[32].destination = 9; }
void bend_packet(std::deque<flit>& todo) { todo[32].packet = 11; }
/// From its second flit on the packet is one of four.
void bend_length(std::deque<flit>& todo) {
  todo.insert(todo.begin() + 33, todo[32]);
  todo[33].index = 3;
  for (unsigned i = 31; i <= 33; ++i) todo[i].length = 4;
}
void no_length(std::deque<flit>& todo) {
  todo[30].length = 0;
  todo.erase(todo.begin() + 31, todo.begin() + 33);
}
void index_too_high(std::deque<flit>& todo) {
  todo[30].index = 3;
  todo.erase(todo.begin() + 31, todo.begin() + 33);
}
void no_such_lane(std::deque<flit>& todo) {
  for (unsigned i = 30; i < 33; ++i) todo[i].lane = 4;
}

}  // namespace

TEST_P(packet_checker_on, is_silent_when_all_is_legal) {
  packet_checker_config rules;
  rules.patience = 40;
  rules.lanes = 1;
  send(rules, {});
  expect_silence();
  EXPECT_EQ(to_->got.size(), 120u);
  EXPECT_EQ(bench_->last_checker().transfers(), 120u);
}

namespace {

// Shows a flit from edge 10 on; the receiver takes it at edge 17, its successor at once, the next at 31.
class timed_sender : public clocked {
public:
  packet_out out{"out"};
  explicit timed_sender(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { out.valid.write(false); }
  void tick() override {
    if (out.valid.read() && accepts(out.ready.read(), out.data.read())) ++packet_;
    if (cycle() < 9 || packet_ == 3) {
      out.valid.write(false);
      if (cycle() < 9) wake_at(9);
      return;
    }
    out.valid.write(true);
    out.data.write(make_flit(1, 2, packet_));
    wake_at(cycle() + 1);
  }
  unsigned packet_ = 0;
};

class timed_receiver : public clocked {
public:
  packet_in in{"in"};
  explicit timed_receiver(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { in.ready.write(0); }
  void tick() override {
    wake_at(cycle() + 1);
    const std::uint64_t next = cycle() + 1;  // the edge at which it will be seen
    in.ready.write(next == 5 || next == 17 || next == 18 || next == 31 ? 1 : 0);
  }
};

}  // namespace

TEST_P(packet_checker_on, counts_the_cycles_in_which_a_flit_waits) {
  bench_ = std::make_unique<bench>(GetParam());
  const any_link l = bench_->link("l", {});
  bench_->make<timed_sender>("from").out.bind(l);
  bench_->make<timed_receiver>("to").in.bind(l);
  bench_->reset(2);
  auto counts_at = [this, now = 2u](unsigned edges) mutable {
    run(edges - now);
    now = edges;
    const link_counts c = bench_->last_checker().counts();
    return std::make_pair(c.flits, c.blocked);
  };
  using counts = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(counts_at(10), counts(0, 0));
  EXPECT_EQ(counts_at(11), counts(0, 1));  // at edge 10
  EXPECT_EQ(counts_at(15), counts(0, 5));
  EXPECT_EQ(counts_at(18), counts(1, 7));  // at edges 10 to 16
  EXPECT_EQ(counts_at(19), counts(2, 7));
  EXPECT_EQ(counts_at(25), counts(2, 13));
  EXPECT_EQ(counts_at(60), counts(3, 19));  // and 19 to 30
  expect_silence();
}

TEST_P(packet_checker_on, is_silent_about_the_honest_twin) {
  play(fault::none);
  expect_silence();
}

TEST_P(packet_checker_on, is_silent_when_lanes_take_turns) {
  play_lanes(false);
  expect_silence();
}

TEST_P(packet_checker_on, pl1_fires_when_a_flit_changes) {
  play(fault::changes_flit);
  expect_only("PL1");
}
TEST_P(packet_checker_on, pl1_fires_when_valid_falls) {
  play(fault::withdraws);
  expect_only("PL1");
}
TEST_P(packet_checker_on, pl1_fires_when_a_lane_forgets_its_flit) {
  play_lanes(true);
  expect_only("PL1");
}
TEST_P(packet_checker_on, pl1_can_be_off) {
  play(fault::changes_flit, without(&packet_checker_config::stable));
  expect_silence();
}

TEST_P(packet_checker_on, pl2_fires_when_the_sender_steps_on) {
  play(fault::steps_on);
  expect_only("PL2");
}
TEST_P(packet_checker_on, pl2_can_be_off) {
  play(fault::steps_on, without(&packet_checker_config::needs_ready));
  expect_silence();
}

TEST_P(packet_checker_on, pl3_fires_when_an_index_is_left_out) {
  send({}, lose_middle);
  expect_only("PL3");
}
TEST_P(packet_checker_on, pl3_fires_when_a_head_is_missing) {
  send({}, lose_head);
  expect_only("PL3");
}
TEST_P(packet_checker_on, pl3_fires_when_a_tail_is_missing) {
  send({}, lose_tail);
  expect_only("PL3");
}
TEST_P(packet_checker_on, pl3_fires_when_a_flit_is_of_another_packet) {
  send({}, bend_destination);
  expect_only("PL3");
}
TEST_P(packet_checker_on, pl3_fires_when_a_flit_is_of_the_next_packet_between_the_same_terminals) {
  send({}, bend_packet);
  expect_only("PL3");
}
TEST_P(packet_checker_on, pl3_fires_when_a_flit_in_the_middle_is_of_another_length) {
  send({}, bend_length);
  expect_only("PL3");
}
TEST_P(packet_checker_on, pl3_can_be_off) {
  send(without(&packet_checker_config::contiguous), lose_middle);
  expect_silence();
}

TEST_P(packet_checker_on, pl4_fires_once_when_nobody_listens) {
  packet_checker_config rules;
  rules.patience = 25;
  send(rules, {}, 0);
  expect_only("PL4");
}
TEST_P(packet_checker_on, pl4_counts_to_the_cycle) {
  show_at_edge_3({});
  run(26);  // up to edge 28
  EXPECT_TRUE(bench_->violations.size() <= 1);
  run(3);
  expect_only("PL4");
  EXPECT_EQ(bench_->violations.front().cycle, 28u);
}
TEST_P(packet_checker_on, pl4_counts_anew_for_a_flit_that_takes_the_place_of_another) {
  const any_link l = show_at_edge_3(without(&packet_checker_config::stable));
  run(17);
  l.data.write(make_flit(1, 2, 1));  // at edge 20
  run(60);
  expect_only("PL4");
  EXPECT_EQ(bench_->violations.front().cycle, 45u);
}
TEST_P(packet_checker_on, pl4_fires_again_for_the_flit_behind_one_that_waited_too_long) {
  const any_link l = show_at_edge_3({});
  run(40);
  l.ready.write(1);
  run(1);
  l.ready.write(0), l.data.write(make_flit(1, 2, 1));  // seen at edge 44
  run(60);
  ASSERT_EQ(bench_->violations.size(), 2u) << bench_->first_violation();
  EXPECT_EQ(bench_->violations[0].cycle, 28u);
  EXPECT_EQ(bench_->violations[1].cycle, 69u);
  for (const violation& v : bench_->violations) EXPECT_EQ(v.rule, "PL4") << v.message;
}
TEST_P(packet_checker_on, pl4_has_patience_without_end) {
  packet_checker_config rules;
  rules.patience = ~std::uint64_t{0};
  send(rules, {}, 0);
  expect_silence();
}
TEST_P(packet_checker_on, pl4_is_off_without_patience) {
  send({}, {}, 0);
  expect_silence();
}

TEST_P(packet_checker_on, pl5_fires_when_valid_is_high_in_reset) {
  play(fault::loud_in_reset);
  expect_only("PL5");
}
TEST_P(packet_checker_on, pl5_fires_in_each_reset) {
  play(fault::loud_in_reset);
  bench_->reset(4);
  run(50);
  EXPECT_EQ(bench_->broken(), "PL5 PL5 ");
}
TEST_P(packet_checker_on, pl5_fires_when_valid_is_high_right_after_reset) {
  bench_ = std::make_unique<bench>(GetParam());
  const any_link l = bench_->link("l");
  bench_->reset(3);
  l.valid.write(true);
  run(5);
  expect_only("PL5");
  EXPECT_EQ(bench_->violations.front().cycle, 3u);
}
TEST_P(packet_checker_on, pl5_fires_when_a_length_is_zero) {
  send({}, no_length);
  expect_only("PL5");
}
TEST_P(packet_checker_on, pl5_fires_when_the_index_is_too_high) {
  send({}, index_too_high);
  expect_only("PL5");
}
TEST_P(packet_checker_on, pl5_fires_when_there_is_no_such_lane) {
  packet_checker_config rules;
  rules.lanes = 4;
  send(rules, no_such_lane, 100);
  ASSERT_FALSE(bench_->violations.empty());
  for (const violation& v : bench_->violations) EXPECT_EQ(v.rule, "PL5") << v.message;
}
TEST_P(packet_checker_on, pl5_can_be_off) {
  send(without(&packet_checker_config::known), no_length);
  expect_silence();
}
TEST_P(packet_checker_on, pl5_can_be_off_in_and_after_a_reset) {
  bench_ = std::make_unique<bench>(GetParam());
  const any_link l = bench_->link("l", without(&packet_checker_config::known));
  l.valid.write(true);
  bench_->reset(4);
  run(5);
  expect_silence();
}
TEST_P(packet_checker_on, pl5_can_be_off_where_there_is_no_such_lane) {
  packet_checker_config rules = without(&packet_checker_config::known);
  rules.lanes = 4;
  send(rules, no_such_lane, 100);
  expect_silence();
}

TEST_P(packet_checker_on, forgets_everything_in_a_reset) {
  packet_checker_config rules;
  rules.patience = 30;
  send(rules, [](std::deque<flit>& todo) { todo.resize(100); });
  ASSERT_EQ(from_->todo.size(), 0u);
  to_->rate = 0;  // a flit waits in the middle of packet 50 when the reset comes
  from_->add_packet(1, 2, 50, 3);
  from_->add_packet(1, 2, 51, 3);
  from_->todo.pop_front();
  run(3);
  const std::size_t before = bench_->violations.size();  // packet 33 has no end, 50 no head
  EXPECT_EQ(before, 1u);
  bench_->rst(true);
  run(1);
  from_->todo.clear();
  run(2);
  bench_->rst(false);
  to_->rate = 100;
  from_->add_packet(1, 2, 0, 3);
  run(40);
  EXPECT_EQ(bench_->violations.size(), before) << bench_->violations.back().message;
  EXPECT_EQ(to_->got.back().data, make_flit(1, 2, 0, 2, 3));
}

INSTANTIATE_TEST_SUITE_P(kernels, packet_checker_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });
