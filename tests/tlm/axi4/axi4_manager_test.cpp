// What a manager for TLM-2.0 shows at its pins: IDs, what waits for what, and the bursts that accesses
// become.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <spillway/hw/adapters/axi4_checker.hpp>
#include <spillway/tlm/axi4/tlm_to_axi4.hpp>
#include <sstream>
#include <string>
#include <support/link_bench.hpp>
#include <vector>

namespace spillway {
namespace {

using sc_core::sc_time;
using testing_support::bench;
using testing_support::run;

class axi4_manager : public testing_support::sc_test {};
using manager_format = axi4_format<64>;
using crossings = std::vector<unsigned>;

/// Transactions of several threads at a manager whose pins the test answers.
template <class Format>
struct manager_of {
  struct transaction : tlm::tlm_generic_payload {
    explicit transaction(tlm::tlm_mm_interface* owner) : tlm_generic_payload(owner) {}
    ~transaction() override { clear_extension(&axi), clear_extension(&origin); }
    axi4_extension axi;
    tlm_origin origin;
    std::vector<unsigned char> data;
    bool done = false;
  };
  struct initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<initiator> socket{"socket"};
    explicit initiator(const sc_core::sc_module_name& name) : sc_module(name) {
      socket.register_nb_transport_bw(this, &initiator::backward);
    }
    sc_time ends_after;            // of its responses
    std::vector<sc_time> times{};  // when they came
    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_time& delay) {
      static_cast<transaction&>(p).done = true;
      times.push_back(sc_core::sc_time_stamp());
      delay = ends_after;
      return tlm::TLM_COMPLETED;
    }
  };
  struct keeper : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload*) override {}
  };

  bench b{testing_support::kernel::signals};
  axi4_signals<Format> s{"s"};
  tlm_to_axi4<Format>& bridge;
  axi4_checker<Format>& check = b.make<axi4_checker<Format>>("check", b.collect());
  initiator cpu{"cpu"};
  keeper owner;
  std::vector<std::unique_ptr<transaction>> all;
  crossings addresses, ids;  // that have crossed, writes with 0x1000 added
  std::vector<axi4_address> read_at, written_at;

  explicit manager_of(unsigned count) : manager_of(config(count)) {}
  explicit manager_of(const axi4_manager_config& c) : bridge(b.make<tlm_to_axi4<Format>>("bridge", c)) {
    bridge.m.bind(s), check.bind(s), cpu.socket.bind(bridge.s);
    b.reset();
    s.arready.write(true), s.awready.write(true), s.wready.write(true);
    step(2);
  }
  static axi4_manager_config config(unsigned ids) {
    axi4_manager_config c;
    c.ids = ids;
    return c;
  }
  /// `thread`: terminal * 16 + ID there; without an extension for -1. `width`: streaming width.
  transaction& send(bool writes, std::uint64_t addr, int thread, bool exclusive = false, unsigned length = 8,
                    unsigned width = ~0u) {
    transaction& t = prepare(writes, addr, length, width);
    if (thread >= 0) {
      t.origin.terminal = static_cast<unsigned>(thread) / 16;
      t.axi.burst.id = static_cast<unsigned>(thread) % 16;
      t.axi.burst.addr = addr, t.axi.burst.bytes = 8, t.axi.burst.exclusive = exclusive;
      t.set_extension(&t.axi), t.set_extension(&t.origin);
    }
    return begin(t);
  }
  transaction& prepare(bool writes, std::uint64_t addr, unsigned length, unsigned width) {
    all.push_back(std::make_unique<transaction>(&owner));
    transaction& t = *all.back();
    t.acquire();
    t.set_command(writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    t.data.resize(length);
    t.set_address(addr), t.set_data_ptr(t.data.data()), t.set_data_length(length);
    t.set_streaming_width(std::min(width, length));
    t.set_byte_enable_ptr(nullptr);
    return t;
  }
  transaction& begin(transaction& t) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(cpu.socket->nb_transport_fw(t, phase, delay), tlm::TLM_UPDATED);
    step(4);
    return t;
  }
  void read_answer(unsigned id, unsigned byte, axi4_resp resp = axi4_resp::okay) {
    s.rid.write(id), s.rdata.write(byte), s.rlast.write(true), s.rresp.write(static_cast<unsigned>(resp));
    s.rvalid.write(true);
    step(1);
    s.rvalid.write(false);
    step(3);
  }
  void write_answer(unsigned id, axi4_resp resp = axi4_resp::okay) {
    s.bid.write(id), s.bresp.write(static_cast<unsigned>(resp)), s.bvalid.write(true);
    step(1);
    s.bvalid.write(false);
    step(3);
  }
  void step(unsigned cycles) {
    for (; cycles; --cycles) {
      if (s.arvalid.read()) {
        read_at.push_back(read_address<Format>(s));
        addresses.push_back(static_cast<unsigned>(s.araddr.read())), ids.push_back(s.arid.read());
      }
      if (s.awvalid.read()) {
        written_at.push_back(write_address<Format>(s));
        addresses.push_back(0x1000 + static_cast<unsigned>(s.awaddr.read())), ids.push_back(s.awid.read());
      }
      run(1);
    }
  }
  /// The bursts of a read of an initiator that says nothing of AXI4: "address: beats x bytes".
  std::vector<std::string> bursts_of(std::uint64_t addr, unsigned length, unsigned width = ~0u) {
    read_at.clear();
    send(false, addr, -1, false, length, width);
    return bursts_seen();
  }
  /// The same of a read that came as a burst of `beats` times `bytes`.
  std::vector<std::string> bursts_of_burst(std::uint64_t addr, unsigned beats, unsigned bytes) {
    read_at.clear();
    transaction& t = prepare(false, addr, beats * bytes, beats * bytes);
    t.axi.burst.addr = addr, t.axi.burst.beats = beats, t.axi.burst.bytes = bytes;
    t.set_extension(&t.axi), t.set_extension(&t.origin);
    begin(t);
    return bursts_seen();
  }
  std::vector<std::string> bursts_seen() {
    step(10);
    std::vector<std::string> all_bursts;
    for (const axi4_address& a : read_at) {
      std::ostringstream os;
      os << std::hex << a.addr << ": " << std::dec << a.beats << " x " << a.bytes;
      all_bursts.push_back(os.str() + (a.burst == axi4_burst::fixed ? " fixed" : ""));
    }
    return all_bursts;
  }
};
using manager_by_hand = manager_of<manager_format>;
using testing::ElementsAre;

TEST_F(axi4_manager, threads_have_ids_of_their_own_and_the_others_share_the_last) {
  manager_by_hand t(3);
  auto& a = t.send(false, 0x00, 0x10);
  auto& c = t.send(false, 0x08, 0x21);
  auto& d = t.send(false, 0x10, 0x22);  // shares the last
  auto& e = t.send(false, 0x18, 0x33);
  auto& f = t.send(false, 0x20, 0x10);
  EXPECT_EQ(t.ids, (crossings{0, 1, 2, 2, 0}));
  t.read_answer(2, 4), t.read_answer(1, 2), t.read_answer(2, 5), t.read_answer(0, 1), t.read_answer(0, 6);
  EXPECT_TRUE(a.done && c.done && d.done && e.done && f.done);
  EXPECT_EQ((crossings{a.data[0], c.data[0], d.data[0], e.data[0], f.data[0]}), (crossings{1, 2, 4, 5, 6}));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(axi4_manager, what_touches_the_same_bytes_waits) {
  manager_by_hand t(4);
  t.send(true, 0x00, 0x10);
  t.send(false, 0x08, 0x20);  // others
  EXPECT_EQ(t.addresses, (crossings{0x1000, 0x08}));
  t.send(false, 0x00, 0x21);  // read after write
  EXPECT_EQ(t.addresses, (crossings{0x1000, 0x08}));
  t.write_answer(0);
  EXPECT_EQ(t.addresses, (crossings{0x1000, 0x08, 0x00}));
  t.send(true, 0x00, 0x10);  // write after read
  EXPECT_EQ(t.addresses.size(), 3u);
  t.read_answer(2, 1);
  EXPECT_EQ(t.addresses, (crossings{0x1000, 0x08, 0x00, 0x1000}));
  t.send(true, 0x00, 0x22);  // write after write of another ID
  EXPECT_EQ(t.addresses.size(), 4u);
  t.write_answer(0);
  EXPECT_EQ(t.addresses.size(), 5u);
}

TEST_F(axi4_manager, reads_and_writes_of_an_initiator_that_says_nothing_of_axi_wait_for_each_other) {
  manager_by_hand t(2);
  t.send(true, 0x00, -1), t.send(false, 0x40, -1);
  EXPECT_EQ(t.addresses, crossings{0x1000});
  t.write_answer(0);
  EXPECT_EQ(t.addresses, (crossings{0x1000, 0x40}));
}

TEST_F(axi4_manager, exclusive_accesses_reach_a_subordinate_that_has_a_monitor) {
  manager_by_hand t(2);
  auto& read = t.send(false, 0x00, 0x10, true);
  EXPECT_TRUE(t.s.arlock.read());
  t.read_answer(0, 1, axi4_resp::exokay);
  EXPECT_TRUE(read.done && read.axi.done_exclusively);
  auto& write = t.send(true, 0x00, 0x10, true);
  EXPECT_TRUE(t.s.awlock.read());
  t.write_answer(0, axi4_resp::okay);
  EXPECT_TRUE(write.done && write.is_response_ok());
  EXPECT_FALSE(write.axi.done_exclusively);
  t.send(false, 0x00, 0x25, true);  // a thread without an ID of its own
  EXPECT_FALSE(t.s.arlock.read());
}

TEST_F(axi4_manager, the_worst_answer_counts) {
  manager_by_hand t(3);
  auto& slverr = t.send(false, 0x00, 0x10);
  auto& decerr = t.send(true, 0x40, 0x21);
  t.read_answer(0, 0, axi4_resp::slverr), t.write_answer(1, axi4_resp::decerr);
  EXPECT_EQ(slverr.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(decerr.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  auto& of_two_bursts = t.send(false, 0xff8, -1, false, 16);
  t.read_answer(2, 0, axi4_resp::decerr), t.read_answer(2, 0, axi4_resp::okay);
  EXPECT_TRUE(of_two_bursts.done);
  EXPECT_EQ(of_two_bursts.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_F(axi4_manager, a_reset_ends_with_an_error_what_was_under_way_and_forgets_it) {
  manager_by_hand t(3);
  t.s.awready.write(false), t.s.wready.write(false);
  auto& shown = t.send(true, 0x00, 0x10);
  auto& asked = t.send(false, 0x40, 0x21);
  ASSERT_TRUE(t.s.awvalid.read() && t.s.wvalid.read() && !shown.done && !asked.done);
  t.b.reset();
  for (const auto* one : {&shown, &asked}) {
    EXPECT_TRUE(one->done);
    EXPECT_EQ(one->get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  t.step(4);
  EXPECT_FALSE(t.s.awvalid.read() || t.s.wvalid.read() || t.s.arvalid.read());
  t.s.awready.write(true), t.s.wready.write(true);
  t.ids.clear();
  auto& after = t.send(false, 0x08, 0x33);
  EXPECT_EQ(t.ids, crossings{0}) << "all IDs are free again";
  t.read_answer(0, 9);
  EXPECT_TRUE(after.done && after.is_response_ok());
  EXPECT_EQ(after.data[0], 9u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(axi4_manager, a_request_begins_when_it_is_annotated_to) {
  manager_by_hand t(3);
  auto& p = t.prepare(false, 0x40, 8, 8);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  const sc_time asked = 6 * testing_support::period();
  sc_time delay = asked;
  EXPECT_EQ(t.cpu.socket->nb_transport_fw(p, phase, delay), tlm::TLM_UPDATED);
  EXPECT_EQ(phase, tlm::END_REQ);
  EXPECT_EQ(delay, asked);
  unsigned cycles = 0;
  for (; !t.s.arvalid.read(); ++cycles) run(1);
  EXPECT_EQ(cycles, 1 + 6u);
}

TEST_F(axi4_manager, a_response_waits_for_the_end_of_the_one_before) {
  manager_by_hand t(3);
  t.cpu.ends_after = 9 * testing_support::period();
  t.send(false, 0x40, 0x10), t.send(false, 0x80, 0x20);
  t.read_answer(0, 1), t.read_answer(1, 2);
  t.step(20);
  ASSERT_EQ(t.cpu.times.size(), 2u);
  EXPECT_EQ(t.cpu.times[1] - t.cpu.times[0], t.cpu.ends_after);
}

// From a subordinate that is wrong, which the checker tells.
TEST_F(axi4_manager, an_answer_before_its_request_has_crossed_ends_nothing) {
  manager_by_hand t(3);
  t.s.wready.write(false);
  auto& write = t.send(true, 0x00, 0x10, false, 32);
  t.write_answer(0);
  EXPECT_FALSE(write.done);
  t.s.wready.write(true);
  t.step(8);
  t.write_answer(0);
  EXPECT_TRUE(write.done);
  t.s.arready.write(false);
  auto& read = t.send(false, 0x40, 0x10);
  t.read_answer(0, 9);
  EXPECT_FALSE(read.done);
  t.s.arready.write(true);
  t.step(4);
  t.read_answer(0, 8);
  EXPECT_TRUE(read.done);
  EXPECT_EQ(read.data[0], 8u);
  EXPECT_EQ(t.b.violations.size(), 2u) << t.b.first_violation();
}

TEST_F(axi4_manager, no_more_are_sent_than_the_limit) {
  auto limits = manager_by_hand::config(2);
  limits.reads = 2, limits.writes = 1;
  manager_by_hand t(limits);
  for (unsigned i = 0; i < 4; ++i) t.send(false, 8 * i, 0x10);
  EXPECT_EQ(t.addresses, (crossings{0x00, 0x08}));
  t.read_answer(0, 1);
  EXPECT_EQ(t.addresses, (crossings{0x00, 0x08, 0x10}));
  t.read_answer(0, 1), t.read_answer(0, 1), t.read_answer(0, 1);
  t.send(true, 0x40, 0x10), t.send(true, 0x48, 0x10);
  EXPECT_EQ(t.addresses, (crossings{0x00, 0x08, 0x10, 0x18, 0x1040}));
  t.write_answer(0);
  EXPECT_EQ(t.addresses.back(), 0x1048u);
}

TEST_F(axi4_manager, accesses_are_bursts_as_long_as_they_may_be) {
  manager_by_hand t(2);
  EXPECT_THAT(t.bursts_of(0x1000, 2048), ElementsAre("1000: 256 x 8"));
  EXPECT_THAT(t.bursts_of(0x1800, 2056), ElementsAre("1800: 256 x 8", "2000: 1 x 8"))
      << "longer than a burst, and past a boundary of 4 KiB";
  EXPECT_THAT(t.bursts_of(0x3003, 2050), ElementsAre("3003: 256 x 8", "3800: 1 x 8"));
  EXPECT_THAT(t.bursts_of(0x4ff9, 16), ElementsAre("4ff9: 1 x 8", "5000: 2 x 8"));
}

TEST_F(axi4_manager, bursts_keep_their_shape_up_to_a_boundary_of_4_kib) {
  manager_by_hand t(2);
  EXPECT_THAT(t.bursts_of_burst(0x1ff0, 4, 2), ElementsAre("1ff0: 4 x 2"));
  EXPECT_THAT(t.bursts_of_burst(0x1ff8, 4, 2), ElementsAre("1ff8: 4 x 2"));
  EXPECT_THAT(t.bursts_of_burst(0x1ffc, 4, 2), ElementsAre("1ffc: 1 x 8", "2000: 1 x 4"));
}

/// With the pins that are optional in AXI4.
struct attributes_format : manager_format {
  using qos = std::uint32_t;
  using region = std::uint32_t;
};

TEST_F(axi4_manager, bursts_have_the_attributes_with_which_they_came) {
  manager_of<attributes_format> t(2);
  for (const bool writes : {false, true}) {
    auto& a = t.prepare(writes, 0x1ff8, 16, 16);  // parted by a boundary of 4 KiB
    axi4_address& burst = a.axi.burst;
    burst.addr = 0x1ff8, burst.beats = 2, burst.bytes = 8;
    burst.cache = 11, burst.prot = 5, burst.qos = 7, burst.region = 9;
    a.set_extension(&a.axi), a.set_extension(&a.origin);
    t.begin(a);
    t.step(10);
    const std::vector<axi4_address>& seen = writes ? t.written_at : t.read_at;
    ASSERT_EQ(seen.size(), 2u);
    for (const axi4_address& one : seen) {
      EXPECT_EQ(one.cache, 11u);
      EXPECT_EQ(one.prot, 5u);
      EXPECT_EQ(one.qos, 7u);
      EXPECT_EQ(one.region, 9u);
    }
    if (!writes) t.read_answer(0, 1), t.read_answer(0, 2);
  }
}

TEST_F(axi4_manager, accesses_are_a_narrow_beat_where_one_holds_them) {
  manager_by_hand t(2);
  EXPECT_THAT(t.bursts_of(0x104, 4), ElementsAre("104: 1 x 4"));
  EXPECT_THAT(t.bursts_of(0x102, 4), ElementsAre("102: 1 x 8"));
  EXPECT_THAT(t.bursts_of(0x107, 1), ElementsAre("107: 1 x 1"));
  EXPECT_THAT(t.bursts_of(0x107, 2), ElementsAre("107: 2 x 8"));
}

TEST_F(axi4_manager, repeated_accesses_are_fixed_bursts_of_up_to_16_beats) {
  manager_by_hand t(2);
  EXPECT_THAT(t.bursts_of(0x100, 64, 4), ElementsAre("100: 16 x 4 fixed"));
  EXPECT_THAT(t.bursts_of(0x100, 68, 4), ElementsAre("100: 16 x 4 fixed", "100: 1 x 4 fixed"));
  EXPECT_THAT(t.bursts_of(0x100, 6, 4), ElementsAre("100: 1 x 4 fixed", "100: 1 x 2")) << "a part of one";
  EXPECT_THAT(t.bursts_of(0x106, 8, 4), ElementsAre("106: 2 x 8", "106: 2 x 8")) << "no beat holds one";
}

TEST_F(axi4_manager, a_command_to_be_ignored_is_answered_at_once) {
  manager_by_hand t(2);
  auto& ignored = t.prepare(false, 0x40, 8, 8);
  ignored.set_command(tlm::TLM_IGNORE_COMMAND);
  ignored.data.assign(8, 0xee);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = sc_core::SC_ZERO_TIME;
  EXPECT_EQ(t.cpu.socket->nb_transport_fw(ignored, phase, delay), tlm::TLM_COMPLETED);
  EXPECT_EQ(ignored.get_response_status(), tlm::TLM_OK_RESPONSE);
  t.step(10);
  EXPECT_EQ(t.addresses, crossings{});
  EXPECT_EQ(t.bridge.bursts(), 0u);
}

/// With pins of a few bits.
struct narrow_format : manager_format {
  using id = sc_dt::sc_uint<2>;
  using addr = sc_dt::sc_uint<12>;
};

// Cut off, it would be somebody else's.
TEST_F(axi4_manager, an_address_that_the_pins_do_not_hold_is_an_error) {
  manager_of<narrow_format> t(4);
  const auto status_of = [&t](std::uint64_t addr, unsigned length, unsigned width) {
    auto& p = t.prepare(true, addr, length, width);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum sync = t.cpu.socket->nb_transport_fw(p, phase, delay);
    EXPECT_EQ(sync, p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE ? tlm::TLM_UPDATED
                                                                            : tlm::TLM_COMPLETED);
    t.step(4);
    return p.get_response_status();
  };
  EXPECT_EQ(status_of(0x1000, 4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status_of(0x100000040, 8, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status_of(0xffc, 8, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(t.bridge.bursts(), 0u);
  EXPECT_EQ(status_of(0xff8, 8, 8), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_EQ(status_of(0xffc, 64, 4), tlm::TLM_INCOMPLETE_RESPONSE) << "four bytes again and again";
  EXPECT_EQ(t.bridge.bursts(), 2u);
}

/// With addresses of 64 bits.
struct wide_format : manager_format {
  using addr = std::uint64_t;
};

TEST_F(axi4_manager, accesses_may_end_with_the_addresses) {
  manager_of<wide_format> t(3);
  EXPECT_THAT(t.bursts_of(0xffffffffffffff00, 24), ElementsAre("ffffffffffffff00: 3 x 8"));
  EXPECT_THAT(t.bursts_of(0xfffffffffffffff4, 12), ElementsAre("fffffffffffffff4: 2 x 8"));
  EXPECT_THAT(t.bursts_of(0xffffffffffffeff8, 16),
              ElementsAre("ffffffffffffeff8: 1 x 8", "fffffffffffff000: 1 x 8"));
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST_F(axi4_manager, what_touches_the_last_bytes_waits) {
  manager_of<wide_format> t(3);
  t.send(true, 0xfffffffffffffff8, 0x10);
  t.send(false, 0, 0x20), t.send(false, 0xfffffffffffffff0, 0x20);
  EXPECT_EQ(t.read_at.size(), 2u) << "others";
  t.send(false, 0xfffffffffffffff8, 0x20);
  EXPECT_EQ(t.read_at.size(), 2u);
  t.write_answer(0);
  EXPECT_EQ(t.read_at.size(), 3u);
}

TEST(axi4_ids, of_none_are_refused) {
  EXPECT_THROW(tlm_to_axi4<manager_format>("none", manager_by_hand::config(0)), std::invalid_argument);
  EXPECT_THROW(tlm_to_axi4<axi4_lite_format<32>>("lite", manager_by_hand::config(2)), std::invalid_argument);
  EXPECT_THROW(tlm_to_axi4<narrow_format>("more", manager_by_hand::config(5)), std::invalid_argument)
      << "than the pins hold";
}

}  // namespace
}  // namespace spillway
