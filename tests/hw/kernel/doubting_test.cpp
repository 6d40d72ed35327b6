#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

// What a test says that it does in a cycle, and when it asks to be called.
class scripted : public clocked {
public:
  input<int> in{"in"};
  output<int> out{"out"};
  std::function<void(scripted&)> act;
  std::vector<std::uint64_t> called;

  scripted(const sc_core::sc_module_name& name, std::function<void(scripted&)> script)
      : clocked(name), act(std::move(script)) {}
  using clocked::wake_at;

private:
  void reset() override {}
  void tick() override {
    called.push_back(cycle());
    act(*this);
  }
};

class doubting_test : public sc_test {
protected:
  // What the report says of a block with that script; empty if there is none.
  std::string doubts(std::function<void(scripted&)> script, unsigned cycles = 50) {
    clock_domain domain("domain", period());
    domain.doubt_sleepers();
    wire<bool> rst(domain);
    wire<int> in(domain), out(domain);
    scripted block("block", std::move(script));
    block.clk(domain), block.rst(rst), block.in(in), block.out(out);
    try {
      for (unsigned c = 0; c < cycles; ++c) {
        if (c % 10 == 5) in.write(static_cast<int>(c));
        run(1);
      }
    } catch (const sc_core::sc_report& report) {
      return report.what();
    }
    EXPECT_EQ(block.called.size(), cycles) << "sleepers are called, too";
    return {};
  }
};

}  // namespace

TEST_F(doubting_test, believes_a_block_that_changes_only_when_it_is_due) {
  EXPECT_EQ(doubts([](scripted& b) { b.out.write(b.in.read()); }), "");
}

TEST_F(doubting_test, believes_a_block_that_repeats_what_it_has_asked_for) {
  EXPECT_EQ(doubts([](scripted& b) {
              if (b.cycle() <= 20) b.wake_at(20);
              if (b.cycle() == 20) b.wake_at(21);
              if (b.cycle() == 21) b.out.write(1);
            }),
            "");
}

TEST_F(doubting_test, finds_a_block_that_sleeps_through_an_edge_at_which_a_pin_was_to_change) {
  const std::string what = doubts([](scripted& b) { b.out.write(b.cycle() >= 33); });
  EXPECT_NE(what.find("block slept at cycle 33"), std::string::npos) << what;
  EXPECT_NE(what.find("wrote a new value to a pin"), std::string::npos) << what;
}

TEST_F(doubting_test, finds_a_block_that_does_not_ask_for_the_next_edge) {
  // One cycle of work is left after a new input.
  int taken = 0;
  const std::string what = doubts([&taken](scripted& b) { b.out.write(std::exchange(taken, b.in.read())); });
  EXPECT_NE(what.find("block slept at cycle 6"), std::string::npos) << what;
}

TEST_F(doubting_test, finds_a_sleeper_that_asks_for_more) {
  const std::string next = doubts([](scripted& b) {
    if (b.cycle() == 12) b.wake_at(13);
  });
  EXPECT_NE(next.find("block slept at cycle 12"), std::string::npos) << next;
  EXPECT_NE(next.find("asked to be called again"), std::string::npos) << next;
}

TEST_F(doubting_test, finds_a_sleeper_that_asks_for_a_later_cycle) {
  const std::string later = doubts([](scripted& b) {
    if (b.cycle() == 12) b.wake_at(400);
  });
  EXPECT_NE(later.find("block slept at cycle 12"), std::string::npos) << later;
  EXPECT_NE(later.find("asked to be called again"), std::string::npos) << later;
}
