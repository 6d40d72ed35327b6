// Latencies in bins: as exact as is said.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/taus88.hpp>
#include <cmath>
#include <cstdint>
#include <spillway/tb/report/latency_meter.hpp>
#include <vector>

namespace spillway {
namespace {

TEST(latency_meter, percentiles_agree_with_sorting) {
  boost::random::taus88 random(1);
  for (const double spread : {0.5, 1.5, 3.0}) {
    boost::random::lognormal_distribution<double> distribution(5, spread);
    std::vector<std::uint64_t> values;
    latency_meter meter;
    for (int i = 0; i < 10007; ++i) {
      values.push_back(static_cast<std::uint64_t>(distribution(random)));
      meter.add(values.back());
    }
    std::sort(values.begin(), values.end());
    for (const double p : {0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
      const auto rank = static_cast<std::size_t>(std::ceil(p * static_cast<double>(values.size())));
      const auto exact = static_cast<double>(values[rank - 1]);
      if (exact < 1024)
        EXPECT_EQ(meter.percentile(p), exact) << p;
      else
        EXPECT_NEAR(meter.percentile(p), exact, exact / 128) << p;
    }
    double sum = 0;
    for (const auto value : values) sum += static_cast<double>(value);
    EXPECT_NEAR(meter.mean(), sum / 10007, 1e-9 * sum);
    EXPECT_EQ(meter.max(), values.back());
    EXPECT_EQ(meter.count(), values.size());
  }
}

TEST(latency_meter, every_value_lies_in_its_bin) {
  for (unsigned shift = 0; shift < 63; ++shift)
    for (const std::uint64_t base : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{255}})
      for (const int off : {-1, 0, 1}) {
        if (shift > 54) continue;
        const std::uint64_t value = (base << shift) + static_cast<std::uint64_t>(off);
        latency_meter meter;
        meter.add(value);
        const auto bins = meter.histogram();
        ASSERT_EQ(bins.size(), 1u);
        EXPECT_LE(bins[0].value, value);
        EXPECT_GT(bins[0].value + bins[0].width, value);
        EXPECT_EQ(bins[0].width == 1, value < 1024);
        EXPECT_LE(bins[0].width * 128, std::max<std::uint64_t>(bins[0].value, 128));
      }
}

TEST(latency_meter, ranks_are_not_off_by_one) {
  latency_meter meter;
  for (std::uint64_t i = 1; i <= 100; ++i) meter.add(i);
  EXPECT_EQ(meter.percentile(0.5), 50);
  EXPECT_EQ(meter.percentile(0.99), 99);
  EXPECT_EQ(meter.percentile(0), 1);
  EXPECT_EQ(meter.percentile(1), 100);
}

TEST(latency_meter, merging_equals_adding) {
  latency_meter a, b, both;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    (i % 3 == 0 ? a : b).add(i * i);
    both.add(i * i);
  }
  latency_meter ab = a, ba = b;
  ab.merge(b), ba.merge(a);
  for (const latency_meter* const merged : {&ab, &ba}) {
    EXPECT_EQ(merged->count(), both.count());
    EXPECT_EQ(merged->mean(), both.mean());
    EXPECT_EQ(merged->percentile(0.99), both.percentile(0.99));
    EXPECT_EQ(merged->max(), both.max());
  }
}

// 26,623 is the last of a bin of 128.
TEST(latency_meter, percentiles_are_not_outside_of_what_was_seen) {
  for (const std::uint64_t latency : {std::uint64_t{26623}, std::uint64_t{26496}}) {
    latency_meter meter;
    meter.add(latency);
    meter.add(latency);
    EXPECT_EQ(meter.percentile(0.99), static_cast<double>(latency));
    latency_meter merged;
    merged.merge(meter);
    EXPECT_EQ(merged.percentile(0.5), static_cast<double>(latency));
  }
}

TEST(latency_meter, nothing_is_not_zero) {
  const latency_meter meter;
  EXPECT_TRUE(std::isnan(meter.summary().mean));
  EXPECT_TRUE(std::isnan(meter.summary().p99));
}

}  // namespace
}  // namespace spillway
