// Who looks at wires of a clock domain without being a module.
#include <gmock/gmock.h>

#include <memory>
#include <spillway/hw/kernel/wire_watcher.hpp>
#include <stdexcept>
#include <support/link_bench.hpp>
#include <support/refusal.hpp>
#include <vector>

using namespace spillway;
using namespace spillway::testing_support;
using ::testing::HasSubstr;

namespace {

// Notes when it is called, and what it sees.
class wire_onlooker final : public wire_watcher {
public:
  std::vector<std::uint64_t> called, in_reset;
  std::vector<int> seen;
  std::uint64_t alarm = 0;

  wire_onlooker(wire<int>& w, wire<bool>& reset) : wire_watcher(reset), wire_(w) {}
  const char* full_name() const override { return "onlooker"; }

private:
  void join() override { watch(wire_); }
  void take_places() override { value_ = place_of(wire_); }
  void reset() override { in_reset.push_back(cycle()); }
  void tick() override {
    called.push_back(cycle());
    seen.push_back(*value_);
    if (alarm > cycle()) wake_at(alarm);
  }

  wire<int>& wire_;
  const int* value_ = nullptr;
};

// Shows the number of each cycle from the third on, and the same for three cycles.
class slow_counter final : public clocked {
public:
  output<int> count{"count"};
  explicit slow_counter(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { count.write(0); }
  void tick() override {
    wake_at(cycle() + 1);
    count.write(static_cast<int>(cycle() / 3));
  }
};

struct watcher_test : sc_test {
  using cycles = std::vector<std::uint64_t>;

  clock_domain domain{"domain", period()};
  wire<bool> reset{domain};
  wire<int> value{domain};
};

}  // namespace

TEST_F(watcher_test, is_called_when_what_it_watches_is_new_and_when_it_asks) {
  wire_onlooker eye(value, reset);
  eye.alarm = 12;
  run(5);
  EXPECT_EQ(eye.called, cycles{0}) << "the first edge, and then nothing changes";
  value.write(7);
  run(4);
  value.write(7);
  run(4);
  EXPECT_EQ(eye.called, (cycles{0, 5, 12}));
  EXPECT_EQ(eye.seen, (std::vector<int>{0, 7, 7}));
  EXPECT_TRUE(eye.in_reset.empty());
}

TEST_F(watcher_test, is_reset_at_every_edge_of_a_reset_and_called_at_the_first_after_it) {
  wire_onlooker eye(value, reset);
  run(2);
  reset.write(true);
  run(3);
  reset.write(false);
  run(4);
  EXPECT_EQ(eye.in_reset, (cycles{2, 3, 4}));
  EXPECT_EQ(eye.called, (cycles{0, 5}));
}

TEST_F(watcher_test, sees_what_a_block_has_written_one_edge_later) {
  slow_counter counter("counter");
  counter.clk(domain);
  counter.rst(reset);
  counter.count(value);
  wire_onlooker eye(value, reset);
  run(10);
  EXPECT_EQ(eye.called, (cycles{0, 4, 7}));
  EXPECT_EQ(eye.seen, (std::vector<int>{0, 1, 2}));
}

// Its own number follows those of the blocks, so that the place of what it watches is theirs.
TEST_F(watcher_test, joins_behind_the_blocks_whenever_it_was_made) {
  wire_onlooker eye(value, reset);
  slow_counter counter("counter");
  counter.clk(domain);
  counter.rst(reset);
  counter.count(value);
  EXPECT_EQ(domain.size(), 0u);
  run(1);
  EXPECT_EQ(domain.size(), 2u);
  EXPECT_EQ(counter.domain_index(), 1u);
  EXPECT_EQ(eye.domain_index(), 2u);
}

TEST_F(watcher_test, sees_the_same_beside_other_threads) {
  std::vector<std::unique_ptr<wire<int>>> wires;
  std::vector<std::unique_ptr<slow_counter>> counters;
  std::vector<std::unique_ptr<wire_onlooker>> eyes;
  domain.use_threads(2);
  for (unsigned n = 0; n < 200; ++n) {
    wires.push_back(std::make_unique<wire<int>>(domain));
    counters.push_back(std::make_unique<slow_counter>(("counter" + std::to_string(n)).c_str()));
    counters.back()->clk(domain);
    counters.back()->rst(reset);
    counters.back()->count(*wires.back());
    eyes.push_back(std::make_unique<wire_onlooker>(*wires.back(), reset));
  }
  run(30);
  EXPECT_EQ(domain.threads(), 2u);
  for (const auto& eye : eyes) {
    EXPECT_EQ(eye->called, (cycles{0, 4, 7, 10, 13, 16, 19, 22, 25, 28}));
    EXPECT_EQ(eye->seen, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  }
}

TEST_F(watcher_test, cannot_be_made_when_the_elaboration_ends) {
  // Makes one when all modules are made and bound.
  struct late_module : sc_core::sc_module {
    late_module(const sc_core::sc_module_name& name, watcher_test& test) : sc_module(name), test_(test) {}
    void end_of_elaboration() override { eye_ = std::make_unique<wire_onlooker>(test_.value, test_.reset); }
    watcher_test& test_;
    std::unique_ptr<wire_onlooker> eye_;
  } late("late", *this);
  EXPECT_THAT(
      refusal([] { run(1); }),
      HasSubstr("spillway/wire_watcher: domain: expected who watches wires to be made before the end of "
                "the elaboration"));
}

TEST_F(watcher_test, watches_wires_of_one_domain) {
  clock_domain other("other", period());
  wire<int> foreign(other);
  wire_onlooker eye(foreign, reset);
  EXPECT_THAT(refusal([] { run(1); }), HasSubstr("spillway/wire_watcher: onlooker: expected wires of "
                                                 "'domain', as its reset is one, found one of 'other'"));
}

TEST_F(watcher_test, of_a_link_has_a_name) {
  packet_wires link(domain);
  EXPECT_THROW(packet_watcher(link, reset, {}), std::invalid_argument);
  packet_checker_config lanes;
  lanes.link = "link";
  lanes.lanes = 65;
  EXPECT_THROW(packet_watcher(link, reset, lanes), std::invalid_argument);
  run(1);  // the domain does not know them
}
