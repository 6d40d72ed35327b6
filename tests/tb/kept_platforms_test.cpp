// What random platforms deliver, measure and show, kept: a change of any of it must be meant. That what is
// kept is right, others say; this says what has changed, over more settings than anybody writes by hand.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "kept_sums.hpp"
#include "random_experiment.hpp"

using namespace spillway::testing_support;

namespace {

/// Of a platform: sums of its deliveries and its numbers; of some whose runs are short of what `check` says,
/// of the packets' ways and of the wires.
std::string sums(blocks what, std::uint32_t seed) {
  const scratch_folder folder;
  const random_experiment drawn(seed, what, folder);
  std::ofstream(folder / "e.yaml") << drawn.text();
  const auto done = [&](const std::string& how) {
    const process_result r =
        run_process("cd '" + folder.path().string() + "' && '" SPILLWAY_COMMAND "' " + how);
    EXPECT_TRUE(r.status == 0 || (r.status == 1 && drawn.may_deadlock())) << drawn.text().dump() << r.output;
    return r.output;
  };
  done("run e.yaml --quiet --deliveries --no-report --out out");
  std::string all =
      crc32(read_text(folder / "out" / "deliveries.csv")) + ' ' + sum_of_numbers(folder / "out");
  if (seed % 4 == 0 && json::parse(read_text(folder / "out" / "result.json"))["cycles"] < 2000) {
    all += ' ' + crc32(done("check e.yaml"));
    done("run e.yaml --quiet --no-report --trace ways.json --vcd wires.vcd");
    const std::string wires = read_text(folder / "wires.vcd");
    all += ' ' + crc32(read_text(folder / "ways.json")) + ' ' +
           crc32(wires.substr(wires.find("$timescale")));  // it begins with date and version
  }
  return all;
}

/// Lines of a kind of the file, by the seed.
std::map<std::uint32_t, std::string> kept(blocks what) {
  std::map<std::uint32_t, std::string> found;
  std::ifstream in(SPILLWAY_KEPT_PLATFORMS);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind;
    std::uint32_t seed = 0;
    if (words >> kind >> seed && kind == name_of(what)) std::getline(words >> std::ws, found[seed]);
  }
  return found;
}

class kept_platforms : public testing::TestWithParam<blocks> {};

/// With SPILLWAY_KEEP=FIRST:COUNT the lines as they are now are printed (keep_platforms.sh).
TEST_P(kept_platforms, deliver_measure_and_show_what_they_did) {
  if (const char* const which = std::getenv("SPILLWAY_KEEP")) {
    std::uint32_t first = 0, count = 0;
    ASSERT_EQ(std::sscanf(which, "%u:%u", &first, &count), 2);
    for (std::uint32_t seed = first; seed < first + count; ++seed)
      std::cout << "kept: " << name_of(GetParam()) << ' ' << seed << ' ' << sums(GetParam(), seed) << '\n';
    return;
  }
  const auto lines = kept(GetParam());
  EXPECT_EQ(lines.size(), 48u);
  for (const auto& [seed, line] : lines) EXPECT_EQ(line, sums(GetParam(), seed)) << "seed " << seed;
}

INSTANTIATE_TEST_SUITE_P(all, kept_platforms,
                         testing::Values(blocks::any, blocks::nifdy, blocks::routers, blocks::own_topologies,
                                         blocks::queues, blocks::combining, blocks::last_switch),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
