// Each rule of the base protocol is broken once, on its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/tlm/protocol_monitor.hpp>

#include "support/tlm_models.hpp"

namespace spillway {
namespace {

using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

/// Both ends of a socket pair with the monitor between them. The initiator's script runs in a thread, the
/// target answers by `forward` or `blocking`.
class rig : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<rig> out{"out"};
  tlm_utils::simple_target_socket<rig> in{"in"};
  protocol_monitor monitor;
  std::set<std::string> broken;
  std::function<void(rig&)> script;
  std::function<tlm_sync_enum(tlm_generic_payload&, tlm_phase&, sc_time&)> forward =
      [](tlm_generic_payload&, tlm_phase&, sc_time&) { return tlm::TLM_ACCEPTED; };
  std::function<tlm_sync_enum(tlm_generic_payload&, tlm_phase&, sc_time&)> backward =
      [](tlm_generic_payload&, tlm_phase&, sc_time&) { return tlm::TLM_ACCEPTED; };
  std::function<void(tlm_generic_payload&, sc_time&)> blocking = [](tlm_generic_payload& p, sc_time&) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  unsigned debugged = 0;  // bytes that debug transport says
  tlm::tlm_dmi granted;
  test::transaction_pool pool;

  explicit rig(std::function<void(rig&)> s)
      : sc_module("rig"),
        monitor("monitor", [this](const std::string& rule, const std::string&) { broken.insert(rule); }),
        script(std::move(s)) {
    out.bind(monitor.target);
    monitor.initiator.bind(in);
    out.register_nb_transport_bw(this, &rig::on_backward);
    in.register_nb_transport_fw(this, &rig::on_forward);
    in.register_b_transport(this, &rig::on_blocking);
    in.register_transport_dbg(this, &rig::on_debug);
    in.register_get_direct_mem_ptr(this, &rig::on_direct);
    SPILLWAY_HAS_PROCESS(rig);
    SC_THREAD(run);
  }

  test::transaction_pool::entry& request(unsigned bytes = 4) {
    auto& t = pool.take();
    t.data.assign(bytes, 0);
    t.set_write();
    t.set_address(0);
    t.set_data_ptr(t.data.data());
    t.set_data_length(bytes);
    t.set_streaming_width(4);
    t.set_byte_enable_ptr(nullptr);
    t.set_byte_enable_length(0);
    t.set_dmi_allowed(false);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return t;
  }
  tlm_sync_enum send(tlm_generic_payload& p, tlm_phase phase, sc_time delay = sc_core::SC_ZERO_TIME) {
    return out->nb_transport_fw(p, phase, delay);
  }
  tlm_sync_enum answer(tlm_generic_payload& p, tlm_phase phase, sc_time delay = sc_core::SC_ZERO_TIME) {
    return in->nb_transport_bw(p, phase, delay);
  }
  /// A whole transaction in four phases.
  void four_phases(tlm_generic_payload& p) {
    send(p, tlm::BEGIN_REQ);
    answer(p, tlm::END_REQ);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    answer(p, tlm::BEGIN_RESP);
    send(p, tlm::END_RESP);
  }

private:
  void run() { script(*this); }
  tlm_sync_enum on_forward(tlm_generic_payload& p, tlm_phase& phase, sc_time& d) {
    return forward(p, phase, d);
  }
  tlm_sync_enum on_backward(tlm_generic_payload& p, tlm_phase& phase, sc_time& d) {
    return backward(p, phase, d);
  }
  void on_blocking(tlm_generic_payload& p, sc_time& d) { blocking(p, d); }
  unsigned on_debug(tlm_generic_payload&) { return debugged; }
  bool on_direct(tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi = granted;
    return true;
  }
};

std::set<std::string> rules_broken_by(std::function<void(rig&)> script) {
  rig r(std::move(script));
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(r.monitor.violations() != 0, !r.broken.empty());
  return r.broken;
}

using rules = std::set<std::string>;

TEST(protocol_monitor, is_quiet_where_all_is_right) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              for (int i = 0; i < 3; ++i) r.four_phases(r.request());
              sc_time delay;
              r.out->b_transport(r.request(), delay);
              r.forward = [](tlm_generic_payload& p, tlm_phase&, sc_time&) {
                p.set_response_status(tlm::TLM_OK_RESPONSE);
                return tlm::TLM_COMPLETED;
              };
              auto& completed = r.request();
              for (int i = 0; i < 2; ++i) {
                completed.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
                r.send(completed, tlm::BEGIN_REQ);
              }
              EXPECT_EQ(r.monitor.transactions(), 6u);
            }),
            rules{});
}

TEST(protocol_monitor, bp1_one_request_at_a_time) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.send(r.request(), tlm::BEGIN_REQ);
              r.send(r.request(), tlm::BEGIN_REQ);
            }),
            rules{"BP1"});
}

TEST(protocol_monitor, bp2_one_response_at_a_time) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto &a = r.request(), &b = r.request();
              for (auto* p : {&a, &b}) {
                r.send(*p, tlm::BEGIN_REQ);
                r.answer(*p, tlm::END_REQ);
                p->set_response_status(tlm::TLM_OK_RESPONSE);
              }
              r.answer(a, tlm::BEGIN_RESP);
              r.answer(b, tlm::BEGIN_RESP);
            }),
            rules{"BP2"});
}

TEST(protocol_monitor, bp3_phases_in_order) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              r.answer(p, tlm::END_REQ);
              r.answer(p, tlm::END_REQ);
            }),
            rules{"BP3"});
}

TEST(protocol_monitor, bp3_phases_in_their_direction) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              r.send(p, tlm::END_REQ);
            }),
            rules{"BP3"});
}

TEST(protocol_monitor, bp3_end_resp_is_the_initiators) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              p.set_response_status(tlm::TLM_OK_RESPONSE);
              r.answer(p, tlm::BEGIN_RESP);
              r.answer(p, tlm::END_RESP);
            }),
            rules{"BP3"});
}

TEST(protocol_monitor, bp3_no_end_without_a_response) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              r.answer(p, tlm::END_REQ);
              r.send(p, tlm::END_RESP);
            }),
            rules{"BP3"});
}

TEST(protocol_monitor, bp3_no_second_request_of_a_transaction) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              r.answer(p, tlm::END_REQ);
              r.send(p, tlm::BEGIN_REQ);
            }),
            rules{"BP3"});
}

TEST(protocol_monitor, bp4_memory_manager) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              static tlm_generic_payload p;
              static unsigned char byte;
              p.set_write();
              p.set_data_ptr(&byte);
              p.set_data_length(1);
              p.set_streaming_width(1);
              r.send(p, tlm::BEGIN_REQ);
            }),
            rules{"BP4"});
}

TEST(protocol_monitor, bp4_nobody_holds_it) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              p.set_response_status(tlm::TLM_OK_RESPONSE);
              r.answer(p, tlm::BEGIN_RESP);
              p.release();
              r.send(p, tlm::END_RESP);
            }),
            rules{"BP4"});
}

TEST(protocol_monitor, bp5_status_of_a_request) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              p.set_response_status(tlm::TLM_OK_RESPONSE);
              r.send(p, tlm::BEGIN_REQ);
            }),
            rules{"BP5"});
}

TEST(protocol_monitor, bp5_status_of_a_response) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              r.answer(p, tlm::BEGIN_RESP);
            }),
            rules{"BP5"});
}

TEST(protocol_monitor, bp5_status_after_blocking_transport) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.blocking = [](tlm_generic_payload&, sc_time&) {};
              sc_time delay;
              r.out->b_transport(r.request(), delay);
            }),
            rules{"BP5"});
}

TEST(protocol_monitor, bp5_status_of_what_is_completed_at_once) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.forward = [](tlm_generic_payload&, tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; };
              r.send(r.request(), tlm::BEGIN_REQ);
            }),
            rules{"BP5"});
}

/// What a target, or somebody on the way, must not do to a transaction.
using meddling = std::function<void(tlm_generic_payload&)>;

std::vector<meddling> every_attribute() {
  static unsigned char other_data[64], other_enables[4];
  return {[](tlm_generic_payload& p) {
            p.set_command(p.is_read() ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
          },
          [](tlm_generic_payload& p) { p.set_address(p.get_address() + 4); },
          [](tlm_generic_payload& p) { p.set_data_ptr(other_data); },
          [](tlm_generic_payload& p) { p.set_data_length(p.get_data_length() + 1); },
          [](tlm_generic_payload& p) { p.set_byte_enable_ptr(other_enables); },
          [](tlm_generic_payload& p) { p.set_byte_enable_length(p.get_byte_enable_length() + 1); },
          [](tlm_generic_payload& p) { p.set_streaming_width(p.get_streaming_width() + 1); }};
}

class one_attribute : public testing::TestWithParam<std::size_t> {};

TEST_P(one_attribute, bp6_stays_from_request_to_response) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              every_attribute()[GetParam()](p);
              p.set_response_status(tlm::TLM_OK_RESPONSE);
              r.answer(p, tlm::BEGIN_RESP);
            }),
            rules{"BP6"});
}

INSTANTIATE_TEST_SUITE_P(protocol_monitor, one_attribute, testing::Range<std::size_t>(0, 7));

TEST(protocol_monitor, bp6_nothing_else_is_an_attribute) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              p.get_data_ptr()[0] ^= 1;
              p.set_dmi_allowed(true);
              p.set_response_status(tlm::TLM_OK_RESPONSE);
              r.answer(p, tlm::BEGIN_RESP);
            }),
            rules{});
}

TEST(protocol_monitor, bp6_blocking_transport_may_leave_another_address) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.blocking = [](tlm_generic_payload& p, sc_time&) {
                p.set_address(p.get_address() + 4);
                p.set_response_status(tlm::TLM_OK_RESPONSE);
              };
              sc_time delay = sc_core::SC_ZERO_TIME;
              r.out->b_transport(r.request(), delay);
            }),
            rules{});
}

TEST(protocol_monitor, bp6_blocking_transport_leaves_all_else) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.blocking = [](tlm_generic_payload& p, sc_time&) {
                p.set_streaming_width(p.get_streaming_width() + 1);
                p.set_response_status(tlm::TLM_OK_RESPONSE);
              };
              sc_time delay = sc_core::SC_ZERO_TIME;
              r.out->b_transport(r.request(), delay);
            }),
            rules{"BP6"});
}

/// What makes a request unsound, each by itself.
std::vector<meddling> unsound_attributes() {
  static unsigned char enables[] = {0xff, 0x0f};
  return {[](tlm_generic_payload& p) { p.set_dmi_allowed(true); },
          [](tlm_generic_payload& p) { p.set_data_ptr(nullptr); },
          [](tlm_generic_payload& p) { p.set_data_length(0); },
          [](tlm_generic_payload& p) { p.set_streaming_width(0); },
          [](tlm_generic_payload& p) { p.set_byte_enable_ptr(enables); },  // of length 0
          [](tlm_generic_payload& p) { p.set_byte_enable_ptr(enables), p.set_byte_enable_length(2); }};
}

class unsound_attribute : public testing::TestWithParam<std::size_t> {};

TEST_P(unsound_attribute, bp7_finds_it_in_a_request) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              unsound_attributes()[GetParam()](p);
              sc_time delay;
              r.out->b_transport(p, delay);
            }),
            rules{"BP7"});
}

INSTANTIATE_TEST_SUITE_P(protocol_monitor, unsound_attribute, testing::Range<std::size_t>(0, 6));

TEST(protocol_monitor, bp7_a_command_to_be_ignored_needs_no_data) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              p.set_command(tlm::TLM_IGNORE_COMMAND);
              p.set_data_ptr(nullptr), p.set_data_length(0);
              r.four_phases(p);
            }),
            rules{});
}

TEST(protocol_monitor, bp8_accepted_with_the_same_phase) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.forward = [](tlm_generic_payload&, tlm_phase& phase, sc_time&) {
                phase = tlm::END_REQ;
                return tlm::TLM_ACCEPTED;
              };
              r.send(r.request(), tlm::BEGIN_REQ);
            }),
            rules{"BP8"});
}

TEST(protocol_monitor, bp8_accepted_with_the_same_delay) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              p.set_response_status(tlm::TLM_OK_RESPONSE);
              r.backward = [](tlm_generic_payload&, tlm_phase&, sc_time& delay) {
                delay += sc_time(1, sc_core::SC_NS);
                return tlm::TLM_ACCEPTED;
              };
              r.answer(p, tlm::BEGIN_RESP);
            }),
            rules{"BP8"});
}

TEST(protocol_monitor, bp8_what_a_call_returns) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.forward = [](tlm_generic_payload&, tlm_phase& phase, sc_time&) {
                phase = tlm::END_RESP;
                return tlm::TLM_UPDATED;
              };
              r.send(r.request(), tlm::BEGIN_REQ);
            }),
            rules{"BP8"});
}

TEST(protocol_monitor, bp8_what_a_call_backward_returns) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              r.backward = [](tlm_generic_payload&, tlm_phase&, sc_time&) { return tlm::TLM_UPDATED; };
              r.answer(p, tlm::END_REQ);
            }),
            rules{"BP8"});
}

TEST(protocol_monitor, bp9_blocking_or_not) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              sc_time delay;
              r.out->b_transport(p, delay);
            }),
            rules{"BP9"});
}

TEST(protocol_monitor, bp9_no_request_of_what_is_in_blocking_transport) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.blocking = [&r](tlm_generic_payload& p, sc_time&) {
                r.send(p, tlm::BEGIN_REQ);
                p.set_response_status(tlm::TLM_OK_RESPONSE);
              };
              sc_time delay;
              r.out->b_transport(r.request(), delay);
            }),
            rules{"BP9"});
}

TEST(protocol_monitor, bp9_one_after_the_other) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              sc_time delay;
              for (int i = 0; i < 2; ++i) {
                r.out->b_transport(p, delay);
                p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
                r.four_phases(p);
                p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
              }
            }),
            rules{});
}

TEST(protocol_monitor, bp10_time_does_not_go_back) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto &a = r.request(), &b = r.request();
              r.send(a, tlm::BEGIN_REQ, sc_time(10, sc_core::SC_NS));
              r.answer(a, tlm::END_REQ, sc_time(10, sc_core::SC_NS));
              r.send(b, tlm::BEGIN_REQ, sc_time(5, sc_core::SC_NS));
            }),
            rules{"BP10"});
}

TEST(protocol_monitor, bp10_blocking_transport_takes_no_time_back) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.blocking = [](tlm_generic_payload& p, sc_time& delay) {
                delay = sc_core::SC_ZERO_TIME;
                p.set_response_status(tlm::TLM_OK_RESPONSE);
              };
              sc_time delay(10, sc_core::SC_NS);
              r.out->b_transport(r.request(), delay);
            }),
            rules{"BP10"});
}

TEST(protocol_monitor, bp11_debug_transport_of_all_bytes) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.debugged = 4;
              EXPECT_EQ(r.out->transport_dbg(r.request(4)), 4u);
            }),
            rules{});
}

TEST(protocol_monitor, bp11_debug_transport) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.debugged = 5;
              EXPECT_EQ(r.out->transport_dbg(r.request(4)), 5u);
            }),
            rules{"BP11"});
}

TEST(protocol_monitor, bp11_debug_transport_without_data) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request(4);
              p.set_data_ptr(nullptr);
              r.out->transport_dbg(p);
            }),
            rules{"BP11"});
}

/// Asks for direct access to the address.
std::set<std::string> rules_broken_by_granting(std::uint64_t start, std::uint64_t end, bool pointer,
                                               std::uint64_t address = 0) {
  return rules_broken_by([=](rig& r) {
    unsigned char memory[16] = {};
    r.granted.set_dmi_ptr(pointer ? memory : nullptr);
    r.granted.set_start_address(start);
    r.granted.set_end_address(end);
    tlm::tlm_dmi dmi;
    auto& p = r.request();
    p.set_address(address);
    EXPECT_TRUE(r.out->get_direct_mem_ptr(p, dmi));
  });
}

TEST(protocol_monitor, bp12_a_region_that_is_right) {
  EXPECT_EQ(rules_broken_by_granting(0, 15, true), rules{});
}
TEST(protocol_monitor, bp12_a_region_elsewhere) {
  EXPECT_EQ(rules_broken_by_granting(4, 15, true), rules{"BP12"});
}
TEST(protocol_monitor, bp12_a_region_that_ends_before) {
  EXPECT_EQ(rules_broken_by_granting(0, 14, true, 15), rules{"BP12"});
}
TEST(protocol_monitor, bp12_a_region_that_ends_there) {
  EXPECT_EQ(rules_broken_by_granting(15, 15, true, 15), rules{});
}
TEST(protocol_monitor, bp12_a_region_without_memory) {
  EXPECT_EQ(rules_broken_by_granting(0, 15, false), rules{"BP12"});
}
TEST(protocol_monitor, bp12_an_invalidated_region) {
  EXPECT_EQ(rules_broken_by([](rig& r) { r.in->invalidate_direct_mem_ptr(8, 4); }), rules{"BP12"});
}

}  // namespace
}  // namespace spillway
