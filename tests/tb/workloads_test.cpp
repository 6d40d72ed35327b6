// Workloads alone, on terminals that send a packet in a few cycles and an ideal network.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <spillway/tb/built_in/built_in.hpp>
#include <spillway/tb/workloads/em3d_graph.hpp>
#include <spillway/tb/workloads/job.hpp>
#include <spillway/tb/workloads/message_library.hpp>
#include <spillway/tb/workloads/workload.hpp>
#include <support/dice.hpp>

using namespace spillway;
using nlohmann::json;
using spillway::testing_support::dice;

namespace {

constexpr std::uint16_t packet_words = 6;

json library(bool in_order, unsigned bulk_from = 2) {
  return {{"in_order", in_order}, {"placing", 10}, {"bulk_from", bulk_from}};
}

/// Of some interface.
packet_requests requests() {
  packet_requests known;
  known.of_several = 5;
  known.last_of_them = 9;
  return known;
}

workload_plan planned(const char* kind, std::uint32_t terminals, const json& section,
                      std::uint64_t seed = 1) {
  static const catalogue all = standard_catalogue();
  return all.of<workload_entry>().at(kind).plan({terminals, packet_words, seed, section, requests()});
}

struct sent_packet {
  std::uint64_t cycle;
  std::uint32_t source;
  packet_order order;
};

/// Runs a plan until nobody sends any more; `pace`: cycles that a terminal needs for a packet, at most.
class machine {
public:
  machine(const workload_plan& plan, std::uint32_t terminals, unsigned pace = 1, std::uint32_t seed = 1)
      : dice_(seed), pace_(pace), free_at_(terminals), reached_(terminals) {
    for (std::uint32_t t = 0; t < terminals; ++t) supplies_.push_back(plan.make(t));
  }

  void run(std::uint64_t limit) {
    for (; now_ < limit && !over(); ++now_) {
      pass_barrier();
      for (std::uint32_t t = 0; t < supplies_.size(); ++t) step(t);
      deliver();
    }
  }
  std::vector<sent_packet> sent;
  std::vector<std::uint64_t> barrier_cycles;
  std::uint64_t now() const { return now_; }
  bool over() const {
    return under_way_.empty() &&
           std::all_of(supplies_.begin(), supplies_.end(), [](const auto& s) { return s->exhausted(); });
  }

private:
  void step(std::uint32_t t) {
    packet_supply& s = *supplies_[t];
    if (now_ >= free_at_[t] && s.due(now_, 0) == now_) {
      sent.push_back({now_, t, s.take(now_)});
      EXPECT_GT(s.due(now_, 1), now_) << "a packet beside the one that waits";
      free_at_[t] = now_ + 1 + dice_.below(pace_);
      under_way_.emplace(free_at_[t] + 5, sent.size() - 1);
    }
    if (now_ >= free_at_[t]) reached_[t] = s.barriers();
  }
  void deliver() {
    while (!under_way_.empty() && under_way_.begin()->first <= now_) {
      const sent_packet& p = sent[under_way_.begin()->second];
      flit f;
      f.source = p.source;
      f.length = 1;
      f.payload = p.order.data;
      supplies_[p.order.destination]->arrived(now_, f);
      under_way_.erase(under_way_.begin());
    }
  }
  void pass_barrier() {
    const std::uint32_t least = *std::min_element(reached_.begin(), reached_.end());
    if (least == barrier_cycles.size()) return;
    ASSERT_EQ(least, barrier_cycles.size() + 1);
    barrier_cycles.push_back(now_);
    for (auto& s : supplies_) s->passed(now_, least);
  }

  std::vector<std::unique_ptr<packet_supply>> supplies_;
  dice dice_;
  const unsigned pace_;
  std::vector<std::uint64_t> free_at_;
  std::vector<std::uint32_t> reached_;
  std::multimap<std::uint64_t, std::size_t> under_way_;
  std::uint64_t now_ = 0;
};

bool asks(const packet_order& o) { return o.interface_word == requests().of_several; }
bool ends(const packet_order& o) { return o.interface_word == requests().last_of_them; }

}  // namespace

// That a program waits is no fault of a run that was ended early; that its data are wrong always is.
TEST(jobs, have_a_fault_though_something_of_theirs_waits) {
  struct faulty final : measurement {
    explicit faulty(std::string words) : words_(std::move(words)) {}
    std::string fault() const override { return words_; }
    const std::string words_;
  };
  const auto where = std::make_shared<job_terminals>(std::vector<std::uint32_t>{0}, 1);
  const auto found = [&](const std::vector<std::string>& faults) {
    std::vector<std::unique_ptr<measurement>> all;
    for (const std::string& one : faults) all.push_back(std::make_unique<faulty>(one));
    return job_measure("a", where, std::move(all)).fault();
  };
  EXPECT_EQ(found({}), "");
  EXPECT_EQ(found({"", "waiting", "wrong data", "late"}), "wrong data");
  EXPECT_EQ(found({"waiting", "", "stuck"}), "stuck");
  EXPECT_EQ(found({"waiting", ""}), "waiting");
}

TEST(message_library, packets_hold_the_words_and_no_packet_more_than_needed) {
  const message_library unordered(library(false), packet_words), ordered(library(true), packet_words);
  for (std::uint32_t words = 1; words < 200; ++words) {
    // 6 words: header, place, 4 of data; in order later packets need no place.
    const std::uint32_t n = unordered.packets(words), m = ordered.packets(words);
    EXPECT_GE(4 * n, words);
    EXPECT_LT(4 * (n - 1), words);
    EXPECT_GE(4 + 5 * (m - 1), words);
    if (m > 1) {
      EXPECT_LT(4 + 5 * (m - 2), words);
    }
  }
  EXPECT_EQ(unordered.packets(80), 20u);
  EXPECT_EQ(ordered.packets(80), 17u);
  EXPECT_EQ(unordered.placing(), 10u);
  EXPECT_EQ(ordered.placing(), 0u);
}

TEST(message_library, long_messages_ask_for_a_dialog_and_end_it) {
  const message_library some(library(false, 3), packet_words, requests()),
      never(library(false, 0), packet_words, requests()), nobody(library(false, 3), packet_words);
  for (const std::uint32_t packets : {1u, 2u, 3u, 7u})
    for (std::uint32_t i = 0; i < packets; ++i) {
      const unsigned expected = packets < 3 ? 0 : i + 1 < packets ? 5 : 9;
      EXPECT_EQ(some.interface_word(i, packets), expected);
      EXPECT_EQ(never.interface_word(i, packets), 0u);
      EXPECT_EQ(nobody.interface_word(i, packets), 0u);
    }
  EXPECT_THROW(message_library(library(false), 2), std::invalid_argument);
}

TEST(cshift, sends_to_every_other_terminal_once_and_in_order) {
  constexpr std::uint32_t n = 7;
  machine m(planned("cshift", n, {{"words", 11}, {"barriers", false}, {"library", library(false)}}), n, 4);
  m.run(10000);
  EXPECT_TRUE(m.over());
  EXPECT_TRUE(m.barrier_cycles.empty());
  std::vector<std::uint32_t> made(n);
  for (const sent_packet& p : m.sent) {
    const std::uint32_t i = made[p.source]++;
    EXPECT_EQ(p.order.destination, (p.source + 1 + i / 3) % n);  // 11 words: 3 packets
    EXPECT_EQ(asks(p.order), i % 3 != 2);
    EXPECT_EQ(ends(p.order), i % 3 == 2);
    EXPECT_EQ(p.order.length, packet_words);
  }
  EXPECT_EQ(made, std::vector<std::uint32_t>(n, 3 * (n - 1)));
}

TEST(cshift, with_barriers_no_phase_begins_before_all_have_ended_the_one_before) {
  constexpr std::uint32_t n = 6;
  const workload_plan p =
      planned("cshift", n, {{"words", 8}, {"barriers", true}, {"library", library(false)}});
  EXPECT_TRUE(p.barriers);
  machine m(p, n, 9);
  m.run(10000);
  EXPECT_TRUE(m.over());
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> span;  // phase: first and last cycle
  for (const sent_packet& s : m.sent) {
    const std::uint32_t phase = (s.order.destination + n - s.source) % n;
    const auto [at, added] = span.try_emplace(phase, s.cycle, s.cycle);
    at->second.second = s.cycle;
  }
  ASSERT_EQ(span.size(), n - 1);
  for (std::uint32_t phase = 2; phase < n; ++phase) EXPECT_GT(span[phase].first, span[phase - 1].second);
}

namespace {

json phases(double share, unsigned count) {
  return {{"library", library(false)}, {"share", share},    {"packets", {10, 30}},
          {"lengths", {1, 4}},         {"weights", {3, 1}}, {"phases", count}};
}

}  // namespace

TEST(phases, what_is_sent_does_not_depend_on_the_pace) {
  const auto run = [](unsigned pace) {
    machine m(planned("phases", 8, phases(0.5, 6)), 8, pace, pace);
    m.run(100000);
    EXPECT_TRUE(m.over());
    EXPECT_EQ(m.barrier_cycles.size(), 6u);
    std::vector<std::vector<std::uint32_t>> destinations(8);
    for (const sent_packet& s : m.sent) destinations[s.source].push_back(s.order.destination);
    return destinations;
  };
  const auto fast = run(1);
  EXPECT_EQ(fast, run(7));
  for (std::uint32_t t = 0; t < 8; ++t)
    EXPECT_EQ(std::count(fast[t].begin(), fast[t].end(), t), 0) << "sends to itself";
}

TEST(phases, a_phase_has_the_packets_and_senders_asked_for) {
  constexpr std::uint32_t n = 40;
  machine m(planned("phases", n, phases(0.33, 50)), n);
  m.run(100000);
  ASSERT_EQ(m.barrier_cycles.size(), 50u);
  std::map<std::pair<std::size_t, std::uint32_t>, unsigned> packets;  // by phase and sender
  for (const sent_packet& s : m.sent) {
    const auto phase = std::upper_bound(m.barrier_cycles.begin(), m.barrier_cycles.end(), s.cycle);
    ++packets[{static_cast<std::size_t>(phase - m.barrier_cycles.begin()), s.source}];
  }
  // 2,000 draws of probability 0.33: 660 with a standard deviation of 21.
  EXPECT_NEAR(static_cast<double>(packets.size()), 660, 84);
  std::set<unsigned> counts;
  for (const auto& [who, count] : packets) counts.insert(count);
  EXPECT_EQ(*counts.begin(), 10u);
  EXPECT_EQ(*counts.rbegin(), 30u);
}

TEST(phases, wrong_parameters_are_refused) {
  json section = phases(1, 0);
  EXPECT_FALSE(planned("phases", 4, section).ends);
  section["weights"] = {1};
  EXPECT_THROW(planned("phases", 4, section), std::invalid_argument);
  section["weights"] = {0, 0};
  EXPECT_THROW(planned("phases", 4, section), std::invalid_argument);
  section = phases(1, 0);
  section["packets"] = {11, 10};
  EXPECT_THROW(planned("phases", 4, section), std::invalid_argument);
  section["packets"] = {10, 10};
  EXPECT_NO_THROW(planned("phases", 4, section));
  EXPECT_THROW(planned("phases", 1, phases(1, 0)), std::invalid_argument);
}

TEST(em3d_graph, has_the_edges_asked_for) {
  em3d_config config;
  config.processors = 32;
  config.local_p = 80;
  config.dist_span = 5;
  const em3d_graph g(config);
  std::uint64_t values = 0;
  for (const unsigned half : {0u, 1u})
    for (std::uint32_t from = 0; from < 32; ++from) {
      std::uint32_t last = 0;
      for (const auto& t : g.sends(from, half)) {
        const std::uint32_t away = (t.processor + 32 - from) % 32;
        EXPECT_TRUE((away >= 1 && away <= 5) || (away >= 27 && away <= 31)) << away;
        EXPECT_GT(away, last) << "the one that follows comes first";
        last = away;
        EXPECT_GE(t.values, 1u);
        EXPECT_LE(t.values, config.n_nodes);
        values += t.values;
      }
    }
  // Of 2 halves x 32 x 200 x 10 edges 20 % are remote, 25,600 or 40 for each of 640 transfers. Of 200 values
  // each takes one, and a value goes once to a processor that needs it twice: 200 (1 - (1 - 1/200)^40)
  // = 36.3.
  EXPECT_NEAR(static_cast<double>(values), 640 * 36.3, 640);
}

TEST(em3d_graph, local_edges_alone_send_nothing) {
  em3d_config config;
  config.processors = 4;
  config.dist_span = 3;
  config.local_p = 100;
  const em3d_graph g(config);
  for (const unsigned half : {0u, 1u})
    for (std::uint32_t p = 0; p < 4; ++p) {
      EXPECT_TRUE(g.sends(p, half).empty());
      EXPECT_EQ(g.senders(p, half), 0u);
    }
  config.dist_span = 4;
  EXPECT_THROW(em3d_graph{config}, std::invalid_argument);
}

TEST(em3d, every_half_sends_what_the_graph_says_and_waits_for_it) {
  constexpr std::uint32_t n = 8;
  const json section = {{"library", library(true)}, {"n_nodes", 20},   {"d_nodes", 4},     {"local_p", 40},
                        {"dist_span", 3},           {"iterations", 3}, {"value_words", 2}, {"compute", 5}};
  machine m(planned("em3d", n, section, 9), n, 6);
  m.run(100000);
  EXPECT_TRUE(m.over());
  EXPECT_EQ(m.barrier_cycles.size(), 6u);
  em3d_config config{n, 20, 4, 40, 3, 9};
  const em3d_graph g(config);
  const message_library ordered(library(true), packet_words);
  std::uint64_t packets = 0;
  for (const unsigned half : {0u, 1u})
    for (std::uint32_t from = 0; from < n; ++from)
      for (const auto& t : g.sends(from, half)) packets += ordered.packets(2 * t.values);
  EXPECT_EQ(m.sent.size(), 3 * packets);
  EXPECT_TRUE(std::any_of(m.sent.begin(), m.sent.end(), [](auto& s) { return s.order.data > 1; }));
  // 20 nodes of 4 edges each: 400 cycles of computation before the next half is sent.
  std::size_t half = 0;
  for (const sent_packet& s : m.sent) {
    while (half < m.barrier_cycles.size() && s.cycle >= m.barrier_cycles[half]) ++half;
    if (half) {
      EXPECT_GE(s.cycle, m.barrier_cycles[half - 1] + 400);
    }
  }
}

// The last half computes, too, and one that sends nothing.
TEST(em3d, computes_in_every_half) {
  for (const unsigned local : {100u, 40u}) {
    const json section = {{"library", library(true)}, {"n_nodes", 20},  {"d_nodes", 4},
                          {"local_p", local},         {"dist_span", 3}, {"iterations", 2},
                          {"value_words", 2},         {"compute", 5}};
    machine m(planned("em3d", 8, section, 9), 8, 6);
    m.run(100000);
    EXPECT_TRUE(m.over());
    ASSERT_EQ(m.barrier_cycles.size(), 4u);
    for (std::size_t half = 1; half < 4; ++half)
      EXPECT_GE(m.barrier_cycles[half], m.barrier_cycles[half - 1] + 400) << local;
    EXPECT_GE(m.now(), m.barrier_cycles.back() + 400) << local;
  }
}

// A receiver learns how much there is from the messages.
TEST(em3d, waits_for_as_many_packets_as_the_messages_say) {
  const json section = {
      {"library", library(false)}, {"n_nodes", 20},    {"d_nodes", 4}, {"local_p", 0}, {"dist_span", 1},
      {"iterations", 1},           {"value_words", 2}, {"compute", 0}};
  const workload_plan two = planned("em3d", 2, section);
  const auto sender = two.make(0), receiver = two.make(1);
  const auto send_all = [](packet_supply& from, auto&& each) {
    for (std::uint64_t now = 0; from.due(now, 0) == now; ++now) each(from.take(now));
  };
  send_all(*receiver, [](const packet_order&) {});
  std::uint32_t packets = 0;
  send_all(*sender, [&](const packet_order& order) {
    EXPECT_EQ(receiver->barriers(), 0u) << "after " << packets << " of " << order.data;
    flit f;
    f.payload = order.data + 1;  // as a longer message would say
    receiver->arrived(++packets, f);
  });
  EXPECT_GT(packets, 3u);
  EXPECT_EQ(receiver->barriers(), 0u);
  flit last;
  last.payload = packets + 1;
  receiver->arrived(packets + 1, last);
  EXPECT_EQ(receiver->barriers(), 1u);
}

TEST(scan, each_terminal_sends_a_bucket_on_only_after_it_has_come) {
  constexpr std::uint32_t n = 5, buckets = 20;
  for (const std::uint64_t delay : {0u, 13u}) {
    machine m(planned("scan", n, {{"buckets", buckets}, {"delay", delay}}), n, 3);
    m.run(10000);
    EXPECT_TRUE(m.over());
    std::vector<std::vector<std::uint64_t>> at(n);
    for (const sent_packet& s : m.sent) {
      EXPECT_EQ(s.order.destination, s.source + 1);
      at[s.source].push_back(s.cycle);
    }
    EXPECT_TRUE(at[n - 1].empty());
    for (std::uint32_t t = 0; t + 1 < n; ++t) {
      ASSERT_EQ(at[t].size(), buckets);
      for (std::uint32_t b = 0; b < buckets; ++b) {
        if (t) {
          EXPECT_GT(at[t][b], at[t - 1][b]);
        }
        if (b) {
          EXPECT_GE(at[t][b], at[t][b - 1] + delay);
        }
      }
    }
  }
}

TEST(scan, what_came_before_is_due_while_more_arrives) {
  const auto supply = planned("scan", 3, {{"buckets", 20}, {"delay", 0}}).make(1);
  flit f;
  supply->arrived(10, f);
  EXPECT_EQ(supply->due(10, 0), 11u) << "not in the cycle in which it comes";
  supply->arrived(11, f);
  EXPECT_EQ(supply->due(11, 0), 11u);
  supply->take(11);
  EXPECT_EQ(supply->due(11, 0), 12u);
}

TEST(coalesce, every_key_goes_to_another_terminal) {
  constexpr std::uint32_t n = 4, keys = 3000;
  machine m(planned("coalesce", n, {{"keys", keys}}), n);
  m.run(100000);
  EXPECT_EQ(m.sent.size(), n * keys);
  std::vector<unsigned> to(n);
  for (const sent_packet& s : m.sent) {
    EXPECT_NE(s.order.destination, s.source);
    ++to[s.order.destination];
  }
  for (const unsigned count : to) EXPECT_NEAR(count, keys, 5 * 45);  // standard deviation 45
}

TEST(messages, are_sent_in_the_order_of_the_list_each_in_its_time) {
  const json list = {{{"from", 2}, {"to", 0}, {"packets", 3}, {"at", 0}},
                     {{"from", 1}, {"to", 2}, {"packets", 1}, {"at", 50}},
                     {{"from", 2}, {"to", 1}, {"packets", 1}, {"at", 20}},
                     {{"from", 2}, {"to", 0}, {"packets", 2}, {"at", 5}}};
  machine m(planned("messages", 3, {{"messages", list}, {"library", library(false)}}), 3, 4);
  m.run(1000);
  EXPECT_TRUE(m.over());
  std::map<std::uint32_t, std::vector<std::uint32_t>> to;
  for (const sent_packet& p : m.sent) {
    to[p.source].push_back(p.order.destination);
    EXPECT_EQ(asks(p.order) || ends(p.order), p.order.destination == 0) << "a single packet asks for nothing";
    EXPECT_GE(p.cycle, p.source == 1 ? 50u : p.order.destination == 1 ? 20u : 0u);
  }
  EXPECT_EQ(to.size(), 2u);
  EXPECT_EQ(to[1], (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(to[2], (std::vector<std::uint32_t>{0, 0, 0, 1, 0, 0}));
}

namespace {

/// Says something of everything.
struct own_software final : packet_supply {
  std::uint64_t due(std::uint64_t now, std::size_t backlog) override { return now + backlog + 7; }
  packet_order take(std::uint64_t) override {
    packet_order order;
    order.destination = 1;
    return order;
  }
  bool depends_on_backlog() const override { return says; }
  void arrived(std::uint64_t, const flit& f) override { heard.push_back(f); }
  bool exhausted() const override { return says; }
  bool listens() const override { return says; }
  bool shares() const override { return says; }
  std::uint32_t barriers() const override { return 5; }
  void passed(std::uint64_t, std::uint32_t barriers) override { barriers_passed = barriers; }
  std::uint64_t forget() override { return ++resets; }
  bool says = false;
  std::vector<flit> heard;
  std::uint32_t barriers_passed = 0;
  std::uint64_t resets = 0;
};

}  // namespace

TEST(job_supply, is_what_its_software_is_but_for_the_numbers_of_terminals) {
  auto software = std::make_unique<own_software>();
  own_software& inner = *software;
  const auto supply = make_job_supply(
      std::move(software), std::make_shared<job_terminals>(std::vector<std::uint32_t>{6, 2, 4}, 8));
  EXPECT_EQ(supply->due(10, 3), 20u);
  EXPECT_EQ(supply->take(0).destination, 2u);
  for (const bool says : {false, true}) {
    inner.says = says;
    EXPECT_EQ(supply->depends_on_backlog(), says);
    EXPECT_EQ(supply->exhausted(), says);
    EXPECT_EQ(supply->listens(), says);
    EXPECT_EQ(supply->shares(), says) << "whether one thread steps all of its terminals";
  }
  EXPECT_EQ(supply->barriers(), 5u);
  supply->passed(1, 3);
  EXPECT_EQ(inner.barriers_passed, 3u);
  EXPECT_EQ(supply->forget(), 1u);
  EXPECT_EQ(inner.resets, 1u);
  flit f;
  f.source = 4, f.destination = 6;
  supply->arrived(2, f);
  f.source = 3;  // of another job
  supply->arrived(2, f);
  ASSERT_EQ(inner.heard.size(), 1u);
  EXPECT_EQ(inner.heard[0].source, 2u);
  EXPECT_EQ(inner.heard[0].destination, 0u);
}
