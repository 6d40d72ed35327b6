// The waveform of a run that breaks a rule, as GTKWave shows it, and of one that would grow too long.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "support/process.hpp"

namespace {

namespace fs = std::filesystem;

constexpr const char* hot =
    "name: hot\n"
    "topology: {kind: butterfly, radix: 2, stages: 2}\n"
    "traffic:\n"
    "  - {pattern: hotspot, targets: [0], fraction: 0.5, rate: 0.8, cycles: 300}\n";

class waveform : public testing::Test {
protected:
  process_result run(const char* command, const std::string& more) {
    std::ofstream(folder / "e.yaml") << hot;
    return run_process("'" + std::string(command) + "' run '" + (folder / "e.yaml").string() + "' --vcd '" +
                       (folder / "w.vcd").string() + "' --out '" + (folder / "out").string() + "' " + more);
  }
  std::string save_file() { return read_text(folder / "w.gtkw"); }
  static bool installed(const char* program) {
    return run_process(std::string("command -v ") + program).status == 0;
  }
  scratch_folder folder;
};

TEST_F(waveform, violations_are_marked_and_their_links_red_and_open) {
  const process_result r = run(SPILLWAY_FICKLE, "--set switch.kind=fickle");
  EXPECT_EQ(r.status, 1) << r.output;
  const auto result = nlohmann::json::parse(read_text(folder / "out" / "result.json"));
  EXPECT_GT(result.at("violations").get<unsigned>(), 0u);
  const std::string save = save_file();
  // `*zoom cursor markerA markerB ...`, the cursor at the first violation; A has the name of its rule.
  std::smatch found;
  ASSERT_TRUE(std::regex_search(save, found, std::regex("\\*-?[0-9.]+ ([0-9]+) ([0-9]+) ")));
  EXPECT_EQ(found[1], found[2]);
  EXPECT_GT(std::stoull(found[2]), 0u);
  EXPECT_NE(save.find("[markername] APL1"), std::string::npos) << save;
  const std::string red = "[color] 1\n@", open = "@800200\n-", closed = "@c00200\n-";
  const auto group = save.find(open);
  ASSERT_NE(group, std::string::npos);
  EXPECT_EQ(save.find(red), save.find("[color]", group)) << "the first open group is red";
  EXPECT_NE(save.find(closed), std::string::npos) << "other groups are folded";
}

TEST_F(waveform, without_violations_nothing_is_marked) {
  ASSERT_EQ(run(SPILLWAY_COMMAND, "").status, 0);
  EXPECT_EQ(save_file().find("[markername]"), std::string::npos);
  EXPECT_EQ(save_file().find("[color] 1\n"), std::string::npos);
}

TEST_F(waveform, gtkwave_finds_every_signal_and_marker_of_the_save_file) {
  if (!installed("gtkwave") || !installed("xvfb-run")) GTEST_SKIP() << "GTKWave or Xvfb is not installed";
  ASSERT_EQ(run(SPILLWAY_FICKLE, "--set switch.kind=fickle").status, 1);
  std::ofstream(folder / "look.tcl") << "puts \"traces [gtkwave::getTotalNumTraces]\"\n"
                                        "puts \"marker [gtkwave::getNamedMarker A]\"\n"
                                        "flush stdout\n"
                                        "gtkwave::/File/Quit\n";
  const std::string at = "cd '" + folder.path().string() + "' && ";
  const process_result r = run_process(at + "HOME='" + folder.path().string() +
                                       "' timeout 60 xvfb-run -a gtkwave -S look.tcl w.gtkw");
  // Of a signal that it does not find it shows nothing; the head and the end of a group count as well.
  unsigned lines = 0;
  std::ifstream save(folder / "w.gtkw");
  for (std::string line; std::getline(save, line);) lines += line.rfind("SystemC.", 0) == 0 || line[0] == '-';
  EXPECT_GT(lines, 100u);
  EXPECT_NE(r.output.find("traces " + std::to_string(lines) + "\n"), std::string::npos) << r.output;
  std::smatch found;
  ASSERT_TRUE(std::regex_search(r.output, found, std::regex("marker ([0-9]+)"))) << r.output;
  EXPECT_GT(std::stoull(found[1]), 0u);
}

TEST_F(waveform, ends_at_its_limit_although_the_run_goes_on) {
  const std::string longer = "--set traffic.0.cycles=20000 ";
  const process_result r = run(SPILLWAY_COMMAND, longer + "--set trace.limit=1");
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_NE(r.output.find("trace.limit is reached"), std::string::npos) << r.output;
  const auto limited = fs::file_size(folder / "w.vcd");
  EXPECT_GE(limited, 1u << 20);
  EXPECT_LT(limited, 2u << 20) << "it ends within one interval";
  const auto result = nlohmann::json::parse(read_text(folder / "out" / "result.json"));
  EXPECT_GE(result.at("cycles").get<unsigned>(), 20000u);
}

}  // namespace
