// What a target sees of a transaction, and what becomes of one that no range holds, at both levels.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/platforms/built_in/tlm_network.hpp>

#include "support/process.hpp"
#include "support/tlm_models.hpp"

namespace spillway {
namespace {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;

scratch_file attributes_file() {
  return scratch_file(
      "name: one memory\n"
      "topology: {kind: butterfly, radix: 2, stages: 2}\n"
      "packet: {length: 8}\n"
      "switch: {buffering: voq, depth: 16}\n"
      "interface: {kind: tlm, map: [{base: 0x1000, size: 0x1000, terminal: 2, offset: 0x40}]}\n");
}

/// Runs a script against its socket.
class initiator : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<initiator> socket{"socket"};
  test::transaction_pool pool;
  std::function<void(initiator&)> script;
  bool over = false;
  unsigned answers = 0;

  explicit initiator(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &initiator::backward);
    SPILLWAY_HAS_PROCESS(initiator);
    SC_THREAD(run);
  }
  test::transaction_pool::entry& access(tlm::tlm_command command, std::uint64_t address, unsigned length,
                                        unsigned width) {
    auto& t = pool.take();
    t.data.resize(length);
    for (unsigned i = 0; i < length; ++i) t.data[i] = static_cast<unsigned char>(i + 1);
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(t.data.data());
    t.set_data_length(length);
    t.set_streaming_width(width);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return t;
  }
  tlm::tlm_response_status blocking(tlm::tlm_generic_payload& t) {
    sc_time delay;
    socket->b_transport(t, delay);
    EXPECT_EQ(delay, SC_ZERO_TIME);
    return t.get_response_status();
  }

private:
  void run() {
    script(*this);
    over = true;
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_time&) {
    answers += phase == tlm::BEGIN_RESP;
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
};

/// Keeps what it was asked last.
class target : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<target> socket{"socket"};
  unsigned asked = 0;
  std::uint64_t address = 0;
  unsigned width = 0;
  std::vector<unsigned char> data, enables;

  explicit target(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &target::serve);
  }

private:
  void serve(tlm::tlm_generic_payload& t, sc_time&) {
    ++asked;
    address = t.get_address();
    width = t.get_streaming_width();
    data.assign(t.get_data_ptr(), t.get_data_ptr() + t.get_data_length());
    enables.clear();
    if (const unsigned char* const e = t.get_byte_enable_ptr())
      enables.assign(e, e + t.get_byte_enable_length());
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

class tlm_attributes : public testing::TestWithParam<const char*> {
protected:
  void run(std::function<void(initiator&)> script) {
    tlm_network network("network", attributes_file(), {std::string("level=") + GetParam()});
    initiator cpu("cpu");
    cpu.socket.bind(network.target(1));
    network.initiator(2).bind(memory.socket);
    cpu.script = std::move(script);
    sc_core::sc_start(1, sc_core::SC_US);
    EXPECT_TRUE(cpu.over);
    EXPECT_EQ(cpu.pool.in_use(), 0u) << "every reference has been given back";
  }
  target memory{"memory"};
};

TEST_P(tlm_attributes, streaming_width_and_byte_enables_arrive_as_sent) {
  run([this](initiator& cpu) {
    auto& t = cpu.access(tlm::TLM_WRITE_COMMAND, 0x1008, 12, 4);
    t.enables = {0xff, 0x00, 0xff, 0xff};
    t.set_byte_enable_ptr(t.enables.data());
    t.set_byte_enable_length(4);
    EXPECT_EQ(cpu.blocking(t), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(memory.address, 0x48u) << "as the target calls it";
    EXPECT_EQ(memory.width, 4u);
    EXPECT_EQ(memory.enables, t.enables);
    EXPECT_EQ(memory.data, t.data);
    t.release();
  });
}

TEST_P(tlm_attributes, a_stream_stays_within_its_width) {
  run([this](initiator& cpu) {
    auto& port = cpu.access(tlm::TLM_WRITE_COMMAND, 0x1ffc, 64, 4);
    EXPECT_EQ(cpu.blocking(port), tlm::TLM_OK_RESPONSE);
    port.release();
    auto& beyond = cpu.access(tlm::TLM_WRITE_COMMAND, 0x1ffc, 64, 8);
    EXPECT_EQ(cpu.blocking(beyond), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    beyond.release();
    // A width that is more than the length says nothing.
    auto& wide = cpu.access(tlm::TLM_WRITE_COMMAND, 0x1ffc, 4, 64);
    EXPECT_EQ(cpu.blocking(wide), tlm::TLM_OK_RESPONSE);
    wide.release();
    EXPECT_EQ(memory.asked, 2u);
  });
}

TEST_P(tlm_attributes, what_no_range_holds_completes_early) {
  run([this](initiator& cpu) {
    for (const std::uint64_t address : {0x0, 0xfff, 0x1ffd, 0x2000}) {
      auto& t = cpu.access(tlm::TLM_READ_COMMAND, address, 4, 4);
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_time delay;
      EXPECT_EQ(cpu.socket->nb_transport_fw(t, phase, delay), tlm::TLM_COMPLETED) << address;
      EXPECT_EQ(t.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      EXPECT_EQ(t.get_ref_count(), 1);
      t.release();
    }
    EXPECT_EQ(sc_core::sc_time_stamp(), SC_ZERO_TIME);
    // Nothing of it stands in the way of a request.
    auto& t = cpu.access(tlm::TLM_READ_COMMAND, 0x1000, 4, 4);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    EXPECT_EQ(cpu.socket->nb_transport_fw(t, phase, delay), tlm::TLM_ACCEPTED);
    sc_core::wait(200, sc_core::SC_NS);
    EXPECT_EQ(cpu.answers, 1u);
    EXPECT_EQ(t.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(memory.asked, 1u);
    t.release();
  });
}

TEST_P(tlm_attributes, the_array_of_an_ignored_command_reaches_the_target) {
  run([this](initiator& cpu) {
    auto& t = cpu.access(tlm::TLM_IGNORE_COMMAND, 0x1000, 9, 9);
    EXPECT_EQ(cpu.blocking(t), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(memory.data, (std::vector<unsigned char>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(t.data, memory.data);
    t.release();
  });
}

TEST_P(tlm_attributes, direct_memory_access_is_refused) {
  run([](initiator& cpu) {
    auto& t = cpu.access(tlm::TLM_READ_COMMAND, 0x1000, 4, 4);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(cpu.socket->get_direct_mem_ptr(t, dmi));
    t.release();
  });
}

INSTANTIATE_TEST_SUITE_P(levels, tlm_attributes, testing::Values("pins", "transaction"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace spillway
