// Parts of a NIFDY unit alone: who waits for the same has his turn, queues keep to their order and their
// bounds.
#include <functional>
#include <hw/nifdy/nifdy_bench.hpp>
#include <spillway/hw/nifdy/nifdy_acks.hpp>
#include <spillway/hw/nifdy/nifdy_arrivals.hpp>
#include <spillway/hw/nifdy/nifdy_port.hpp>
#include <spillway/hw/nifdy/nifdy_reorder.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

flit packet(std::uint32_t source, std::uint32_t number, std::uint8_t flags = 0) {
  flit f = make_flit(source, 9, number);
  nifdy::set_header(f, {flags});
  return f;
}

/// The part that makes acknowledgements, with senders of what it is told and receivers of what it tells.
struct acks_bench {
  bench b{kernel::signals};
  sender& accepted = b.make<sender>("accepted");
  sender& progress = b.make<sender>("progress");
  receiver& out = b.make<receiver>("out", 0);
  receiver& opened = b.make<receiver>("opened", 0);

  explicit acks_bench(std::uint64_t timeout = 0, unsigned processing = 2) {
    nifdy_config config;
    config.terminal = 9, config.dialogs = 4, config.timeout = timeout;
    config.ack_processing = processing;
    auto& acks = b.make<nifdy_acks>("acks", config);
    join(accepted, acks.accepted, "accepted_link"), join(progress, acks.progress, "progress_link");
    join(out, acks.out, "out_link"), join(opened, acks.opened, "opened_link");
  }

private:
  void join(sender& from, packet_in& to, const char* name) {
    const any_link l = b.link(name);
    from.out.bind(l), to.bind(l);
  }
  void join(receiver& to, packet_out& from, const char* name) {
    const any_link l = b.link(name);
    from.bind(l), to.in.bind(l);
  }
};

/// The ports from two networks, with senders into them and a receiver of scalar packets.
struct two_networks {
  bench b{kernel::signals};
  nifdy_port* port = nullptr;
  sender* from[2] = {&b.make<sender>("from0"), &b.make<sender>("from1")};
  receiver& to = b.make<receiver>("to");

  two_networks() {
    nifdy_config config;
    config.networks = 2;
    port = &b.make<nifdy_port>("port", config);
    const any_link in[2] = {b.link("in0"), b.link("in1")}, scalar = b.link("scalar"),
                   acks = b.bare_link("acks"), bulk = b.bare_link("bulk");
    for (unsigned n = 0; n < 2; ++n) from[n]->out.bind(in[n]), port->in[n].bind(in[n]);
    port->scalar.bind(scalar), to.in.bind(scalar);
    port->acks.bind(acks), port->bulk.bind(bulk);
  }
};

}  // namespace

TEST(nifdy_port, networks_take_turns_at_an_exit) {
  two_networks t;
  for (unsigned n = 0; n < 2; ++n)
    for (unsigned p = 0; p < 40; ++p) t.from[n]->todo.push_back(packet(n, p));
  t.b.reset();
  run(100);
  ASSERT_EQ(t.to.got.size(), 80u);
  for (std::size_t i = 4; i + 2 < 70; ++i)
    EXPECT_NE(t.to.got[i].data.source, t.to.got[i + 1].data.source) << i;
}

TEST(nifdy_port, network_0_has_the_first_turn_also_after_a_reset) {
  two_networks t;
  t.from[0]->todo.push_back(packet(0, 0));
  t.b.reset();
  run(20);
  t.b.reset();
  for (unsigned n = 0; n < 2; ++n) t.from[n]->todo.push_back(packet(n, 1));
  run(20);
  ASSERT_EQ(t.to.got.size(), 3u);
  EXPECT_EQ(t.to.got[1].data.source, 0u);
  EXPECT_EQ(t.to.got[2].data.source, 1u);
}

TEST(nifdy_port, holds_as_many_flits_as_it_has_room_for) {
  bench b(kernel::signals);
  const nifdy_config config;
  auto& port = b.make<nifdy_port>("port", config);
  auto& from = b.make<sender>("from");
  auto& to = b.make<receiver>("to", 0);
  const any_link in = b.link("in"), scalar = b.link("scalar"), acks = b.bare_link("acks"),
                 bulk = b.bare_link("bulk");
  from.out.bind(in), port.in[0].bind(in);
  for (unsigned p = 0; p < 10; ++p) from.todo.push_back(packet(1, p));
  port.scalar.bind(scalar), to.in.bind(scalar);
  port.acks.bind(acks), port.bulk.bind(bulk);
  b.reset();
  run(40);
  EXPECT_EQ(from.sent.size(), 3u) << "two of the network, and one at the exit";
}

TEST(nifdy_acks, dialogs_are_opened_in_the_order_of_their_grants) {
  acks_bench t;
  for (const std::uint32_t source : {5u, 3u, 7u})
    t.accepted.todo.push_back(packet(source, 0, nifdy::request));
  t.b.reset();
  run(20);
  t.opened.rate = t.out.rate = 100;
  run(20);
  ASSERT_EQ(t.opened.got.size(), 3u);
  ASSERT_EQ(t.out.got.size(), 3u);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(t.opened.got[i].data.source, std::vector<unsigned>({5, 3, 7})[i]);
    EXPECT_EQ(t.out.got[i].data.destination, std::vector<unsigned>({5, 3, 7})[i]);
  }
}

// Where packets are lost, a packet that comes again gets the answer that it had. After a reset it is another.
TEST(nifdy_acks, forget_in_a_reset_what_they_have_answered) {
  acks_bench t(300);
  t.out.rate = t.opened.rate = 100;
  t.accepted.todo.push_back(packet(5, 0, nifdy::request | nifdy::toggle));
  t.b.reset();
  run(20);
  ASSERT_EQ(t.out.got.size(), 1u);
  EXPECT_TRUE(nifdy::has(t.out.got[0].data, nifdy::granted));
  t.b.reset();
  t.accepted.todo.push_back(packet(5, 1, nifdy::toggle));
  run(20);
  ASSERT_EQ(t.out.got.size(), 2u);
  EXPECT_FALSE(nifdy::has(t.out.got[1].data, nifdy::granted));
}

// Four; as two may come at one edge, a fourth does not come where it would be alone.
TEST(nifdy_acks, take_no_more_than_they_have_room_for) {
  acks_bench t;
  const auto add = [](sender& to, std::uint8_t flags, flit_kind kind) {
    flit f = packet(5, 0, flags);
    f.kind = kind;
    to.todo.push_back(f);
  };
  for (unsigned p = 0; p < 3; ++p) add(t.accepted, 0, flit_kind::data);
  t.b.reset();
  run(20);
  EXPECT_EQ(t.accepted.sent.size(), 3u);
  add(t.accepted, 0, flit_kind::data), add(t.progress, nifdy::bulk, flit_kind::acknowledge);
  run(20);
  EXPECT_EQ(t.accepted.sent.size() + t.progress.sent.size(), 3u);
  t.out.rate = 100;
  run(40);
  EXPECT_EQ(t.out.got.size(), 5u);
  EXPECT_TRUE(t.b.violations.empty()) << t.b.first_violation();
}

TEST(nifdy_acks, take_their_time_for_each_and_one_a_cycle) {
  acks_bench t(0, 50);
  t.out.rate = 100;
  for (std::uint32_t p = 0; p < 100; ++p) t.accepted.todo.push_back(packet(5, p));
  t.b.reset();
  run(200);
  ASSERT_EQ(t.out.got.size(), 100u);
  for (unsigned p = 0; p < 100; ++p)
    EXPECT_EQ(t.out.got[p].cycle - t.accepted.sent[p].cycle, 50u - 2 + 1) << "the pool takes the rest";
  EXPECT_EQ(t.accepted.sent[99].cycle - t.accepted.sent[0].cycle, 99u);
}

namespace {

/// The arrivals FIFO, with senders of what comes.
struct arrivals_bench {
  bench b{kernel::signals};
  sender& scalar = b.make<sender>("scalar");
  sender& bulk = b.make<sender>("bulk");
  receiver& out = b.make<receiver>("out", 0);
  receiver& accepted = b.make<receiver>("accepted", 0);
  const any_link scalar_link = b.link("scalar_link"), bulk_link = b.link("bulk_link");
  nifdy_arrivals* fifo = nullptr;

  explicit arrivals_bench(unsigned places, nifdy_ack when = nifdy_ack::accepted) {
    nifdy_config config;
    config.terminal = 9, config.arrivals = places, config.ack_when = when;
    fifo = &b.make<nifdy_arrivals>("arrivals", config);
    scalar.out.bind(scalar_link), fifo->scalar.bind(scalar_link);
    bulk.out.bind(bulk_link), fifo->bulk.bind(bulk_link);
    const any_link to = b.link("to"), told = b.link("told");
    fifo->out.bind(to), out.in.bind(to);
    fifo->accepted.bind(told), accepted.in.bind(told);
  }
};

}  // namespace

TEST(nifdy_arrivals, hold_as_many_packets_as_they_have_room_for) {
  arrivals_bench t(3);
  for (std::uint32_t p = 0; p < 4; ++p) {
    t.scalar.todo.push_back(packet(p, 0, nifdy::bypass));
    t.bulk.todo.push_back(packet(p, 1, nifdy::bulk));
  }
  t.b.reset();
  run(40);
  EXPECT_EQ(t.fifo->held_flits(), 3u);
  t.out.rate = 100;
  run(40);
  EXPECT_EQ(t.out.got.size(), 8u);
}

// Two: the third waits for its turn.
TEST(nifdy_arrivals, tell_of_no_more_packets_than_they_have_room_for) {
  arrivals_bench t(8);
  for (std::uint32_t p = 0; p < 6; ++p) t.scalar.todo.push_back(packet(p, 0));
  t.out.rate = 100;
  t.b.reset();
  run(40);
  EXPECT_EQ(t.out.got.size(), 2u);
}

TEST(nifdy_arrivals, take_no_more_than_they_can_tell_of) {
  arrivals_bench t(8, nifdy_ack::inserted);
  for (std::uint32_t p = 0; p < 6; ++p) t.scalar.todo.push_back(packet(p, 0));
  t.b.reset();
  run(40);
  EXPECT_EQ(t.scalar.sent.size(), 2u);
}

// While the other input is in the middle of a packet, it takes no head.
TEST(nifdy_arrivals, offer_the_last_place_to_who_alone_can_take_it) {
  arrivals_bench t(3);
  flit head = make_flit(1, 9, 0, 0, 4);
  nifdy::set_header(head, {nifdy::bypass});
  t.scalar.todo.push_back(head);
  t.b.reset();
  run(10);
  t.bulk.todo.push_back(packet(2, 1, nifdy::bulk));
  run(10);
  EXPECT_EQ(t.fifo->held_flits(), 2u);
  EXPECT_EQ(t.bulk_link.ready.read(), 1u);
}

TEST(nifdy_arrivals, forget_in_a_reset_whom_to_acknowledge) {
  arrivals_bench t(2);
  t.scalar.todo.push_back(packet(3, 0));
  t.out.rate = 100;
  t.b.reset();
  run(20);
  ASSERT_EQ(t.out.got.size(), 1u);
  t.b.reset();
  t.accepted.rate = 100;
  run(20);
  EXPECT_EQ(t.accepted.got.size(), 0u);
}

namespace {

struct unit_bench {
  bench b{kernel::signals};
  std::unique_ptr<nifdy_unit> unit;
  sender &software = b.make<sender>("software"), &network = b.make<sender>("network");
  receiver &taken = b.make<receiver>("taken"), &sent = b.make<receiver>("sent");

  unit_bench() {
    nifdy_config config;
    config.terminal = 9;
    config.packet_length = 2;
    unit = b.make_part<nifdy_unit>("unit", config);
    for (clocked* const block : unit->blocks()) b.clock(*block);
    const any_link in = b.link("in"), out = b.link("out"), to = b.link("to"), from = b.link("from");
    software.out.bind(in), unit->in.bind(in);
    unit->out.bind(out), taken.in.bind(out);
    unit->to_network[0].bind(to), sent.in.bind(to);
    network.out.bind(from), unit->from_network[0].bind(from);
  }
};

}  // namespace

class flit_of_the_software : public testing::TestWithParam<std::function<void(flit&)>> {};

TEST_P(flit_of_the_software, that_cannot_be_is_reported) {
  unit_bench t;
  flit f = packet(9, 5);
  GetParam()(f);
  t.software.todo.push_back(f);
  t.b.reset();
  EXPECT_THROW(run(20), sc_core::sc_report);
}

INSTANTIATE_TEST_SUITE_P(flits, flit_of_the_software,
                         testing::Values([](flit& f) { f.length = 2, f.index = 1; },  // the first is missing
                                         [](flit& f) { f.network = 3; }, [](flit& f) { f.length = 0; },
                                         [](flit& f) { f.length = 65535; }));

TEST(nifdy_pool, numbers_acknowledgements_one_after_the_other) {
  unit_bench t;
  for (const std::uint32_t source : {2u, 3u, 4u}) t.network.todo.push_back(packet(source, 5));
  t.b.reset();
  run(200);
  ASSERT_EQ(t.sent.got.size(), 3u);
  for (std::uint32_t n = 0; n < 3; ++n) EXPECT_EQ(t.sent.got[n].data.packet, n);
}

TEST(nifdy_pool, takes_as_many_acknowledgements_as_it_has_room_for) {
  unit_bench t;
  for (std::uint32_t source = 0; source < 30; ++source) t.network.todo.push_back(packet(source, 5));
  t.sent.rate = 0;
  t.b.reset();
  run(400);
  // One acknowledgement is shown, four wait in the pool, three before it, and two in the arrivals FIFO.
  EXPECT_EQ(t.taken.got.size(), 10u);
}

// A timer of each packet would be kept until the timeout, although its packet is acknowledged.
TEST(nifdy_pool, asks_for_one_timer_however_many_packets_it_sends) {
  nifdy_config config;
  config.timeout = 10000, config.dialogs = 0;
  nifdy_bench n(kernel::fast, config, {2, 5, 5});
  n.message(0, 1, 100, 1);
  n.b.reset();
  ASSERT_TRUE(n.finish(4000, 0));
  const auto calls_in = [&n](unsigned cycles) {
    const std::uint64_t before = n.b.domain().calls();
    run(cycles);
    return n.b.domain().calls() - before;
  };
  run(100);
  const std::uint64_t idle = calls_in(4000);  // of the network and the terminals
  run(1000);
  EXPECT_LE(calls_in(4000), idle + 4);
}

namespace {

/// The reorder buffers of one dialog, with senders of what comes and is granted and receivers of the rest.
struct reorder_bench {
  bench b{kernel::signals};
  sender &coming = b.make<sender>("coming"), &granted = b.make<sender>("granted");
  receiver &out = b.make<receiver>("out"), &progress = b.make<receiver>("progress");
  nifdy_reorder* reorder = nullptr;

  explicit reorder_bench(nifdy_config config) {
    config.terminal = 9, config.dialogs = 1;
    reorder = &b.make<nifdy_reorder>("reorder", config);
    const any_link links[4] = {b.link("in"), b.link("opened"), b.link("handed_on"), b.link("progress")};
    coming.out.bind(links[0]), reorder->in.bind(links[0]);
    granted.out.bind(links[1]), reorder->opened.bind(links[1]);
    reorder->out.bind(links[2]), out.in.bind(links[2]);
    reorder->progress.bind(links[3]), progress.in.bind(links[3]);
  }
  static flit of_epoch(unsigned epoch, std::uint32_t number, std::uint16_t sequence = 0) {
    flit f = make_flit(1, 9, number);
    nifdy::set_header(f, {nifdy::bulk, sequence, nifdy::dialog_name(0, epoch)});
    return f;
  }
};

}  // namespace

// Copies of packets of the number's dialog before go on to come, acknowledged again each.
TEST(nifdy_reorder, ends_a_dialog_of_which_nothing_comes_though_late_copies_of_the_one_before_do) {
  nifdy_config config;
  config.timeout = 300, config.patience = 100;
  reorder_bench t(config);
  t.granted.todo.push_back(t.of_epoch(1, 0));
  t.b.reset();
  for (unsigned copy = 0; copy < 4; ++copy) {
    t.coming.todo.push_back(t.of_epoch(0, copy));
    run(40);
  }
  ASSERT_EQ(t.progress.got.size(), 5u);
  const auto refusals = std::count_if(t.progress.got.begin(), t.progress.got.end(), [](const auto& g) {
    return nifdy::header_of(g.data).flags & nifdy::refused;
  });
  EXPECT_EQ(refusals, 1) << "after 100 cycles of 160";
}

TEST(nifdy_reorder, asks_once_to_end_a_dialog_where_nothing_is_lost) {
  nifdy_config config;
  config.patience = 20, config.window = 2;
  reorder_bench t(config);
  t.granted.todo.push_back(t.of_epoch(1, 0));
  t.b.reset();
  run(200);
  ASSERT_EQ(t.progress.got.size(), 1u);
  EXPECT_TRUE(nifdy::has(t.progress.got[0].data, nifdy::refused));
  t.coming.todo.push_back(t.of_epoch(1, 0));
  run(100);
  ASSERT_EQ(t.progress.got.size(), 2u);
  EXPECT_TRUE(nifdy::has(t.progress.got[1].data, nifdy::refused)) << "it may overtake the other";
  t.granted.todo.push_back(t.of_epoch(2, 0));
  run(100);
  EXPECT_EQ(t.progress.got.size(), 3u) << "another dialog";
}

// One reminder waits; what does not come is said again when the sender has repeated its packet.
TEST(nifdy_reorder, has_a_place_a_dialog_for_what_it_says_again) {
  nifdy_config config;
  config.timeout = 300;
  reorder_bench t(config);
  t.progress.rate = 0;
  for (std::uint16_t p = 0; p < 20; ++p) t.coming.todo.push_back(t.of_epoch(3, p, p));
  t.b.reset();
  run(100);
  EXPECT_EQ(t.coming.sent.size(), 20u);
  t.progress.rate = 100;
  run(100);
  EXPECT_EQ(t.progress.got.size(), 1u);
  t.coming.todo.push_back(t.of_epoch(3, 20, 20));
  run(100);
  EXPECT_EQ(t.progress.got.size(), 2u);
}

TEST(nifdy_reorder, has_patience_without_end) {
  nifdy_config config;
  config.patience = ~std::uint64_t{0};
  reorder_bench t(config);
  t.granted.todo.push_back(t.of_epoch(1, 0));
  t.b.reset();
  run(100);
  EXPECT_TRUE(t.progress.got.empty());
}

// The place of what is a window ahead is that of the packet which is due.
TEST(nifdy_reorder, takes_what_is_within_the_window_and_nothing_further_ahead) {
  nifdy_config config;
  config.window = 4;
  reorder_bench t(config);
  t.granted.todo.push_back(t.of_epoch(1, 0));
  t.b.reset();
  run(10);
  for (const std::uint16_t sequence : {4, 3, 2, 1, 0})
    t.coming.todo.push_back(t.of_epoch(1, sequence, sequence));
  run(40);
  ASSERT_EQ(t.out.got.size(), 4u);
  for (std::uint32_t n = 0; n < 4; ++n) EXPECT_EQ(t.out.got[n].data.packet, n);
  counters all;
  t.reorder->count(all);
  EXPECT_EQ(all["nifdy.bulk_strays"], 1);
}
