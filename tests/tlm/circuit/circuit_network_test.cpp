// The transaction-level model against the blocks with pins, message by message and cycle by cycle.
#include <algorithm>
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/traffic/injections/bernoulli.hpp>
#include <spillway/tb/traffic/injections/burst.hpp>
#include <spillway/tb/traffic/injections/exponential.hpp>
#include <spillway/tb/traffic/injections/saturated.hpp>
#include <spillway/tb/traffic/patterns/bit_reversal.hpp>
#include <spillway/tb/traffic/patterns/hotspot.hpp>
#include <spillway/tb/traffic/patterns/transpose.hpp>
#include <spillway/tb/traffic/patterns/uniform.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <support/link_bench.hpp>
#include <support/topologies.hpp>
#include <utility>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Something that an observer was told.
struct happening {
  std::uint64_t cycle;
  char what;
  unsigned terminal;
  flit data;
  bool operator==(const happening& o) const {
    return cycle == o.cycle && what == o.what && terminal == o.terminal && data == o.data;
  }
};
void PrintTo(const happening& h, std::ostream* os) {
  *os << h.cycle << ' ' << h.what << ' ' << h.terminal << ": " << h.data;
}

class recorder final : public endpoint_observer {
public:
  void created(std::uint64_t cycle, const flit& f) override { all_.push_back({cycle, 'c', f.source, f}); }
  void injected(std::uint64_t cycle, const flit& f) override { all_.push_back({cycle, 'i', f.source, f}); }
  void delivered(std::uint64_t cycle, unsigned terminal, const flit& f) override {
    all_.push_back({cycle, 'd', terminal, f});
  }
  /// In an order that does not depend on that of the calls within a cycle.
  std::vector<happening> sorted() const {
    auto list = all_;
    std::sort(list.begin(), list.end(), [](const happening& a, const happening& b) {
      return std::make_tuple(a.cycle, a.what, a.terminal, a.data.packet) <
             std::make_tuple(b.cycle, b.what, b.terminal, b.data.packet);
    });
    return list;
  }

private:
  std::vector<happening> all_;
};

/// Answers every message that comes with one to its sender.
class echoing_supply final : public packet_supply {
public:
  /// `forgotten`: counts the flits that it forgets.
  echoing_supply(std::unique_ptr<packet_supply> own, std::uint64_t& forgotten)
      : own_(std::move(own)), forgotten_(forgotten) {}
  std::uint64_t due(std::uint64_t now, std::size_t backlog) override {
    if (!echoes_.empty() && echoes_.front().due <= now) return now;
    return std::min(own_->due(now, backlog), echoes_.empty() ? never : echoes_.front().due);
  }
  packet_order take(std::uint64_t now) override {
    if (echoes_.empty() || echoes_.front().due > now) return own_->take(now);
    packet_order reply;
    reply.destination = echoes_.front().destination;
    reply.answers = echoes_.front().packet;
    reply.kind = flit_kind::reply;
    reply.length = 2;
    echoes_.pop_front();
    return reply;
  }
  void arrived(std::uint64_t now, const flit& f) override {
    if (f.kind == flit_kind::data && f.tail()) echoes_.push_back({now + 7, f.source, f.packet});
  }
  bool listens() const override { return true; }
  std::uint64_t forget() override {
    const std::uint64_t flits = 2 * std::exchange(echoes_, {}).size();
    forgotten_ += flits;
    return flits;
  }

private:
  std::unique_ptr<packet_supply> own_;
  struct echo {
    std::uint64_t due;
    std::uint32_t destination, packet;
  };
  std::deque<echo> echoes_;
  std::uint64_t& forgotten_;
};

using load = offered_load;

std::shared_ptr<const pattern> uniform_to(unsigned n) { return std::make_shared<uniform_pattern>(n); }
std::shared_ptr<const pattern> half_to_one(unsigned n) {
  return std::make_shared<hotspot_pattern>(n, 0.5, std::vector<std::uint32_t>{1});
}
std::shared_ptr<const pattern> reversed(unsigned n) { return std::make_shared<bit_reversal_pattern>(n); }
std::shared_ptr<const pattern> transposed(unsigned n) { return std::make_shared<transpose_pattern>(n); }
std::shared_ptr<const injection> saturated(load) { return std::make_shared<saturated_injection>(); }
std::shared_ptr<const injection> bernoulli(load l) { return std::make_shared<bernoulli_injection>(l); }
std::shared_ptr<const injection> exponential(load l) { return std::make_shared<exponential_injection>(l); }
std::shared_ptr<const injection> bursts(load l) { return std::make_shared<burst_injection>(l, 16); }

struct case_traffic {
  std::shared_ptr<const pattern> (*where)(unsigned terminals) = uniform_to;
  std::shared_ptr<const injection> (*when)(load) = bernoulli;
  std::uint64_t messages = 0;
  double rate = 0.1;
};

struct circuit_case {
  const char* name;
  unsigned terminals;
  const char* strategy;
  unsigned length = 1;
  case_traffic traffic = {};
  const char* contention = "random";
  unsigned queue = 0;
  bool echoes = false;
};
void PrintTo(const circuit_case& c, std::ostream* os) { *os << c.name; }

class both_levels : public sc_test, public testing::WithParamInterface<circuit_case> {
protected:
  network_plan plan_of(abstraction level) const {
    const circuit_case& c = GetParam();
    network_plan plan;
    plan.shape = make_fat_tree(c.terminals);
    plan.routes = make_routing(plan.shape, "auto");
    plan.config.level = level;
    plan.config.seed = 7;
    plan.config.source_queue = c.queue;
    plan.config.switches = {{"kind", "circuit"}, {"contention", c.contention}};
    plan.config.interfaces = {{"kind", "circuit"}, {"retry", c.strategy}, {"doublings", 10}};
    return plan;
  }
  std::unique_ptr<packet_supply> supply(unsigned terminal, std::uint64_t& forgotten) const {
    const circuit_case& c = GetParam();
    traffic_entry entry{c.traffic.where(c.terminals), c.traffic.when({c.traffic.rate, double(c.length)}),
                        static_cast<std::uint16_t>(c.length)};
    entry.messages = c.traffic.messages;
    auto own = std::make_unique<traffic_supply>(std::make_shared<traffic_list>(1, entry), terminal, 7);
    if (!c.echoes) return own;
    return std::make_unique<echoing_supply>(std::move(own), forgotten);
  }
};

TEST_P(both_levels, agree_on_every_event_and_counter) {
  std::uint64_t forgotten = 0;
  const auto make = [&](unsigned t) { return supply(t, forgotten); };
  recorder of_pins, of_model;
  const auto listens = [](unsigned) { return sink_config{}; };
  platform network("network", plan_of(abstraction::pins), platform_catalogue(), {make, listens, of_pins});
  platform model("model", plan_of(abstraction::transaction), platform_catalogue(), {make, listens, of_model});

  network.run(6000);  // and the model with it
  const auto expected = of_pins.sorted(), found = of_model.sorted();
  ASSERT_GT(expected.size(), 5u);
  for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i)
    ASSERT_EQ(expected[i], found[i]) << "event " << i;
  EXPECT_EQ(expected.size(), found.size());
  EXPECT_EQ(network.count(), model.count());
  EXPECT_EQ(network.forwarded(), model.forwarded());
  EXPECT_EQ(network.count().at("circuit.collisions_up"), 0);
  EXPECT_EQ(model.blocks(), 1u);
}

class resets_of_both_levels : public both_levels {};

TEST_P(resets_of_both_levels, lose_what_they_hold_and_go_on_alike) {
  std::uint64_t forgotten_by_pins = 0, forgotten_by_model = 0;
  const auto make = [&](unsigned t) { return supply(t, forgotten_by_pins); };
  const auto make_of_model = [&](unsigned t) { return supply(t, forgotten_by_model); };
  const auto listens = [](unsigned) { return sink_config{}; };
  recorder of_pins, of_model;
  platform network("network", plan_of(abstraction::pins), platform_catalogue(), {make, listens, of_pins});
  platform model("model", plan_of(abstraction::transaction), platform_catalogue(),
                 {make_of_model, listens, of_model});
  std::uint64_t held_by_pins = 0, held_by_model = 0;
  for (unsigned n = 0; n < 40; ++n) {  // at whatever moment of a message or a round
    network.run(40 + n * 7 % 29);      // and the model with it
    held_by_pins += network.held_flits(), held_by_model += model.held_flits();
    for (platform* level : {&network, &model}) level->drive_reset(true);
    network.run(1 + n % 2);
    if (!GetParam().echoes) {  // else what is just arriving is held, and not lost
      ASSERT_EQ(network.lost_in_reset(), held_by_pins);
    }
    ASSERT_EQ(model.lost_in_reset(), held_by_model + forgotten_by_model);
    ASSERT_EQ(network.held_flits() + model.held_flits(), 0u);
    for (platform* level : {&network, &model}) level->drive_reset(false);
  }
  EXPECT_GT(held_by_model, 0u);
  EXPECT_EQ(forgotten_by_model, forgotten_by_pins) << "replies that were to be sent";
  EXPECT_EQ(forgotten_by_model > 0, GetParam().echoes);
  network.run(2000);
  const auto expected = of_pins.sorted(), found = of_model.sorted();
  EXPECT_GT(expected.back().cycle, network.cycle() - 500) << "they go on";
  for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i)
    ASSERT_EQ(expected[i], found[i]) << "event " << i;
  EXPECT_EQ(expected.size(), found.size());
}

const circuit_case cases[] = {
    {"two_nodes", 2, "immediate", 1, {uniform_to, saturated, 20}},
    {"two_rounds", 2, "rounds", 1, {uniform_to, bernoulli, 20}},
    {"four_to_themselves_too", 4, "immediate", 1, {half_to_one, saturated, 20}},
    {"eight_fixed", 8, "immediate", 1, {uniform_to, saturated, 30}, "fixed"},
    {"sixteen_long", 16, "immediate", 7, {uniform_to, saturated, 20}},
    {"sixteen_long_rounds", 16, "rounds", 7, {uniform_to, saturated, 10}},
    {"sixteen_long_held", 16, "held_rounds", 7, {uniform_to, saturated, 5}},
    {"mixed_load", 64, "immediate", 3, {uniform_to, bernoulli, 40, 0.05}},
    {"short_queues", 64, "random", 2, {uniform_to, exponential, 40, 0.1}, "random", 3},
    {"bursts_in_rounds", 64, "rounds", 1, {uniform_to, bursts, 20, 0.02}},
    {"hot_spot", 64, "immediate", 1, {half_to_one, bernoulli, 10, 0.05}},
    {"hot_spot_backs_off", 64, "exponential", 1, {half_to_one, bernoulli, 10, 0.02}},
    {"replies", 32, "immediate", 1, {uniform_to, bernoulli, 20, 0.02}, "random", 0, true},
    {"big_immediate", 256, "immediate", 1, {uniform_to, saturated, 5}},
    {"big_rounds", 256, "rounds", 1, {uniform_to, saturated, 5}},
    {"big_held", 256, "held_rounds", 1, {uniform_to, saturated, 5}},
    {"big_exponential", 256, "exponential", 1, {uniform_to, saturated, 5}},
    {"big_random", 256, "random", 1, {uniform_to, saturated, 5}},
    {"big_bit_reversal", 256, "immediate", 1, {reversed, saturated, 3}},
    {"big_transpose", 256, "rounds", 1, {transposed, saturated, 3}},
};

INSTANTIATE_TEST_SUITE_P(circuits, both_levels, testing::ValuesIn(cases),
                         [](const auto& test) { return test.param.name; });
INSTANTIATE_TEST_SUITE_P(
    circuits, resets_of_both_levels,
    testing::Values(
        circuit_case{"long_messages", 16, "immediate", 7, {uniform_to, saturated, 2000}},
        circuit_case{"in_rounds", 64, "rounds", 1, {uniform_to, bursts, 2000, 0.2}},
        circuit_case{"in_held_rounds", 16, "held_rounds", 7, {uniform_to, saturated, 2000}},
        circuit_case{
            "with_replies", 16, "immediate", 1, {uniform_to, bernoulli, 2000, 0.1}, "random", 2, true}),
    [](const auto& test) { return test.param.name; });

}  // namespace
