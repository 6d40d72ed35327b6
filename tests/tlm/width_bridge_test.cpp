// Through sockets of 64 bits and back: nothing of a call is lost on the way.
#include <gtest/gtest.h>

#include <spillway/tlm/socket_relay.hpp>

#include "support/tlm_models.hpp"

namespace spillway {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// 32 bits, 64 bits, 32 bits.
struct bridges {
  width_bridge<32, 64> there{"there"};
  width_bridge<64, 32> back{"back"};
  test::test_memory memory;

  explicit bridges(test::memory_style style) : memory("memory", 0x1000, style, sc_time(5, SC_NS)) {
    there.initiator.bind(back.target);
    back.initiator.bind(memory.socket);
  }
};

test::random_accesses accesses(std::uint32_t seed) { return {seed, {{0, 0x1000}}, 48}; }

TEST(width_bridge, four_phases_pass_through) {
  bridges b(test::memory_style::four_phases);
  test::at_initiator at("at", accesses(3), 500, 8);
  at.socket.bind(b.there.target);
  sc_core::sc_start(100, sc_core::SC_US);
  EXPECT_EQ(at.done(), 500u);
  EXPECT_EQ(at.wrong(), 0u);
  EXPECT_EQ(at.held(), 0u);
}

TEST(width_bridge, blocking_calls_pass_through) {
  bridges b(test::memory_style::blocking);
  test::lt_initiator lt("lt", accesses(4), 500, sc_time(100, SC_NS));
  lt.socket.bind(b.there.target);
  sc_core::sc_start(100, sc_core::SC_US);
  EXPECT_EQ(lt.done(), 500u);
  EXPECT_EQ(lt.wrong(), 0u);
}

TEST(width_bridge, debug_transport_passes_through) {
  bridges b(test::memory_style::blocking);
  test::at_initiator probe("probe", accesses(5), 0, 1);
  probe.socket.bind(b.there.target);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  b.memory.bytes()[0x123] = 42;
  unsigned char byte = 0;
  tlm::tlm_generic_payload p;
  p.set_read();
  p.set_address(0x123);
  p.set_data_ptr(&byte);
  p.set_data_length(1);
  EXPECT_EQ(probe.socket->transport_dbg(p), 1u);
  EXPECT_EQ(byte, 42);
}

/// Hears what is taken back of direct memory.
struct region_listener : sc_core::sc_module {
  using region = std::pair<sc_dt::uint64, sc_dt::uint64>;

  tlm_utils::simple_initiator_socket<region_listener, 64> socket{"socket"};
  std::vector<region> taken_back;
  explicit region_listener(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_invalidate_direct_mem_ptr(this, &region_listener::invalidate);
  }
  void invalidate(sc_dt::uint64 from, sc_dt::uint64 to) { taken_back.emplace_back(from, to); }
};

TEST(width_bridge, direct_memory_is_taken_back_through_it) {
  region_listener cpu("cpu");
  width_bridge<64, 32> bridge("bridge");  // one: two could make good what each does wrong
  test::test_memory memory("memory", 0x1000, test::memory_style::blocking, sc_time(5, SC_NS));
  cpu.socket.bind(bridge.target), bridge.initiator.bind(memory.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  memory.socket->invalidate_direct_mem_ptr(0x10, 0x1f);
  EXPECT_EQ(cpu.taken_back, (std::vector<region_listener::region>{{0x10, 0x1f}}));
}

}  // namespace
}  // namespace spillway
