// `spillway compare`: several runs on one page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "support/studies.hpp"

namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class comparison : public studies {
protected:
  comparison() {
    write("storm-narrow.yaml", network("narrow", 1));
    write("storm-deep.yaml", network("deep", 8));
  }
  static std::string network(const std::string& name, unsigned depth) {
    return "name: storm-" + name +
           "\ntopology: {kind: omega, stages: 3}\nswitch: {kind: packet, depth: " + std::to_string(depth) +
           "}\ntraffic: [{pattern: hotspot, fraction: 0.5, rate: 0.4}]\n"
           "measure: {cycles: 400, drain: 0, interval: 50, snapshots: [60, 400]}\n";
  }
};

TEST_F(comparison, runs_experiments_and_shows_their_differences) {
  const process_result r = spillway("compare storm-narrow.yaml storm-deep.yaml --out both");
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output,
              AllOf(HasSubstr("narrow"), HasSubstr("deep"), HasSubstr(" %)"), Not(HasSubstr("storm-deep "))));
  const std::string page = read_text(folder / "both/report.html");
  EXPECT_THAT(page, AllOf(HasSubstr("<h1>narrow, deep</h1>"), HasSubstr("cool packets delivered a cycle"),
                          HasSubstr("cycle 100"), HasSubstr("cycle 400")));
  // By hand from the results: the share by which the second run delivers more cool packets than the first.
  const auto delivered = [&](const std::string& run) {
    return json::parse(
               read_text(folder / ("both/storm-" + run + "/result.json")))["classes"]["cool"]["delivered"]
        .get<double>();
  };
  char difference[32];
  std::snprintf(difference, sizeof difference, "(%+.0f %%)",
                100 * (delivered("deep") / delivered("narrow") - 1));
  EXPECT_THAT(r.output, HasSubstr(difference));
}

TEST_F(comparison, of_several_seeds_has_intervals_and_differences_seed_by_seed) {
  const process_result r = spillway("compare storm-narrow.yaml storm-deep.yaml --seeds 3 --out both");
  ASSERT_EQ(r.status, 0) << r.output;
  // By hand from the results: the mean share by which the second delivers more cool packets, and its 95 %
  // interval.
  double sum = 0, squares = 0;
  for (const char* seed : {"1", "2", "3"}) {
    const auto delivered = [&](const std::string& run) {
      const json result =
          json::parse(read_text(folder / ("both/storm-" + run + "/seed-" + seed + "/result.json")));
      EXPECT_EQ(result["seed"].dump(), seed);
      return result["classes"]["cool"]["delivered"].get<double>();
    };
    const double difference = 100 * (delivered("deep") / delivered("narrow") - 1);
    sum += difference;
    squares += difference * difference;
  }
  const double deviation = std::sqrt((squares - sum * sum / 3) / 2);
  constexpr double t_of_two_degrees = 4.303;
  char difference[64];
  std::snprintf(difference, sizeof difference, "(%+.0f ± %.2g %%)", sum / 3,
                t_of_two_degrees * deviation / std::sqrt(3));
  EXPECT_THAT(r.output, HasSubstr(difference));
  EXPECT_THAT(read_text(folder / "both/report.html"),
              AllOf(HasSubstr(difference), HasSubstr("over 3 seeds"), HasSubstr("Pictures are of seed 1")));

  ASSERT_EQ(spillway("compare both/storm-narrow both/storm-deep --out again").status, 0);
  EXPECT_EQ(read_text(folder / "again/report.html"), read_text(folder / "both/report.html"));
  // Runs of fewer seeds leave nothing of those of more, even where one had been lost.
  std::filesystem::remove(folder / "both/storm-narrow/seed-2/result.json");
  const auto refused = [&](const std::string& why) {
    const process_result unequal = spillway("compare both/storm-narrow both/storm-deep");
    EXPECT_EQ(unequal.status, 2);
    EXPECT_THAT(unequal.output, HasSubstr("both/storm-deep: found runs of seed-1, seed-2, seed-3, expected " +
                                          why + " as of both/storm-narrow"));
  };
  refused("seed-1, seed-3");
  ASSERT_EQ(spillway("compare storm-narrow.yaml --seeds 2 --out both").status, 0);
  refused("seed-1, seed-2");
  ASSERT_EQ(spillway("compare storm-narrow.yaml --out both").status, 0);
  refused("one seed");
  EXPECT_EQ(spillway("compare storm-narrow.yaml --seeds 2 --set seed=4").status, 2);
}

TEST_F(comparison, of_results_draws_the_same_page_again) {
  ASSERT_EQ(spillway("compare storm-narrow.yaml storm-deep.yaml --out both").status, 0);
  ASSERT_EQ(spillway("compare both/storm-narrow both/storm-deep --out again").status, 0);
  for (const char* file : {"report.html", "networks.svg", "packets.svg"})
    EXPECT_EQ(read_text(folder / "again" / file), read_text(folder / "both" / file)) << file;
}

TEST_F(comparison, snapshots_have_a_share_for_every_switch) {
  ASSERT_EQ(spillway("run storm-narrow.yaml --no-report --out one").status, 0);
  const json drawn = json::parse(read_text(folder / "one/network.json"));
  EXPECT_EQ(drawn["switches"].size(), 12u);
  EXPECT_EQ(drawn["links"].size(), 16u);
  EXPECT_EQ(drawn["switches"][4], json({1, 0}));
  ASSERT_EQ(drawn["moments"].size(), 2u);
  EXPECT_EQ(drawn["moments"][0]["cycle"], 100) << "the end of the interval of cycle 60";
  const auto shares = drawn["moments"][1]["fullest"].get<std::vector<double>>();
  ASSERT_EQ(shares.size(), 12u);
  EXPECT_EQ(*std::max_element(shares.begin(), shares.end()), 1) << "a queue of one flit is full or empty";
  EXPECT_TRUE(std::all_of(shares.begin(), shares.end(), [](double s) { return s == 0 || s == 1; }));
  EXPECT_EQ(shares[8], 1) << "the switch of the hot terminal";
}

TEST_F(comparison, of_the_storm_is_the_picture_of_the_readme) {
  std::string names;
  for (const char* network : {"plain", "unrestricted", "nifdy", "feedback", "counting", "dampening"})
    names += " '" SPILLWAY_EXPERIMENTS "/storm-" + std::string(network) + ".yaml'";
  ASSERT_EQ(spillway("compare" + names + " --out storm").status, 0);
  EXPECT_EQ(read_text(folder / "storm/networks.svg"),
            read_text(SPILLWAY_EXPERIMENTS "/../../docs/pictures/storm-networks.svg"));
}

TEST_F(comparison, passes_on_the_fault_of_any_run) {
  write("storm-cut.yaml", with(network("cut", 8), "drain: 0", "drain: 0, limit: 100"));
  for (const char* both : {"storm-cut.yaml storm-deep.yaml", "storm-deep.yaml storm-cut.yaml"}) {
    const process_result r = spillway(std::string("compare --out both ") + both);
    EXPECT_EQ(r.status, 1) << both << r.output;
    EXPECT_TRUE(std::filesystem::exists(folder / "both/report.html"));
    std::filesystem::remove_all(folder / "both");
  }
}

TEST_F(comparison, of_several_seeds_has_the_status_of_the_one_that_ended_badly) {
  ASSERT_EQ(spillway("compare storm-narrow.yaml storm-deep.yaml --seeds 2 --out both").status, 0);
  const std::string second = "both/storm-narrow/seed-2/result.json";
  write(second, with(read_text(folder / second), "\"status\": \"ok\"", "\"status\": \"limit\""));
  const process_result r = spillway("compare both/storm-narrow both/storm-deep --out again");
  EXPECT_THAT(r.output, testing::ContainsRegex("\nstatus +limit +ok\n"));
  EXPECT_THAT(read_text(folder / "again/report.html"),
              testing::ContainsRegex("<td>status</td><td[^>]*>limit</td><td[^>]*>ok</td>"));
}

// Else the run would take the place of the results, and be compared with itself.
TEST_F(comparison, never_overwrites_what_it_compares) {
  ASSERT_EQ(spillway("compare storm-narrow.yaml --out both").status, 0);
  const std::string before = read_text(folder / "both/storm-narrow/result.json");
  write("storm-narrow.yaml", network("narrow", 2));
  for (const char* results : {"both/storm-narrow", "both/../both/storm-narrow/"}) {
    const process_result r = spillway("compare " + std::string(results) + " storm-narrow.yaml --out both");
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_THAT(r.output, HasSubstr(results + std::string(": found results where those of storm-narrow.yaml "
                                                          "will be, expected others, or another --out DIR")));
  }
  EXPECT_EQ(read_text(folder / "both/storm-narrow/result.json"), before);
  // Seeds are folders in that of their experiment.
  ASSERT_EQ(spillway("compare storm-deep.yaml --seeds 2 --out seeds").status, 0);
  EXPECT_EQ(spillway("compare seeds/storm-deep/seed-1 storm-deep.yaml --out seeds").status, 2);
}

TEST_F(comparison, tells_runs_of_one_name_apart_by_their_folders) {
  ASSERT_EQ(spillway("run storm-narrow.yaml --no-report --out a/before").status, 0);
  ASSERT_EQ(spillway("run storm-narrow.yaml --no-report --out b/before").status, 0);
  process_result r = spillway("compare a/before/ storm-narrow.yaml storm-deep.yaml --out c");
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, testing::ContainsRegex(" before +storm-narrow +storm-deep\n"));
  r = spillway("compare a/before b/before --out c");
  EXPECT_THAT(r.output, testing::ContainsRegex(" a/before +b/before\n"));
}

TEST_F(comparison, has_no_file_that_several_runs_write) {
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const process_result r = spillway(arguments);
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_THAT(r.output, HasSubstr(why));
  };
  write("one.yaml", network("one", 2) + "measures: [{kind: record, file: rec.json}]\n");
  write("two.yaml", network("two", 2) + "trace: {packets: rec.json}\n");
  refused("compare one.yaml --seeds 2",
          "one.yaml:6:33: measures.0.file: found a table of packets, expected none");
  refused("compare one.yaml two.yaml", "two.yaml:6:18: trace.packets: found 'rec.json', which another");
  ASSERT_EQ(spillway("compare one.yaml storm-deep.yaml").status, 0);
}

TEST_F(comparison, has_no_file_that_one_run_writes_and_another_reads) {
  write("rec.csv", "0,0,1\n");
  write("one.yaml", network("one", 2) + "measures: [{kind: record, file: rec.csv}]\n");
  write("two.yaml", with(network("two", 2), "traffic: [{pattern: hotspot, fraction: 0.5, rate: 0.4}]",
                         "workload: {kind: packets, file: ./rec.csv}"));
  for (const char* both : {"one.yaml two.yaml", "two.yaml one.yaml"}) {
    const process_result r = spillway(std::string("compare ") + both);
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_THAT(r.output, HasSubstr("one.yaml:6:33: measures.0.file: found 'rec.csv', which another of the "
                                    "experiments reads as workload.file, expected another file"));
  }
  EXPECT_EQ(read_text(folder / "rec.csv"), "0,0,1\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_F(comparison, has_its_folder_for_itself) {
  const process_result r =
      run_process("cd '" + folder.path().string() +
                  "'; mkdir both; (flock 9; touch held; while [ -e held ]; do sleep 0.01; "
                  "done) 9> both/lock & while ! [ -e held ]; do sleep 0.01; done; " SPILLWAY_COMMAND
                  " compare storm-narrow.yaml storm-deep.yaml --out both; s=$?; rm held; wait; exit $s");
  EXPECT_EQ(r.status, 2) << r.output;
  EXPECT_EQ(r.output,
            "both: found another comparison that is not done, expected its end, or another --out DIR\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "both/storm-deep"));
  EXPECT_EQ(spillway("compare storm-narrow.yaml storm-deep.yaml --out both").status, 0);
}

TEST_F(comparison, has_a_table_whose_columns_do_not_run_together) {
  for (unsigned i = 0; i < 2; ++i)  // a difference of many digits
    write("load-" + std::to_string(i) + ".yaml",
          with(with(network("load-" + std::to_string(i), 8), "rate: 0.4", i ? "rate: 0.4" : "rate: 0.0005"),
               "cycles: 400", "cycles: 4000"));
  const process_result r = spillway("compare load-0.yaml load-1.yaml --out both --seeds 3");
  ASSERT_EQ(r.status, 0) << r.output;
  const std::regex gap("  +");
  std::istringstream text(r.output);
  std::size_t wide = 0;
  for (std::string line; std::getline(text, line);)
    if (line.find("%)") != std::string::npos) {
      EXPECT_EQ(std::distance(std::sregex_iterator(line.begin(), line.end(), gap), {}), 2) << line;
      ++wide;
    }
  EXPECT_GT(wide, 2u) << r.output;
}

TEST_F(comparison, says_what_is_wrong) {
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const process_result r = spillway(arguments);
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_THAT(r.output, HasSubstr(why));
  };
  refused("compare storm-narrow.yaml nowhere.yaml", "nowhere.yaml");
  refused("compare storm-narrow.yaml ./storm-narrow.yaml", "found 'storm-narrow' twice");
  write("storm-wrong.yaml", network("wrong", 0));
  refused("compare storm-wrong.yaml", "storm-wrong.yaml:3:31: switch.depth");
  refused("run storm-narrow.yaml --set 'measure.snapshots=[9,9]'",
          "measure.snapshots.1: expected a cycle after 9");
  ASSERT_EQ(spillway("run storm-narrow.yaml --no-report --out one").status, 0);
  refused("compare one --set switch.depth=2", "found a folder of results");
  const std::string drawn = read_text(folder / "one/network.json");
  const auto damaged = [&](const std::string& from, const std::string& to, const std::string& why) {
    std::string text = drawn;
    write("one/network.json", text.replace(text.find(from), from.size(), to));
    refused("compare one", why);
  };
  damaged("\"links\":[[", "\"links\":[[99,0],[", "found the link [99,0] of 12 switches");
  damaged("\"fullest\":[", "\"fullest\":[2,", "expected a share of 0 to 1 for each of 12 switches");
  damaged("\"switches\":[[", "\"switches\":[[-1,0],[", "expected a whole number");
}

}  // namespace
