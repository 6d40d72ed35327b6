// Rules of the base protocol about what a transaction carries, each broken once, on its own.
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <spillway/tlm/protocol_monitor.hpp>
#include <vector>

#include "support/monitor_rig.hpp"

namespace spillway {
namespace {

using sc_core::sc_time;
using test::rig;
using test::rules;
using test::rules_broken_by;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

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

INSTANTIATE_TEST_SUITE_P(protocol_monitor, one_attribute, testing::Range<std::size_t>(0, 6));

TEST_P(one_attribute, bp6_stays_where_a_request_is_completed_at_once) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              r.forward = [](tlm_generic_payload& p, tlm_phase&, sc_time&) {
                every_attribute()[GetParam()](p);
                p.set_response_status(tlm::TLM_OK_RESPONSE);
                return tlm::TLM_COMPLETED;
              };
              r.send(r.request(), tlm::BEGIN_REQ);
            }),
            rules{"BP6"});
}

// As those that subtract the beginning of a range.
TEST(protocol_monitor, bp6_nothing_else_is_an_attribute) {
  EXPECT_EQ(rules_broken_by([](rig& r) {
              auto& p = r.request();
              r.send(p, tlm::BEGIN_REQ);
              p.set_address(p.get_address() + 4);
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

}  // namespace
}  // namespace spillway
