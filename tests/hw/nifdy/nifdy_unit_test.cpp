#include <algorithm>
#include <cmath>
#include <hw/nifdy/nifdy_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

class nifdy_on : public sc_test, public testing::WithParamInterface<kernel> {};

nifdy_config tight() {
  nifdy_config config;
  config.outstanding = 2;
  config.pool = 4;
  config.window = 3;
  config.packet_length = 3;
  config.ack_length = 2;
  return config;
}

/// Cycles between the heads of consecutive packets from terminal 0 as they enter the network.
std::vector<std::uint64_t> intervals(const std::vector<std::uint64_t>& at) {
  std::vector<std::uint64_t> gaps;
  for (std::size_t i = 1; i < at.size(); ++i) gaps.push_back(at[i] - at[i - 1]);
  return gaps;
}

/// Processors pause for longer than the timeout, so that a copy is under way when the first is acknowledged:
/// the next packet may overtake it.
void expect_all_once_with_pauses(kernel k, unsigned dialogs) {
  nifdy_config config;
  config.dialogs = dialogs;
  config.arrivals = 64;
  config.timeout = 300;
  nifdy_bench n(k, config, {3, 5, 100});
  n.random_messages(150, 4, 1, 6);
  n.b.reset();
  for (unsigned c = 0; c < 400 && n.to_come(); ++c) {
    const bool pause = c % 2 == 0;
    for (receiver* const r : n.receivers) r->rate = pause ? 0 : 100;
    run(pause ? 280 + 7 * (c % 9) : 90);
  }
  for (receiver* const r : n.receivers) r->rate = 100;
  ASSERT_TRUE(n.finish(100000)) << n.to_come() << " flits are missing, " << n.b.first_violation();
  n.expect_all_in_order();
  EXPECT_GT(n.count()["nifdy.retransmissions"], 50);
  EXPECT_EQ(n.held_flits(), 0u);
}

}  // namespace

TEST_P(nifdy_on, delivers_messages_in_order_over_a_network_that_does_not) {
  nifdy_config config = tight();
  nifdy_bench n(GetParam(), config, {});
  n.random_messages(40, 6, 3, 1);
  n.b.reset();
  ASSERT_TRUE(n.finish(60000)) << n.to_come() << " flits are missing";
  n.expect_all_in_order();
  counters c = n.count();
  EXPECT_EQ(c["nifdy.most_outstanding"], 2);
  EXPECT_GT(c["nifdy.bulk_packets"], 50);
  EXPECT_GT(c["nifdy.bulk_out_of_order"], 10);
  EXPECT_EQ(c["nifdy.bulk_strays"], 0);
  EXPECT_GT(c["nifdy.dialogs_refused"], 0);
  EXPECT_EQ(c["nifdy.dialogs_granted"], c["nifdy.bulk_grants"]);
  EXPECT_EQ(n.held_flits(), 0u);
  for (const auto& unit : n.units) EXPECT_EQ(unit->open_dialogs(), 0u);
}

TEST_P(nifdy_on, without_the_protocol_the_same_network_misorders) {
  nifdy_bench n(GetParam(), tight().without_protocol(), {});
  n.message(0, 1, 30, 3);
  n.b.reset();
  ASSERT_TRUE(n.finish(5000));
  std::vector<std::uint32_t> order;
  for (const passage& p : n.receivers[1]->got) order.push_back(p.data.packet);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(n.count()["nifdy.acks"], 0);
}

TEST_P(nifdy_on, takes_a_round_trip_and_the_processing_for_a_scalar_packet) {
  nifdy_config config;
  config.dialogs = 0;
  config.ack_processing = 2 + (GetParam() == kernel::fast ? 3 : 0);
  nifdy_bench n(GetParam(), config, {2, 20, 20});
  std::vector<std::uint64_t> entered;
  n.networks[0]->watch = [&](std::uint64_t cycle, const std::vector<flit>& p) {
    if (p.front().destination == 1) entered.push_back(cycle);
  };
  n.message(0, 1, 10, 1);
  n.b.reset();
  ASSERT_TRUE(n.finish(2000));
  // 20 cycles in the network and one on each of its two links, there and back; two from the link to the
  // processor; the processing at both ends.
  const std::uint64_t there = 1 + 20 + 1 + 2, back = 1 + 20 + 1;
  EXPECT_EQ(intervals(entered), std::vector<std::uint64_t>(9, there + back + 2 * config.ack_processing));
}

TEST_P(nifdy_on, streams_in_a_dialog) {
  nifdy_config config;
  config.window = 64;
  nifdy_bench n(GetParam(), config, {2, 2, 2});
  n.message(0, 1, 200, 1);
  n.b.reset();
  ASSERT_TRUE(n.finish(2000));
  n.expect_all_in_order();
  const auto& got = n.receivers[1]->got;
  EXPECT_EQ(got.back().cycle - got[20].cycle, got.size() - 21) << "a flit a cycle in bulk mode";
}

TEST_P(nifdy_on, combines_the_acknowledgements_of_half_a_window) {
  nifdy_config config;
  config.window = 8;
  nifdy_bench half(GetParam(), config, {2, 5, 5}, "half");
  config.ack_each = true;
  nifdy_bench each(GetParam(), config, {2, 5, 5}, "each");
  for (nifdy_bench* const n : {&half, &each}) {
    n->message(0, 1, 41, 1);  // one asks, the other 40 are bulk
    n->b.reset();
  }
  ASSERT_TRUE(half.finish(4000));
  for (nifdy_bench* const n : {&half, &each}) {
    n->expect_all_in_order();
    EXPECT_EQ(n->count()["nifdy.bulk_packets"], 40);
  }
  EXPECT_EQ(half.count()["nifdy.acks"], 1 + 10);
  EXPECT_EQ(each.count()["nifdy.acks"], 1 + 40);
}

TEST_P(nifdy_on, holds_one_packet_a_sender_for_a_receiver_that_does_not_listen) {
  nifdy_config config;
  config.dialogs = 0;
  nifdy_bench n(GetParam(), config, {4, 5, 5, 100, 0});
  for (unsigned t = 1; t < 4; ++t) n.message(t, 0, 5, 1);
  n.b.reset();
  run(1000);
  // Two wait in the arrivals FIFO, the third in the network.
  EXPECT_EQ(n.networks[0]->carried, 3u);
  n.receivers[0]->rate = 100;
  ASSERT_TRUE(n.finish(2000));
  n.expect_all_in_order();
}

TEST_P(nifdy_on, holds_a_window_for_a_receiver_that_stops_and_keeps_its_port_free) {
  nifdy_config config;
  config.packet_length = 2;
  nifdy_bench n(GetParam(), config, {3, 5, 5});
  n.message(0, 1, 40, 2);
  n.b.reset();
  run(100);
  n.receivers[1]->rate = 0;
  run(1000);
  // The arrivals FIFO holds two packets, the reorder buffers a window, or less by what does not make half a
  // window; the network nothing.
  const double taken = std::ceil(static_cast<double>(n.receivers[1]->got.size()) / 2);
  const double waiting = n.count()["nifdy.scalar_packets"] + n.count()["nifdy.bulk_packets"] - taken;
  EXPECT_GT(taken, 3);
  EXPECT_LE(waiting, config.arrivals + config.window);
  EXPECT_GT(waiting, config.arrivals + config.window / 2);
  EXPECT_EQ(n.networks[0]->held(), 0u);
  // Acknowledgements still come through the port behind which the dialog stands.
  n.message(1, 2, 5, 1, 9);
  run(500);
  EXPECT_EQ(n.receivers[2]->got.size(), 5u);
  n.receivers[1]->rate = 100;
  ASSERT_TRUE(n.finish(3000));
  n.expect_all_in_order();
}

TEST_P(nifdy_on, sends_scalar_packets_to_others_during_a_dialog) {
  nifdy_config config;
  nifdy_bench n(GetParam(), config, {3, 5, 5});
  std::vector<std::uint32_t> to;
  n.networks[0]->watch = [&](std::uint64_t, const std::vector<flit>& p) {
    if (p.front().source == 0 && p.front().kind == flit_kind::data) to.push_back(p.front().destination);
  };
  n.message(0, 1, 30, 1);
  n.message(0, 2, 1, 1);
  auto& todo = n.senders[0]->todo;
  std::rotate(todo.begin() + 15, todo.end() - 1, todo.end());
  n.b.reset();
  ASSERT_TRUE(n.finish(2000));
  n.expect_all_in_order();
  ASSERT_EQ(to.size(), 31u);
  const auto at = std::find(to.begin(), to.end(), 2u) - to.begin();
  EXPECT_GT(at, 1);
  EXPECT_LT(at, 15) << "it passes those for which the window has no room";
  EXPECT_EQ(n.count()["nifdy.bulk_packets"], 29);
  EXPECT_EQ(n.count()["nifdy.scalar_packets"], 2);
}

TEST_P(nifdy_on, sends_acknowledgements_before_packets_that_wait) {
  constexpr unsigned length = 10;
  nifdy_config config;
  config.window = 16;
  config.packet_length = length;
  nifdy_bench n(GetParam(), config, {3, 5, 5});
  std::vector<std::uint64_t> entered;
  n.networks[0]->watch = [&](std::uint64_t cycle, const std::vector<flit>& p) {
    if (p.front().source == 2 && p.front().kind == flit_kind::data) entered.push_back(cycle);
  };
  n.message(1, 0, 60, length);      // keeps the port of terminal 1 busy all the time
  n.message(2, 1, 20, length, 99);  // scalar
  n.b.reset();
  ASSERT_TRUE(n.finish(4000));
  n.expect_all_in_order();
  const std::vector<std::uint64_t> gaps = intervals(entered);
  // Without packets in the way; an acknowledgement waits for the rest of one packet at most.
  const std::uint64_t alone = *std::min_element(gaps.begin(), gaps.end());
  EXPECT_LE(*std::max_element(gaps.begin(), gaps.end()), alone + length + 1);
}

TEST_P(nifdy_on, acknowledges_at_insertion_when_told_to) {
  nifdy_config config;
  config.dialogs = 0;
  config.ack_when = nifdy_ack::inserted;
  nifdy_bench n(GetParam(), config, {2, 5, 5, 100, 0});
  n.message(0, 1, 9, 1);
  n.b.reset();
  run(1000);
  EXPECT_EQ(n.count()["nifdy.acks"], 2);            // what the FIFO holds
  EXPECT_EQ(n.count()["nifdy.scalar_packets"], 3);  // and one that waits in the network
  n.receivers[1]->rate = 100;
  ASSERT_TRUE(n.finish(2000));
  n.expect_all_in_order();
}

TEST_P(nifdy_on, ends_a_dialog_that_its_sender_has_forgotten) {
  nifdy_config config;
  config.patience = 100;
  nifdy_bench n(GetParam(), config, {3, 5, 5});
  n.message(0, 1, 6, 1);
  n.senders[0]->todo.back().interface_word = 0;  // no exit bit
  n.b.reset();
  run(600);
  EXPECT_EQ(n.count()["nifdy.dialogs_ended_by_receiver"], 1);
  EXPECT_EQ(n.count()["nifdy.dialogs_left_empty"], 1);
  EXPECT_EQ(n.units[1]->open_dialogs(), 0u);
  n.message(0, 1, 1, 1);
  n.message(2, 1, 6, 1);
  ASSERT_TRUE(n.finish(2000));
  n.expect_all_in_order();
  EXPECT_EQ(n.count()["nifdy.scalar_packets"], 3);
  EXPECT_EQ(n.count()["nifdy.bulk_grants"], 2);
}

// It is asked once, which may overtake the grant.
TEST_P(nifdy_on, ends_forgotten_dialogs_over_a_network_that_overtakes) {
  nifdy_config config;
  config.patience = 5;
  config.dialogs = 8;
  nifdy_bench n(GetParam(), config, {9, 5, 100});
  for (unsigned t = 1; t < 9; ++t) {
    n.message(t, 0, 2, 1);
    n.senders[t]->todo.back().interface_word = 0;  // no exit bit
  }
  n.b.reset();
  ASSERT_TRUE(n.finish(2000));
  n.expect_all_in_order();
  EXPECT_EQ(n.units[0]->open_dialogs(), 0u);
  EXPECT_EQ(n.count()["nifdy.dialogs_granted"], 8);
}

TEST_P(nifdy_on, sends_nothing_again_with_a_timeout_without_end) {
  nifdy_config config;
  config.timeout = ~std::uint64_t{0};
  nifdy_bench n(GetParam(), config, {2, 20, 20});
  n.message(0, 1, 10, 1);
  n.b.reset();
  ASSERT_TRUE(n.finish(2000));
  n.expect_all_in_order();
  EXPECT_EQ(n.count()["nifdy.retransmissions"], 0);
}

// The processor takes nothing for longer than the patience, but packets go on to come.
TEST_P(nifdy_on, does_not_end_a_dialog_whose_packets_come) {
  nifdy_config config;
  config.patience = 100;
  config.window = 8;
  nifdy_bench n(GetParam(), config, {2, 5, 5});
  n.message(0, 1, 7, 1);
  auto& todo = n.senders[0]->todo;
  const std::vector<flit> later(todo.begin() + 3, todo.end());
  todo.resize(3);
  n.b.reset();
  run(80);
  ASSERT_EQ(n.units[1]->open_dialogs(), 1u);
  n.receivers[1]->rate = 0;
  for (const flit& f : later) todo.push_back(f), run(60);
  EXPECT_EQ(n.count()["nifdy.dialogs_ended_by_receiver"], 0);
  n.receivers[1]->rate = 100;
  ASSERT_TRUE(n.finish(2000));
  n.expect_all_in_order();
}

TEST_P(nifdy_on, goes_on_in_scalar_mode_when_the_receiver_ends_a_dialog_under_way) {
  nifdy_config config;
  config.patience = 40;
  nifdy_bench n(GetParam(), config, {2, 5, 5, 1});  // the processor is slower than the patience
  n.message(0, 1, 40, 1);
  n.b.reset();
  ASSERT_TRUE(n.finish(40000));
  n.expect_all_in_order();
  EXPECT_GT(n.count()["nifdy.dialogs_ended_by_receiver"], 3);
  EXPECT_EQ(n.count()["nifdy.dialogs_granted"], n.count()["nifdy.bulk_grants"]);
}

TEST_P(nifdy_on, sends_what_needs_no_acknowledgement_at_once) {
  nifdy_config config;
  config.outstanding = 1;
  config.dialogs = 0;
  nifdy_bench n(GetParam(), config, {2, 30, 30});
  n.message(0, 1, 8, 1);
  for (flit& f : n.senders[0]->todo) f.interface_word = nifdy::bypass;
  n.b.reset();
  run(60);
  EXPECT_EQ(n.receivers[1]->got.size(), 8u);
  EXPECT_EQ(n.count()["nifdy.acks"], 0);
  EXPECT_EQ(n.count()["nifdy.bypass_packets"], 8);
}

TEST_P(nifdy_on, lets_acknowledgements_ride_on_packets_back) {
  nifdy_config config;
  config.piggyback = 300;
  config.networks = 2;
  config.packet_length = 2;
  nifdy_bench n(GetParam(), config, {2, 10, 50});
  // Remote calls: terminal 0 asks again when it has its answer.
  n.message(0, 1, 1, 2);
  n.b.reset();
  std::size_t answered = 0, asked = 0;
  for (unsigned c = 0; c < 6000; ++c) {
    run(1);
    for (; answered < n.receivers[1]->got.size(); ++answered)
      if (n.receivers[1]->got[answered].data.tail()) n.message(1, 0, 1, 2, 2, 1);
    for (; asked < n.receivers[0]->got.size(); ++asked)
      if (n.receivers[0]->got[asked].data.tail() && asked < 2 * 19) n.message(0, 1, 1, 2);
  }
  EXPECT_EQ(n.receivers[0]->got.size(), 2 * 20u);
  n.expect_all_in_order();
  EXPECT_EQ(n.count()["nifdy.acks_on_packets"], 2 * 20 - 1);
  EXPECT_EQ(n.count()["nifdy.acks"], 1);  // of the last answer
}

// Four places are taken by acknowledgements that wait for a packet to ride on, which never comes.
TEST_P(nifdy_on, grants_a_dialog_at_once_though_acknowledgements_wait) {
  nifdy_config config;
  config.piggyback = 100000;
  config.networks = 2;
  nifdy_bench n(GetParam(), config, {6, 5, 5});
  for (unsigned t = 1; t < 5; ++t) n.message(t, 0, 1, 1);
  n.b.reset();
  run(200);
  EXPECT_EQ(n.receivers[0]->got.size(), 4u);
  n.message(5, 0, 20, 1);
  ASSERT_TRUE(n.finish(500)) << n.to_come() << " flits are missing";
  n.expect_all_in_order();
  EXPECT_EQ(n.count()["nifdy.bulk_packets"], 19);
}

TEST_P(nifdy_on, has_its_header_in_the_head_only) {
  nifdy_bench n(GetParam(), tight(), {});
  unsigned bodies = 0, headers = 0;
  n.networks[0]->watch = [&](std::uint64_t, const std::vector<flit>& p) {
    headers += p.front().interface_word != 0;
    for (std::size_t i = 1; i < p.size(); ++i, ++bodies) EXPECT_EQ(p[i].interface_word, 0u) << p[i];
  };
  n.random_messages(10, 6, 3, 1);
  n.b.reset();
  ASSERT_TRUE(n.finish(60000));
  n.expect_all_in_order();
  EXPECT_GT(bodies, 100u);
  EXPECT_GT(headers, 50u);
}

TEST_P(nifdy_on, sends_a_grant_before_it_ends_the_dialog) {
  nifdy_config config;
  config.piggyback = 300;
  config.patience = 20;
  config.networks = 2;
  nifdy_bench n(GetParam(), config, {2, 10, 10});
  n.message(0, 1, 3, 1);
  std::deque<flit>& todo = n.senders[0]->todo;
  const std::deque<flit> later(todo.begin() + 1, todo.end());
  todo.resize(1);  // asks, and says no more for a while
  n.b.reset();
  run(500);
  EXPECT_EQ(n.count()["nifdy.dialogs_ended_by_receiver"], 1);
  EXPECT_EQ(n.count()["nifdy.stale_acks"], 0);
  todo = later;
  ASSERT_TRUE(n.finish(2000));
  n.expect_all_in_order();
}

TEST_P(nifdy_on, survives_a_reset_at_work_and_counts_what_is_lost) {
  nifdy_bench n(GetParam(), tight(), {});
  n.random_messages(40, 6, 3, 2);
  n.b.reset();
  run(700);
  std::size_t entered = 0, left = 0;
  n.b.rst(true);
  run(1);  // this edge still belongs to the blocks' old state on the links
  for (const sender* const s : n.senders) entered += s->sent.size();
  for (const receiver* const r : n.receivers) left += r->got.size();
  const std::uint64_t in_network = entered - left;
  run(2);
  std::uint64_t lost = 0;
  for (const auto& unit : n.units) lost += unit->lost_in_reset();
  EXPECT_GT(lost, 10u);
  EXPECT_LE(lost, in_network);
  EXPECT_EQ(n.held_flits(), 0u);
  for (auto* const s : n.senders) {
    while (!s->todo.empty() && !s->todo.front().head()) s->todo.pop_front();  // rest of a packet cut in two
    s->sent.clear();
  }
  for (auto* const r : n.receivers) r->got.clear();
  n.b.rst(false);
  ASSERT_TRUE(n.finish(60000));
  n.expect_all_in_order();
}

TEST_P(nifdy_on, delivers_once_and_in_order_over_networks_that_lose_packets) {
  nifdy_config config = tight();
  config.timeout = 400;
  nifdy_bench n(GetParam(), config, {4, 10, 60, 100, 80});
  n.networks[0]->drop_percent = 10;
  n.random_messages(60, 6, 3, 3);
  n.b.reset();
  ASSERT_TRUE(n.finish(300000, 10000)) << n.to_come() << " flits are missing";
  n.expect_all_in_order();
  EXPECT_GT(n.networks[0]->dropped, 50u);
  EXPECT_GE(n.count()["nifdy.retransmissions"], n.networks[0]->dropped / 2);
  EXPECT_GT(n.count()["nifdy.duplicates_dropped"] + n.count()["nifdy.bulk_duplicates_dropped"], 5);
  EXPECT_EQ(n.held_flits(), 0u);
  for (const auto& unit : n.units) EXPECT_EQ(unit->open_dialogs(), 0u);
}

TEST_P(nifdy_on, delivers_scalar_packets_once_though_others_overtake_what_is_sent_again) {
  expect_all_once_with_pauses(GetParam(), 0);
}

TEST_P(nifdy_on, delivers_dialogs_once_though_others_overtake_what_is_sent_again) {
  expect_all_once_with_pauses(GetParam(), 1);
}

TEST_P(nifdy_on, rests_a_timeout_after_it_has_sent_again) {
  nifdy_config config;
  config.dialogs = 0;
  config.outstanding = 2;
  config.timeout = 200;
  nifdy_bench n(GetParam(), config, {4, 5, 5});
  std::vector<std::pair<std::uint32_t, std::uint64_t>> sent;  // destination, cycle
  n.networks[0]->watch = [&](std::uint64_t cycle, const std::vector<flit>& p) {
    if (p.front().source == 0) sent.emplace_back(p.front().destination, cycle);
  };
  n.networks[0]->drop_percent = 100;
  n.message(0, 1, 2, 1);
  n.b.reset();
  run(100);
  n.networks[0]->drop_percent = 0;
  for (unsigned p = 0; p < 3; ++p) n.message(0, 2, 1, 1), n.message(0, 3, 1, 1);
  ASSERT_TRUE(n.finish(2000));
  n.expect_all_in_order();
  ASSERT_EQ(sent.size(), 9u);
  std::vector<std::uint64_t> to_1, to_others;
  for (const auto& [to, cycle] : sent) (to == 1 ? to_1 : to_others).push_back(cycle);
  ASSERT_EQ(to_1.size(), 3u);
  // The entry that rests is taken, so the others have one.
  EXPECT_EQ(intervals(to_1), std::vector<std::uint64_t>({201, 201}));
  for (const std::uint64_t gap : intervals(to_others)) EXPECT_GE(gap, 14u);
}

TEST_P(nifdy_on, acknowledges_no_duplicate_of_what_the_processor_has_not_accepted) {
  nifdy_config config;
  config.dialogs = 0;
  config.timeout = 100;
  nifdy_bench n(GetParam(), config, {2, 5, 5, 100, 0});
  n.message(0, 1, 1, 1);
  n.b.reset();
  run(1000);
  EXPECT_GT(n.count()["nifdy.duplicates_dropped"], 3);
  EXPECT_EQ(n.count()["nifdy.acks"], 0);
  n.receivers[1]->rate = 100;
  ASSERT_TRUE(n.finish(2000));
  n.expect_all_in_order();
  EXPECT_GT(n.count()["nifdy.acks"], 0);
}

INSTANTIATE_TEST_SUITE_P(kernels, nifdy_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });

namespace {

struct variant {
  const char* name;
  nifdy_config config;
  unsigned drop = 0, take_rate = 70;
};
void PrintTo(const variant& v, std::ostream* os) { *os << v.name; }

nifdy_config with(void (*change)(nifdy_config&)) {
  nifdy_config config = tight();
  change(config);
  return config;
}

class nifdy_variants : public sc_test, public testing::WithParamInterface<variant> {};

}  // namespace

TEST_P(nifdy_variants, is_the_same_on_both_kernels_under_random_traffic) {
  const variant& v = GetParam();
  nifdy_bench a(kernel::signals, v.config, {4, 5, 50, 60, v.take_rate}, "a");
  nifdy_bench z(kernel::fast, v.config, {4, 5, 50, 60, v.take_rate}, "z");
  for (nifdy_bench* const n : {&a, &z}) {
    for (jumble_network* const network : n->networks) network->drop_percent = v.drop;
    n->random_messages(40, 7, 3, 4, v.config.networks);
    n->b.rst(true);
  }
  run(2);
  for (nifdy_bench* const n : {&a, &z}) n->b.rst(false);
  ASSERT_TRUE(a.finish(200000, 5000)) << a.to_come() << " flits are missing";
  for (std::size_t t = 0; t < a.receivers.size(); ++t) {
    EXPECT_EQ(a.senders[t]->sent, z.senders[t]->sent);
    EXPECT_EQ(a.receivers[t]->got, z.receivers[t]->got);
  }
  EXPECT_EQ(a.count(), z.count());
  if (v.config.protocol) a.expect_all_in_order();
  EXPECT_TRUE(z.b.violations.empty()) << z.b.first_violation();
  EXPECT_EQ(a.held_flits(), 0u);
}

class nifdy_windows : public sc_test, public testing::WithParamInterface<unsigned> {};

TEST_P(nifdy_windows, carry_on_when_the_sequence_numbers_wrap) {
  nifdy_config config;
  config.window = GetParam();
  nifdy_bench n(kernel::fast, config, {2, 2, 5});
  constexpr unsigned packets = (1u << 16) + 100;
  n.message(0, 1, packets, 1);
  n.b.reset();
  for (unsigned c = 0; n.receivers[1]->got.size() < (1u << 16) - 50 && c < 20 * packets; c += 10) run(10);
  n.receivers[1]->rate = 5;  // so that all of the window waits in the buffers
  ASSERT_TRUE(n.finish(10000)) << n.to_come() << " flits are missing";
  n.expect_all_in_order();
  counters c = n.count();
  EXPECT_GT(c["nifdy.bulk_packets"], 1 << 16);
  EXPECT_GT(c["nifdy.bulk_out_of_order"], 1000);
  EXPECT_EQ(c["nifdy.bulk_duplicates_dropped"], 0);
}

INSTANTIATE_TEST_SUITE_P(all, nifdy_windows, testing::Values(3, 4, 5, 15));

INSTANTIATE_TEST_SUITE_P(
    all, nifdy_variants,
    testing::Values(
        variant{"scalar", with([](nifdy_config& c) { c.dialogs = 0; })}, variant{"bulk", tight()},
        variant{"two_dialogs", with([](nifdy_config& c) { c.dialogs = 2, c.window = 8; })},
        variant{"window_of_one", with([](nifdy_config& c) { c.window = 1; })},
        variant{"ack_each", with([](nifdy_config& c) { c.ack_each = true; })},
        variant{"inserted", with([](nifdy_config& c) { c.ack_when = nifdy_ack::inserted; })},
        variant{"slow_acks", with([](nifdy_config& c) { c.ack_processing = 9; })},
        variant{"round_robin", with([](nifdy_config& c) { c.choice = nifdy_choice::round_robin; })},
        variant{"automatic", with([](nifdy_config& c) { c.automatic_requests = true; })},
        variant{"two_networks", with([](nifdy_config& c) { c.networks = 2; })},
        variant{"piggyback", with([](nifdy_config& c) { c.networks = 2, c.piggyback = 100; })},
        variant{"impatient", with([](nifdy_config& c) { c.patience = 30; })},
        variant{"buffers", with([](nifdy_config& c) { c = c.without_protocol(); })},
        variant{"lossy", with([](nifdy_config& c) { c.timeout = 500; }), 5},
        variant{"lossy_inserted",
                with([](nifdy_config& c) { c.timeout = 500, c.ack_when = nifdy_ack::inserted; }), 5},
        variant{"lossy_slow_processor", with([](nifdy_config& c) { c.timeout = 300, c.dialogs = 2; }), 10,
                20},
        variant{"lossy_impatient", with([](nifdy_config& c) { c.timeout = 300, c.patience = 1000; }), 5}),
    [](const auto& p) { return std::string(p.param.name); });
