// Networks on clocks of other periods and of the user's, several in one simulation, and no network at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/platforms/built_in/tlm_network.hpp>
#include <spillway/tlm/tlm_origin.hpp>

#include "support/process.hpp"
#include "support/refusal.hpp"
#include "support/tlm_models.hpp"

namespace spillway {
namespace {

using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_time;
using test::memory_style;
using testing_support::refusal;
using overrides = std::vector<std::string>;

scratch_file clocked_platform(const std::string& map) {
  return scratch_file(
      "name: memories\n"
      "topology: {kind: butterfly, radix: 2, stages: 2}\n"
      "switch: {buffering: voq, depth: 16}\n"
      "packet: {length: 8}\n"
      "interface: {kind: tlm, queue: 2, map: " +
      map + "}\n");
}
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

// --- functional

/// A memory that grants direct access, to all of it at first.
class open_memory : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<open_memory> socket{"socket"};
  std::vector<unsigned char> bytes = std::vector<unsigned char>(0x2000);
  std::uint64_t first = 0, last = bytes.size() - 1;
  bool grants = true;
  std::vector<int> origins;  // terminals of debug transport and of requests for direct memory; -1: not said
  explicit open_memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &open_memory::access);
    socket.register_get_direct_mem_ptr(this, &open_memory::grant);
    socket.register_transport_dbg(this, &open_memory::debug);
  }

private:
  void access(tlm::tlm_generic_payload& p, sc_time& delay) {
    debug(p);
    delay += sc_time(4, SC_NS);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void note(const tlm::tlm_generic_payload& p) {
    const auto* const origin = p.get_extension<tlm_origin>();
    origins.push_back(origin ? static_cast<int>(origin->terminal) : -1);
  }
  unsigned debug(tlm::tlm_generic_payload& p) {
    note(p);
    unsigned i = 0;
    for (; i < p.get_data_length() && p.get_address() + i < bytes.size(); ++i)
      if (p.is_write())
        bytes[p.get_address() + i] = p.get_data_ptr()[i];
      else
        p.get_data_ptr()[i] = bytes[p.get_address() + i];
    return i;
  }
  bool grant(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
    note(p);
    dmi.init();
    dmi.set_dmi_ptr(bytes.data() + first);
    dmi.set_start_address(first);
    dmi.set_end_address(last);
    dmi.allow_read_write();
    return grants;
  }
};

class prober : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<prober> socket{"socket"};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;
  std::vector<tlm::tlm_response_status> responses;  // of non-blocking calls
  explicit prober(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_invalidate_direct_mem_ptr(this, &prober::invalidate);
    socket.register_nb_transport_bw(this, &prober::respond);
  }
  void prepare(tlm::tlm_generic_payload& p, tlm::tlm_command command, std::uint64_t address,
               std::vector<unsigned char>& data) {
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(data.data());
    p.set_data_length(static_cast<unsigned>(data.size()));
    p.set_streaming_width(static_cast<unsigned>(data.size()));
  }

private:
  void invalidate(sc_dt::uint64 start, sc_dt::uint64 end) { invalidated.emplace_back(start, end); }
  tlm::tlm_sync_enum respond(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    responses.push_back(p.get_response_status());
    return tlm::TLM_COMPLETED;
  }
};

struct probed_network {
  tlm_network network;
  prober probe{"probe"}, other{"other"};
  open_memory memory{"memory"}, next{"next"};
  explicit probed_network(const char* level)
      : network("network",
                clocked_platform("[{base: 0x1000, size: 0x1000, terminal: 3, offset: 0x40}, "
                                 "{base: 0x2000, size: 0x100, terminal: 2}]"),
                {std::string("level=") + level}) {
    probe.socket.bind(network.target(0));
    other.socket.bind(network.target(1));
    network.initiator(3).bind(memory.socket);
    network.initiator(2).bind(next.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

TEST(tlm_functional, blocking_calls_go_straight_to_the_target_in_their_own_time) {
  probed_network t("functional");
  std::vector<unsigned char> data{1, 2, 3, 4};
  tlm::tlm_generic_payload p;
  t.probe.prepare(p, tlm::TLM_WRITE_COMMAND, 0x1010, data);
  sc_time delay(7, SC_NS);
  t.probe.socket->b_transport(p, delay);  // no process waits, so that this is no SC_THREAD
  EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(delay, sc_time(11, SC_NS));
  EXPECT_EQ(p.get_address(), 0x1010u);
  EXPECT_EQ(t.memory.bytes[0x51], 2);
  t.probe.prepare(p, tlm::TLM_WRITE_COMMAND, 0x20ff, data);
  t.probe.socket->b_transport(p, delay);
  EXPECT_EQ(p.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  const counters all = t.network.network().count();
  EXPECT_EQ(all.at("tlm.bytes"), 4);
  EXPECT_EQ(all.at("tlm.address_errors"), 1);
}

TEST(tlm_functional, every_call_says_where_it_is_from) {
  probed_network t("functional");
  std::vector<unsigned char> data(4);
  tlm::tlm_generic_payload p;
  tlm::tlm_dmi dmi;
  t.probe.prepare(p, tlm::TLM_READ_COMMAND, 0x1010, data);
  for (prober* const one : {&t.probe, &t.other}) {
    one->socket->transport_dbg(p);
    one->socket->get_direct_mem_ptr(p, dmi);
    EXPECT_FALSE(p.get_extension<tlm_origin>());
  }
  EXPECT_EQ(t.memory.origins, (std::vector<int>{0, 0, 1, 1}));
}

TEST(tlm_functional, direct_memory_is_that_of_the_range) {
  probed_network t("functional");
  std::vector<unsigned char> data(4);
  tlm::tlm_generic_payload p;
  tlm::tlm_dmi dmi;
  t.probe.prepare(p, tlm::TLM_READ_COMMAND, 0x1234, data);
  ASSERT_TRUE(t.probe.socket->get_direct_mem_ptr(p, dmi));
  EXPECT_EQ(dmi.get_start_address(), 0x1000u);
  EXPECT_EQ(dmi.get_end_address(), 0x1fffu);
  EXPECT_EQ(dmi.get_dmi_ptr(), t.memory.bytes.data() + 0x40);
  t.probe.prepare(p, tlm::TLM_READ_COMMAND, 0x4000, data);
  EXPECT_FALSE(t.probe.socket->get_direct_mem_ptr(p, dmi));
  EXPECT_TRUE(dmi.is_none_allowed());
  EXPECT_EQ(dmi.get_start_address(), 0x4000u) << "of no other address is anything said";
  EXPECT_EQ(dmi.get_end_address(), 0x4000u);
}

// Address 0x1000 is 0x40 for the target.
TEST(tlm_functional, direct_memory_may_be_a_part_of_the_range_or_refused) {
  probed_network t("functional");
  std::vector<unsigned char> data(4);
  tlm::tlm_generic_payload p;
  tlm::tlm_dmi dmi;
  t.memory.first = 0x50, t.memory.last = 0x5f;
  t.probe.prepare(p, tlm::TLM_READ_COMMAND, 0x1018, data);
  for (const bool granted : {true, false}) {
    t.memory.grants = granted;
    EXPECT_EQ(t.probe.socket->get_direct_mem_ptr(p, dmi), granted);
    EXPECT_EQ(dmi.get_start_address(), 0x1010u);
    EXPECT_EQ(dmi.get_end_address(), 0x101fu);
    EXPECT_EQ(dmi.get_dmi_ptr(), t.memory.bytes.data() + 0x50);
    EXPECT_EQ(p.get_address(), 0x1018u);
  }
}

TEST(tlm_functional, what_the_target_takes_back_is_taken_back_from_the_initiators) {
  probed_network t("functional");
  t.memory.socket->invalidate_direct_mem_ptr(0x30, 0x7f);
  ASSERT_EQ(t.probe.invalidated.size(), 1u);
  EXPECT_EQ(t.probe.invalidated[0], std::make_pair(std::uint64_t{0x1000}, std::uint64_t{0x103f}));
  EXPECT_EQ(t.other.invalidated, t.probe.invalidated);
}

// The range is 0x40 to 0x103f for the target.
TEST(tlm_functional, what_the_target_takes_back_may_be_the_first_or_the_last_byte) {
  probed_network t("functional");
  t.memory.socket->invalidate_direct_mem_ptr(0, 0x3f);
  t.memory.socket->invalidate_direct_mem_ptr(0x1040, 0x2000);
  EXPECT_TRUE(t.probe.invalidated.empty());
  t.memory.socket->invalidate_direct_mem_ptr(0, 0x40);
  t.memory.socket->invalidate_direct_mem_ptr(0x103f, 0x2000);
  using bytes = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(t.probe.invalidated, (std::vector<bytes>{{0x1000, 0x1000}, {0x1fff, 0x1fff}}));
}

TEST(tlm_functional, a_reset_takes_back_all) {
  probed_network t("functional");
  std::vector<unsigned char> data(4);
  tlm::tlm_generic_payload p;
  tlm::tlm_dmi dmi;
  t.probe.prepare(p, tlm::TLM_READ_COMMAND, 0x1234, data);
  ASSERT_TRUE(t.probe.socket->get_direct_mem_ptr(p, dmi));
  t.network.network().drive_reset(true);
  sc_core::sc_start(3, SC_NS);
  EXPECT_THAT(t.probe.invalidated, testing::ElementsAre(std::make_pair(std::uint64_t{0}, ~std::uint64_t{0})))
      << "once, however long the reset";
  EXPECT_THAT(t.other.invalidated, testing::IsEmpty()) << "nothing was granted";
}

TEST(tlm_functional, a_request_that_was_to_come_after_a_reset_does_not_come) {
  probed_network t("functional");
  test::transaction_pool pool;
  auto& request = pool.take();
  request.data = {1, 2, 3, 4};
  t.probe.prepare(request, tlm::TLM_WRITE_COMMAND, 0x1010, request.data);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay(20, SC_NS);
  EXPECT_EQ(t.probe.socket->nb_transport_fw(request, phase, delay), tlm::TLM_ACCEPTED);
  sc_core::sc_start(5, SC_NS);
  t.network.network().drive_reset(true);
  sc_core::sc_start(3, SC_NS);
  t.network.network().drive_reset(false);
  EXPECT_THAT(t.probe.responses, testing::ElementsAre(tlm::TLM_GENERIC_ERROR_RESPONSE));
  sc_core::sc_start(30, SC_NS);
  EXPECT_EQ(t.memory.bytes[0x50], 0);
  EXPECT_EQ(t.probe.responses.size(), 1u);
}

TEST(tlm_functional, is_for_tlm_alone) {
  const scratch_file file("name: e\ntopology: {kind: butterfly, radix: 2, stages: 2}\n");
  const document d = load_document(file, experiment_schema(platform_catalogue()), {"level=functional"});
  const catalogue all = platform_catalogue();
  const network_plan plan = read_network(d, all);
  EXPECT_THAT(refusal([&] { check_network(plan, all, d); }), testing::HasSubstr("no functional model"));
}

class tlm_debug : public testing::TestWithParam<const char*> {};
TEST_P(tlm_debug, moves_the_bytes_that_exist) {
  probed_network t(GetParam());
  for (unsigned i = 0; i < 8; ++i) t.memory.bytes[0x1040 - 4 + i] = static_cast<unsigned char>(10 + i);
  for (unsigned i = 0; i < 0x100; ++i) t.next.bytes[i] = static_cast<unsigned char>(i);
  std::vector<unsigned char> data(8, 0xee);
  tlm::tlm_generic_payload p;
  t.probe.prepare(p, tlm::TLM_READ_COMMAND, 0x1ffc, data);  // goes on in the next range
  EXPECT_EQ(t.probe.socket->transport_dbg(p), 8u);
  EXPECT_EQ(data, (std::vector<unsigned char>{10, 11, 12, 13, 0, 1, 2, 3}));
  t.probe.prepare(p, tlm::TLM_READ_COMMAND, 0x20fd, data);  // behind which there is none
  EXPECT_EQ(t.probe.socket->transport_dbg(p), 3u);
  EXPECT_EQ(data[2], 0xff);
  EXPECT_EQ(data[3], 13) << "beyond the end nothing is touched";
  EXPECT_EQ(p.get_data_length(), 8u);
  EXPECT_EQ(p.get_data_ptr(), data.data());
  EXPECT_EQ(p.get_address(), 0x20fdu);
}
INSTANTIATE_TEST_SUITE_P(levels, tlm_debug, testing::Values("pins", "transaction", "functional"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace spillway
