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
  /// When a packet arrives, was made and went in, in cycles since the last reset, from where and where to.
  using delivery = std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned>;
  static constexpr unsigned window = 400, most_use = 110;  // cycles between two resets, and before one
  /// What arrives of the packets made in each window, before anything else is made in it.
  std::vector<std::vector<delivery>> deliveries(unsigned windows) {
    const process_result r = spillway("run n.yaml --no-report --deliveries --out out");
    EXPECT_EQ(r.status, 0) << r.output;
    std::vector<std::vector<delivery>> all(windows);
    const std::vector<std::string> log = lines("out/deliveries.csv");
    for (std::size_t i = 1; i < log.size(); ++i) {
      unsigned cycle = 0, source = 0, destination = 0, packet = 0, created = 0, injected = 0;
      std::sscanf(log[i].c_str(), "%u,%u,%u,%u,%u,%u", &cycle, &source, &destination, &packet, &created,
                  &injected);
      if (created < window) continue;  // in use before the first reset
      const unsigned w = created / window - 1, start = (w + 1) * window;
      if (w < windows && cycle - start < window - most_use)
        all[w].emplace_back(cycle - start, source, destination, created - start, injected - start);
    }
    for (auto& one : all) std::sort(one.begin(), one.end());
    return all;
  }
};

// A grant that was not used, a fetch that waits, half a packet, the turn of an arbiter: what a reset leaves
// behind would move some packet that comes after it. A run has many resets, each after some heavy use that
// began at a random moment, and each followed by a burst; in another run nothing but the bursts is sent.
TEST_P(resets, make_a_network_as_new) {
  if (GetParam().draws) GTEST_SKIP() << "what it draws depends on what it has drawn";
  constexpr unsigned windows = 200;
  dice d(1);
  std::string pulses, use, probe;
  const auto hot = [](const std::string& rest) {
    return "  - {pattern: hotspot, targets: [1, 6], " + rest + "}\n";
  };
  for (unsigned w = 0; w < windows; ++w) {
    const unsigned end = (w + 1) * window, length = 1 + d.below(3), used = 3 + d.below(most_use - 5);
    pulses += (w ? ", " : "") + pulse(end - length, length);
    use += hot(std::string(w % 2 ? "fraction: 0.4" : "fraction: 0.9") + ", injection: saturated, start: " +
               std::to_string(end - length - used) + ", cycles: " + std::to_string(used));
    probe +=
        hot("fraction: 0.6, rate: 0.8, stream: 1, start: " + std::to_string(end + w % 4) + ", cycles: 20");
  }
  network(pulses, use + probe);
  const std::vector<std::vector<delivery>> used = deliveries(windows);
  network(pulses, probe);
  const std::vector<std::vector<delivery>> fresh = deliveries(windows);
  for (unsigned w = 0; w < windows; ++w) {
    EXPECT_GT(fresh[w].size(), 10u);
    ASSERT_EQ(used[w], fresh[w]) << "after the reset number " << w;
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
