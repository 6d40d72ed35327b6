// A port alone, whose network is the test: coincidences that networks rarely bring about.
#include <gtest/gtest.h>

#include <optional>
#include <spillway/tlm/tlm_port.hpp>
#include <support/link_bench.hpp>
#include <utility>

#include "support/tlm_models.hpp"

namespace spillway {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;

/// One terminal that asks itself. What it sends is kept; what arrives, and how the user's models answer, the
/// test says.
class port_under_test : public sc_core::sc_module, private message_carrier {
public:
  explicit port_under_test(const sc_core::sc_module_name& name)
      : sc_module(name), port("port", 0, 4, fabric(), *this) {
    asks.bind(port.target);
    asks.register_nb_transport_bw(this, &port_under_test::to_initiator);
    port.initiator.bind(answers);
    answers.register_nb_transport_fw(this, &port_under_test::to_target);
    answers.register_transport_dbg(this, &port_under_test::debug);
  }

  /// Sends a request, whose message then waits in `sent` if anybody has the address. `ends`: the network
  /// takes the message, which ends the request.
  tlm::tlm_generic_payload& ask(std::uint64_t address = 0, bool ends = true,
                                tlm::tlm_command command = tlm::TLM_WRITE_COMMAND) {
    auto& t = pool.take();
    t.data.resize(4);
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(t.data.data());
    t.set_data_length(4);
    t.set_streaming_width(4);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = SC_ZERO_TIME;
    if (asks->nb_transport_fw(t, phase, delay) == tlm::TLM_ACCEPTED && ends) port.sent(sent.back().tag);
    return t;
  }
  void end_response(tlm::tlm_generic_payload& t) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time delay = SC_ZERO_TIME;
    asks->nb_transport_fw(t, phase, delay);
  }
  void end_request(tlm::tlm_generic_payload& t) {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_time delay = SC_ZERO_TIME;
    answers->nb_transport_bw(t, phase, delay);
  }
  tlm::tlm_sync_enum begin_response(tlm::tlm_generic_payload& t, sc_time delay = SC_ZERO_TIME) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return answers->nb_transport_bw(t, phase, delay);
  }
  /// The network brings the reply to `request`.
  void reply(const tlm_message& request) {
    tlm_message r = request;
    r.network = 1;
    encode_reply(pool.take(), r.words);
    port.arrived(r);
  }

  struct begun {
    tlm::tlm_generic_payload* transaction;
    sc_time at;
  };

  tlm_port port;
  tlm_utils::simple_initiator_socket<port_under_test> asks{"asks"};
  tlm_utils::simple_target_socket<port_under_test> answers{"answers"};
  test::transaction_pool pool;
  std::vector<tlm_message> sent;
  std::vector<sc_time> from;               // when each of them may enter the network
  std::vector<begun> responses, requests;  // that have begun at the user's models
  std::vector<std::uint64_t> debugged;     // addresses, as the target knows them
  sc_time end_after =
      sc_core::sc_max_time();  // they end them at once, with this delay; sc_max_time: not at all
  std::optional<tlm::tlm_sync_enum> answers_by;  // the target answers at once: what its call returns then
  unsigned replies_ended = 0;                    // of which the target has been told
  unsigned requests_ended = 0;                   // of which the initiator has been told
  bool asks_again = false;                       // within the response to one, once

private:
  static std::shared_ptr<tlm_fabric> fabric() {
    auto f = std::make_shared<tlm_fabric>();
    f->addresses.add({0, 16, 0, 0});
    f->addresses.add({~std::uint64_t{0} - 15, 16, 0, 0x40});  // the last there are
    return f;
  }
  unsigned debug(tlm::tlm_generic_payload& t) {
    debugged.push_back(t.get_address());
    return t.get_data_length();
  }
  void send(const tlm_message& message, const sc_time& at) override {
    sent.push_back(message), from.push_back(at);
  }
  void room_opened() override {}

  tlm::tlm_sync_enum begin(std::vector<begun>& list, tlm::tlm_generic_payload& t, tlm::tlm_phase end,
                           tlm::tlm_phase& phase, sc_time& delay) {
    list.push_back({&t, sc_core::sc_time_stamp()});
    if (end_after == sc_core::sc_max_time()) return tlm::TLM_ACCEPTED;
    phase = end;
    delay = end_after;
    return tlm::TLM_UPDATED;
  }
  tlm::tlm_sync_enum to_initiator(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_time& delay) {
    requests_ended += phase == tlm::END_REQ;
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    if (std::exchange(asks_again, false)) {
      responses.push_back({&t, sc_core::sc_time_stamp()});
      ask(0, false);
      return tlm::TLM_COMPLETED;
    }
    return begin(responses, t, tlm::END_RESP, phase, delay);
  }
  tlm::tlm_sync_enum to_target(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_time& delay) {
    replies_ended += phase == tlm::END_RESP;
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    if (answers_by) {
      t.set_response_status(tlm::TLM_OK_RESPONSE);
      phase = tlm::BEGIN_RESP, delay = end_after;
      return *answers_by;
    }
    return begin(requests, t, tlm::END_REQ, phase, delay);
  }
};

class tlm_port_alone : public testing_support::sc_test {};

/// The third follows the second by this time, in the tests below.
const sc_time& pause() {
  static const sc_time ten_ns(10, SC_NS);
  return ten_ns;
}

void expect_the_third_after_a_pause(const std::vector<port_under_test::begun>& begun) {
  ASSERT_EQ(begun.size(), 3u) << "one waits for ever";
  EXPECT_EQ(begun[1].at, SC_ZERO_TIME);
  EXPECT_EQ(begun[2].at, pause());
}

/// The error that `calls` reports; empty without one.
template <class Calls>
std::string reported(Calls&& calls) {
  try {
    calls();
  } catch (const sc_core::sc_report& report) {
    return report.get_msg();
  }
  return {};
}

}  // namespace

// The event that was to wake the port at once is pending still when the port asks for a later one, which
// SystemC then discards.
TEST_F(tlm_port_alone, a_response_follows_one_that_ended_with_a_delay_before_the_port_awoke) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  for (int i = 0; i < 3; ++i) t.ask();
  t.reply(t.sent[0]);
  t.reply(t.sent[1]);
  t.end_response(*t.responses.at(0).transaction);
  t.end_after = pause();
  t.reply(t.sent[2]);
  sc_core::sc_start(100, SC_NS);
  expect_the_third_after_a_pause(t.responses);
}

TEST_F(tlm_port_alone, a_request_follows_one_that_ended_with_a_delay_before_the_port_awoke) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  for (int i = 0; i < 3; ++i) t.ask();
  t.port.arrived(t.sent[0]);
  t.port.arrived(t.sent[1]);
  t.end_request(*t.requests.at(0).transaction);
  t.end_after = pause();
  t.port.arrived(t.sent[2]);
  sc_core::sc_start(100, SC_NS);
  expect_the_third_after_a_pause(t.requests);
}

TEST_F(tlm_port_alone, counts_requests_and_their_bytes_and_addresses_that_nobody_has) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  t.ask(), t.ask();
  EXPECT_EQ(t.ask(0x100).get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  counters all;
  t.port.count(all);
  EXPECT_EQ(all.at("tlm.requests"), 2);
  EXPECT_EQ(all.at("tlm.bytes"), 8);
  EXPECT_EQ(all.at("tlm.address_errors"), 1);
}

TEST_F(tlm_port_alone, debug_transport_ends_with_the_addresses) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  tlm::tlm_generic_payload p;
  std::vector<unsigned char> data(8);
  p.set_address(~std::uint64_t{0} - 3), p.set_data_ptr(data.data()), p.set_data_length(8);
  EXPECT_EQ(t.asks->transport_dbg(p), 4u);
  EXPECT_EQ(t.debugged, std::vector<std::uint64_t>{0x4c}) << "and does not go on at 0";
}

// Each is without effect: what is in turn goes on.
TEST_F(tlm_port_alone, a_target_is_told_of_phases_out_of_turn) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  t.ask(), t.ask();
  t.port.arrived(t.sent[0]);
  auto& first = *t.requests.at(0).transaction;
  t.end_request(first);
  EXPECT_EQ(reported([&] { t.end_request(first); }),
            "terminal.port: END_REQ for a transaction that has no request under way");
  t.port.arrived(t.sent[1]);
  auto& second = *t.requests.at(1).transaction;
  t.end_request(second);
  t.begin_response(first);
  ASSERT_EQ(t.sent.size(), 3u);
  EXPECT_EQ(reported([&] { t.begin_response(second); }),
            "terminal.port: BEGIN_RESP before the END_RESP of the response before");
  EXPECT_EQ(t.sent.size(), 3u);
  t.port.sent(t.sent[2].tag);
  t.begin_response(second);
  ASSERT_EQ(t.sent.size(), 4u);
  EXPECT_EQ(t.sent[3].id, t.sent[1].id);
}

TEST_F(tlm_port_alone, an_initiator_is_told_of_phases_out_of_turn) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  auto& first = t.ask(0, false);
  EXPECT_EQ(reported([&] { t.ask(); }), "terminal.port: BEGIN_REQ before the END_REQ of the request before");
  EXPECT_EQ(t.sent.size(), 1u);
  EXPECT_EQ(reported([&] { t.end_response(first); }),
            "terminal.port: END_RESP for a transaction that has no response under way");
  t.port.sent(t.sent[0].tag);
  t.ask();
  EXPECT_EQ(t.sent.size(), 2u);
}

TEST_F(tlm_port_alone, an_initiator_is_told_of_transactions_that_cannot_be_carried_out) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  const auto expect_refused = [&](tlm::tlm_generic_payload& p, const std::string& why) {
    p.set_data_length(4);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = SC_ZERO_TIME;
    EXPECT_EQ(reported([&] { t.asks->nb_transport_fw(p, phase, delay); }), "terminal.port: " + why);
    EXPECT_EQ(p.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_TRUE(t.sent.empty());
  };
  unsigned char data[4] = {};
  tlm::tlm_generic_payload unmanaged;
  unmanaged.set_data_ptr(data);
  expect_refused(unmanaged, "BEGIN_REQ of a transaction without a memory manager");
  auto& without_data = t.pool.take();
  without_data.set_write();
  expect_refused(without_data, "a write of 4 bytes has no data pointer");
  without_data.set_read();
  expect_refused(without_data, "a read of 4 bytes has no data pointer");
  EXPECT_EQ(reported([&] { t.asks->b_transport(without_data, t.end_after); }),
            "terminal.port: a read of 4 bytes has no data pointer");
  EXPECT_EQ(reported([&] { t.ask(); }), "") << "what is right goes on";
}

TEST_F(tlm_port_alone, a_target_is_told_of_answers_that_nobody_waits_for) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  t.ask();
  t.port.arrived(t.sent[0]);
  auto& request = *t.requests.at(0).transaction;
  request.acquire();
  t.end_request(request);
  auto& own = t.pool.take();
  EXPECT_EQ(reported([&] { t.begin_response(own); }),
            "terminal.port: BEGIN_RESP for a transaction that did not come from here");
  t.begin_response(request);
  ASSERT_EQ(t.sent.size(), 2u);
  const std::string answered = "terminal.port: BEGIN_RESP for a transaction that has been answered";
  EXPECT_EQ(reported([&] { t.begin_response(request); }), answered);
  t.port.sent(t.sent[1].tag);
  EXPECT_EQ(t.replies_ended, 1u);
  EXPECT_EQ(reported([&] { t.begin_response(request); }), answered);
  EXPECT_EQ(t.sent.size(), 2u);
}

TEST_F(tlm_port_alone, a_target_is_told_that_it_has_lost_the_data_of_a_read) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  t.ask(0, true, tlm::TLM_READ_COMMAND);
  t.port.arrived(t.sent[0]);
  auto& request = *t.requests.at(0).transaction;
  t.end_request(request);
  request.set_data_length(2);
  EXPECT_EQ(reported([&] { t.begin_response(request); }),
            "terminal.port: the target has made 2 bytes of a read of 4");
  unsigned char* const data = request.get_data_ptr();
  request.set_data_ptr(nullptr);
  EXPECT_EQ(reported([&] { t.begin_response(request); }),
            "terminal.port: the target has taken the data pointer of a read away");
  request.set_data_ptr(data);
  EXPECT_EQ(t.sent.size(), 1u);
  t.begin_response(request);
  EXPECT_EQ(t.sent.size(), 2u) << "what is right goes on";
}

TEST_F(tlm_port_alone, holds_as_many_requests_as_its_queue_has_room_for) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  for (int i = 0; i < 9; ++i) t.ask();
  std::size_t arrived = 0;
  while (t.port.room(0) && arrived < t.sent.size()) t.port.arrived(t.sent[arrived++]);
  EXPECT_EQ(t.requests.size(), 1u);
  EXPECT_EQ(arrived, 4u + 1u) << "one is with the target, four wait";
  EXPECT_TRUE(t.port.room(1)) << "replies always find it";
}

// Also one that answers in the return of the call has its say of the time.
TEST_F(tlm_port_alone, a_reply_goes_when_the_target_says) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  t.ask();
  t.port.arrived(t.sent[0]);
  t.begin_response(*t.requests.at(0).transaction, pause());
  ASSERT_EQ(t.sent.size(), 2u);
  EXPECT_EQ(t.sent[1].network, 1u);
  EXPECT_EQ(t.from[1], pause()) << "by a call of its own";
  t.port.sent(t.sent[1].tag);
  sc_core::sc_start(pause());
  t.end_after = pause();
  t.answers_by = tlm::TLM_COMPLETED;
  t.ask();
  t.port.arrived(t.sent[2]);
  ASSERT_EQ(t.sent.size(), 4u);
  EXPECT_EQ(t.from[3], 2 * pause()) << "completed at once";
}

TEST_F(tlm_port_alone, a_target_may_begin_its_response_as_it_takes_the_request) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  t.end_after = pause();
  t.answers_by = tlm::TLM_UPDATED;
  t.ask();
  t.port.arrived(t.sent[0]);
  ASSERT_EQ(t.sent.size(), 2u) << "the response is heard";
  EXPECT_EQ(t.sent[1].network, 1u);
  EXPECT_EQ(t.from[1], pause());
}

TEST_F(tlm_port_alone, a_reset_ends_the_request_that_the_network_has_not_taken_yet) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  auto& first = t.ask(0, false);
  EXPECT_EQ(t.port.outstanding(), 1u);
  t.port.network_reset();
  EXPECT_EQ(t.port.outstanding(), 0u);
  ASSERT_EQ(t.responses.size(), 1u);
  EXPECT_EQ(first.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(reported([&] { t.ask(); }), "") << "its END_REQ is no longer to come";
  EXPECT_EQ(t.sent.size(), 2u);
}

TEST_F(tlm_port_alone, a_reset_does_not_end_the_request_that_an_initiator_makes_of_its_end) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  t.ask(), t.ask(0, false);
  t.asks_again = true;
  const unsigned ended = t.requests_ended;
  t.port.network_reset();
  ASSERT_EQ(t.sent.size(), 3u);
  EXPECT_EQ(t.port.outstanding(), 1u);
  EXPECT_EQ(reported([&] { t.ask(); }), "terminal.port: BEGIN_REQ before the END_REQ of the request before");
  sc_core::sc_start(100, SC_NS);
  ASSERT_EQ(t.responses.size(), 2u) << "of those from before the reset";
  t.end_response(*t.responses[1].transaction);
  t.port.sent(t.sent[2].tag);
  EXPECT_EQ(t.requests_ended, ended + 1);
  t.reply(t.sent[2]);
  ASSERT_EQ(t.responses.size(), 3u);
  EXPECT_NE(t.responses[2].transaction->get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE)
      << "but as the reply says";
  EXPECT_EQ(t.port.outstanding(), 0u);
}

TEST_F(tlm_port_alone, a_reset_leaves_the_target_nothing_of_before_it) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  for (int i = 0; i < 3; ++i) t.ask();
  for (int i = 0; i < 3; ++i) t.port.arrived(t.sent[i]);
  ASSERT_EQ(t.requests.size(), 1u) << "two wait";
  t.port.network_reset();
  auto& first = *t.requests.at(0).transaction;
  t.end_request(first);
  EXPECT_EQ(t.begin_response(first), tlm::TLM_COMPLETED) << "there is nobody to reply to";
  sc_core::sc_start(100, SC_NS);
  EXPECT_EQ(t.sent.size(), 3u);
  EXPECT_EQ(t.requests.size(), 1u) << "and the others do not come";
}

TEST_F(tlm_port_alone, a_reset_ends_the_response_that_the_network_has_not_taken_yet) {
  port_under_test t{"terminal"};
  sc_core::sc_start(SC_ZERO_TIME);
  t.ask();
  t.port.arrived(t.sent[0]);
  t.begin_response(*t.requests.at(0).transaction);
  EXPECT_EQ(t.replies_ended, 0u);
  t.port.network_reset();
  EXPECT_EQ(t.replies_ended, 1u);
}

}  // namespace spillway
