#include <gtest/gtest.h>

#include <spillway/hw/nifdy/nifdy_rank.hpp>

using namespace spillway;

namespace {

flit head(std::uint32_t destination, std::uint8_t flags = 0) {
  flit f;
  f.source = 9;
  f.destination = destination;
  nifdy::set_header(f, {flags});
  return f;
}

nifdy_config of(unsigned outstanding, unsigned window = 4) {
  nifdy_config config;
  config.terminal = 9;
  config.outstanding = outstanding;
  config.window = window;
  return config;
}

struct rank_unit {
  nifdy::tags tags;
  nifdy::dialog dialog;
  std::vector<std::uint32_t> resting;
  std::optional<flit> last;
  nifdy_rank unit;

  explicit rank_unit(const nifdy_config& config = of(8)) : unit(config) {}
  nifdy_rank::view view() const { return {tags, dialog, resting, last}; }
  unsigned enter(std::uint32_t destination, std::uint8_t flags = 0) {
    const unsigned slot = unit.enter(head(destination, flags));
    unit.complete(slot);
    return slot;
  }
  void outstanding(std::uint32_t node) { tags.nodes[tags.count++] = node; }
  void open_dialog(std::uint32_t peer, unsigned in_flight = 0) {
    dialog.open = true;
    dialog.peer = peer;
    dialog.name = 0x0100;
    dialog.acknowledged = 65534;
    dialog.next = static_cast<std::uint16_t>(65534 + in_flight);
  }
};

}  // namespace

TEST(nifdy_rank, counts_packets_in_front) {
  rank_unit r;
  const unsigned a = r.enter(1), b = r.enter(2), c = r.enter(1), d = r.enter(1);
  EXPECT_EQ(r.unit.rank(a, r.view()), 0u);
  EXPECT_EQ(r.unit.rank(b, r.view()), 0u);
  EXPECT_EQ(r.unit.rank(c, r.view()), 1u);
  EXPECT_EQ(r.unit.rank(d, r.view()), 2u);
  r.outstanding(1);
  EXPECT_EQ(r.unit.rank(d, r.view()), 3u);
  r.unit.remove(a);
  EXPECT_EQ(r.unit.rank(d, r.view()), 2u);
  r.tags.count = 0;
  EXPECT_TRUE(r.unit.eligible(c, r.view()));
  EXPECT_FALSE(r.unit.eligible(d, r.view()));
}

TEST(nifdy_rank, sends_one_scalar_packet_a_destination_and_as_many_as_the_table_has_entries) {
  rank_unit r(of(2));
  const unsigned a = r.enter(1);
  r.enter(1);
  const unsigned c = r.enter(2);
  const unsigned d = r.enter(3);
  EXPECT_EQ(r.unit.choose(0, r.view()), a);
  r.unit.remove(a);
  r.last = head(1);  // the table does not show it yet
  EXPECT_EQ(r.unit.choose(0, r.view()), c);
  r.unit.remove(c);
  r.outstanding(1);
  r.last = head(2);
  EXPECT_FALSE(r.unit.choose(0, r.view()));
  r.outstanding(2);
  r.last.reset();
  EXPECT_FALSE(r.unit.choose(0, r.view()));
  r.tags.count = 1;
  EXPECT_EQ(r.unit.choose(0, r.view()), d);
}

TEST(nifdy_rank, sends_no_scalar_packet_where_one_that_was_sent_again_rests) {
  rank_unit r(of(2));
  const unsigned a = r.enter(1), b = r.enter(2);
  r.enter(3);
  r.resting = {1};
  EXPECT_EQ(r.unit.rank(a, r.view()), 1u);
  EXPECT_EQ(r.unit.choose(0, r.view()), b);
  r.unit.remove(b);
  r.outstanding(2);
  EXPECT_FALSE(r.unit.choose(0, r.view())) << "the entry is taken";
  r.open_dialog(1);
  EXPECT_EQ(r.unit.choose(0, r.view()), a) << "a bulk packet has a sequence number";
}

TEST(nifdy_rank, sends_only_what_has_come_in_full) {
  rank_unit r;
  const unsigned a = r.unit.enter(head(1));
  EXPECT_FALSE(r.unit.choose(0, r.view()));
  r.unit.complete(a);
  EXPECT_TRUE(r.unit.choose(0, r.view()));
}

TEST(nifdy_rank, fills_the_window_of_the_dialog_and_no_more) {
  rank_unit r(of(1, 3));
  r.open_dialog(1, 2);
  const unsigned a = r.enter(1);
  const flit h = r.unit.header(a, r.view());
  EXPECT_EQ(nifdy::header_of(h).flags, nifdy::bulk);
  EXPECT_EQ(nifdy::header_of(h).sequence, 0u);  // 65534 + 2
  EXPECT_EQ(nifdy::header_of(h).dialog, 0x0100u);
  EXPECT_EQ(h.source, 9u);  // routers may choose channels by it
  EXPECT_TRUE(r.unit.eligible(a, r.view()));
  r.last = h;
  const unsigned b = r.enter(1);
  r.unit.remove(a);
  EXPECT_FALSE(r.unit.eligible(b, r.view()));
  r.last.reset();
  r.open_dialog(1, 3);
  EXPECT_FALSE(r.unit.eligible(b, r.view()));
  r.dialog.acknowledged = 65535;
  EXPECT_TRUE(r.unit.eligible(b, r.view()));
}

TEST(nifdy_rank, needs_no_table_entry_in_a_dialog) {
  rank_unit r(of(1));
  r.open_dialog(1);
  r.outstanding(2);
  const unsigned a = r.enter(3), b = r.enter(1);
  EXPECT_FALSE(r.unit.eligible(a, r.view()));
  EXPECT_TRUE(r.unit.eligible(b, r.view()));
}

TEST(nifdy_rank, waits_for_the_last_acknowledgement_before_it_is_scalar_again) {
  rank_unit r;
  r.open_dialog(1, 1);
  r.dialog.leaving = true;
  const unsigned a = r.enter(1);
  EXPECT_FALSE(r.unit.eligible(a, r.view()));
  r.dialog = {};
  EXPECT_TRUE(r.unit.eligible(a, r.view()));
  EXPECT_EQ(nifdy::header_of(r.unit.header(a, r.view())).flags, 0);
}

TEST(nifdy_rank, nothing_follows_the_exit_bit) {
  rank_unit r;
  r.open_dialog(1);
  const unsigned a = r.enter(1, nifdy::exit), b = r.enter(1);
  const flit h = r.unit.header(a, r.view());
  EXPECT_EQ(nifdy::header_of(h).flags, nifdy::bulk | nifdy::exit);
  r.unit.remove(a);
  r.last = h;
  EXPECT_FALSE(r.unit.eligible(b, r.view()));
}

TEST(nifdy_rank, asks_for_one_dialog_at_a_time_and_not_in_the_last_packet) {
  rank_unit r;
  const unsigned a = r.enter(1, nifdy::request), b = r.enter(2, nifdy::request),
                 c = r.enter(3, nifdy::request | nifdy::exit);
  EXPECT_EQ(nifdy::header_of(r.unit.header(a, r.view())).flags, nifdy::request);
  EXPECT_EQ(nifdy::header_of(r.unit.header(c, r.view())).flags, 0);
  r.last = r.unit.header(a, r.view());
  EXPECT_EQ(nifdy::header_of(r.unit.header(b, r.view())).flags, 0);
  r.last.reset();
  r.dialog.requested = true;
  EXPECT_EQ(nifdy::header_of(r.unit.header(b, r.view())).flags, 0);
  r.dialog.requested = false;
  r.open_dialog(1);
  EXPECT_EQ(nifdy::header_of(r.unit.header(b, r.view())).flags, 0);
  nifdy_config none = of(8);
  none.dialogs = 0;
  rank_unit scalar_only(none);
  EXPECT_EQ(
      nifdy::header_of(scalar_only.unit.header(scalar_only.enter(1, nifdy::request), scalar_only.view()))
          .flags,
      0);
}

TEST(nifdy_rank, asks_by_itself_while_the_pool_has_more_for_the_destination) {
  nifdy_config config = of(8);
  config.automatic_requests = true;
  rank_unit r(config);
  const unsigned a = r.enter(1), other = r.enter(2, nifdy::request), b = r.enter(1), c = r.enter(1);
  EXPECT_TRUE(nifdy::has(r.unit.header(a, r.view()), nifdy::request));
  EXPECT_FALSE(nifdy::has(r.unit.header(other, r.view()), nifdy::request)) << "whatever software says";
  r.unit.remove(a);
  r.open_dialog(1);
  EXPECT_FALSE(nifdy::has(r.unit.header(b, r.view()), nifdy::exit));
  r.unit.remove(b);
  EXPECT_TRUE(nifdy::has(r.unit.header(c, r.view()), nifdy::exit)) << "nothing waits behind it";
}

TEST(nifdy_rank, leaves_a_dialog_that_the_receiver_ends) {
  rank_unit r;
  r.open_dialog(1);
  EXPECT_FALSE(r.unit.can_leave(r.view()));
  r.dialog.ending = true;
  EXPECT_TRUE(r.unit.can_leave(r.view()));
  EXPECT_EQ(nifdy::header_of(r.unit.leave_header(r.view())).flags, nifdy::bulk | nifdy::exit);
  const unsigned a = r.enter(1);  // the next packet can say it instead
  EXPECT_FALSE(r.unit.can_leave(r.view()));
  EXPECT_EQ(nifdy::header_of(r.unit.header(a, r.view())).flags, nifdy::bulk | nifdy::exit);
}

TEST(nifdy_rank, lets_bypassing_packets_go_at_once) {
  rank_unit r(of(1));
  r.outstanding(1);
  const unsigned a = r.enter(1), b = r.enter(1, nifdy::bypass);
  EXPECT_FALSE(r.unit.eligible(a, r.view()));
  EXPECT_TRUE(r.unit.eligible(b, r.view()));
  EXPECT_EQ(r.unit.rank(a, r.view()), 1u);
  EXPECT_EQ(nifdy::header_of(r.unit.header(b, r.view())).flags, nifdy::bypass);
}

TEST(nifdy_rank, takes_turns_or_the_oldest) {
  for (const nifdy_choice choice : {nifdy_choice::oldest, nifdy_choice::round_robin}) {
    nifdy_config config = of(8);
    config.choice = choice;
    config.pool = 3;
    rank_unit r(config);
    std::vector<unsigned> slots;
    for (unsigned i = 0; i < 3; ++i) r.enter(i + 1);
    for (unsigned i = 0; i < 4; ++i) {
      slots.push_back(*r.unit.choose(0, r.view()));
      const std::uint32_t to = r.unit.head(slots.back()).destination;
      r.unit.remove(slots.back());
      r.enter(to);
    }
    EXPECT_EQ(slots, (std::vector<unsigned>{0, 1, 2, 0}));
    // The buffer that is filled again is the youngest, but its turn comes all the same.
    r.unit.remove(1);
    r.enter(7);
    const unsigned next = *r.unit.choose(0, r.view());
    EXPECT_EQ(next, choice == nifdy_choice::oldest ? 2u : 1u);
  }
}

TEST(nifdy_rank, without_the_protocol_it_is_a_queue) {
  nifdy_config config = of(1).without_protocol();
  rank_unit r(config);
  r.outstanding(1);
  const unsigned a = r.enter(1);
  r.enter(1);
  EXPECT_EQ(r.unit.choose(0, r.view()), a);
}

// Also where the others have turns: the turn is behind the buffer that is filled again first.
TEST(nifdy_rank, without_the_protocol_it_is_a_queue_whoever_has_his_turn) {
  nifdy_config config = of(8).without_protocol();
  config.choice = nifdy_choice::round_robin;
  rank_unit r(config);
  const unsigned gone = r.enter(1);
  ASSERT_EQ(r.unit.choose(0, r.view()), gone);
  r.unit.remove(gone);
  const unsigned first = r.enter(2), second = r.enter(3);
  ASSERT_EQ(first, gone);
  EXPECT_EQ(r.unit.choose(0, r.view()), first);
  r.unit.remove(first);
  EXPECT_EQ(r.unit.choose(0, r.view()), second);
}

TEST(nifdy_config, without_the_protocol_it_has_as_many_buffers) {
  nifdy_config config;
  for (config.pool = 1; config.pool < 20; ++config.pool)
    for (config.window = 0; config.window < 9; ++config.window) {
      const nifdy_config plain = config.without_protocol();
      const unsigned total = config.pool + config.dialogs * config.window + config.arrivals;
      EXPECT_EQ(plain.pool + plain.arrivals, total);
      EXPECT_GE(2 * plain.arrivals, total);
      EXPECT_FALSE(plain.bulk());
    }
}

TEST(nifdy_config, without_the_protocol_it_has_what_the_pool_cannot_hold_for_arrivals) {
  nifdy_config config;
  config.pool = 64, config.dialogs = 2, config.window = 64, config.arrivals = 3;
  const nifdy_config plain = config.without_protocol();
  EXPECT_NO_THROW(plain.check());
  EXPECT_EQ(plain.pool, 64u);
  EXPECT_EQ(plain.arrivals, 131u);
}

TEST(nifdy_config, names_what_is_wrong) {
  const auto wrong = [](auto change) {
    nifdy_config config;
    change(config);
    try {
      config.check();
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(wrong([](nifdy_config&) {}), "");
  struct bound {
    const char* of;
    unsigned nifdy_config::*size;
    std::optional<unsigned> low;  // where 0 is not the least
    std::optional<unsigned> high;
  };
  for (const bound& b : std::vector<bound>{{"outstanding", &nifdy_config::outstanding, 1, 32},
                                           {"pool", &nifdy_config::pool, 1, 64},
                                           {"dialogs", &nifdy_config::dialogs, {}, 64},
                                           {"window", &nifdy_config::window, {}, 1024},
                                           {"arrivals", &nifdy_config::arrivals, 1, {}},
                                           {"packet_length", &nifdy_config::packet_length, 1, 65535},
                                           {"terminal", &nifdy_config::terminal, {}, (1u << 28) - 1},
                                           {"ack_length", &nifdy_config::ack_length, 1, 65535},
                                           {"ack_processing", &nifdy_config::ack_processing, 2, {}},
                                           {"networks", &nifdy_config::networks, 1, 2}}) {
    const auto said_of = [&](unsigned value) { return wrong([&](nifdy_config& c) { c.*b.size = value; }); };
    const auto refused = [&](unsigned value) {
      EXPECT_NE(said_of(value).find(", found " + std::to_string(value)), std::string::npos)
          << b.of << ' ' << value;
    };
    if (b.low) refused(*b.low - 1);
    EXPECT_EQ(said_of(b.low.value_or(0)), "") << b.of;
    if (!b.high) continue;
    EXPECT_EQ(said_of(*b.high), "") << b.of;
    refused(*b.high + 1);
  }
  EXPECT_NE(wrong([](nifdy_config& c) { c.piggyback = c.timeout = 9; }).find("timeout"), std::string::npos);
}
