// The sending end of an embargo link where it calculates, by itself.
#include <gtest/gtest.h>

#include <spillway/hw/dampening/embargo_sender.hpp>

using namespace spillway;

namespace {

control_message report_of(std::uint32_t whose, std::uint16_t place) {
  control_message m;
  m.terminal = whose;
  m.report = true;
  m.place = place;
  return m;
}

}  // namespace

// The link's checker names them; the sender goes by what it knows.
TEST(embargo_sender, takes_no_notice_of_reports_of_what_it_has_not_sent) {
  state_memory memory;
  message_table messages(4, memory);
  constexpr unsigned places = 2;
  embargo_sender sender(messages, std::make_unique<counting_assignment>(places, 1), 0);
  const std::uint16_t place = sender.send_past(5);
  ASSERT_LT(place, places);
  const auto free = static_cast<std::uint16_t>(1 - place);
  ASSERT_FALSE(sender.passes(5)) << "it has all that it may";
  for (const control_message& wrong : {report_of(6, place), report_of(5, free), report_of(6, free),
                                       report_of(~0u, free), report_of(5, places)})
    EXPECT_NO_THROW(sender.receive_control(wrong)) << wrong;
  EXPECT_FALSE(sender.passes(5));
  EXPECT_TRUE(sender.passes(6));
  sender.receive_control(report_of(5, place));
  EXPECT_TRUE(sender.passes(5));
}
