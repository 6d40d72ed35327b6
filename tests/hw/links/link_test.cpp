// What a link says of itself, and what comes from the one declaration of its pins.
#include <gtest/gtest.h>

#include <spillway/hw/circuit/circuit_link.hpp>
#include <spillway/hw/dampening/bank_link.hpp>
#include <spillway/hw/dampening/embargo_link.hpp>
#include <spillway/hw/feedback/admission_link.hpp>
#include <spillway/hw/feedback/feedback_link.hpp>
#include <spillway/hw/links/bus_link.hpp>
#include <spillway/hw/packet/memory_link.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

std::vector<std::string> names_of(const network_link& l) {
  std::vector<std::string> names;
  for (const link_signal& s : l.signals()) names.push_back(s.name);
  return names;
}
using names = std::vector<std::string>;

/// A module with a link in it.
struct box : sc_core::sc_module {
  packet_link inner{link_place{"inner"}};
  explicit box(const sc_core::sc_module_name& name) : sc_module(name) {}
};

class link_test : public sc_test {};

}  // namespace

TEST_F(link_test, every_pin_has_the_name_of_its_member_behind_that_of_the_link) {
  EXPECT_EQ(names_of(packet_link({"a"})), (names{"a_valid", "a_data", "a_ready"}));
  EXPECT_EQ(names_of(memory_link({"b"})), (names{"b_valid", "b_data", "b_ready", "b_length"}));
  EXPECT_EQ(names_of(embargo_link({"c"}, true)),
            (names{"c_valid", "c_data", "c_ready", "c_place", "c_control", "c_interdict"}));
  EXPECT_EQ(names_of(circuit_link({"d"})), (names{"d_request", "d_data", "d_acknowledge", "d_collision"}));
  EXPECT_EQ(names_of(spill_link({"e"}, 4)), (names{"e_valid", "e_slot", "e_data"}));
  EXPECT_EQ(names_of(refill_link({"f"}, 4)), (names{"f_valid", "f_slot", "f_data", "f_fetch", "f_wanted"}));
  EXPECT_EQ(names_of(admission_link({"g"})), (names{"g_wish", "g_grant"}));
  EXPECT_EQ(names_of(feedback_bus_link({"h"})), (names{"h_said"}));
  EXPECT_EQ(names_of(feedback_lines({"i"}, 65)), (names{"i_0", "i_1"}));
  EXPECT_EQ(names_of(bus_link<std::uint32_t>({"j"})), (names{"j_value"}));
}

TEST_F(link_test, ports_of_an_end_are_named_in_the_same_way) {
  struct block : sc_core::sc_module {
    packet_in in{"in"};
    row<packet_out> out{2, "out"};
    packet_watch bare{""};
    explicit block(const sc_core::sc_module_name& name) : sc_module(name) {}
  } b("b");
  EXPECT_STREQ(b.in.data.name(), "b.in_data");
  EXPECT_STREQ(b.out[1].ready.name(), "b.out1_ready");
  EXPECT_STREQ(b.bare.valid.name(), "b.valid");
  const auto kind = [](const char* pin) { return std::string(sc_core::sc_find_object(pin)->kind()); };
  EXPECT_EQ(kind("b.in_ready"), "sc_out") << "the receiver drives it";
  EXPECT_EQ(kind("b.out0_ready"), "sc_in");
  EXPECT_EQ(kind("b.ready"), "sc_in");
}

TEST_F(link_test, path_has_the_modules_around_it) {
  const box b("outer");
  EXPECT_EQ(b.inner.path(), "outer.inner");
  EXPECT_EQ(names_of(b.inner), (names{"outer.inner_valid", "outer.inner_data", "outer.inner_ready"}));
  EXPECT_EQ(packet_link({"top"}).path(), "top");
}

TEST_F(link_test, has_no_signals_on_the_fast_kernel) {
  clock_domain domain("domain", period());
  const top_level_scope scope(&domain);
  EXPECT_TRUE(names_of(memory_link({"a"})).empty());
  EXPECT_TRUE(names_of(feedback_lines({"b"}, 65)).empty());
}

TEST_F(link_test, says_which_kind_it_is_where_the_pins_are_for_another) {
  circuit_link l({"odd"});
  try {
    link_cast<packet_link>(l);
    FAIL() << "a circuit link has no pins of a packet link";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(),
                 "odd is a link of kind 'circuit', which does not fit the pins that it leads to");
  }
}
