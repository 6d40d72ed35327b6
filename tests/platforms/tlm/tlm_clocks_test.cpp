// Networks on clocks of other periods and of the user's, and several in one simulation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/platforms/built_in/tlm_network.hpp>

#include "support/clocked_platform.hpp"
#include "support/process.hpp"
#include "support/refusal.hpp"
#include "support/tlm_models.hpp"

namespace spillway {
namespace {

using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_time;
using test::clocked_platform;
using test::memory_style;
using testing_support::refusal;
using overrides = std::vector<std::string>;

const char* const one_memory = "[{base: 0x1000, size: 0x1000, terminal: 3, offset: 0x40}]";

/// Blocking accesses one after the other, and when each was over.
class reader : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<reader> socket{"socket"};
  std::vector<sc_time> times;
  std::vector<tlm::tlm_response_status> statuses;
  const unsigned many;

  explicit reader(const sc_core::sc_module_name& name, unsigned accesses = 3)
      : sc_module(name), many(accesses) {
    SPILLWAY_HAS_PROCESS(reader);
    SC_THREAD(run);
  }

private:
  void run() {
    for (unsigned i = 0; i < many; ++i) {
      unsigned char data[8] = {};
      tlm::tlm_generic_payload p;
      p.set_read();
      p.set_address(0x1000);
      p.set_data_ptr(data);
      p.set_data_length(8);
      p.set_streaming_width(8);
      sc_time delay;
      socket->b_transport(p, delay);
      times.push_back(sc_core::sc_time_stamp());
      statuses.push_back(p.get_response_status());
    }
  }
};

struct one_network {
  tlm_network network;
  reader cpu;
  test::test_memory memory;
  template <class... Clock>
  one_network(const std::string& name, const overrides& more, const Clock&... clock)
      : network(name.c_str(), clocked_platform(one_memory), clock..., more),
        cpu((name + "_cpu").c_str()),
        memory((name + "_memory").c_str(), 0x2000, memory_style::early, sc_core::SC_ZERO_TIME) {
    cpu.socket.bind(network.target(0));
    network.initiator(3).bind(memory.socket);
  }
};

class tlm_clock : public testing::TestWithParam<overrides> {
protected:
  overrides with(const char* more) const {
    overrides all = GetParam();
    all.emplace_back(more);
    return all;
  }
};

TEST_P(tlm_clock, has_the_period_of_the_file) {
  one_network slow("slow", with("period=1.7")), normal("normal", GetParam());
  sc_core::sc_start(1, sc_core::SC_US);
  ASSERT_EQ(slow.cpu.times.size(), 3u);
  ASSERT_EQ(normal.cpu.times.size(), 3u);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(slow.cpu.times[i], sc_time(normal.cpu.times[i] / sc_time(1, SC_PS) * 1.7, SC_PS));
}

TEST_P(tlm_clock, may_be_the_users) {
  // Both rise at 1.5 ns first; one falls before.
  sc_core::sc_clock clock("clock", 3, SC_NS, 0.5, 1.5, SC_NS);
  sc_core::sc_clock falling("falling", 3, SC_NS, 0.75, 0.75, SC_NS, false);
  sc_core::sc_signal<bool> rst("rst");
  one_network own("own", with("period=3"));
  one_network driven("driven", with("period=3"), platform_clock{clock, rst});
  one_network later("later", with("period=3"), platform_clock{falling, rst});
  sc_core::sc_start(1, sc_core::SC_US);
  ASSERT_EQ(own.cpu.times.size(), 3u);
  EXPECT_EQ(driven.cpu.times, own.cpu.times);
  EXPECT_EQ(later.cpu.times, own.cpu.times);
  EXPECT_THROW(driven.network.network().drive_reset(true), std::logic_error);
}

// Of 1,001 ps it has no half; and 250.5 ps high are 251, which leaves 751 for its low part.
TEST_P(tlm_clock, of_the_users_has_its_edges_where_systemc_rounds_them) {
  sc_core::sc_clock odd("odd", 1.001, SC_NS, 0.5, 0.5, SC_NS);
  sc_core::sc_clock falling("falling", 1.002, SC_NS, 0.25, 0, SC_NS, false);
  sc_core::sc_clock rising("rising", 1.002, SC_NS, 0.25, 0.751, SC_NS);
  sc_core::sc_signal<bool> rst("rst");
  one_network first("first", with("period=1.001"), platform_clock{odd, rst});
  one_network second("second", with("period=1.002"), platform_clock{falling, rst});
  one_network third("third", with("period=1.002"), platform_clock{rising, rst});
  sc_core::sc_start(1, sc_core::SC_US);
  ASSERT_EQ(first.cpu.times.size(), 3u);
  ASSERT_EQ(third.cpu.times.size(), 3u);
  EXPECT_EQ(second.cpu.times, third.cpu.times);
  EXPECT_EQ(first.cpu.times[1] - first.cpu.times[0],
            (third.cpu.times[1] - third.cpu.times[0]) / sc_time(1.002, SC_NS) * sc_time(1.001, SC_NS));
}

TEST_P(tlm_clock, of_the_users_comes_with_his_reset) {
  sc_core::sc_clock clock("clock", 3, SC_NS, 0.5, 1.5, SC_NS);
  sc_core::sc_signal<bool> rst("rst");
  one_network driven("driven", with("period=3"), platform_clock{clock, rst});
  sc_core::sc_start(10, SC_NS);
  rst.write(true);
  sc_core::sc_start(6, SC_NS);
  rst.write(false);
  sc_core::sc_start(1, sc_core::SC_US);
  ASSERT_EQ(driven.cpu.statuses.size(), 3u);
  EXPECT_EQ(driven.cpu.statuses[0], tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(driven.cpu.statuses[2], tlm::TLM_OK_RESPONSE);
}

/// Pauses the simulation once.
class pauser : public sc_core::sc_module {
public:
  pauser(const sc_core::sc_module_name& name, const sc_time& at) : sc_module(name), at_(at) {
    SPILLWAY_HAS_PROCESS(pauser);
    SC_THREAD(pause);
  }

private:
  void pause() {
    wait(at_);
    sc_core::sc_pause();
  }
  const sc_time at_;
};

// Edges are at 1.5 ns, 4.5 ns and so on.
TEST_P(tlm_clock, is_counted_by_the_edges_that_were) {
  sc_core::sc_clock clock("clock", 3, SC_NS, 0.5, 1.5, SC_NS);
  sc_core::sc_signal<bool> rst("rst");
  one_network own("own", with("period=3"));
  one_network driven("driven", with("period=3"), platform_clock{clock, rst});
  pauser pause("pause", sc_time(30, SC_NS));
  const auto expect_cycle = [&](std::uint64_t cycle) {
    EXPECT_EQ(own.network.network().cycle(), cycle);
    EXPECT_EQ(driven.network.network().cycle(), cycle);
  };
  expect_cycle(0);
  sc_core::sc_start(9, SC_NS);
  expect_cycle(3);
  own.network.network().run(5);
  expect_cycle(8);
  own.network.network().run(1000);
  expect_cycle(10);
}

INSTANTIATE_TEST_SUITE_P(each, tlm_clock,
                         testing::Values(overrides{"kernel=fast"}, overrides{"kernel=signals"},
                                         overrides{"level=transaction"}),
                         [](const auto& instance) { return "setting_" + std::to_string(instance.index); });

TEST(tlm_clocks, a_clock_that_models_without_pins_cannot_know_is_refused) {
  sc_core::sc_signal<bool> gated("gated"), rst("rst");
  const std::string said = refusal([&] {
    tlm_network("network", clocked_platform(one_memory), platform_clock{gated, rst}, {"level=transaction"});
  });
  EXPECT_THAT(said, testing::HasSubstr(
                        ": period: without pins the clock must be an sc_clock of the `period` that the file "
                        "says, 1 ns, found another signal"));
}

// The file says 1 ns.
TEST(tlm_clocks, pins_have_the_period_of_an_sc_clock_of_the_users) {
  sc_core::sc_clock clock("clock", 3, SC_NS, 0.5, 1.5, SC_NS);
  sc_core::sc_signal<bool> rst("rst");
  one_network fast("fast", {"kernel=fast"}, platform_clock{clock, rst});
  one_network signals("signals", {"kernel=signals"}, platform_clock{clock, rst});
  EXPECT_EQ(fast.network.network().period(), sc_time(3, SC_NS));
  fast.network.network().run(4);
  EXPECT_EQ(fast.network.network().cycle(), 4u);
  EXPECT_EQ(signals.network.network().cycle(), 4u);
}

TEST(tlm_clocks, pins_count_the_edges_of_any_signal) {
  sc_core::sc_signal<bool> clock("clock"), rst("rst");
  one_network fast("fast", {"kernel=fast"}, platform_clock{clock, rst});
  one_network signals("signals", {"kernel=signals"}, platform_clock{clock, rst});
  EXPECT_EQ(fast.network.network().period(), sc_time(1, SC_NS));
  for (const bool high : {true, false, false, true}) {
    clock.write(high);
    fast.network.network().run(2);
  }
  EXPECT_EQ(fast.network.network().cycle(), 2u);
  EXPECT_EQ(signals.network.network().cycle(), 2u);
}

TEST(tlm_clocks, a_time_resolution_that_is_too_coarse_is_told_before) {
  sc_core::sc_set_time_resolution(1, SC_NS);
  const std::string said = refusal([&] { tlm_network("network", clocked_platform(one_memory)); });
  EXPECT_THAT(said,
              testing::HasSubstr(
                  "half of a clock period of 1 ns is no multiple of SystemC's time resolution of 1 ns"));
}

TEST(tlm_clocks, a_coarse_time_resolution_does_where_half_a_period_can_be_expressed) {
  sc_core::sc_set_time_resolution(1, SC_NS);
  one_network network("network", {"period=2", "kernel=signals"});
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(network.cpu.statuses.size(), 3u);
}

// The file's period of 1 ns has no half then.
TEST(tlm_clocks, pins_that_a_clock_of_the_users_steps_need_no_period) {
  sc_core::sc_set_time_resolution(1, SC_NS);
  sc_core::sc_clock clock("clock", 2, SC_NS);
  sc_core::sc_signal<bool> rst("rst");
  one_network fast("fast", {"kernel=fast"}, platform_clock{clock, rst});
  one_network signals("signals", {"kernel=signals"}, platform_clock{clock, rst});
  const std::string said = refusal([&] {
    tlm_network("transactions", clocked_platform(one_memory), platform_clock{clock, rst},
                {"level=transaction"});
  });
  EXPECT_THAT(said, testing::HasSubstr("of the `period` that the file says, 1 ns, found 2 ns"));
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(fast.cpu.statuses, std::vector<tlm::tlm_response_status>(3, tlm::TLM_OK_RESPONSE));
  EXPECT_EQ(signals.cpu.times, fast.cpu.times);
}

// --- two networks in series

/// How many transactions; the long campaign asks for a million.
unsigned how_many(unsigned quick) {
  const char* const many = std::getenv("SPILLWAY_TRANSACTIONS");
  return many ? static_cast<unsigned>(std::strtoul(many, nullptr, 10)) : quick;
}

/// From a CPU with local time and a DMA engine with many transactions, through a network of 1 ns into one of
/// 1.7 ns, to memories of all styles. Terminals 2 and 3 of the first are bound to terminals 0 and 1 of the
/// second.
void expect_right_data_in_series(const overrides& near_more, const overrides& far_more, unsigned accesses) {
  overrides far_with = far_more;
  far_with.emplace_back("period=1.7");
  const auto map = [](unsigned first) {
    return "[{base: 0, size: 0x1000, terminal: " + std::to_string(first) +
           "}, {base: 0x1000, size: 0x1000, terminal: " + std::to_string(first + 1) + ", offset: 0x1000}]";
  };
  tlm_network near("near", clocked_platform(map(2)), near_more),
      far("far", clocked_platform(map(2)), far_with);
  near.initiator(2).bind(far.target(0));
  near.initiator(3).bind(far.target(1));
  const auto halves = [](unsigned of) {
    return std::vector<test::random_accesses::range>{{of * 0x800u, 0x800}, {0x1000u + of * 0x800u, 0x800}};
  };
  test::lt_initiator lt("lt", test::random_accesses(1, halves(0), 48), accesses, sc_time(100, SC_NS));
  test::at_initiator at("at", test::random_accesses(2, halves(1), 48), accesses, 8);
  lt.socket.bind(near.target(0));
  at.socket.bind(near.target(1));
  test::test_memory a("a", 0x2000, memory_style::four_phases, sc_time(5, SC_NS));
  test::test_memory b("b", 0x2000, memory_style::early, sc_time(3, SC_NS));
  far.initiator(2).bind(a.socket);
  far.initiator(3).bind(b.socket);
  while (lt.done() + at.done() < 2 * accesses) {
    const unsigned before = lt.done() + at.done();
    sc_core::sc_start(100, sc_core::SC_US);
    ASSERT_GT(lt.done() + at.done(), before) << "nothing moves any more";
  }
  sc_core::sc_start(10, sc_core::SC_US);
  EXPECT_EQ(lt.wrong() + at.wrong(), 0u);
  EXPECT_EQ(at.held(), 0u);
  EXPECT_EQ(far.network().count()["tlm.requests"], 2.0 * accesses);
}

TEST(tlm_series, data_is_right_over_pins_of_two_clocks) {
  expect_right_data_in_series({"kernel=fast"}, {"kernel=fast"}, how_many(500));
}
TEST(tlm_series, data_is_right_over_pins_on_signals) {
  expect_right_data_in_series({"kernel=signals"}, {"kernel=signals"}, how_many(100));
}
TEST(tlm_series, data_is_right_where_the_levels_differ) {
  expect_right_data_in_series({"level=transaction"}, {"kernel=fast"}, how_many(500));
}
TEST(tlm_series, data_is_right_behind_a_functional_network) {
  expect_right_data_in_series({"level=functional"}, {"level=transaction"}, how_many(500));
}

}  // namespace
}  // namespace spillway
