// Calls that end otherwise than by a return, at all levels: the process is killed or reset, or the target
// throws; and calls from where none may wait.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/platforms/built_in/tlm_network.hpp>
#include <spillway/tlm/tlm_origin.hpp>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "support/process.hpp"
#include "support/refusal.hpp"

namespace spillway {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using testing_support::refusal;
using overrides = std::vector<std::string>;

scratch_file slow_platform() {
  return scratch_file(
      "name: one\n"
      "topology: {kind: butterfly, radix: 2, stages: 2}\n"
      "switch: {buffering: voq, depth: 16}\n"
      "packet: {length: 8}\n"
      "interface: {kind: tlm, map: [{base: 0x1000, size: 0x1000, terminal: 3, offset: 0x40}]}\n");
}

/// A read of eight bytes, with its own data.
struct read_access : tlm::tlm_generic_payload {
  std::array<unsigned char, 8> data{};
  read_access() {
    set_read();
    set_address(0x1000);
    set_data_ptr(data.data());
    set_data_length(static_cast<unsigned>(data.size()));
    set_streaming_width(static_cast<unsigned>(data.size()));
  }
  bool is_as_made() const {
    return get_address() == 0x1000 && get_data_ptr() == data.data() && get_data_length() == data.size() &&
           !get_extension<tlm_origin>() && get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE &&
           data == std::array<unsigned char, 8>{};
  }
};

/// Answers the n-th access with the byte n, 20 ns after it came. `fails`: throws instead.
class slow_counter : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<slow_counter> socket{"socket"};
  unsigned accesses = 0;
  sc_core::sc_event came, answered;
  bool fails = false;
  explicit slow_counter(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &slow_counter::access);
    socket.register_transport_dbg(this, &slow_counter::debug);
    socket.register_get_direct_mem_ptr(this, &slow_counter::grant);
  }

private:
  void access(tlm::tlm_generic_payload& p, sc_time&) {
    const auto number = static_cast<unsigned char>(++accesses);
    if (fails) throw std::runtime_error("broken");
    came.notify(sc_core::SC_ZERO_TIME);
    wait(20, SC_NS);
    answered.notify(sc_core::SC_ZERO_TIME);
    p.get_data_ptr()[0] = number;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned debug(tlm::tlm_generic_payload&) { throw std::runtime_error("broken"); }
  bool grant(tlm::tlm_generic_payload&, tlm::tlm_dmi&) { throw std::runtime_error("broken"); }
};

/// What happens to the process of the initiator, and what is under way then.
enum class fate { kill, reset };
enum class moment { request, access, reply };

/// Reads by one call after the other, the k-th into `reads[k]`, until it has made them all.
class interrupted_reader : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<interrupted_reader> socket{"socket"};
  std::array<read_access, 3> reads;
  unsigned begun = 0, returned = 0;
  bool left = false;

  interrupted_reader(const sc_core::sc_module_name& name, fate what, const sc_core::sc_event* after = nullptr)
      : sc_module(name), what_(what), after_(after) {
    SPILLWAY_HAS_PROCESS(interrupted_reader);
    SC_THREAD(read_all);
    process_ = sc_core::sc_get_current_process_handle();
    SC_THREAD(interfere);
  }

private:
  void read_all() {
    while (begun < reads.size()) {
      sc_time delay;
      socket->b_transport(reads[begun++], delay);
      ++returned;
    }
  }
  void interfere() {
    if (after_) wait(*after_);
    wait(2, SC_NS);
    what_ == fate::kill ? process_.kill() : process_.reset();
    left = true;
  }
  const fate what_;
  const sc_core::sc_event* const after_;
  sc_core::sc_process_handle process_;
};

struct read_network {
  tlm_network network;
  slow_counter memory{"memory"};
  interrupted_reader cpu;
  read_network(const std::string& level, fate what, moment when)
      : network("network", slow_platform(), overrides{level}),
        cpu("cpu", what,
            when == moment::request  ? nullptr
            : when == moment::access ? &memory.came
                                     : &memory.answered) {
    cpu.socket.bind(network.target(0));
    network.initiator(3).bind(memory.socket);
  }
};

class tlm_call_left : public testing::TestWithParam<std::tuple<const char*, moment>> {
protected:
  std::string level() const { return std::get<0>(GetParam()); }
  moment when() const { return std::get<1>(GetParam()); }
};

TEST_P(tlm_call_left, by_a_process_that_is_killed_is_forgotten) {
  read_network t(level(), fate::kill, when());
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(t.cpu.begun, 1u);
  EXPECT_TRUE(t.cpu.reads[0].is_as_made()) << "nothing touches it any more";
  EXPECT_EQ(t.network.port(0).outstanding(), 0u) << "the reply has come";
}

TEST_P(tlm_call_left, by_a_process_that_is_reset_does_not_end_the_next) {
  read_network t(level(), fate::reset, when());
  sc_core::sc_start(1, sc_core::SC_US);
  ASSERT_EQ(t.cpu.begun, 3u);
  EXPECT_EQ(t.cpu.returned, 2u);
  EXPECT_TRUE(t.cpu.reads[0].is_as_made());
  EXPECT_EQ(t.memory.accesses, 3u) << "the first, too";
  EXPECT_EQ(t.cpu.reads[1].data[0], 2);
  EXPECT_EQ(t.cpu.reads[2].data[0], 3);
  EXPECT_EQ(t.network.port(0).outstanding(), 0u);
}

TEST_P(tlm_call_left, is_not_ended_by_a_reset_of_the_network_either) {
  read_network t(level(), fate::kill, when());
  for (unsigned ns = 0; ns < 100 && !t.cpu.left; ++ns) sc_core::sc_start(1, SC_NS);
  ASSERT_TRUE(t.cpu.left);
  t.network.network().drive_reset(true);
  sc_core::sc_start(3, SC_NS);
  EXPECT_TRUE(t.cpu.reads[0].is_as_made());
  EXPECT_EQ(t.network.port(0).outstanding(), 0u);
}

std::string name_of(const char* level) {
  const std::string text = level;
  return text.substr(text.find('=') + 1);
}
std::string name_of_moment(const testing::TestParamInfo<std::tuple<const char*, moment>>& instance) {
  const char* const names[] = {"request", "access", "reply"};
  return name_of(std::get<0>(instance.param)) + "_" + names[static_cast<int>(std::get<1>(instance.param))];
}
INSTANTIATE_TEST_SUITE_P(at_any_time, tlm_call_left,
                         testing::Combine(testing::Values("kernel=fast", "kernel=signals",
                                                          "level=transaction"),
                                          testing::Values(moment::request, moment::access, moment::reply)),
                         name_of_moment);
// The call is all in the target.
INSTANTIATE_TEST_SUITE_P(in_the_target, tlm_call_left,
                         testing::Values(std::make_tuple("level=functional", moment::access)),
                         name_of_moment);

const auto levels = testing::Values("kernel=fast", "kernel=signals", "level=transaction", "level=functional");
class tlm_call : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(at_every_level, tlm_call, levels,
                         [](const auto& instance) { return name_of(instance.param); });

/// Makes one call in an SC_METHOD.
class method_caller : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<method_caller> socket{"socket"};
  read_access read;
  std::string said;
  bool at_start = false;  // of the simulation, too
  explicit method_caller(const sc_core::sc_module_name& name) : sc_module(name) {
    SPILLWAY_HAS_PROCESS(method_caller);
    SC_METHOD(call);
  }
  /// Nothing is thrown: in the main program sanitizers do not know the stacks of SystemC's threads.
  void call() {
    using reports = sc_core::sc_report_handler;
    reports::set_actions("spillway/tlm_port", sc_core::SC_ERROR, sc_core::SC_CACHE_REPORT);
    sc_time delay;
    socket->b_transport(read, delay);
    const sc_core::sc_report* const report = reports::get_cached_report();
    said = report ? report->get_msg() : "";
    reports::clear_cached_report();
  }

private:
  void start_of_simulation() override {
    if (!at_start) return;
    call();
    EXPECT_NE(said, "");
  }
};

void expect_refused_without_a_trace(tlm_network& network, const method_caller& cpu) {
  EXPECT_THAT(cpu.said, testing::HasSubstr("network.platform.tlm_0: b_transport, which waits for the reply, "
                                           "was not called by an SC_THREAD"));
  EXPECT_EQ(cpu.read.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(network.port(0).outstanding(), 0u);
  EXPECT_EQ(network.network().count().at("tlm.requests"), 0);
}

class tlm_call_of_no_thread : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(at_every_level, tlm_call_of_no_thread,
                         testing::Values("kernel=fast", "kernel=signals", "level=transaction"),
                         [](const auto& instance) { return name_of(instance.param); });

/// Such a caller before a network with a target.
struct called_network {
  tlm_network network;
  method_caller cpu{"cpu"};
  slow_counter memory{"memory"};
  explicit called_network(const char* level) : network("network", slow_platform(), {level}) {
    cpu.socket.bind(network.target(0));
    network.initiator(3).bind(memory.socket);
  }
};

TEST_P(tlm_call_of_no_thread, is_refused_to_a_method) {
  called_network t(GetParam());
  sc_core::sc_start(1, sc_core::SC_US);
  expect_refused_without_a_trace(t.network, t.cpu);
}

// An SC_THREAD was made last: as the simulation starts SystemC takes that for the current process.
TEST_P(tlm_call_of_no_thread, is_refused_to_the_main_program) {
  called_network t(GetParam());
  interrupted_reader other("other", fate::kill);
  other.socket.bind(t.network.target(1));
  other.begun = 3;  // nothing of its own
  t.cpu.at_start = true;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  t.cpu.said.clear();
  t.cpu.call();
  expect_refused_without_a_trace(t.network, t.cpu);
}

class bare_initiator : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<bare_initiator> socket{"socket"};
  explicit bare_initiator(const sc_core::sc_module_name& name) : sc_module(name) {}
};

/// At `functional` any process may call, and what the target throws reaches the initiator.
struct broken_network {
  tlm_network network;
  bare_initiator cpu{"cpu"};
  slow_counter memory{"memory"};
  read_access read;
  explicit broken_network(const std::string& level) : network("network", slow_platform(), {level}) {
    memory.fails = true;
    cpu.socket.bind(network.target(0));
    network.initiator(3).bind(memory.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

TEST(tlm_functional, a_target_that_throws_leaves_the_transaction_as_it_was) {
  broken_network t("level=functional");
  sc_time delay;
  EXPECT_EQ(refusal([&] { t.cpu.socket->b_transport(t.read, delay); }), "broken");
  EXPECT_TRUE(t.read.is_as_made());
  tlm::tlm_dmi dmi;
  EXPECT_EQ(refusal([&] { t.cpu.socket->get_direct_mem_ptr(t.read, dmi); }), "broken");
  EXPECT_TRUE(t.read.is_as_made());
}

TEST_P(tlm_call, of_debug_transport_leaves_the_transaction_as_it_was_if_the_target_throws) {
  broken_network t(GetParam());
  EXPECT_EQ(refusal([&] { t.cpu.socket->transport_dbg(t.read); }), "broken");
  EXPECT_TRUE(t.read.is_as_made());
}

}  // namespace
}  // namespace spillway
