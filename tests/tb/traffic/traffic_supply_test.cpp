// Traffic of one terminal: means of every injection, mixes of lengths, streams side by side, some terminals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <spillway/tb/traffic/answering_supply.hpp>
#include <spillway/tb/traffic/injections/batch.hpp>
#include <spillway/tb/traffic/injections/bernoulli.hpp>
#include <spillway/tb/traffic/injections/burst.hpp>
#include <spillway/tb/traffic/injections/exponential.hpp>
#include <spillway/tb/traffic/injections/saturated.hpp>
#include <spillway/tb/traffic/patterns/matrix.hpp>
#include <spillway/tb/traffic/patterns/shift.hpp>
#include <spillway/tb/traffic/patterns/trace.hpp>
#include <spillway/tb/traffic/patterns/uniform.hpp>
#include <spillway/tb/traffic/traffic.hpp>

using namespace spillway;

namespace {

constexpr std::uint32_t terminals = 16;
constexpr std::uint64_t traffic_seed = 5;

struct made {
  std::uint64_t cycle;
  std::uint32_t destination;
  std::uint16_t length;
};
bool operator==(const made& a, const made& b) {
  return a.cycle == b.cycle && a.destination == b.destination && a.length == b.length;
}

std::vector<made> play(packet_supply& supply, std::uint64_t cycles) {
  std::vector<made> all;
  for (std::uint64_t now = 0; now < cycles; ++now)
    while (supply.due(now, 0) <= now) {
      const packet_order order = supply.take(now);
      all.push_back({now, order.destination, order.length});
    }
  return all;
}

std::vector<made> play(const traffic_list& list, std::uint64_t cycles, std::uint32_t terminal = 3,
                       unsigned stream = 0) {
  traffic_supply supply(std::make_shared<traffic_list>(list), terminal, traffic_seed, stream);
  return play(supply, cycles);
}

std::shared_ptr<const pattern> anywhere() { return std::make_shared<uniform_pattern>(terminals); }

double flits(const std::vector<made>& all) {
  double sum = 0;
  for (const made& m : all) sum += m.length;
  return sum;
}

/// A mix of short and long packets: 3.25 flits on average.
packet_lengths mix() { return {{1, 10}, {3, 1}}; }

TEST(injections, offer_the_rate_with_packets_of_any_length) {
  constexpr double cycles = 4000000, rate = 0.3;
  for (const packet_lengths& lengths : {packet_lengths(1), packet_lengths(4), mix()}) {
    const offered_load load{rate, lengths.mean()};
    const std::map<std::string, std::shared_ptr<const injection>> all{
        {"bernoulli", std::make_shared<bernoulli_injection>(load)},
        {"exponential", std::make_shared<exponential_injection>(load)},
        {"blocking", std::make_shared<exponential_injection>(load, true)},
        {"burst", std::make_shared<burst_injection>(load, 4)}};
    for (const auto& [name, when] : all) {
      const auto sent = play({{anywhere(), when, lengths}}, static_cast<std::uint64_t>(cycles));
      // Bursts vary most: five standard deviations of their mean over so many cycles are 1.5 %.
      EXPECT_NEAR(flits(sent) / cycles, rate, 0.0045) << name << " with " << lengths.mean() << " flits";
    }
  }
}

// A burst is of 4 messages of 3 packets, on average 39 flits, after 91 cycles of silence: by the theorem of
// renewals five standard deviations of the mean of so many cycles are 2.7 %. What left out two packets of
// three would offer a quarter too much.
TEST(injections, offer_the_rate_with_messages_of_several_packets) {
  constexpr double cycles = 4000000, rate = 0.3;
  constexpr unsigned message = 3;
  const offered_load load{rate, mix().mean() * message};
  const std::map<std::string, std::shared_ptr<const injection>> all{
      {"bernoulli", std::make_shared<bernoulli_injection>(load)},
      {"exponential", std::make_shared<exponential_injection>(load)},
      {"blocking", std::make_shared<exponential_injection>(load, true)},
      {"burst", std::make_shared<burst_injection>(load, 4)}};
  for (const auto& [name, when] : all) {
    traffic_entry entry{anywhere(), when, mix()};
    entry.message = message;
    const auto sent = play({entry}, static_cast<std::uint64_t>(cycles));
    EXPECT_NEAR(flits(sent) / cycles, rate, 0.0081) << name;
  }
}

TEST(packet_lengths, come_as_often_as_their_weights_say) {
  const packet_lengths lengths({1, 4, 9}, {1, 0, 3});
  EXPECT_DOUBLE_EQ(lengths.mean(), 7);
  EXPECT_EQ(lengths.longest(), 9);
  std::map<std::uint16_t, unsigned> times;
  random_stream random = make_stream(1, 2, 3);
  for (unsigned i = 0; i < 40000; ++i) ++times[lengths.draw(random)];
  EXPECT_EQ(times.size(), 2u);
  EXPECT_NEAR(times[1], 10000, 350);  // standard deviation 87
}

// A mix takes nothing from the streams of times and destinations.
TEST(packet_lengths, change_neither_times_nor_destinations) {
  const auto when = std::make_shared<bernoulli_injection>(offered_load{0.2, 1});
  const auto one = play({{anywhere(), when, 1}}, 5000), mixed = play({{anywhere(), when, mix()}}, 5000);
  ASSERT_EQ(one.size(), mixed.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].cycle, mixed[i].cycle);
    EXPECT_EQ(one[i].destination, mixed[i].destination);
  }
}

// A message's packets come together and to one destination; the rate in flits stays.
TEST(messages, have_packets_that_come_together_and_go_to_one_destination) {
  constexpr std::uint64_t cycles = 400000;
  for (const packet_lengths& lengths : {packet_lengths(4), mix()}) {
    traffic_entry e{anywhere(), std::make_shared<bernoulli_injection>(offered_load{0.4, 8 * lengths.mean()}),
                    lengths};
    e.message = 8;
    const auto sent = play({e}, cycles);
    EXPECT_NEAR(flits(sent) / cycles, 0.4, 0.03);
    std::set<std::uint32_t> destinations;
    for (std::size_t i = 0; i + 7 < sent.size(); i += 8) {
      destinations.insert(sent[i].destination);
      for (std::size_t k = 1; k < 8; ++k) {
        EXPECT_EQ(sent[i + k].cycle, sent[i].cycle);
        EXPECT_EQ(sent[i + k].destination, sent[i].destination);
      }
    }
    EXPECT_EQ(destinations.size(), terminals - 1);
  }
}

// The next entry begins a message of its own.
TEST(messages, end_with_their_entry) {
  traffic_entry five{anywhere(), std::make_shared<bernoulli_injection>(offered_load{0.5, 8})};
  five.message = 8;
  five.messages = 5;
  traffic_entry ones{std::make_shared<shift_pattern>(terminals, 1),
                     std::make_shared<bernoulli_injection>(offered_load{0.5, 1})};
  const auto sent = play({five, ones}, 100);
  ASSERT_GT(sent.size(), 8u);
  EXPECT_EQ(sent[4].cycle, sent[0].cycle);
  for (std::size_t i = 5; i < sent.size(); ++i) EXPECT_EQ(sent[i].destination, 4u);
}

traffic_list at_rate(double rate, packet_lengths lengths = 1) {
  const offered_load load{rate, lengths.mean()};
  return {{anywhere(), std::make_shared<bernoulli_injection>(load), std::move(lengths)}};
}

merged_supply side_by_side(const std::vector<traffic_list>& lists, std::uint32_t terminal) {
  std::vector<std::unique_ptr<timed_supply>> all;
  for (unsigned s = 0; s < lists.size(); ++s)
    all.push_back(std::make_unique<traffic_supply>(std::make_shared<traffic_list>(lists[s]), terminal,
                                                   traffic_seed, s));
  return merged_supply(std::move(all));
}

TEST(streams, rates_add_up_and_each_is_as_it_is_alone) {
  constexpr std::uint64_t cycles = 100000;
  merged_supply both = side_by_side({at_rate(0.1), at_rate(0.25, 5)}, 3);
  const auto sent = play(both, cycles);
  EXPECT_NEAR(flits(sent) / cycles, 0.35, 0.012);
  std::vector<made> parts[2];
  for (const made& m : sent) parts[m.length == 5].push_back(m);
  EXPECT_TRUE(parts[0] == play(at_rate(0.1), cycles, 3, 0));
  EXPECT_TRUE(parts[1] == play(at_rate(0.25, 5), cycles, 3, 1));
}

// Correlation of the counts of packets in windows of two streams, two terminals, and of a stream with itself.
TEST(streams, and_terminals_are_independent_of_each_other) {
  constexpr std::uint64_t windows = 4000, window = 20;
  const auto counts = [&](std::uint32_t terminal, unsigned stream) {
    std::vector<double> n(windows);
    for (const made& m : play(at_rate(0.3), windows * window, terminal, stream)) ++n[m.cycle / window];
    return n;
  };
  const auto correlation = [](const std::vector<double>& a, const std::vector<double>& b) {
    double mean_a = 0, mean_b = 0, ab = 0, aa = 0, bb = 0;
    for (const double x : a) mean_a += x / static_cast<double>(a.size());
    for (const double x : b) mean_b += x / static_cast<double>(b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      ab += (a[i] - mean_a) * (b[i] - mean_b);
      aa += (a[i] - mean_a) * (a[i] - mean_a);
      bb += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return ab / std::sqrt(aa * bb);
  };
  const auto first = counts(3, 0);
  EXPECT_DOUBLE_EQ(correlation(first, first), 1);
  for (const auto& [terminal, stream] : {std::pair{3u, 1u}, {3u, 2u}, {4u, 0u}, {4u, 1u}})
    EXPECT_LT(std::abs(correlation(first, counts(terminal, stream))), 0.07)
        << "more than 4 standard deviations, terminal " << terminal << " stream " << stream;
}

TEST(streams, one_that_waits_for_room_does_not_hold_up_the_others) {
  const traffic_list always{{anywhere(), std::make_shared<saturated_injection>(), 2}};
  merged_supply both = side_by_side({always, at_rate(0.2)}, 3);
  unsigned waited = 0;
  for (std::uint64_t now = 0; now < 1000; ++now)
    while (both.due(now, 1) <= now) {
      EXPECT_EQ(both.take(now).length, 1) << "a packet of the saturated stream although one waits";
      ++waited;
    }
  EXPECT_GT(waited, 100u);
  EXPECT_TRUE(both.depends_on_backlog());
  EXPECT_EQ(both.due(1000, 0), 1000u);
  EXPECT_FALSE(both.exhausted());
}

TEST(traffic_supply_test, the_packets_of_a_message_come_at_once_also_where_room_is_waited_for) {
  traffic_entry e{anywhere(), std::make_shared<saturated_injection>()};
  e.message = 4;
  traffic_supply supply(std::make_shared<traffic_list>(traffic_list{e}), 3, traffic_seed);
  for (std::size_t made = 0; made < 4; ++made) {
    ASSERT_EQ(supply.due(7, made), 7u) << made;
    supply.take(7);
  }
  EXPECT_GT(supply.due(7, 4), 7u);
  EXPECT_EQ(supply.due(9, 0), 9u);
}

// The source would make packets for ever within a cycle.
TEST(streams, one_that_waits_for_room_does_not_hold_up_replies) {
  const traffic_list always{{anywhere(), std::make_shared<saturated_injection>(), 2}};
  answering_supply supply(
      std::make_unique<traffic_supply>(std::make_shared<traffic_list>(always), 3, traffic_seed));
  ASSERT_EQ(supply.due(7, 0), 7u);
  EXPECT_EQ(supply.take(7).kind, flit_kind::data);
  flit request;
  request.source = 9;
  supply.arrived(7, request);
  ASSERT_EQ(supply.due(8, 1), 8u) << "a reply, though a packet waits";
  EXPECT_EQ(supply.take(8).kind, flit_kind::reply);
  EXPECT_GT(supply.due(8, 1), 8u);
  EXPECT_EQ(supply.due(9, 0), 9u);
  EXPECT_EQ(supply.take(9).kind, flit_kind::data);
}

// Of two that are due in a cycle.
TEST(streams, a_terminals_own_packet_goes_before_a_reply) {
  answering_supply supply(
      std::make_unique<traffic_supply>(std::make_shared<traffic_list>(at_rate(1)), 3, traffic_seed));
  ASSERT_EQ(supply.due(0, 0), 0u);
  EXPECT_EQ(supply.take(0).kind, flit_kind::data);
  flit request;
  request.source = 9;
  supply.arrived(0, request);
  ASSERT_EQ(supply.due(1, 0), 1u);
  EXPECT_EQ(supply.take(1).kind, flit_kind::data);
  ASSERT_EQ(supply.due(1, 0), 1u);
  EXPECT_EQ(supply.take(1).kind, flit_kind::reply);
  EXPECT_EQ(supply.due(1, 0), 2u);
}

TEST(streams, are_over_when_all_are) {
  traffic_list short_one = at_rate(0.5), long_one = at_rate(0.5);
  short_one[0].messages = 10;
  long_one[0].messages = 30;
  merged_supply both = side_by_side({short_one, long_one}, 3);
  EXPECT_EQ(play(both, 10000).size(), 40u);
  EXPECT_TRUE(both.exhausted());
  EXPECT_EQ(both.due(10000, 0), packet_supply::never);
}

TEST(entries, begin_no_sooner_than_their_start) {
  traffic_list list = at_rate(1);
  list[0].messages = 5;
  list.push_back(list[0]);
  list[1].start = 100;
  list[1].cycles = 3;
  list.push_back(list[0]);
  const auto sent = play(list, 1000);
  std::vector<std::uint64_t> cycles;
  for (const made& m : sent) cycles.push_back(m.cycle);
  EXPECT_EQ(cycles, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 100, 101, 102, 103, 104, 105, 106, 107}));
}

TEST(entries, are_carried_out_by_those_terminals_that_are_named) {
  traffic_list list = at_rate(1);
  list[0].messages = 5;
  list.push_back({std::make_shared<shift_pattern>(terminals, 1), std::make_shared<batch_injection>()});
  list[0].senders.assign(terminals, false);
  list[0].senders[2] = true;
  EXPECT_EQ(play(list, 100, 2).size(), 6u);
  EXPECT_EQ(play(list, 100, 3), (std::vector<made>{{0, 4, 1}})) << "goes on to the next entry at once";
}

TEST(terminals, a_share_is_drawn_from_a_stream) {
  std::set<std::vector<bool>> different;
  for (std::uint64_t entry = 0; entry < 20; ++entry) {
    const auto some = choose_terminals(0.25, terminals, make_stream(traffic_seed, entry, 6));
    EXPECT_EQ(std::count(some.begin(), some.end(), true), 4);
    different.insert(some);
  }
  EXPECT_GT(different.size(), 15u);
}

TEST(matrix, destinations_come_as_often_as_their_weights_say) {
  const matrix_pattern where(4, {{0, 1, 1}, {0, 3, 2}, {0, 0, 1}, {2, 2, 5}, {1, 0, 0}});
  EXPECT_FALSE(where.silent(0));
  EXPECT_TRUE(where.silent(1)) << "weight 0";
  EXPECT_FALSE(where.silent(2));
  EXPECT_TRUE(where.silent(3)) << "no weight at all";
  std::vector<unsigned> times(4);
  random_stream random = make_stream(1, 2, 3);
  packet_order order;
  for (std::uint64_t i = 0; i < 40000; ++i) {
    where.address(order, 0, i, random);
    ++times[order.destination];
  }
  EXPECT_EQ(times[2], 0u);
  EXPECT_NEAR(times[0], 10000, 350);
  EXPECT_NEAR(times[1], 10000, 350);
  EXPECT_NEAR(times[3], 20000, 400);
}

TEST(trace, says_when_where_and_how_long) {
  scratch_rows<trace_line> lines;
  for (const trace_line& line :
       std::vector<trace_line>{{5, 3, 1, 2}, {5, 2, 7, 1}, {5, 3, 3, 1}, {40, 3, 9, 65535}})
    lines.add(line);
  const auto where = std::make_shared<trace_pattern>(terminals, lines);
  EXPECT_EQ(where->longest_packet(), 65535u);
  EXPECT_EQ(play({{where, where->times()}}, 100), (std::vector<made>{{5, 1, 2}, {5, 3, 1}, {40, 9, 65535}}));
  EXPECT_TRUE(play({{where, where->times()}}, 100, 4).empty());
}

TEST(traffic_supply, needs_arrivals_of_who_is_not_silent) {
  struct nothing final : injection {
    std::shared_ptr<arrivals> start(std::uint32_t) const override { return nullptr; }
  };
  EXPECT_THROW(play({{anywhere(), std::make_shared<nothing>()}}, 10), std::logic_error);
}

}  // namespace
