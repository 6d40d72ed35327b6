// Resets of every mechanism, in whatever state it happens to be.
#include <algorithm>
#include <tuple>

#include "support/dice.hpp"
#include "support/small_networks.hpp"
#include "support/studies.hpp"

namespace {

using spillway::testing_support::dice;
using testing::HasSubstr;

class resets : public studies, public testing::WithParamInterface<small_network> {
protected:
  /// The experiment with those resets and that traffic.
  void network(const std::string& pulses, const std::string& traffic) {
    const small_network& n = GetParam();
    write("n.yaml", "name: n\n" + n.lines + "packet: {length: " + std::to_string(n.packet_length) +
                        "}\nchecks: {deadlock: false}\nresets: [" + pulses + "]\ntraffic:\n" + traffic);
  }
  static std::string pulse(unsigned cycle, unsigned length) {
    return "{cycle: " + std::to_string(cycle) + ", length: " + std::to_string(length) + "}";
  }
  using delivery = std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned>;
  /// What arrives of the packets made from that cycle on: cycle, source, destination, created, injected.
  std::vector<delivery> deliveries(unsigned from) {
    const process_result r = spillway("run n.yaml --no-report --deliveries --out out");
    EXPECT_EQ(r.status, 0) << r.output;
    std::vector<delivery> all;
    const std::vector<std::string> log = lines("out/deliveries.csv");
    for (std::size_t i = 1; i < log.size(); ++i) {
      unsigned cycle = 0, source = 0, destination = 0, packet = 0, created = 0, injected = 0;
      std::sscanf(log[i].c_str(), "%u,%u,%u,%u,%u,%u", &cycle, &source, &destination, &packet, &created,
                  &injected);
      if (created >= from) all.emplace_back(cycle, source, destination, created, injected);
    }
    std::sort(all.begin(), all.end());
    return all;
  }
};

// A grant that was not used, a fetch that waits, half a packet, the turn of an arbiter: what a reset leaves
// behind would move some packet that comes after it.
TEST_P(resets, make_a_network_as_new) {
  if (GetParam().draws) GTEST_SKIP() << "what it draws depends on what it has drawn";
  for (unsigned seed = 1; seed <= 12; ++seed) {
    dice d(seed);
    const unsigned cycle = 40 + d.below(100), length = 1 + d.below(3), from = cycle + length;
    std::string trace = "cycle,source,destination,size\n";
    for (unsigned i = 0, now = from + 5; i < 120; ++i, now += d.below(2)) {
      const unsigned source = d.below(8), destination = d.percent(40) ? 1 : d.below(8);
      if (source != destination)
        trace += std::to_string(now) + ',' + std::to_string(source) + ',' + std::to_string(destination) +
                 ',' + std::to_string(GetParam().packet_length) + '\n';
    }
    write("t.csv", trace);
    const std::string after = "  - {pattern: trace, file: t.csv, stream: 1}\n";
    network(pulse(cycle, length),
            "  - {pattern: hotspot, targets: [1], fraction: 0.4, injection: saturated, cycles: " +
                std::to_string(cycle) + "}\n" + after);
    const std::vector<delivery> used = deliveries(from);
    network(pulse(cycle, length), after);
    const std::vector<delivery> fresh = deliveries(from);
    EXPECT_GT(fresh.size(), 90u);
    ASSERT_EQ(used, fresh) << "a reset in cycle " << cycle;
  }
}

TEST_P(resets, again_and_again_lose_nothing_that_is_not_counted) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    dice d(100 + seed);
    std::string pulses;
    unsigned cycle = 0;
    for (unsigned i = 0; i < 40; ++i) {
      cycle += 15 + d.below(60);
      const unsigned length = 1 + d.below(3);
      pulses += (i ? ", " : "") + pulse(cycle, length);
      cycle += length;
    }
    network(pulses, "  - {pattern: hotspot, targets: [1], fraction: 0.4, rate: 0.5, cycles: " +
                        std::to_string(cycle + 100) + "}\n");
    std::string delivered[2];
    for (const char* kernel : {"fast", "doubting", "signals"}) {
      const process_result r =
          spillway(std::string("run n.yaml --no-report --deliveries --out out --kernel ") + kernel);
      EXPECT_EQ(r.status, 0) << kernel << ": " << r.output;
      std::string& log = delivered[kernel[0] == 'f' ? 0 : 1];
      log = read_text(folder / "out/deliveries.csv");
      EXPECT_EQ(log, delivered[0]) << kernel;
      EXPECT_THAT(read_text(folder / "out/result.json"), HasSubstr("\"lost\": 0,"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(networks, resets, testing::ValuesIn(small_networks()),
                         [](const auto& p) { return std::string(p.param.name); });

}  // namespace
