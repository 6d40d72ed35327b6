// The pins of a terminal alone, whose port is the test.
#include <gtest/gtest.h>

#include <spillway/tlm/tlm_terminal.hpp>
#include <support/link_bench.hpp>

namespace spillway {
namespace {

using namespace testing_support;

/// Takes everything, and looks at nothing.
struct idle_port : message_receiver {
  bool room(unsigned) const override { return true; }
  void arrived(const tlm_message&) override {}
  void sent(std::uint64_t) override {}
  void network_reset() override {}
};

class tlm_terminal_alone : public sc_test {};

}  // namespace

TEST_F(tlm_terminal_alone,
       holds_and_loses_in_a_reset_what_has_not_left_and_messages_of_which_more_is_to_come) {
  bench b{kernel::fast};
  idle_port port;
  auto& terminal = b.make<tlm_terminal>("terminal", 0u, 4u, std::shared_ptr<const routing>{}, link_end{});
  terminal.deliver_to(port);
  std::vector<sender*> from;
  std::vector<receiver*> to;
  for (const char* network : {"0", "1"}) {
    from.push_back(&b.make<sender>(std::string("from") + network));
    to.push_back(&b.make<receiver>(std::string("to") + network, 30));
    const unsigned n = static_cast<unsigned>(from.size()) - 1;
    const any_link in = b.link(std::string("in") + network), out = b.link(std::string("out") + network);
    from[n]->out.bind(in), terminal.in[n].bind(in);
    terminal.out[n].bind(out), to[n]->in.bind(out);
  }
  b.reset();
  run(3);
  tlm_message message;
  message.destination = 1;
  message.words.assign(9, 5);
  terminal.send(message, sc_core::SC_ZERO_TIME);
  constexpr std::size_t flits = 10;  // the first has the number of the message
  EXPECT_EQ(terminal.held_flits(), flits);
  while (to[0]->got.size() < 6) {
    run(1);
    ASSERT_EQ(terminal.held_flits(), flits - to[0]->got.size());
  }
  from[1]->add_packet(2, 0, 0, 4);
  from[1]->todo.pop_back();
  to[0]->rate = 0;
  run(10);
  const std::uint64_t held = flits - to[0]->got.size() + 3;
  EXPECT_EQ(terminal.held_flits(), held);
  EXPECT_EQ(terminal.lost_in_reset(), 0u);
  b.reset();
  EXPECT_EQ(terminal.held_flits(), 0u);
  EXPECT_EQ(terminal.lost_in_reset(), held);
  EXPECT_TRUE(b.violations.empty()) << b.first_violation();
}

TEST_F(tlm_terminal_alone, cuts_messages_into_packets_of_1_to_65535_flits) {
  const auto make = [](unsigned packet_length) {
    tlm_terminal(("of_" + std::to_string(packet_length)).c_str(), 0, packet_length, {}, {});
  };
  for (const unsigned none : {0u, 65536u}) EXPECT_THROW(make(none), std::invalid_argument) << none;
  for (const unsigned length : {1u, 65535u}) EXPECT_NO_THROW(make(length)) << length;
}

}  // namespace spillway
