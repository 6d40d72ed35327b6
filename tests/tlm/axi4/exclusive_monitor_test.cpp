// The exclusive monitor between a bridge and a memory, one access after the other.
#include <gtest/gtest.h>

#include <spillway/hw/adapters/axi4_checker.hpp>
#include <spillway/tlm/axi4/axi4_to_tlm.hpp>
#include <spillway/tlm/axi4/exclusive_monitor.hpp>
#include <support/axi4_memory.hpp>
#include <support/link_bench.hpp>

#include "support/tlm_models.hpp"

namespace spillway {
namespace {

using testing_support::bench;
using testing_support::run;
using format = axi4_format<64>;

/// A manager by hand, a bridge, the monitor and a memory: each call waits for its answer.
template <class Memory>
struct monitored {
  bench b{testing_support::kernel::signals};
  axi4_signals<format> s{"s"};
  axi4_to_tlm<format>& bridge = b.make<axi4_to_tlm<format>>("bridge");
  axi4_checker<format>& check = b.make<axi4_checker<format>>("check", b.collect());
  exclusive_monitor monitor{"monitor"};
  Memory memory;

  template <class... Args>
  explicit monitored(Args&&... args) : memory("memory", 0x1000, std::forward<Args>(args)...) {
    bridge.s.bind(s), check.bind(s);
    bridge.m.bind(monitor.s), monitor.m.bind(memory.socket);
    b.reset();
    s.rready.write(true), s.bready.write(true);
    run(1);
  }
  ~monitored() { EXPECT_TRUE(b.violations.empty()) << b.first_violation(); }

  static axi4_address at(std::uint64_t addr, unsigned id, bool exclusive, unsigned bytes) {
    axi4_address a;
    a.addr = addr, a.id = id, a.exclusive = exclusive, a.bytes = bytes;
    return a;
  }
  axi4_resp read(unsigned id, std::uint64_t addr, bool exclusive = true, unsigned bytes = 8) {
    show_read_address(s, at(addr, id, exclusive, bytes));
    cross(s.arvalid, s.arready);
    while (!s.rvalid.read()) run(1);
    const auto resp = static_cast<axi4_resp>(s.rresp.read());
    run(1);
    return resp;
  }
  axi4_resp write(unsigned id, std::uint64_t addr, std::uint64_t value, bool exclusive = true,
                  unsigned bytes = 8) {
    show_write_address(s, at(addr, id, exclusive, bytes));
    cross(s.awvalid, s.awready);
    s.wdata.write(value), s.wlast.write(true);
    s.wstrb.write(bytes == 8 ? 0xff : ((1u << bytes) - 1) << addr % 8);
    cross(s.wvalid, s.wready);
    while (!s.bvalid.read()) run(1);
    const auto resp = static_cast<axi4_resp>(s.bresp.read());
    run(1);
    return resp;
  }
  template <class Valid, class Ready>
  static void cross(Valid& valid, Ready& ready) {
    valid.write(true);
    for (bool taken = false; !taken; run(1)) run(0), taken = ready.read();
    valid.write(false);
    run(0);
  }
  unsigned byte(std::uint64_t addr) { return memory.bytes()[addr]; }
};

constexpr auto okay = axi4_resp::okay, exokay = axi4_resp::exokay;
class monitor_of : public testing_support::sc_test {};
using plain = monitored<testing_support::axi4_memory>;

TEST_F(monitor_of, a_pair_is_done_exclusively_once) {
  plain t(5u);
  EXPECT_EQ(t.read(1, 0x10), exokay);
  EXPECT_EQ(t.monitor.reservations(), 1u);
  EXPECT_EQ(t.write(1, 0x10, 7), exokay);
  EXPECT_EQ(t.byte(0x10), 7u);
  EXPECT_EQ(t.write(1, 0x10, 8), okay);
  EXPECT_EQ(t.byte(0x10), 7u);
  EXPECT_EQ(t.monitor.done(), 1u);
  EXPECT_EQ(t.monitor.failed(), 1u);
}
TEST_F(monitor_of, a_memory_of_four_phases) {
  monitored<test::test_memory> t(test::memory_style::four_phases, sc_core::sc_time(30, sc_core::SC_NS));
  EXPECT_EQ(t.read(1, 0x10), exokay);
  EXPECT_EQ(t.write(1, 0x10, 7), exokay);
  EXPECT_EQ(t.write(1, 0x10, 8), okay);
  EXPECT_EQ(t.byte(0x10), 7u);
}
TEST_F(monitor_of, any_write_to_the_bytes_ends_the_reservation) {
  plain t(5u);
  t.read(1, 0x10);
  EXPECT_EQ(t.write(2, 0x17, 9ull << 56, false, 1), okay);
  EXPECT_EQ(t.write(1, 0x10, 7), okay);
  EXPECT_EQ(t.byte(0x17), 9u);
  EXPECT_EQ(t.byte(0x10), 0u);
}
TEST_F(monitor_of, a_write_beside_the_bytes_does_not) {
  plain t(5u);
  t.read(1, 0x10);
  t.write(2, 0x18, 9, false), t.write(2, 0x08, 9, false);
  EXPECT_EQ(t.write(1, 0x10, 7), exokay);
}
TEST_F(monitor_of, the_exclusive_write_of_another_thread_ends_it_and_its_failure_does_not) {
  plain t(5u);
  t.read(1, 0x10), t.read(2, 0x10);
  EXPECT_EQ(t.write(3, 0x10, 3), okay);  // no reservation
  EXPECT_EQ(t.write(2, 0x10, 2), exokay);
  EXPECT_EQ(t.write(1, 0x10, 1), okay);
  EXPECT_EQ(t.byte(0x10), 2u);
}
TEST_F(monitor_of, a_write_of_other_bytes_than_were_read_fails) {
  plain t(5u);
  t.read(1, 0x10, true, 8);
  EXPECT_EQ(t.write(1, 0x10, 7, true, 4), okay);
  t.read(1, 0x10), t.read(1, 0x20);  // one reservation a thread
  EXPECT_EQ(t.write(1, 0x10, 7), okay);
  EXPECT_EQ(t.write(1, 0x20, 7), exokay);
}
TEST_F(monitor_of, plain_accesses_are_as_without) {
  plain t(5u);
  EXPECT_EQ(t.write(1, 0x10, 7, false), okay);
  EXPECT_EQ(t.read(1, 0x10, false), okay);
  EXPECT_EQ(t.monitor.reservations(), 0u);
}
TEST_F(monitor_of, an_error_reserves_nothing) {
  plain t(5u);
  EXPECT_EQ(t.read(1, 0x1000), axi4_resp::decerr);
  EXPECT_EQ(t.monitor.reservations(), 0u);
}

/// Transactions straight to the monitor, of several terminals and of any addresses.
class by_terminals : public sc_core::sc_module, private tlm::tlm_mm_interface {
public:
  exclusive_monitor monitor{"monitor"};
  tlm_utils::simple_initiator_socket<by_terminals> socket{"socket"};

  explicit by_terminals(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.bind(monitor.s);
    monitor.m.bind(target_);
    target_.register_b_transport(this, &by_terminals::serve);
  }
  /// Eight bytes of thread 0 of the terminal. Says whether it was done exclusively.
  bool access(tlm::tlm_command command, unsigned terminal, std::uint64_t addr, bool exclusive = true,
              unsigned width = 8) {
    tlm::tlm_generic_payload p(this);
    axi4_extension axi;
    tlm_origin origin;
    axi.burst.exclusive = exclusive, origin.terminal = terminal;
    p.set_extension(&axi), p.set_extension(&origin);
    p.set_command(command), p.set_address(addr), p.set_data_length(8), p.set_streaming_width(width);
    sc_core::sc_time delay;
    socket->b_transport(p, delay);
    p.clear_extension(&axi), p.clear_extension(&origin);
    return axi.done_exclusively;
  }
  bool read(unsigned terminal, std::uint64_t addr) { return access(tlm::TLM_READ_COMMAND, terminal, addr); }
  bool write(unsigned terminal, std::uint64_t addr, bool exclusive = true) {
    return access(tlm::TLM_WRITE_COMMAND, terminal, addr, exclusive);
  }

private:
  void serve(tlm::tlm_generic_payload& p, sc_core::sc_time&) { p.set_response_status(tlm::TLM_OK_RESPONSE); }
  void free(tlm::tlm_generic_payload*) override {}

  tlm_utils::simple_target_socket<by_terminals> target_{"target"};
};

// What reads after it has not read before it.
TEST_F(monitor_of, a_reset_ends_all_reservations) {
  sc_core::sc_signal<bool> rst("rst");
  by_terminals t("t");
  t.monitor.rst(rst);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  t.read(1, 0x10), t.read(2, 0x20);
  for (const bool level : {true, false}) {
    rst.write(level);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  EXPECT_EQ(t.monitor.reservations(), 0u);
  EXPECT_FALSE(t.write(1, 0x10));
  t.read(2, 0x20);
  EXPECT_TRUE(t.write(2, 0x20));
}

TEST_F(monitor_of, terminals_have_a_reservation_each_whatever_their_ids) {
  by_terminals t("t");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  t.read(1, 0x10), t.read(2, 0x20);
  EXPECT_EQ(t.monitor.reservations(), 2u);
  EXPECT_TRUE(t.write(1, 0x10));
  EXPECT_TRUE(t.write(2, 0x20));
}
TEST_F(monitor_of, the_last_bytes_that_there_are_can_be_reserved) {
  by_terminals t("t");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const std::uint64_t last = ~std::uint64_t{0} - 7;
  t.read(1, last);
  t.write(2, last - 8, false), t.write(2, 0, false);
  EXPECT_TRUE(t.write(1, last)) << "those beside them are others";
  t.read(1, last);
  t.write(2, last, false);
  EXPECT_FALSE(t.write(1, last));
}
TEST_F(monitor_of, a_streaming_access_reserves_the_bytes_that_it_repeats) {
  by_terminals t("t");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  t.access(tlm::TLM_READ_COMMAND, 1, 0x10, true, 4);
  t.write(2, 0x14, false);
  EXPECT_TRUE(t.access(tlm::TLM_WRITE_COMMAND, 1, 0x10, true, 4)) << "those beside them are others";
  t.access(tlm::TLM_READ_COMMAND, 1, 0x10, true, 4);
  t.write(2, 0x0c, false);
  EXPECT_FALSE(t.access(tlm::TLM_WRITE_COMMAND, 1, 0x10, true, 4));
}
TEST_F(monitor_of, memory_is_not_granted_to_anybody_directly) {
  by_terminals t("t");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  tlm::tlm_generic_payload p;
  tlm::tlm_dmi dmi;
  dmi.allow_read_write();
  EXPECT_FALSE(t.socket->get_direct_mem_ptr(p, dmi));
  EXPECT_TRUE(dmi.is_none_allowed());
}

}  // namespace
}  // namespace spillway
