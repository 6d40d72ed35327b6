// `spillway curve`: throughput and latency against load.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/kept_scripts.hpp"
#include "support/studies.hpp"

namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class curves : public studies {
protected:
  curves() {
    // A message in four goes to one terminal of eight, which takes one flit a cycle: saturation is at
    // 1 / (8 (1/4 + 3/4 / 8)), 0.364.
    write("hot.yaml",
          "name: hot\ntopology: {kind: omega, stages: 3}\nswitch: {kind: packet}\npacket: {length: 2}\n"
          "traffic: [{pattern: hotspot, fraction: 0.25, rate: 0.1}]\nmeasure: {warmup: 300, cycles: 2000, "
          "drain: 0}\n");
  }
};

TEST_F(curves, mark_where_less_is_delivered_than_offered) {
  const process_result r = spillway("curve hot.yaml --over traffic.0.rate=0.1:0.5:0.1 --out c");
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, AllOf(HasSubstr("saturates between 0.3 and 0.4"), HasSubstr("curve.svg")));
  // The numbers of the table are those of the runs.
  bool found = false;
  for (const auto& run : std::filesystem::directory_iterator(folder / "c/runs")) {
    const json result = json::parse(read_text(run.path() / "result.json"));
    char line[80];
    std::snprintf(line, sizeof line, "  %12g  %12.4g  %12.4g  %12.4g", 0.2,
                  result["throughput_flits"].get<double>(), result["throughput"].get<double>(),
                  result["latency"]["mean"].get<double>());
    found |= r.output.find(line) != std::string::npos;
  }
  EXPECT_TRUE(found) << r.output;
  // In flits, as the load: packets of two flits would be half of it.
  EXPECT_THAT(read_text(folder / "c/curve.svg"),
              AllOf(HasSubstr("hot saturated"), HasSubstr("flits a cycle and terminal")));
}

TEST_F(curves, have_the_name_of_their_folder_however_it_is_written) {
  for (const char* out : {"c", "c/", "./c/."}) {
    const process_result r =
        spillway("curve hot.yaml --over traffic.0.rate=0.1:0.1:0.1 --out " + std::string(out));
    EXPECT_EQ(r.status, 0) << r.output;
    EXPECT_EQ(json::parse(read_text(folder / "c/sweep.yaml"))["name"], "c");
  }
}

TEST_F(curves, of_several_experiments_share_a_picture_and_go_on) {
  write("mild.yaml", with(read_text(folder / "hot.yaml"), "fraction: 0.25", "fraction: 0"));
  const std::string command =
      "curve hot.yaml mild.yaml --over traffic.0.rate=0.2:0.4:0.2 --set switch.depth=8 --seeds 2 --out c";
  const process_result r = spillway(command);
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output,
              AllOf(HasSubstr("saturates between 0.2 and 0.4"), HasSubstr("not saturated up to 0.4")));
  EXPECT_EQ(count_runs("c"), 8u);
  for (const auto& run : std::filesystem::directory_iterator(folder / "c/runs"))
    EXPECT_THAT(read_text(run.path() / "config.yaml"), HasSubstr("depth: 8"));
  EXPECT_THAT(read_text(folder / "c/curve.svg"),
              AllOf(HasSubstr("hot saturated"), HasSubstr("mild"), Not(HasSubstr("mild saturated"))));
  EXPECT_EQ(spillway(command).output, r.output) << "what is there is not run again";
  EXPECT_EQ(spillway("sweep c/sweep.yaml --out d").status, 0) << "it is a sweep as all others";
  EXPECT_EQ(count_runs("d"), 8u);
}

// Points as gnuplot is told of them: load, number, and from where to where a bar goes, which one seed has
// not.
TEST_F(curves, are_drawn_with_throughput_above_and_latency_below) {
  const kept_scripts drawn;
  ASSERT_EQ(spillway("curve hot.yaml --over traffic.0.rate=0.1:0.2:0.1 --out c").status, 0);
  const std::string script = drawn.text(), points = "$d0 << EOD\n";
  const std::size_t above = script.find(points), below = script.find(points, above + 1);
  ASSERT_NE(below, std::string::npos) << script;
  for (const auto& [at, place] : {std::pair{above, "/throughput_flits"}, {below, "/latency/mean"}}) {
    std::string expected = points;
    for (std::size_t run = 1; run <= 2; ++run) {
      const json line = json::parse(lines("c/plan.jsonl")[run]);
      const json result = json::parse(read_text(folder / "c/runs" / line["id"] / "result.json"));
      char point[120];
      const auto y = result.at(json::json_pointer(place)).get<double>();
      std::snprintf(point, sizeof point, "%g %.10g %.10g %.10g 1\n",
                    line["set"]["traffic.0.rate"].get<double>(), y, y, y);
      expected += point;
    }
    EXPECT_EQ(script.substr(at, expected.size()), expected) << place;
  }
  EXPECT_GT(script.find("set ylabel 'mean latency, cycles'"), above);
}

TEST_F(curves, go_to_the_last_load_where_steps_are_no_binary_numbers) {
  const process_result r = spillway("curve hot.yaml --over traffic.0.rate=0.1:0.3:0.05 --out c");
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(count_runs("c"), 5u);  // (0.3 - 0.1) / 0.05 is a little less than 4
}

TEST_F(curves, may_be_of_one_load_and_of_1000) {
  const process_result r = spillway("curve hot.yaml --over traffic.0.rate=0.2:0.2:0.1 --out c");
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(count_runs("c"), 1u);
  EXPECT_THAT(r.output, AllOf(HasSubstr("not saturated up to 0.2"), Not(HasSubstr("nothing depends"))));
  expect_wrong(spillway("curve hot.yaml --over traffic.0.rate=0.2:0.1:0.1"), "--over", "KEY=FROM:TO:STEP");
  expect_wrong(spillway("curve hot.yaml --over traffic.0.rate=0:1000:1"), "--over", "found 1001 loads");
  expect_wrong(spillway("curve hot.yaml --over traffic.0.rate=0:999:1"), "traffic.0.rate=999",
               "expected 0..1");
}

// Of the few packets of a light load many are on their way when the measured part ends.
TEST_F(curves, is_saturated_only_where_all_greater_loads_are) {
  write("light.yaml",
        "name: light\ntopology: {kind: omega, stages: 4}\nswitch: {kind: packet, depth: 4}\n"
        "traffic:\n  - {pattern: uniform, rate: 0.2}\n"
        // A packet of each terminal, two cycles before the end.
        "  - {pattern: bit_complement, stream: 1, start: 218, injection: batch}\n"
        "measure: {warmup: 60, cycles: 160, interval: 10}\n");
  const process_result r =
      spillway("curve light.yaml --over traffic.0.rate=0.002:0.402:0.2 -j 1 --out light");
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, AllOf(HasSubstr("  saturated\n"), HasSubstr("not saturated up to 0.402")));
}

TEST_F(curves, say_that_nothing_depends_on_a_key) {
  const process_result r = spillway("curve hot.yaml --over measure.limit=5000:7000:1000");
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("nothing depends on measure.limit"));
}

TEST_F(curves, tell_wrong_input_before_anything_runs) {
  expect_wrong(spillway("curve hot.yaml --over traffic.0.rate"), "--over", "KEY=FROM:TO:STEP");
  expect_wrong(spillway("curve hot.yaml --over traffic.0.rate=0.1:0.5"), "--over", "KEY=FROM:TO:STEP");
  expect_wrong(spillway("curve hot.yaml --over traffic.0.rate=0.1:0.5:0"), "--over", "KEY=FROM:TO:STEP");
  expect_wrong(spillway("curve hot.yaml --over traffic.0.rate=0.1:x:0.1"), "--over", "0.1:x:0.1");
  expect_wrong(spillway("curve hot.yaml --over traffic.0.rate=0:1:1e-9"), "--over", "at most 1000");
  expect_wrong(spillway("curve hot.yaml --over traffic.0.rat=0.1:0.5:0.1"), "traffic.0.rat", "rate");
  expect_wrong(spillway("curve hot.yaml --set switch.dept=8"), "--set switch.dept=8", "depth");
  expect_wrong(spillway("curve hot.yaml --over traffic.0.rate=0.5:7:0.5"), "traffic.0.rate=7", "1");
  expect_wrong(spillway("curve no-such.yaml"), "no-such.yaml", "");
}

TEST_F(curves, tell_wrong_input_where_it_was_written) {
  std::filesystem::create_directory(folder / "b");
  write("b/hot.yaml", read_text(folder / "hot.yaml"));
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const process_result r = spillway("curve " + arguments);
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_EQ(r.output, message + "\n");
    EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "nothing is left of wrong input";
  };
  refused("hot.yaml b/hot.yaml", "b/hot.yaml: found 'hot' twice, expected files of different names");
  refused("hot.yaml --set seed=3",
          "--set seed=3: found a seed, expected none: --seeds N has those from 1 to N");
  refused("hot.yaml --over seed=1:2:1",
          "--over seed: found the seeds, expected a load; --seeds N has N of them");
  refused("hot.yaml --set traffic.0.rate=0.3",
          "--set traffic.0.rate=0.3: found traffic.0.rate, which --over sets as well");
  refused(
      "hot.yaml --set trace.vcd=x.vcd",
      "--set trace.vcd=x.vcd: trace.vcd: found a waveform, expected none: all runs would write that file");
  // The first and the last are right.
  refused("hot.yaml --over switch.depth=2:4:0.5",
          "--set switch.depth=2.5: switch.depth: expected integer 1..65536, found 2.5");
}

}  // namespace
