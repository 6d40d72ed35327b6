#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spillway/hw/nifdy/nifdy_checker.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Plays what crosses the links of unit 1, one flit an edge, as a twin of an honest unit would send it.
struct played_unit {
  bench b;
  any_link to, from, processor;
  nifdy_checker& rules;

  explicit played_unit(kernel k, const nifdy_checker_config& config = shape())
      : b(k),
        to(b.bare_link("to")),
        from(b.bare_link("from")),
        processor(b.bare_link("processor")),
        rules(b.make<nifdy_checker>("rules", config,
                                    [this](const violation& v) { b.violations.push_back(v); })) {
    rules.to_network[0].bind(to);
    rules.from_network[0].bind(from);
    rules.to_processor.bind(processor);
    b.reset();
    for (any_link* const l : {&to, &from, &processor}) l->ready.write(1);
  }
  static nifdy_checker_config shape() {
    nifdy_checker_config config;
    config.outstanding = 2;
    config.window = 3;
    return config;
  }

  void cross(any_link& l, const flit& f) {
    bench::cross(l, f);
    run(1);
  }
  // What unit 1 sends.
  void sends(std::uint32_t destination, std::uint32_t packet, std::uint8_t flags = 0) {
    flit f = make_flit(1, destination, packet);
    nifdy::set_header(f, {flags});
    cross(to, f);
  }
  void sends_bulk(std::uint32_t destination, std::uint16_t sequence, std::uint8_t flags = 0,
                  std::uint16_t name = 0x100) {
    flit f = make_flit(0, destination, 100u + sequence);
    nifdy::set_header(f, {static_cast<std::uint8_t>(nifdy::bulk | flags), sequence, name});
    cross(to, f);
  }
  void acknowledges(std::uint32_t source, std::uint8_t flags = 0, std::uint16_t name = 0,
                    std::uint16_t sequence = 0) {
    cross(to, ack(1, source, flags, name, sequence));
  }
  // What comes for it.
  void comes(std::uint32_t source, std::uint32_t packet, std::uint8_t flags = 0) {
    flit f = make_flit(source, 1, packet);
    nifdy::set_header(f, {flags});
    cross(from, f);
  }
  void bulk_comes(std::uint16_t name, std::uint16_t sequence, std::uint8_t flags = 0) {
    flit f = make_flit(0, 1, 200u + sequence);
    nifdy::set_header(f, {static_cast<std::uint8_t>(nifdy::bulk | flags), sequence, name});
    cross(from, f);
  }
  void is_acknowledged(std::uint32_t by, std::uint8_t flags = 0, std::uint16_t name = 0,
                       std::uint16_t sequence = 0) {
    cross(from, ack(by, 1, flags, name, sequence));
  }
  void gets(std::uint32_t source, std::uint32_t packet, flit_kind kind = flit_kind::data) {
    flit f = make_flit(source, 1, packet);
    f.kind = kind;
    nifdy::set_header(f, {});
    cross(processor, f);
  }
  static flit ack(std::uint32_t source, std::uint32_t destination, std::uint8_t flags, std::uint16_t name,
                  std::uint16_t sequence) {
    flit f = make_flit(source, destination, 0);
    f.kind = flit_kind::acknowledge;
    nifdy::set_header(f, {flags, sequence, name});
    return f;
  }

  /// A dialog to terminal 5 is open, and the window is empty.
  void open_dialog() {
    sends(5, 1, nifdy::request);
    is_acknowledged(5, nifdy::granted, 0x100);
  }
  void grant(std::uint32_t source, std::uint16_t name) {
    comes(source, 1, nifdy::request);
    acknowledges(source, nifdy::granted, name);
  }

  void expect_legal() { EXPECT_TRUE(b.violations.empty()) << b.first_violation(); }
  /// What came before is legal, what is done now breaks that rule and no other, and the message ends so.
  template <class F>
  void expect_broken(const std::string& rule, const std::string& what, F&& act) {
    expect_legal();
    act();
    ASSERT_EQ(b.violations.size(), 1u) << rule;
    EXPECT_EQ(b.violations[0].rule, rule) << b.violations[0].message;
    EXPECT_EQ(b.violations[0].link, "bench_rules");
    EXPECT_THAT(b.violations[0].message, testing::EndsWith(what));
  }
};

class nifdy_rules : public sc_test, public testing::WithParamInterface<kernel> {};

const std::string not_come = "acknowledges a scalar packet that has not come",
                  for_100_cycles = " has been without a packet for 100 cycles";

}  // namespace

TEST_P(nifdy_rules, a_legal_exchange_is_silent) {
  played_unit u(GetParam());
  u.sends(2, 1);
  u.sends(3, 2);
  u.is_acknowledged(2);
  u.sends(2, 3);
  u.is_acknowledged(3);
  u.is_acknowledged(2);
  u.open_dialog();
  u.sends(4, 7);
  for (std::uint16_t s = 0; s < 3; ++s) u.sends_bulk(5, s);
  u.is_acknowledged(5, nifdy::bulk, 0x100, 2);
  u.is_acknowledged(5, nifdy::bulk, 0x100, 1);  // overtaken
  u.sends_bulk(5, 3);
  u.sends_bulk(5, 4, nifdy::exit);
  u.is_acknowledged(5, nifdy::bulk, 0x100, 5);
  u.sends(5, 106);
  u.grant(8, 0x100);
  u.comes(7, 2, nifdy::request);
  u.acknowledges(7, nifdy::refused);
  u.bulk_comes(0x100, 1);
  u.bulk_comes(0x100, 0);
  u.acknowledges(8, nifdy::bulk, 0x100, 2);
  u.bulk_comes(0x100, 2, nifdy::exit);
  u.acknowledges(8, nifdy::bulk, 0x100, 3);
  u.grant(9, 0x200);
  u.gets(8, 1);
  u.gets(8, 200);
  u.gets(7, 2);
  u.expect_legal();
  EXPECT_EQ(u.rules.open_dialogs(), 1u);
}

TEST_P(nifdy_rules, nl1_one_scalar_packet_a_destination) {
  played_unit u(GetParam());
  u.sends(2, 1);
  u.expect_broken("NL1", "is sent while packet 1 is unacknowledged", [&] { u.sends(2, 2); });
}

TEST_P(nifdy_rules, nl2_as_many_as_the_table_has_entries) {
  played_unit u(GetParam());
  u.sends(2, 1);
  u.sends(3, 2);
  u.expect_broken("NL2", "is sent while 2 others are unacknowledged", [&] { u.sends(4, 3); });
}

TEST_P(nifdy_rules, nl3_window) {
  played_unit u(GetParam());
  u.open_dialog();
  for (std::uint16_t s = 0; s < 3; ++s) u.sends_bulk(5, s);
  u.expect_broken("NL3", "sequence 3 is sent with all before 0 acknowledged", [&] { u.sends_bulk(5, 3); });
}

TEST_P(nifdy_rules, nl4_bulk_packets_of_no_dialog) {
  played_unit u(GetParam());
  u.expect_broken("NL4", "dialog 256 sequence 0 is of no dialog that is open", [&] { u.sends_bulk(5, 0); });
}

TEST_P(nifdy_rules, nl4_bulk_packets_of_a_dialog_before_with_the_same_receiver) {
  played_unit u(GetParam());
  u.open_dialog();
  u.expect_broken("NL4", "dialog 512 sequence 0 is of no dialog that is open",
                  [&] { u.sends_bulk(5, 0, 0, 0x200); });
}

TEST_P(nifdy_rules, nl4_bulk_packets_out_of_sequence) {
  played_unit u(GetParam());
  u.open_dialog();
  u.expect_broken("NL4", "sequence 1 is sent where sequence 0 is due", [&] { u.sends_bulk(5, 1); });
}

TEST_P(nifdy_rules, nl4_bulk_packets_after_the_exit_bit) {
  played_unit u(GetParam());
  u.open_dialog();
  u.sends_bulk(5, 0, nifdy::exit);
  u.expect_broken("NL4", "is sent after the exit bit", [&] { u.sends_bulk(5, 1); });
}

TEST_P(nifdy_rules, nl4_scalar_packets_into_an_open_dialog) {
  played_unit u(GetParam());
  u.open_dialog();
  u.sends_bulk(5, 0, nifdy::exit);
  u.expect_broken("NL4", "is sent as a scalar packet to the receiver of an open dialog",
                  [&] { u.sends(5, 9); });
}

TEST_P(nifdy_rules, nl5_one_request_at_a_time) {
  played_unit u(GetParam());
  u.sends(2, 1, nifdy::request);
  u.expect_broken("NL5", "asks while a request is unanswered", [&] { u.sends(3, 2, nifdy::request); });
}

TEST_P(nifdy_rules, nl5_one_dialog_a_sender) {
  played_unit u(GetParam());
  u.open_dialog();
  u.expect_broken("NL5", "asks while a dialog is open", [&] { u.sends(3, 2, nifdy::request); });
}

TEST_P(nifdy_rules, nl6_d_dialogs_a_receiver) {
  played_unit u(GetParam());
  u.grant(8, 0x100);
  u.expect_broken("NL6", "grants a dialog while 1 are open", [&] { u.grant(9, 0x101); });
}

TEST_P(nifdy_rules, nl6_grants_only_what_was_asked_for) {
  played_unit u(GetParam());
  u.comes(8, 1);
  u.expect_broken("NL6", "grants a dialog that was not asked for",
                  [&] { u.acknowledges(8, nifdy::granted, 0x100); });
}

TEST_P(nifdy_rules, nl6_grants_once_what_was_asked_for_once) {
  nifdy_checker_config config = played_unit::shape();
  config.dialogs = 2;  // there is room for another
  played_unit u(GetParam(), config);
  u.grant(8, 0x100);
  u.comes(8, 2);
  u.expect_broken("NL6", "grants a dialog that was not asked for",
                  [&] { u.acknowledges(8, nifdy::granted, 0x101); });
}

TEST_P(nifdy_rules, nl6_grants_a_dialog_to_one_source_at_a_time) {
  nifdy_checker_config config = played_unit::shape();
  config.dialogs = 2;
  played_unit u(GetParam(), config);
  u.grant(8, 0x100);
  u.comes(9, 1, nifdy::request);
  u.expect_broken("NL6", "grants dialog 256, which is open",
                  [&] { u.acknowledges(9, nifdy::granted, 0x100); });
}

TEST_P(nifdy_rules, nl7_order_to_the_processor) {
  played_unit u(GetParam());
  u.gets(2, 6);
  u.gets(3, 1);
  u.expect_broken("NL7", "goes to the processor after packet 6", [&] { u.gets(2, 5); });
}

// A reply has the number of its request, which the other end has given it.
TEST_P(nifdy_rules, nl7_replies_apart) {
  played_unit u(GetParam());
  u.gets(2, 6);
  u.gets(2, 3, flit_kind::reply);
  u.gets(2, 7);
  u.gets(2, 4, flit_kind::reply);
  u.expect_broken("NL7", "goes to the processor after packet 4", [&] { u.gets(2, 4, flit_kind::reply); });
}

TEST_P(nifdy_rules, nl7_once_to_the_processor) {
  played_unit u(GetParam());
  u.gets(2, 6);
  u.expect_broken("NL7", "goes to the processor after packet 6", [&] { u.gets(2, 6); });
}

TEST_P(nifdy_rules, nl8_acknowledges_a_scalar_packet_once) {
  played_unit u(GetParam());
  u.comes(2, 1);
  u.acknowledges(2);
  u.expect_broken("NL8", not_come, [&] { u.acknowledges(2); });
}

TEST_P(nifdy_rules, nl8_acknowledges_bulk_packets_that_have_come) {
  played_unit u(GetParam());
  u.grant(8, 0x100);
  u.bulk_comes(0x100, 0);
  u.bulk_comes(0x100, 2);
  u.expect_broken("NL8", "acknowledges more than has come, all before 1",
                  [&] { u.acknowledges(8, nifdy::bulk, 0x100, 3); });
}

TEST_P(nifdy_rules, nl8_up_to_the_first_that_is_missing_and_not_one_more) {
  played_unit u(GetParam());
  u.grant(8, 0x100);
  u.bulk_comes(0x100, 0);
  u.bulk_comes(0x100, 2);
  u.acknowledges(8, nifdy::bulk, 0x100, 1);
  u.expect_broken("NL8", "acknowledges more than has come, all before 1",
                  [&] { u.acknowledges(8, nifdy::bulk, 0x100, 2); });
}

TEST_P(nifdy_rules, nl8_as_many_scalar_packets_as_have_come_and_not_one_more) {
  played_unit u(GetParam());
  u.comes(2, 1);
  u.acknowledges(2);
  u.comes(2, 2);
  u.acknowledges(2);
  u.comes(3, 1);
  u.expect_broken("NL8", not_come, [&] { u.acknowledges(2); });
}

TEST_P(nifdy_rules, nl8_acknowledges_in_dialogs_that_were_granted) {
  played_unit u(GetParam());
  u.grant(8, 0x100);
  u.expect_broken("NL8", "dialog 512 sequence 0 acknowledges in a dialog that was not granted",
                  [&] { u.acknowledges(8, nifdy::bulk, 0x200); });
}

TEST_P(nifdy_rules, nl8_owes_no_acknowledgements_of_what_came_before_a_reset) {
  played_unit u(GetParam());
  u.comes(2, 1);
  u.b.reset();
  u.expect_broken("NL8", not_come, [&] { u.acknowledges(2); });
}

TEST_P(nifdy_rules, nl8_counts_acknowledgements_that_ride_on_packets) {
  played_unit u(GetParam());
  u.comes(2, 1);
  u.sends(2, 7, nifdy::ack_rides);
  u.is_acknowledged(2);
  u.expect_broken("NL8", not_come, [&] { u.sends(2, 8, nifdy::ack_rides); });
}

// Packets that cross `gap` cycles after one another, with a patience of 100.
void two_bulk_packets(played_unit& u, unsigned gap) {
  u.grant(8, 0x100);
  u.bulk_comes(0x100, 0);
  run(gap - 2);  // a crossing takes two cycles
  u.bulk_comes(0x100, 1);
}

TEST_P(nifdy_rules, nl9_a_packet_at_the_last_moment) {
  nifdy_checker_config config = played_unit::shape();
  config.patience = 100;
  played_unit u(GetParam(), config);
  two_bulk_packets(u, 100);
  u.expect_legal();
}

TEST_P(nifdy_rules, nl9_a_packet_a_cycle_too_late) {
  nifdy_checker_config config = played_unit::shape();
  config.patience = 100;
  played_unit u(GetParam(), config);
  u.expect_broken("NL9", "dialog 256 of terminal 8" + for_100_cycles, [&] { two_bulk_packets(u, 101); });
}

TEST_P(nifdy_rules, nl9_has_patience_without_end) {
  nifdy_checker_config config = played_unit::shape();
  config.patience = ~std::uint64_t{0};
  played_unit u(GetParam(), config);
  two_bulk_packets(u, 100);
  u.expect_legal();
}

TEST_P(nifdy_rules, nl9_every_grant_ends) {
  nifdy_checker_config config = played_unit::shape();
  config.patience = 100;
  played_unit u(GetParam(), config);
  u.grant(8, 0x100);
  u.bulk_comes(0x100, 0);
  run(80);
  u.expect_broken("NL9", for_100_cycles, [&] { run(40); });
}

TEST_P(nifdy_rules, name_the_unit_that_is_watched_and_where_its_window_begins) {
  nifdy_checker_config config = played_unit::shape();
  config.unit = "nifdy_1";
  played_unit u(GetParam(), config);
  u.open_dialog();
  for (std::uint16_t s = 0; s < 3; ++s) u.sends_bulk(5, s);
  u.is_acknowledged(5, nifdy::bulk, 0x100, 1);
  u.sends_bulk(5, 3);
  u.expect_legal();
  u.sends_bulk(5, 4);
  ASSERT_EQ(u.b.broken(), "NL3 ");
  EXPECT_EQ(u.b.violations[0].link, "nifdy_1");
  EXPECT_NE(u.b.first_violation().find("sequence 4 is sent with all before 1 acknowledged"),
            std::string::npos)
      << u.b.first_violation();
}

// Nothing but its own timer calls it.
TEST(nifdy_rules_asleep, nl9_wakes_itself) {
  clock_domain domain("domain", period());
  wire<bool> rst(domain);
  packet_wires to(domain), from(domain), processor(domain);
  nifdy_checker_config config = played_unit::shape();
  config.patience = 100;
  std::vector<violation> violations;
  nifdy_checker rules("rules", config, [&](const violation& v) { violations.push_back(v); });
  rules.clk(domain), rules.rst(rst);
  rules.to_network[0].bind(to), rules.from_network[0].bind(from), rules.to_processor.bind(processor);
  const auto cross = [](packet_wires& w, flit f, std::uint8_t flags) {
    nifdy::set_header(f, {flags, 0, 0x100});
    w.ready.write(1), w.valid.write(true), w.data.write(f);
    run(1);
    w.valid.write(false);
    run(1);
  };
  cross(from, make_flit(8, 1, 1), nifdy::request);
  flit grant = make_flit(1, 8, 0);
  grant.kind = flit_kind::acknowledge;
  cross(to, grant, nifdy::granted);
  run(98);
  EXPECT_TRUE(violations.empty());
  run(2);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].rule, "NL9");
}

TEST_P(nifdy_rules, forgives_what_comes_again_where_packets_are_lost) {
  nifdy_checker_config config = played_unit::shape();
  config.lossy = true;
  played_unit u(GetParam(), config);
  u.sends(2, 1, nifdy::toggle);
  u.sends(2, 1, nifdy::toggle);
  u.is_acknowledged(2, nifdy::toggle);
  u.is_acknowledged(2, nifdy::toggle);
  u.sends(2, 1, nifdy::toggle);  // the timer was faster than the acknowledgement's processing
  u.sends(2, 2);
  u.comes(4, 1, nifdy::toggle);
  u.acknowledges(4, nifdy::toggle);
  u.comes(4, 1, nifdy::toggle);
  u.acknowledges(4, nifdy::toggle);
  u.expect_broken("NL1", "is sent while packet 2 is unacknowledged", [&] { u.sends(2, 3, nifdy::toggle); });
}

INSTANTIATE_TEST_SUITE_P(kernels, nifdy_rules, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
