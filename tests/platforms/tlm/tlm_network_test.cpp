// Initiators and memories of all styles on a butterfly, at both levels and on both kernels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/platforms/built_in/tlm_network.hpp>
#include <spillway/tlm/protocol_monitor.hpp>

#include "support/process.hpp"
#include "support/refusal.hpp"
#include "support/tlm_models.hpp"

namespace spillway {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using test::memory_style;
using testing_support::refusal;

scratch_file platform_file(const std::string& more) { return scratch_file("name: memories\n" + more); }

const std::string four_memories = R"(
topology: {kind: butterfly, radix: 2, stages: 3}
switch: {buffering: voq, depth: 16}
packet: {length: 8}
interface:
  kind: tlm
  queue: 2
  map:
    - {base: 0x0000, size: 0x1000, terminal: 4}
    - {base: 0x1000, size: 0x1000, terminal: 5}
    - {base: 0x2000, size: 0x1000, terminal: 6}
    - {base: 0x3000, size: 0x1000, terminal: 7}
)";

/// The same memories behind dampening switches, whose buffers the hot one could fill.
std::vector<std::string> dampened(std::vector<std::string> more, const std::string& flow) {
  const std::string assignment = "assignment: tuples, buffers: 8, j: 2, flow: ";
  more.insert(more.end(), {"switch={kind: dampening, " + assignment + flow + "}", "packet.length=1"});
  return more;
}

/// Two initiators of different styles and four memories, every socket under a protocol monitor.
class system_under_test {
public:
  system_under_test(const std::vector<std::string>& overrides, unsigned transactions)
      : network("network", platform_file(four_memories), overrides),
        lt("lt", test::random_accesses(1, own_ranges(0), 48), transactions, sc_time(100, SC_NS)),
        at("at", test::random_accesses(2, own_ranges(1), 48), transactions, 8) {
    watch(lt.socket, network.target(0));
    watch(at.socket, network.target(1));
    const memory_style styles[] = {memory_style::four_phases, memory_style::four_phases, memory_style::early,
                                   memory_style::blocking};
    for (unsigned m = 0; m < 4; ++m) {
      memories.push_back(std::make_unique<test::test_memory>(("memory_" + std::to_string(m)).c_str(), 0x1000,
                                                             styles[m], sc_time(m * 5, SC_NS)));
      watch(network.initiator(4 + m), memories.back()->socket);
    }
  }

  /// The hot memory is the first; the odd and even halves of each belong to one initiator.
  static std::vector<test::random_accesses::range> own_ranges(unsigned initiator) {
    std::vector<test::random_accesses::range> ranges;
    for (const std::uint64_t memory : {0u, 0u, 0u, 0u, 1u, 2u, 3u})
      ranges.push_back({memory * 0x1000 + initiator * 0x800, 0x800});
    return ranges;
  }

  template <class From, class To>
  void watch(From& from, To& to) {
    monitors.push_back(
        std::make_unique<protocol_monitor>(("monitor_" + std::to_string(monitors.size())).c_str(),
                                           [this](const std::string& rule, const std::string& text) {
                                             violations.push_back(rule + " " + text);
                                           }));
    from.bind(monitors.back()->target);
    monitors.back()->initiator.bind(to);
  }

  std::vector<std::string> violations;
  tlm_network network;
  test::lt_initiator lt;
  test::at_initiator at;
  std::vector<std::unique_ptr<test::test_memory>> memories;
  std::vector<std::unique_ptr<protocol_monitor>> monitors;
};

void expect_all_right(const std::vector<std::string>& overrides, unsigned transactions) {
  system_under_test s(overrides, transactions);
  while (s.lt.done() + s.at.done() < 2 * transactions) {
    const unsigned before = s.lt.done() + s.at.done();
    sc_core::sc_start(100, sc_core::SC_US);
    ASSERT_GT(s.lt.done() + s.at.done(), before) << "nothing moves any more";
  }
  sc_core::sc_start(10, sc_core::SC_US);  // the last END_RESPs
  EXPECT_EQ(s.lt.wrong(), 0u);
  EXPECT_EQ(s.at.wrong(), 0u);
  EXPECT_EQ(s.at.held(), 0u) << "every transaction has been released";
  EXPECT_THAT(s.violations, testing::IsEmpty());
  EXPECT_EQ(s.network.network().count()["tlm.requests"], 2.0 * transactions);
  std::uint64_t served = 0;
  for (std::size_t m = 2; m < s.monitors.size(); ++m) served += s.monitors[m]->transactions();
  EXPECT_EQ(served, 2u * transactions);
}

/// How many transactions; the long campaign asks for a million.
unsigned transactions(unsigned quick) {
  const char* const many = std::getenv("SPILLWAY_TRANSACTIONS");
  return many ? static_cast<unsigned>(std::strtoul(many, nullptr, 10)) : quick;
}

TEST(tlm_network, data_is_right_over_pins_on_the_fast_kernel) {
  expect_all_right({"kernel=fast"}, transactions(3000));
}
TEST(tlm_network, data_is_right_over_pins_on_signals) {
  expect_all_right({"kernel=signals"}, transactions(1000));
}
TEST(tlm_network, data_is_right_at_the_transaction_level) {
  expect_all_right({"level=transaction"}, transactions(10000));
}
TEST(tlm_network, data_is_right_at_the_transaction_level_of_a_fat_tree) {
  expect_all_right({"level=transaction", "topology={kind: fat_tree, terminals: 8}"}, transactions(1000));
}
TEST(tlm_network, data_is_right_with_packets_of_one_flit) {
  expect_all_right({"packet.length=1"}, transactions(500));
}

TEST(tlm_network, data_is_right_through_dampening_switches_whose_receivers_calculate) {
  expect_all_right(dampened({"kernel=fast"}, "receiver"), transactions(1000));
}
TEST(tlm_network, data_is_right_through_dampening_switches_on_signals) {
  expect_all_right(dampened({"kernel=signals"}, "receiver"), transactions(500));
}
TEST(tlm_network, data_is_right_through_dampening_switches_whose_senders_calculate) {
  expect_all_right(dampened({"kernel=fast"}, "sender"), transactions(1000));
}
TEST(tlm_network, data_is_right_at_the_transaction_level_of_dampening_switches) {
  expect_all_right(dampened({"level=transaction"}, "receiver"), transactions(5000));
}

/// Start and end of every access of one lone initiator.
class lone_initiator : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<lone_initiator> socket{"socket"};
  std::vector<sc_time> times;
  std::vector<tlm::tlm_response_status> statuses;
  std::vector<std::uint64_t> addresses{0x0, 0x1008, 0x2010, 0x3018, 0x4000, 0xffe};
  std::vector<unsigned> lengths{1, 8, 64, 200};

  explicit lone_initiator(const sc_core::sc_module_name& name) : sc_module(name) {
    SPILLWAY_HAS_PROCESS(lone_initiator);
    SC_THREAD(run);
  }

private:
  void run() {
    for (const std::uint64_t address : addresses)
      for (const unsigned length : lengths) {
        std::vector<unsigned char> data(length);
        tlm::tlm_generic_payload p;
        p.set_command(length % 16 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        p.set_address(address);
        p.set_data_ptr(data.data());
        p.set_data_length(length);
        p.set_streaming_width(length);
        sc_time delay(7, SC_NS);
        socket->b_transport(p, delay);
        EXPECT_EQ(delay, sc_core::SC_ZERO_TIME) << "it has been waited for";
        times.push_back(sc_core::sc_time_stamp());
        statuses.push_back(p.get_response_status());
        wait(50, SC_NS);
      }
  }
};

/// Two platforms in one simulation, one a level: the same times, exactly.
void expect_equal_latencies(std::vector<std::string> overrides) {
  const auto file = platform_file(four_memories);
  tlm_network pins("pins", file, overrides);
  overrides.emplace_back("level=transaction");
  tlm_network fast("transactions", file, overrides);
  lone_initiator a("a"), b("b");
  a.socket.bind(pins.target(2));
  b.socket.bind(fast.target(2));
  std::vector<std::unique_ptr<test::test_memory>> memories;
  for (unsigned m = 0; m < 8; ++m) {
    memories.push_back(std::make_unique<test::test_memory>(
        ("memory_" + std::to_string(m)).c_str(), 0x1000,
        m % 2 ? memory_style::early : memory_style::four_phases, sc_time(3, SC_NS)));
    (m < 4 ? pins : fast).initiator(4 + m % 4).bind(memories.back()->socket);
  }
  sc_core::sc_start(100, sc_core::SC_US);
  ASSERT_EQ(a.times.size(), 24u);
  EXPECT_EQ(a.times, b.times);
}

TEST(tlm_network, both_levels_have_the_same_latency_without_load) { expect_equal_latencies({}); }
TEST(tlm_network, both_levels_of_dampening_switches_have_the_same_latency_without_load) {
  expect_equal_latencies(dampened({}, "receiver"));
}

TEST(tlm_network, addresses_outside_of_the_map_end_early) {
  tlm_network network("network", platform_file(four_memories));
  lone_initiator cpu("cpu");
  cpu.socket.bind(network.target(2));
  std::vector<std::unique_ptr<test::test_memory>> memories;
  for (unsigned m = 0; m < 4; ++m) {
    memories.push_back(std::make_unique<test::test_memory>(
        ("memory_" + std::to_string(m)).c_str(), 0x1000,
        m % 2 ? memory_style::early : memory_style::four_phases, sc_time(3, SC_NS)));
    network.initiator(4 + m).bind(memories.back()->socket);
  }
  sc_core::sc_start(100, sc_core::SC_US);
  ASSERT_EQ(cpu.statuses.size(), cpu.addresses.size() * cpu.lengths.size());
  unsigned errors = 0;
  for (std::size_t i = 0; i < cpu.statuses.size(); ++i) {
    const bool beyond = cpu.addresses[i / 4] == 0x4000 || (cpu.addresses[i / 4] == 0xffe && i % 4 > 0);
    EXPECT_EQ(cpu.statuses[i], beyond ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE) << i;
    errors += beyond;
  }
  EXPECT_EQ(network.network().count()["tlm.address_errors"], errors);
}

TEST(tlm_network, debug_transport_reaches_the_memory_at_once) {
  const auto file = platform_file(four_memories);
  tlm_network network("network", file);
  lone_initiator cpu("cpu");
  cpu.addresses.clear();
  auto& probe = cpu.socket;
  test::test_memory memory("memory", 0x1000, memory_style::early, sc_core::SC_ZERO_TIME);
  probe.bind(network.target(0));
  network.initiator(6).bind(memory.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  memory.bytes()[0x123] = 42;
  unsigned char byte = 0;
  tlm::tlm_generic_payload p;
  p.set_read();
  p.set_address(0x2123);
  p.set_data_ptr(&byte);
  p.set_data_length(1);
  EXPECT_EQ(probe->transport_dbg(p), 1u);
  EXPECT_EQ(byte, 42);
  EXPECT_EQ(p.get_address(), 0x2123u);
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
  p.set_address(0x3000);
  EXPECT_EQ(probe->transport_dbg(p), 0u) << "nobody is bound at terminal 7";
}

struct tag : tlm::tlm_extension<tag> {
  int value = 0;
  tlm::tlm_extension_base* clone() const override { return new tag(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    value = static_cast<const tag&>(other).value;
  }
};

/// Doubles the tag of what it serves.
class tag_memory : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<tag_memory> socket{"socket"};
  int seen = 0;
  explicit tag_memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &tag_memory::serve);
  }

private:
  void serve(tlm::tlm_generic_payload& p, sc_time&) {
    if (tag* const t = p.get_extension<tag>()) {
      seen = t->value;
      t->value *= 2;
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

class tag_initiator : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<tag_initiator> socket{"socket"};
  tag extension;
  explicit tag_initiator(const sc_core::sc_module_name& name) : sc_module(name) {
    SPILLWAY_HAS_PROCESS(tag_initiator);
    SC_THREAD(run);
  }

private:
  void run() {
    tlm::tlm_generic_payload p;
    unsigned char byte = 0;
    p.set_write();
    p.set_data_ptr(&byte);
    p.set_data_length(1);
    p.set_streaming_width(1);
    extension.value = 21;
    p.set_extension(&extension);
    sc_time delay;
    socket->b_transport(p, delay);
    p.clear_extension(&extension);
  }
};

TEST(tlm_network, extensions_pass_through_and_come_back) {
  tlm_network network("network", platform_file(four_memories));
  tag_initiator cpu("cpu");
  tag_memory memory("memory");
  cpu.socket.bind(network.target(0));
  network.initiator(4).bind(memory.socket);
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(memory.seen, 21);
  EXPECT_EQ(cpu.extension.value, 42);
}

TEST(tlm_network, a_reset_ends_what_is_outstanding_with_an_error) {
  tlm_network network("network", platform_file(four_memories));
  lone_initiator cpu("cpu");
  cpu.addresses = {0x0};
  cpu.lengths = {200, 201};
  test::test_memory memory("memory", 0x1000, memory_style::early, sc_core::SC_ZERO_TIME);
  cpu.socket.bind(network.target(0));
  network.initiator(4).bind(memory.socket);
  sc_core::sc_start(12, SC_NS);  // flits of the first request are on their way
  network.network().drive_reset(true);
  sc_core::sc_start(3, SC_NS);
  network.network().drive_reset(false);
  sc_core::sc_start(1, sc_core::SC_US);
  ASSERT_EQ(cpu.statuses.size(), 2u);
  EXPECT_EQ(cpu.statuses[0], tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(cpu.statuses[1], tlm::TLM_OK_RESPONSE) << "the network works on after the reset";
  EXPECT_GT(network.network().lost_in_reset(), 0u);
}

// Its sockets lead to SystemC, which one thread alone may use.
TEST(tlm_network, over_pins_one_thread_steps) {
  tlm_network network("network", platform_file(four_memories),
                      {"kernel=fast", "threads=2", "blocks_a_thread=1"});
  sc_core::sc_start(1, sc_core::SC_US);
  const clock_domain& domain = *network.network().domain();
  EXPECT_EQ(domain.threads(), 1u);
  EXPECT_THAT(domain.why_fewer(), testing::ContainsRegex("tlm_pins_0 reaches beyond its clock domain"));
}

TEST(tlm_network, a_terminal_that_is_not_there_is_named) {
  tlm_network network("network", platform_file(four_memories));
  const std::string said = "network: there is no terminal 8 of 8";
  EXPECT_EQ(refusal<std::out_of_range>([&] { network.target(8); }), said);
  EXPECT_EQ(refusal<std::out_of_range>([&] { network.initiator(8); }), said);
}

TEST(tlm_network, may_be_made_of_text) {
  const catalogue all = platform_catalogue();
  const auto made_of = [&](const std::string& text) {
    return load_document_text("name: memories\n" + text, "own text", experiment_schema(all));
  };
  tlm_network network("network", made_of(four_memories), all);
  EXPECT_EQ(network.terminals(), 8u);
  sc_core::sc_clock clock("clock", 3, SC_NS);
  sc_core::sc_signal<bool> rst("rst");
  tlm_network driven("driven", made_of(four_memories), platform_clock{clock, rst});
  EXPECT_EQ(driven.network().period(), sc_time(3, SC_NS));
  EXPECT_THAT(refusal([&] { tlm_network("other", made_of("topology: {kind: butterfly, stages: 2}")); }),
              testing::HasSubstr("own text:"));
}

TEST(tlm_network, wrong_files_are_refused_with_their_place) {
  const auto refuse = [](const std::string& text, const std::string& why) {
    const auto file = platform_file(text);
    try {
      tlm_network network("network", file);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const config_error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(why));
      EXPECT_THAT(error.what(), testing::HasSubstr(file.string() + ":"));
    }
  };
  const std::string start = "topology: {kind: butterfly, stages: 2}\n";
  refuse(start, "interface: {kind: tlm}");
  refuse(start + "interface: {kind: tlm, map: [{base: 0, size: 8, terminal: 4}]}", "terminal 4 of 4");
  refuse(
      start +
          "interface: {kind: tlm, map: [{base: 0, size: 8, terminal: 1}, {base: 7, size: 8, terminal: 2}]}",
      "overlap");
  refuse(start + "interface: {kind: tlm, queue: 0}", "queue");
}

}  // namespace
}  // namespace spillway
