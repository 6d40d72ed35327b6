// The transaction level beside the pins it stands for, under load and through a reset.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spillway/hw/kernel/process.hpp>
#include <spillway/platforms/built_in/tlm_network.hpp>
#include <support/tlm_load.hpp>

namespace spillway {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

constexpr unsigned stages = 4, terminals = 1u << stages;

/// Both levels of a platform in one simulation, under the same load.
struct both_levels {
  tlm_network pins, transactions;
  test::loaded_network on_pins, on_transactions;

  both_levels(const std::vector<std::string>& switches, const test::tlm_load& l)
      : pins("pins", test::load_platform(stages), with(switches, "kernel=fast")),
        transactions("transactions", test::load_platform(stages), with(switches, "level=transaction")),
        on_pins("p", pins, l),
        on_transactions("t", transactions, l) {
    sc_core::sc_start(static_cast<double>(l.warmup + l.cycles) * l.cycle);
  }
  static std::vector<std::string> with(std::vector<std::string> overrides, const char* more) {
    overrides.emplace_back(more);
    return overrides;
  }
};

test::tlm_load load(double hot, double rate) {
  test::tlm_load l;
  l.terminals = terminals;
  l.hot = hot;
  l.rate = rate;
  l.warmup = 1000;
  l.cycles = 12000;
  return l;
}

void expect_order(const test::loaded_network& n) {
  for (const auto& r : n.responders) {
    EXPECT_GT(r->writes, 0u);
    EXPECT_EQ(r->misordered, 0u) << r->name();
  }
}

/// Load, and what the documentation promises of the latency, as a part of that over pins.
struct setting {
  const char* name;
  const char* switches;
  double hot, rate, error;
};
class levels : public testing::TestWithParam<setting> {};

TEST_P(levels, agree) {
  const setting& s = GetParam();
  const both_levels both({std::string("switch=") + s.switches}, load(s.hot, s.rate));
  EXPECT_NEAR(both.on_transactions.completed() / both.on_pins.completed(), 1, 0.05);
  EXPECT_NEAR(both.on_transactions.latency() / both.on_pins.latency(), 1, s.error);
  expect_order(both.on_pins);
  expect_order(both.on_transactions);
}

const char* const voqs = "{kind: packet, buffering: voq, depth: 16}";
const char* const fifos = "{kind: packet, buffering: fifo, depth: 16}";
const char* const tight = "{kind: packet, buffering: voq, depth: 16}";
const char* const stored = "{kind: packet, buffering: voq, depth: 16, switching: store_and_forward}";

// Beyond saturation, full queues hold back the sources: without them, twice as much would get through.
INSTANTIATE_TEST_SUITE_P(
    each, levels,
    testing::Values(setting{"low_load", voqs, 0, 0.01, 0.01}, setting{"half_load", voqs, 0, 0.04, 0.03},
                    setting{"high_load", voqs, 0, 0.08, 0.12}, setting{"hot_spot", voqs, 0.1, 0.05, 0.1},
                    setting{"fifos", fifos, 0, 0.04, 0.05}, setting{"tight_queues", tight, 0, 0.04, 0.05},
                    setting{"store_and_forward", stored, 0, 0.04, 0.05},
                    setting{"beyond_saturation", voqs, 0.25, 0.1, 0.1},
                    setting{"fifos_beyond_saturation", fifos, 0.25, 0.1, 0.1}),
    [](const auto& instance) { return std::string(instance.param.name); });

/// One write over and over.
class writer : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<writer> socket{"socket"};
  std::vector<tlm::tlm_response_status> statuses;
  std::vector<sc_time> took;
  bool goes_on = true;

  explicit writer(const sc_core::sc_module_name& name) : sc_module(name) {
    SPILLWAY_HAS_PROCESS(writer);
    SC_THREAD(run);
  }

private:
  void run() {
    while (goes_on) {
      const sc_time begun = sc_core::sc_time_stamp();
      unsigned char data[200] = {};
      tlm::tlm_generic_payload p;
      p.set_write();
      p.set_data_ptr(data);
      p.set_data_length(sizeof data);
      p.set_streaming_width(sizeof data);
      sc_time delay;
      socket->b_transport(p, delay);
      statuses.push_back(p.get_response_status());
      took.push_back(sc_core::sc_time_stamp() - begun);
    }
  }
};

class in_reset : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(in_reset, a_transaction_ends_with_an_error_and_its_flits_are_counted) {
  tlm_network network("network", test::load_platform(stages), GetParam());
  writer cpu("cpu");
  test::load_responder memory("memory", terminals);
  cpu.socket.bind(network.target(3));
  network.initiator(0).bind(memory.socket);
  sc_core::sc_start(12, SC_NS);
  EXPECT_EQ(memory.writes, 0u);
  network.network().drive_reset(true);
  sc_core::sc_start(2, SC_NS);
  ASSERT_THAT(cpu.statuses, testing::Contains(tlm::TLM_GENERIC_ERROR_RESPONSE));
  EXPECT_THAT(cpu.statuses, testing::Each(tlm::TLM_GENERIC_ERROR_RESPONSE));
  EXPECT_GT(network.network().lost_in_reset(), 20u) << "of a message of 29 flits";
  network.network().drive_reset(false);
  const std::size_t before = cpu.statuses.size();
  sc_core::sc_start(1, sc_core::SC_US);
  ASSERT_GT(cpu.statuses.size(), before + 5);
  EXPECT_EQ(cpu.statuses.back(), tlm::TLM_OK_RESPONSE);
  EXPECT_LE(memory.writes - (cpu.statuses.size() - before), 1u);
}

/// What was under way to the same memory is in nobody's way afterwards.
TEST_P(in_reset, the_network_forgets_what_it_had_to_do) {
  tlm_network network("network", test::load_platform(stages), GetParam());
  test::load_responder memory("memory", terminals);
  network.initiator(0).bind(memory.socket);
  std::vector<std::unique_ptr<writer>> cpus;
  for (const unsigned terminal : {3u, 5u, 6u, 9u}) {
    cpus.push_back(std::make_unique<writer>(("cpu" + std::to_string(terminal)).c_str()));
    cpus.back()->socket.bind(network.target(terminal));
  }
  sc_core::sc_start(1, sc_core::SC_US);
  for (const auto& cpu : cpus) cpu->goes_on = cpu == cpus.front();
  network.network().drive_reset(true);
  sc_core::sc_start(2, SC_NS);
  network.network().drive_reset(false);
  writer& left = *cpus.front();
  const std::size_t before = left.took.size();
  sc_core::sc_start(1, sc_core::SC_US);
  ASSERT_GT(left.took.size(), before + 5);
  EXPECT_EQ(left.statuses[before], tlm::TLM_OK_RESPONSE);
  EXPECT_LE(left.took[before], left.took.back() + sc_time(2, SC_NS));
}

using overrides = std::vector<std::string>;
INSTANTIATE_TEST_SUITE_P(each, in_reset,
                         testing::Values(overrides{"kernel=fast"}, overrides{"kernel=signals"},
                                         overrides{"level=transaction", "kernel=fast"},
                                         overrides{"level=transaction", "kernel=signals"}),
                         [](const auto& instance) { return "setting_" + std::to_string(instance.index); });

}  // namespace
}  // namespace spillway
