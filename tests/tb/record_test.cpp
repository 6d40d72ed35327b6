// A run that is recorded and played back gives the same deliveries.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/process.hpp"

namespace {

namespace fs = std::filesystem;

struct recorded {
  const char *name, *file, *settings;
  bool dependencies = true;
  bool replies = false;  // which are not recorded
};

class recorder : public testing::TestWithParam<recorded> {
protected:
  process_result run(const std::string& file, const std::string& options, const std::string& out) const {
    return run_process("cd '" + folder_.path().string() + "' && " + SPILLWAY_COMMAND + " run '" + file +
                       "' --no-report --deliveries --out " + out + " " + options);
  }
  const scratch_folder folder_;
};

TEST_P(recorder, plays_back_what_it_recorded) {
  const recorded& p = GetParam();
  const std::string file = std::string(SPILLWAY_EXPERIMENTS) + "/" + p.file + ".yaml";
  const std::string measure = std::string("--set 'measures=[{kind: record, file: r.csv") +
                              (p.dependencies ? "" : ", dependencies: false") + "}]' ";
  const process_result first = run(file, measure + p.settings, "first");
  ASSERT_EQ(first.status, 0) << first.output;
  const std::string deliveries = read_text(folder_ / "first/deliveries.csv"),
                    record = read_text(folder_ / "r.csv");
  EXPECT_GT(std::count(deliveries.begin(), deliveries.end(), '\n'), 300);
  EXPECT_GE(std::count(record.begin(), record.end(), '\n') * (p.replies ? 2 : 1),
            std::count(deliveries.begin(), deliveries.end(), '\n'));
  fs::rename(folder_ / "r.csv", folder_ / "first.csv");
  const bool software = read_text(file).find("\nsoftware:") != std::string::npos;
  const std::string packets =
      std::string(software ? " software=~" : "") +
      " 'traffic=[]' 'workload={kind: packets, file: " + (folder_ / "first.csv").string() + "}' ";
  for (const char* kernel : {"fast", "signals"}) {
    const process_result again = run(file, measure + p.settings + packets + " --kernel " + kernel, kernel);
    ASSERT_EQ(again.status, 0) << again.output;
    EXPECT_EQ(read_text(folder_ / kernel / "deliveries.csv"), deliveries) << kernel;
    EXPECT_EQ(read_text(folder_ / "r.csv"), record) << kernel;
  }
  // On the other kernel the record is the same, byte for byte.
  ASSERT_EQ(run(file, measure + p.settings + " --kernel signals", "second").status, 0);
  EXPECT_EQ(read_text(folder_ / "r.csv"), record);
}

INSTANTIATE_TEST_SUITE_P(
    of, recorder,
    testing::Values(
        recorded{"storm", "storm-plain",
                 "measure.cycles=~ traffic.2.cycles=200 traffic.1.cycles=100 traffic.0.cycles=100"},
        recorded{"nifdy", "storm-nifdy",
                 "measure.cycles=~ traffic.2.cycles=200 traffic.1.cycles=100 traffic.0.cycles=100"},
        recorded{"dampening", "storm-dampening",
                 "measure.cycles=~ traffic.2.cycles=200 traffic.1.cycles=100 traffic.0.cycles=100"},
        recorded{"experts", "experts-feedback", "workload.repeat=1"}, recorded{"solver", "goal-solver", ""},
        recorded{"em3d", "nifdy-em3d", "workload.iterations=1"},
        recorded{"accesses", "dram-plain", "workload.accesses=20 workload.writes=0.2", false, true},
        recorded{"combined_accesses", "dram-plain",
                 "workload.accesses=20 workload.writes=0.2 'switch={kind: combining, overtakes: true}'",
                 false, true},
        recorded{"answering_terminals", "hypercube-hotspot", "measure.cycles=1280 measure.drain=0", false,
                 true},
        recorded{"full_queues_of_answering_terminals", "hypercube-combining",
                 "measure.cycles=4000 measure.drain=0", false, true},
        recorded{"software_beside_answering_terminals", "hypercube-software",
                 "measure.cycles=2560 measure.drain=0", false, true},
        recorded{"contributions", "reduction-all-reduce", "workload.repeat=2", false},
        recorded{"without_dependencies", "storm-plain",
                 "measure.cycles=~ traffic.2.cycles=200 traffic.1.cycles=100 traffic.0.cycles=100", false}),
    [](const auto& p) { return std::string(p.param.name); });

TEST(packet_tables, are_refused_where_they_are_wrong) {
  const scratch_folder folder;
  const std::pair<const char*, const char*> wrong[]{
      {"1,0,99\n", "r.csv:1:5: expected a terminal 0..63, found 99"},
      {"cycle,source\n1,0,2,1,1\n", "packet 1 can follow the packets 1..0 or 0, none, found 1"},
      {"1,0,2\n5,3,4,1,1\n", "packet 2 follows packet 1 at terminal 3, but that goes to 2"},
      {"1,0,2\n0,2,4,1,1\n", "packet 2 comes a cycle or more after packet 1, found 0"},
      {"1,0,2,0\n", "r.csv:1:7: expected a size of 1..65535, found 0"},
      {"1,0,2,1,0,16\n", "expected a class 0..15, found 16"},
      {"1,0\n", "expected cycle,source,destination,size,after,class,word,combinable,data as whole numbers"},
      {"1,0,2,1,0,0,0,0,4294967296\n", "r.csv:1:17: expected data 0..4294967295, found 4294967296"},
      {"1,0,2,1,0,0,0,0,7\n1,2,4,1,1\n", "r.csv:2:10: where packets come after others"},
      {"1,0,2,1,0,0,0,0,7,8\n", "expected no more than cycle"}};
  for (const auto& [text, message] : wrong) {
    std::ofstream(folder / "r.csv") << text;
    const process_result r =
        run_process(std::string(SPILLWAY_COMMAND) + " check '" + SPILLWAY_EXPERIMENTS +
                    "/storm-plain.yaml' --set 'traffic=[]' 'workload={kind: packets, file: " +
                    (folder / "r.csv").string() + "}'");
    EXPECT_EQ(r.status, 2) << text;
    EXPECT_NE(r.output.find(message), std::string::npos) << text << r.output;
  }
}

}  // namespace
