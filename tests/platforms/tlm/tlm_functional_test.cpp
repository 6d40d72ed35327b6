// No network at all: functional models, and debug transport at every level.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spillway/platforms/built_in/tlm_network.hpp>
#include <spillway/tlm/tlm_origin.hpp>
#include <utility>
#include <vector>

#include "support/clocked_platform.hpp"
#include "support/process.hpp"
#include "support/refusal.hpp"
#include "support/tlm_models.hpp"

namespace spillway {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using test::clocked_platform;
using testing_support::refusal;

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
