// The outstanding packet table alone, told by hand what has been sent and what has been acknowledged.
#include <spillway/hw/nifdy/nifdy_table.hpp>
#include <sstream>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

constexpr std::uint32_t own = 9;

struct table_bench {
  bench b{kernel::signals};
  nifdy_table& table = b.make<nifdy_table>("table", nifdy_config{});
  sender& sent = b.make<sender>("sent");
  sender& acks = b.make<sender>("acks");
  sc_core::sc_signal<nifdy::tags> tags{"tags"};
  sc_core::sc_signal<nifdy::dialog> dialog{"dialog"};
  std::uint32_t packet = 0;

  table_bench() {
    const any_link to = b.link("sent_link"), from = b.link("acks_link");
    sent.out.bind(to), table.sent.bind(to);
    acks.out.bind(from), table.acks.bind(from);
    table.tags(tags), table.dialog(dialog);
    b.reset();
  }
  void send(std::uint32_t to, std::uint8_t flags = 0, std::uint16_t name = 0) {
    flit f = make_flit(own, to, packet++);
    nifdy::set_header(f, {flags, 0, name});
    tell(sent, f);
  }
  void acknowledge(std::uint32_t from, std::uint8_t flags = 0, std::uint16_t name = 0,
                   std::uint16_t up_to = 0) {
    flit f = make_flit(from, own, packet++);
    f.kind = flit_kind::acknowledge;
    nifdy::set_header(f, {flags, up_to, name});
    tell(acks, f);
  }
  /// With a dialog of that name with terminal 4, and so many packets under way in it.
  void open(std::uint16_t name, unsigned packets) {
    send(4, nifdy::request);
    acknowledge(4, nifdy::granted, name);
    for (unsigned p = 0; p < packets; ++p) send(4, nifdy::bulk, name);
  }
  double stale() {
    counters all;
    table.count(all);
    return all["nifdy.stale_acks"];
  }

private:
  static void tell(sender& to, const flit& f) {
    to.todo.push_back(f);
    run(8);
  }
};

}  // namespace

TEST(nifdy_table, strikes_out_what_is_acknowledged_and_only_that) {
  table_bench t;
  for (const std::uint32_t to : {3u, 5u, 7u}) t.send(to);
  EXPECT_EQ(t.tags.read().count, 3u);
  t.acknowledge(5);
  EXPECT_TRUE(t.tags.read().holds(3) && !t.tags.read().holds(5) && t.tags.read().holds(7));
  t.acknowledge(5);
  EXPECT_EQ(t.tags.read().count, 2u);
  EXPECT_EQ(t.stale(), 1);
}

TEST(nifdy_table, strikes_out_nothing_for_an_acknowledgement_of_another_bit) {
  table_bench t;
  t.send(3, nifdy::toggle);
  t.acknowledge(3);
  EXPECT_TRUE(t.tags.read().holds(3));
  EXPECT_EQ(t.stale(), 1);
  t.acknowledge(3, nifdy::toggle);
  EXPECT_EQ(t.tags.read().count, 0u);
}

TEST(nifdy_table, a_request_is_answered_by_whom_it_was_sent_to) {
  table_bench t;
  t.send(3);
  t.send(4, nifdy::request);
  t.acknowledge(3, nifdy::granted, 0x0100);
  EXPECT_TRUE(t.dialog.read().requested && !t.dialog.read().open);
  t.acknowledge(4, nifdy::refused);
  EXPECT_TRUE(!t.dialog.read().requested && !t.dialog.read().open);
  t.open(0x0200, 0);
  EXPECT_TRUE(t.dialog.read().open);
  EXPECT_EQ(t.dialog.read().peer, 4u);
  EXPECT_EQ(t.tags.read().count, 0u) << "a dialog takes no entry";
}

TEST(nifdy_table, acknowledgements_of_a_dialog_may_overtake_each_other) {
  table_bench t;
  t.open(0x0100, 6);
  t.acknowledge(4, nifdy::bulk, 0x0100, 4);
  EXPECT_EQ(t.dialog.read().acknowledged, 4);
  t.acknowledge(4, nifdy::bulk, 0x0100, 2);
  EXPECT_EQ(t.dialog.read().acknowledged, 4);
  EXPECT_EQ(t.stale(), 1);
}

TEST(nifdy_table, hears_nothing_of_other_dialogs_nor_of_packets_that_have_not_been_sent) {
  table_bench t;
  t.open(0x0200, 3);
  t.acknowledge(4, nifdy::bulk, 0x0100, 2);  // the dialog before, by its epoch
  t.acknowledge(5, nifdy::bulk, 0x0200, 2);
  t.acknowledge(4, nifdy::bulk, 0x0200, 4);
  EXPECT_EQ(t.dialog.read().acknowledged, 0);
  EXPECT_EQ(t.stale(), 3);
}

TEST(nifdy_table, a_dialog_is_over_when_all_up_to_its_exit_is_acknowledged) {
  table_bench t;
  t.open(0x0100, 2);
  t.send(4, nifdy::bulk | nifdy::exit, 0x0100);
  t.acknowledge(4, nifdy::bulk, 0x0100, 2);
  EXPECT_TRUE(t.dialog.read().open && t.dialog.read().leaving);
  t.acknowledge(4, nifdy::bulk, 0x0100, 3);
  EXPECT_FALSE(t.dialog.read().open);
  t.open(0x0200, 1);
  t.acknowledge(4, nifdy::bulk | nifdy::refused, 0x0200, 1);
  EXPECT_TRUE(t.dialog.read().open && t.dialog.read().ending) << "asked to leave";
}

TEST(nifdy_table, remembers_that_the_receiver_asks_to_leave_before_the_grant_has_come) {
  table_bench t;
  t.send(4, nifdy::request);
  t.acknowledge(5, nifdy::bulk | nifdy::refused, 0x0100);
  EXPECT_FALSE(t.dialog.read().ending) << "of another terminal";
  t.acknowledge(4, nifdy::bulk | nifdy::refused, 0x0100);
  t.acknowledge(4, nifdy::granted, 0x0100);
  EXPECT_TRUE(t.dialog.read().open && t.dialog.read().ending);
  t.send(4, nifdy::bulk | nifdy::exit, 0x0100);
  t.acknowledge(4, nifdy::bulk, 0x0100, 1);
  t.open(0x0200, 0);
  EXPECT_TRUE(t.dialog.read().open && !t.dialog.read().ending);
}

TEST(nifdy_table, shows_that_the_receiver_asks_to_leave_although_it_acknowledges_nothing_new) {
  table_bench t;
  t.open(0x0100, 2);
  t.acknowledge(4, nifdy::bulk | nifdy::refused, 0x0100, 0);
  EXPECT_TRUE(t.dialog.read().open && t.dialog.read().ending);
}

TEST(nifdy_table, prints_what_it_shows) {
  const auto printed = [](const auto& shown) {
    std::ostringstream os;
    os << shown;
    return os.str();
  };
  nifdy::tags tags;
  EXPECT_EQ(printed(tags), "{}");
  tags.nodes = {3, 7, 9}, tags.count = 2;
  EXPECT_EQ(printed(tags), "{3 7}");
  nifdy::dialog dialog;
  EXPECT_EQ(printed(dialog), "closed");
  dialog.requested = true;
  EXPECT_EQ(printed(dialog), "requested");
  dialog = {}, dialog.open = true, dialog.peer = 4, dialog.next = 9, dialog.acknowledged = 6;
  EXPECT_EQ(printed(dialog), "to 4 next 9 acknowledged 6");
  dialog.leaving = true;
  EXPECT_EQ(printed(dialog), "to 4 next 9 acknowledged 6 leaving");
  dialog.leaving = false, dialog.ending = true;
  EXPECT_EQ(printed(dialog), "to 4 next 9 acknowledged 6 ending");
}
