// Warm-up and confidence intervals against values found by hand.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <spillway/tb/experiment/network_history.hpp>
#include <spillway/tb/measure/meter.hpp>
#include <spillway/tb/measure/steady_state.hpp>
#include <stdexcept>

namespace spillway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Five observations around each value, which average to it.
std::vector<double> groups(const std::vector<double>& means) {
  std::vector<double> all;
  for (const double m : means)
    for (const double away : {-1.0, 0.5, 0.0, -0.5, 1.0}) all.push_back(m + away);
  return all;
}

// Squared error of the mean without the first d: 1.024, 0.250, 0.094 (d = 2), 0.099, 0.111, 0.112.
TEST(mser5, cuts_where_the_mean_of_the_rest_is_surest) {
  const warmup_length found = mser5(groups({12, 6, 3, 1, 3, 1, 2, 2, 3, 1}));
  EXPECT_TRUE(found.settled);
  EXPECT_EQ(found.observations, 10u);
}

TEST(mser5, leaves_nothing_out_of_what_has_settled) {
  const warmup_length found = mser5(groups({3, 1, 3, 1, 2, 2, 3, 1, 3, 1, 2, 2}));
  EXPECT_TRUE(found.settled);
  EXPECT_EQ(found.observations, 0u);
  EXPECT_EQ(mser5(groups(std::vector<double>(10, 7.0))).observations, 0u);
}

// Of 20 groups the first 9 may be cut, and not 10: then the whole first half may be what has not settled.
// Those behind them are 1 and 3 in turns.
TEST(mser5, may_cut_nine_tenths_of_the_first_half_and_no_more) {
  const auto after = [](std::size_t high) {
    std::vector<double> means(high, 100);
    for (std::size_t i = high; i < 20; ++i) means.push_back(i + 1 == 20 ? 2 : (i - high) % 2 ? 3 : 1);
    return mser5(groups(means));
  };
  EXPECT_TRUE(after(9).settled);
  EXPECT_EQ(after(9).observations, 45u);
  EXPECT_FALSE(after(10).settled);
  EXPECT_EQ(after(10).observations, 50u);
}

TEST(mser5, says_when_it_has_found_none) {
  std::vector<double> rising(12);
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<double>(i);
  const warmup_length found = mser5(groups(rising));  // the error of the mean falls as long as values go
  EXPECT_FALSE(found.settled);
  EXPECT_EQ(found.observations, 30u);
  EXPECT_FALSE(mser5(groups(std::vector<double>(9, 7.0))).settled) << "too few groups";
  EXPECT_FALSE(mser5({}).settled);
}

TEST(batch_means, are_students_interval) {
  std::vector<double> batches(20);
  for (std::size_t i = 0; i < 20; ++i) batches[i] = i % 2 ? 3 : 1;
  const mean_interval turns = batch_means(batches);
  EXPECT_EQ(turns.mean, 2);
  EXPECT_NEAR(turns.half_width, 2.0930 * std::sqrt(20.0 / 19 / 20), 1e-5);
  EXPECT_NEAR(turns.correlation, -0.95, 1e-12);  // 19 of 20 products, each -1
  for (std::size_t i = 0; i < 20; ++i) batches[i] = i < 10 ? 1 : 3;
  EXPECT_NEAR(batch_means(batches).correlation, 0.85, 1e-12);  // 9 + 9 - 1 of 20
  EXPECT_EQ(batch_means(batches).half_width, turns.half_width);
  EXPECT_EQ(batch_means(std::vector<double>(20, 5.0)).half_width, 0);
  batches.pop_back();
  EXPECT_THROW(batch_means(batches), std::invalid_argument);
}

/// A packet every ten cycles, which are an interval; what a run of one terminal has then measured.
run_record measured(meter_config config, const std::function<std::uint64_t(std::uint64_t)>& latency) {
  config.interval = 10;
  meter m(config, {false});
  std::vector<delivery> all;
  const std::uint64_t end = config.warmup + config.cycles;
  for (std::uint64_t i = 0; 10 * i < end; ++i) {
    m.created(10 * i, flit{});
    delivery d;
    d.created = d.injected = 10 * i;
    d.cycle = 10 * i + latency(i);
    all.push_back(d);
  }
  for (const delivery& d : all) m.delivered(d);
  run_record r;
  m.report(r, end + 1000, 1);
  return r;
}

// 3 groups of 5 packets that take 50 cycles, then 4 and 6 in turns.
std::uint64_t after_a_warmup(std::uint64_t i) { return i < 15 ? 50 : i % 2 ? 6 : 4; }

TEST(warmup, is_found_and_left_out) {
  meter_config config;
  config.find_warmup = true;
  config.cycles = 1000;
  const run_record r = measured(config, after_a_warmup);
  EXPECT_EQ(r.measured_from, 150u);
  EXPECT_EQ(r.measured_cycles, 850u);
  EXPECT_TRUE(r.warmup_found);
  EXPECT_DOUBLE_EQ(r.latency.mean, (43 * 6 + 42 * 4) / 85.0);
  EXPECT_EQ(r.latency.max, 6);
  EXPECT_EQ(r.classes.at("cool").delivered, 90u);  // 85, and the 5 of the warm-up that arrive later
  EXPECT_DOUBLE_EQ(r.throughput, 90 / 850.0);
  EXPECT_DOUBLE_EQ(r.offered, 85 / 850.0);
  EXPECT_EQ(r.confidence.warning, "");
  EXPECT_NEAR(r.confidence.latency, 0, 1e-12);  // batches of four packets: 4, 6, 4, 6
  EXPECT_NEAR(r.confidence.throughput, 0, 1e-12);
}

// 400 parts of 50 cycles become 100 of 200: what is left out is a multiple of that.
TEST(warmup, is_rounded_up_to_a_part_of_a_long_run) {
  meter_config config;
  config.find_warmup = true;
  config.cycles = 20000;
  const run_record r = measured(config, after_a_warmup);
  EXPECT_EQ(r.measured_from, 200u);
  EXPECT_DOUBLE_EQ(r.latency.mean, 5);
  EXPECT_DOUBLE_EQ(r.throughput, 0.1);
  EXPECT_DOUBLE_EQ(r.offered, 0.1);
}

TEST(warmup, that_is_not_found_is_half_of_the_run_with_a_warning) {
  meter_config config;
  config.find_warmup = true;
  config.cycles = 1000;
  const run_record r = measured(config, [](std::uint64_t i) { return i; });
  EXPECT_EQ(r.measured_from, 500u);
  EXPECT_THAT(r.confidence.warning, HasSubstr("has not settled in the first half"));
  EXPECT_DOUBLE_EQ(r.latency.mean, 74.5);
}

/// A packet is made, and has arrived before the next one is.
void one_packet(meter& m, std::uint64_t cycle, std::uint64_t latency) {
  m.created(cycle, flit{});
  delivery d;
  d.created = d.injected = cycle, d.cycle = cycle + latency;
  m.delivered(d);
}

// Packets in intervals 3 and 4 and every third from there on: the first three have none, and others count as
// those before them.
TEST(warmup, is_found_where_some_intervals_have_no_packet) {
  meter_config config;
  config.find_warmup = true;
  config.cycles = 1000;
  config.interval = 10;
  meter m(config, {false});
  for (std::uint64_t i = 3; i < 100; i += i == 3 ? 1 : 3) one_packet(m, 10 * i, after_a_warmup(i));
  run_record r;
  m.report(r, 1000, 1);
  // 13 intervals of 50 cycles (3 to 15) in groups of 5, so 15, and the 3 before them: 18, in parts of 5.
  EXPECT_EQ(r.measured_from, 200u);
  EXPECT_EQ(r.measured_cycles, 800u);
  EXPECT_THAT(r.confidence.warning, Not(HasSubstr("has not settled"))) << "there are intervals enough";
}

// A packet in each of three parts of 50 cycles, and one in the 128th, for which two parts become one.
TEST(warmup, parts_are_put_together_without_a_loss) {
  meter_config config;
  config.find_warmup = true;
  config.cycles = 7000;
  config.interval = 10;
  meter m(config, {false});
  for (const std::uint64_t cycle : {0, 50, 100, 6400}) one_packet(m, cycle, 7);
  run_record r;
  m.report(r, 7000, 1);
  EXPECT_EQ(r.measured_from, 0u);
  EXPECT_EQ(r.classes.at("cool").delivered, 4u);
  EXPECT_EQ(r.histogram.at(0).count, 4u);
}

// Up to one and a half million digits, a digit a switch and two a link, in 40 to 200 moments.
TEST(history, is_bounded_whatever_the_network) {
  EXPECT_EQ(network_history::most_moments(100, 300), 200u);
  EXPECT_EQ(network_history::most_moments(1024, 4608), 146u);  // 1,500,000 / 10,240, even
  EXPECT_EQ(network_history::most_moments(4096, 16384), 40u);
  EXPECT_EQ(network_history::most_moments(4097, 1), 0u);
  EXPECT_EQ(network_history::most_moments(1, 16385), 0u);
  EXPECT_EQ(network_history::most_moments(0, 0), 0u) << "a model without pins";
}

// Batches of two packets after a warm-up that is said: 4 and 8 in turns of two, so 4 and 8 in turns.
TEST(confidence, is_that_of_batches_of_the_measured_part) {
  meter_config config;
  config.warmup = 95;  // the interval from 90 on is not in it whole
  config.cycles = 405 + 4;
  const run_record r = measured(config, [](std::uint64_t i) { return i < 10 ? 1000 : i / 2 % 2 ? 8 : 4; });
  EXPECT_EQ(r.measured_from, 95u);
  EXPECT_NEAR(r.confidence.latency, 2 * 2.0930240544 * std::sqrt(20.0 / 19 / 20), 1e-9);
  EXPECT_EQ(r.confidence.warning, "");
}

// One packet is made in each interval of 10 cycles; none arrives in the even ones and two in the odd ones.
TEST(confidence, of_throughput_counts_what_arrives_in_an_interval) {
  meter_config config;
  config.cycles = 200;
  const run_record r = measured(config, [](std::uint64_t i) { return i % 2 ? 5 : 15; });
  EXPECT_DOUBLE_EQ(r.throughput, 0.1);
  EXPECT_NEAR(r.confidence.throughput, 2.0930240544 * std::sqrt(0.01 / 19), 1e-9);
}

TEST(confidence, warns_of_a_run_that_is_too_short) {
  meter_config config;
  config.cycles = 199;
  run_record r = measured(config, [](std::uint64_t) { return 5; });
  EXPECT_TRUE(std::isnan(r.confidence.latency));
  EXPECT_THAT(r.confidence.warning, HasSubstr("fewer than 20 intervals of 10 cycles"));
  config.cycles = 1000;
  r = measured(config, [](std::uint64_t i) { return i; });
  EXPECT_THAT(r.confidence.warning, HasSubstr("batches of 50 cycles depend on each other"));
  EXPECT_GT(r.confidence.latency, 10);
  config.cycles = 0;  // no measured part is declared, as of a program that ends
  r = measured(config, [](std::uint64_t) { return 5; });
  EXPECT_TRUE(std::isnan(r.confidence.latency));
  EXPECT_EQ(r.confidence.warning, "");
}

TEST(confidence, of_latency_needs_a_packet_in_each_batch) {
  meter_config config;
  config.cycles = 200;
  config.interval = 10;
  meter m(config, {false});
  for (std::uint64_t i = 0; i < 20; ++i) {
    if (i == 7) continue;
    delivery d;
    d.created = 10 * i, d.cycle = d.created + 5;
    m.delivered(d);
  }
  run_record r;
  m.report(r, 200, 1);
  EXPECT_TRUE(std::isnan(r.confidence.latency));
  EXPECT_THAT(r.confidence.warning, HasSubstr("in 1 of 20 batches of 10 cycles no packet was made"));
}

TEST(meter_series, counts_packets_under_way_and_held_back_to_each_terminal) {
  meter_config config;
  config.pending = true;
  meter m(config, {false, false});
  const auto arrive = [&](std::uint32_t destination) {
    delivery d;
    d.destination = destination;
    m.delivered(d);
  };
  for (unsigned i = 0; i < 3; ++i) m.injected(1);
  m.injected(0), m.holding(1, true);
  m.sample(50, 4, {});
  m.holding(1, false), arrive(1), arrive(0);
  m.sample(100, 2, {});
  m.injected(0), m.holding(0, true);
  m.write_off();
  m.sample(150, 0, {});
  EXPECT_EQ(m.measured_outstanding(), 0u);
  run_record record;
  m.report(record, 150, 2);
  const auto& columns = record.series.columns;
  ASSERT_GE(columns.size(), 4u);
  EXPECT_EQ(columns[columns.size() - 4].values, (std::vector<double>{2, 2, 0})) << "pending_most";
  EXPECT_EQ(columns[columns.size() - 3].values, (std::vector<double>{1, 0, 0})) << "held_back_most";
  EXPECT_EQ(columns[columns.size() - 2].values, (std::vector<double>{1, 0, 0})) << "to terminal 0";
  EXPECT_EQ(columns[columns.size() - 1].values, (std::vector<double>{2, 2, 0})) << "to terminal 1";
  EXPECT_EQ(record.counters.at("pending_most"), 2);
  EXPECT_EQ(record.counters.at("held_back_most"), 1);
}

TEST(meter_series, counts_what_happens_in_each_interval) {
  meter m({}, {false, true});
  const auto make = [&](std::uint64_t cycle, std::uint32_t destination) {
    flit f;
    f.destination = destination;
    m.created(cycle, f);
  };
  const auto deliver = [&](std::uint64_t cycle, std::uint32_t destination) {
    delivery d;
    d.cycle = cycle, d.destination = destination;
    m.delivered(d);
  };
  make(1, 0), make(2, 1), make(3, 0), deliver(4, 1);
  m.sample(50, 2, {});
  deliver(51, 0), deliver(52, 0);
  m.sample(100, 0, {});
  run_record record;
  m.report(record, 100, 2);
  const auto column = [&](const std::string& name) {
    for (const spillway::column& c : record.series.columns)
      if (c.name == name) return c.values;
    return std::vector<double>{};
  };
  EXPECT_EQ(column("created"), (std::vector<double>{3, 0}));
  EXPECT_EQ(column("delivered"), (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace spillway
