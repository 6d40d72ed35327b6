// Rules of the base protocol about phases and calls, each broken once, on its own.
#include <gtest/gtest.h>

#include <cstdint>
#include <spillway/tlm/protocol_monitor.hpp>
#include <stdexcept>

#include "support/monitor_rig.hpp"

namespace spillway {
namespace {

using sc_core::sc_time;
using test::rig;
using test::rules;
using test::rules_broken_by;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

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

TEST(protocol_monitor, bp8_the_end_of_a_request_completes_nothing) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              r.backward = [](tlm_generic_payload&, tlm_phase&, sc_time&) { return tlm::TLM_COMPLETED; };
              r.answer(p, tlm::END_REQ);
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

TEST(protocol_monitor, bp9_after_a_blocking_call_that_a_target_has_left) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.blocking = [](tlm_generic_payload&, sc_time&) { throw std::runtime_error("broken"); };
              auto& p = r.request();
              sc_time delay;
              EXPECT_THROW(r.out->b_transport(p, delay), std::runtime_error);
              r.four_phases(p);
            }),
            rules{});
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
rules rules_broken_by_granting(std::uint64_t start, std::uint64_t end, bool pointer,
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
