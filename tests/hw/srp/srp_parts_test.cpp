// Reservation without wires: what its messages say, which sizes make sense, and what they take.
#include <gtest/gtest.h>

#include <spillway/hw/srp/srp_messages.hpp>
#include <spillway/hw/srp/srp_receiver.hpp>
#include <spillway/hw/srp/srp_sender.hpp>
#include <stdexcept>

using namespace spillway;
using srp::make_message;
using srp::message;

TEST(srp_messages, bear_times_that_wrap_round) {
  const auto leaves = [](std::uint64_t start, std::uint64_t sent, std::uint64_t now) {
    return srp::may_leave(make_message(message::grant, 2, {1, 0}, srp::grant_times(start, sent)), now);
  };
  EXPECT_EQ(leaves(500, 100, 120), 480u);  // as much sooner as it was under way
  EXPECT_EQ(leaves(130, 100, 120), 120u);
  EXPECT_EQ(leaves(90, 100, 120), 120u);
  const std::uint64_t late = (std::uint64_t{1} << 32) - 10;
  EXPECT_EQ(leaves(late + 100, late, late + 20), late + 80);
  EXPECT_EQ(srp::cycles_of(100, 1050), 105u);
  EXPECT_EQ(srp::cycles_of(8, 1050), 9u);
}

TEST(srp_configurations, of_no_use_are_refused) {
  const auto refused = [](unsigned length, unsigned pool, unsigned smallest, unsigned largest) {
    EXPECT_THROW((srp_sender_config{0, 4, length, pool, smallest, largest}.check()), std::invalid_argument);
  };
  refused(0, 4, 1, 8), refused(4, 0, 1, 8), refused(4, 65536, 1, 8), refused(4, 4, 0, 8), refused(4, 4, 1, 3),
      refused(4, 4, 9, 8);
  EXPECT_NO_THROW((srp_sender_config{0, 4, 4, 4, 8, 8}.check())) << "messages of one size";
  EXPECT_NO_THROW((srp_sender_config{0, 4, 4, 65535, 1, 4}.check())) << "of a packet at most";
  EXPECT_THROW((srp_receiver_config{0, 4, 0, 1}.check()), std::invalid_argument);
}

TEST(srp_storage, is_a_pool_and_a_line_a_terminal) {
  srp_sender_config sends;
  sends.terminals = 8, sends.pool = 16, sends.smallest = 2, sends.largest = 8;
  // Of a packet its flits and those that are sent, 1 + 1 bits, its state, 3, and two places in lists of 16, 4
  // each; of each destination the terminal, a state, 4, packets and flits of the message, 5 + 4, and a time.
  EXPECT_TRUE((srp_sender("sender", sends).storage() ==
               hardware_size{16, 8, 16 * (2 + 3 + 2 * 4) + 8 * (4 + 5 + 4 + 32)}));
  srp_receiver_config takes;
  takes.terminals = 8;
  // Two flits of each of four kinds; a time, and of each source what is expected.
  EXPECT_TRUE((srp_receiver("receiver", takes).storage() == hardware_size{8, 0, 32 + 8 * 32}));
  // Where the last switch reserves a packet is a message, with a state, 4, and a time of its own.
  sends.reserve = takes.reserve = srp_reserve::last_switch;
  sends.smallest = 1;
  EXPECT_TRUE((srp_sender("each", sends).storage() == hardware_size{16, 0, 16 * (2 + 3 + 2 * 4 + 4 + 32)}));
  EXPECT_TRUE((srp_receiver("sink", takes).storage() == hardware_size{8, 0, 0}));
}
