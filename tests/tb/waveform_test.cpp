// The waveform of a run that breaks a rule, as GTKWave shows it, and of one that would grow too long.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

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
    return run_experiment(command, more);
  }
  process_result run_experiment(const char* command, const std::string& more) {
    return run_process("'" + std::string(command) + "' run '" + (folder / "e.yaml").string() + "' --vcd '" +
                       (folder / "w.vcd").string() + "' --out '" + (folder / "out").string() + "' " + more);
  }
  std::string save_file() { return read_text(folder / "w.gtkw"); }
  using wave_groups = std::map<std::string, std::vector<std::string>>;  // signals by link
  /// Those of the save file; none may be there twice, and no signal outside of a group. Groups of other names
  /// than links are around them, or within one of them.
  wave_groups read_groups() {
    wave_groups groups;
    std::ifstream save(folder / "w.gtkw");
    std::vector<std::string> open;
    std::string link, before;
    for (std::string line; std::getline(save, line); before = line) {
      if (line.rfind("SystemC.", 0) == 0) {
        EXPECT_FALSE(open.empty()) << line;
        groups[open.front() == "clock and reset" ? open.front() : link].push_back(line);
      }
      if (line[0] != '-') continue;
      const std::string name = line.substr(1);
      if (before == "@1000200" || before == "@1401200") {
        EXPECT_EQ(open.back(), name);
        open.pop_back();
        continue;
      }
      open.push_back(name);
      if (name.rfind("network.", 0) != 0) continue;
      link = name;
      EXPECT_TRUE(groups.try_emplace(name).second) << name << " is there twice";
    }
    EXPECT_TRUE(open.empty());
    EXPECT_FALSE(groups.empty());
    return groups;
  }
  /// The pins of a group, without the fields of their values.
  static std::set<std::string> pins_of(const wave_groups& groups, const std::string& name) {
    std::set<std::string> pins;
    const auto found = groups.find(name);
    if (found == groups.end()) return pins;
    const bool between =
        name.find(".link_switch_") != std::string::npos || name.find(".link_terminal_") != std::string::npos;
    const std::string last =
        between ? ".out_" + name.substr(name.rfind('_') + 1) + '.' : name.substr(name.rfind('.')) + '.';
    for (const std::string& signal : found->second) {
      const std::size_t at = signal.find(last);
      EXPECT_NE(at, std::string::npos) << signal << " in the group " << name;
      const std::size_t start = at + last.size();
      pins.insert(signal.substr(start, signal.find_first_of(".[", start) - start));
    }
    return pins;
  }
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
  // The edge at which it was seen: a clock of 1 ns rises in the middle of its cycle; the file counts
  // picoseconds.
  std::smatch seen;
  const std::string finding = result.at("findings").at(0);
  ASSERT_TRUE(std::regex_search(finding, seen, std::regex("at cycle ([0-9]+) \\(([0-9]+) ps"))) << finding;
  EXPECT_EQ(std::stoull(found[2]), std::stoull(seen[1]) * 1000 + 500) << finding;
  EXPECT_EQ(found[2], seen[2]) << finding;
  EXPECT_NE(save.find("[markername] APL1"), std::string::npos) << save;
  const std::string red = "[color] 1\n@", open = "@800200\n-", closed = "@c00200\n-";
  const auto group = save.find(open);
  ASSERT_NE(group, std::string::npos);
  EXPECT_EQ(save.find(red), save.find("[color]", group)) << "the first open group is red";
  EXPECT_NE(save.find(closed), std::string::npos) << "other groups are folded";
}

/// The lines of a file that begin so.
std::vector<std::string> lines_of(const std::string& text, const std::string& begin) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.rfind(begin, 0) == 0) lines.push_back(line);
  return lines;
}

// 16 flits from 0 to 7, and two cycles later one that arrives before them; a reset at the first cycle.
TEST_F(waveform, markers_are_of_the_first_packet_and_of_every_reset) {
  std::ofstream(folder / "t.csv") << "20,0,7,16\n22,1,0,1\n";
  std::ofstream(folder / "m.yaml")
      << "name: m\ntopology: {kind: butterfly, radix: 2, stages: 3}\nswitch: {kind: packet, depth: 16}\n"
         "traffic: [{pattern: trace, file: t.csv}]\nresets: [{cycle: 10}]\n"
         "trace: {vcd: m.vcd, from: 10}\nperiod: 1\n";
  const process_result r =
      run_process("cd '" + folder.path().string() +
                  "'; " SPILLWAY_COMMAND " run m.yaml --deliveries --no-report --out out");
  ASSERT_EQ(r.status, 0) << r.output;
  const std::string save = read_text(folder / "m.gtkw");
  std::smatch at;
  ASSERT_TRUE(std::regex_search(save, at, std::regex("\\*-?[0-9.]+ ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+) ")));
  EXPECT_NE(save.find("[markername] Areset 1\n[markername] Bsent\n[markername] Carrives\n"),
            std::string::npos)
      << save;
  // cycle,source,destination,packet,created,injected: the long one comes last.
  const std::vector<std::string> arrived = lines_of(read_text(folder / "out/deliveries.csv"), "");
  const std::string last = arrived.back();
  EXPECT_NE(last.find(",0,7,"), std::string::npos) << last;
  EXPECT_EQ(std::stoull(at[4]), std::stoull(last) * 1000 + 500);
}

// Clock and reset, then the way of the first packet, open; the others are folded, by stage and switch.
TEST_F(waveform, opens_on_something_to_see) {
  ASSERT_EQ(run(SPILLWAY_COMMAND, "--deliveries").status, 0);
  const std::string save = save_file();
  EXPECT_EQ(save.find("[color] 1\n"), std::string::npos) << "nothing is wrong";
  std::smatch found;
  EXPECT_TRUE(
      std::regex_search(save, found, std::regex("\\*-?[0-9.]+ ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+) -1 ")));
  EXPECT_NE(save.find("[markername] Asent\n[markername] Barrives\n[markername] Cblocked\n"),
            std::string::npos);

  std::vector<std::string> open;
  std::istringstream lines(save);
  std::string before;
  for (std::string line; std::getline(lines, line); before = line)
    if (before == "@800200") open.push_back(line.substr(1));
  ASSERT_EQ(open.size(), 4u) << save;
  EXPECT_EQ(open[0], "clock and reset");
  // The first line of links: from its source, over both stages, to its destination, by a way that there is.
  std::smatch from, over, last;
  EXPECT_TRUE(std::regex_match(open[1], from, std::regex("network.link_terminal_([0-3])_0")));
  EXPECT_TRUE(std::regex_match(open[2], over, std::regex("network.link_switch_([01])_([01])")));
  EXPECT_TRUE(std::regex_match(open[3], last, std::regex("network.link_switch_([23])_([01])")));
  const auto number = [](const std::ssub_match& m) { return std::stoi(m.str()); };
  EXPECT_EQ(number(from[1]) / 2, number(over[1]));
  EXPECT_EQ(2 + number(over[2]), number(last[1]));
  EXPECT_NE(save.find("@800200\n-clock and reset\n@28\nSystemC.network.clk\n@28\nSystemC.network.rst\n"),
            std::string::npos)
      << save;
  // Of the cycle in which it is sent, in picoseconds.
  std::istringstream deliveries(read_text(folder / "out" / "deliveries.csv"));
  std::uint64_t sent = ~std::uint64_t{0};
  std::string line;
  for (std::getline(deliveries, line); std::getline(deliveries, line);) {
    std::size_t at = 0;
    for (int comma = 0; comma < 5; ++comma) at = line.find(',', at) + 1;
    sent = std::min<std::uint64_t>(sent, std::stoull(line.substr(at)));
  }
  EXPECT_EQ(std::stoull(found[2]), sent * 1000 + 500);
}

// The waveform itself says when and where: the first edge at which a link has `valid` without `ready`.
TEST_F(waveform, marks_the_first_blocked_flit) {
  ASSERT_EQ(run(SPILLWAY_COMMAND, "--seed 3").status, 0);  // not on the way of the first packet
  std::map<std::string, std::string> pin_of, value;        // by code, by pin
  std::string scope, blocked;
  std::uint64_t at = 0;
  std::istringstream vcd(read_text(folder / "w.vcd"));
  for (std::string line; std::getline(vcd, line) && blocked.empty();) {
    std::istringstream words(line);
    std::string first, second, third, code, name;
    words >> first >> second >> third >> code >> name;
    if (first == "$scope") scope += third + '.';
    if (first == "$upscope") scope.resize(scope.rfind('.', scope.size() - 2) + 1);
    if (first == "$var") pin_of[code] = scope + name;
    if (first[0] == '#') {  // the clock rises in the middle of each thousand
      at = std::stoull(first.substr(1));
      for (const auto& [pin, shown] : value)
        if (const std::size_t end = pin.rfind("valid"); at % 1000 == 500 && end != std::string::npos)
          if (shown == "1" && value[pin.substr(0, end) + "ready"].find('1') == std::string::npos)
            blocked = pin;
    }
    if (first[0] == '0' || first[0] == '1') value[pin_of[first.substr(1)]] = first.substr(0, 1);
    if (first[0] == 'b') value[pin_of[second]] = first;
  }
  ASSERT_FALSE(blocked.empty());
  const std::string save = save_file();
  std::smatch found;
  ASSERT_TRUE(std::regex_search(save, found, std::regex("\\*-?[0-9.]+ [0-9]+ [0-9]+ [0-9]+ ([0-9]+) -1 ")));
  EXPECT_EQ(found[1], std::to_string(at));
  // Its link is open, in orange, which no other is.
  const std::size_t pin = save.find("[color] 2\n@28\n" + blocked + '\n');
  ASSERT_NE(pin, std::string::npos) << blocked;
  const std::size_t group = save.rfind("\n-network.", pin);
  EXPECT_EQ(save.substr(group - 7, 7), "@800200");
}

// Each where it begins: a clock of 1 ns rises in the middle of its cycle.
TEST_F(waveform, marks_resets) {
  ASSERT_EQ(run(SPILLWAY_COMMAND, "--set 'resets=[{cycle: 20, length: 3}, {cycle: 60}]'").status, 0);
  const std::string save = save_file();
  std::istringstream words(lines_of(save, "*")[0]);  // zoom, cursor, markers from A on
  std::vector<std::string> times;
  for (std::string word; words >> word;) times.push_back(word);
  for (const auto& [name, time] : {std::pair{"reset 1", "20500"}, {"reset 2", "60500"}}) {
    const std::size_t at = save.find(std::string(name) + '\n');
    ASSERT_NE(at, std::string::npos) << name;
    EXPECT_EQ(save.substr(at - 14, 13), "[markername] ");
    EXPECT_EQ(times.at(2 + static_cast<std::size_t>(save[at - 1] - 'A')), time) << name;
  }
}

TEST_F(waveform, adds_nothing_to_json_on_standard_output) {
  const process_result r = run(SPILLWAY_COMMAND, "--json");
  ASSERT_EQ(r.status, 0);
  EXPECT_EQ(nlohmann::json::parse(r.output, nullptr, false)["status"], "ok") << r.output;
}

TEST_F(waveform, has_the_hierarchy_of_the_network_and_words) {
  ASSERT_EQ(run(SPILLWAY_COMMAND, "--set switch.buffering=voq").status, 0);
  const std::string vcd = read_text(folder / "w.vcd"), save = save_file();
  const std::string header = vcd.substr(0, vcd.find("$enddefinitions"));
  const auto scopes = lines_of(header, "$scope module ");
  EXPECT_EQ(std::vector<std::string>(scopes.begin(), scopes.begin() + 6),
            (std::vector<std::string>{"$scope module SystemC $end", "$scope module network $end",
                                      "$scope module terminals $end", "$scope module terminal_0 $end",
                                      "$scope module out_0 $end", "$scope module data $end"}));
  EXPECT_EQ(lines_of(header, "$scope module stage_").size(), 2u) << "each once";
  EXPECT_EQ(lines_of(header, "$scope module switch_").size(), 4u);
  EXPECT_EQ(lines_of(header, "$upscope").size(), scopes.size());
  // As wide as the lanes of a link to a switch with a queue an output; no value has more bits.
  std::smatch ready;
  ASSERT_TRUE(std::regex_search(header, ready, std::regex("\\$var wire 2 (\\S+) ready \\[1:0\\]")));
  std::size_t changes = 0;
  for (const std::string& line : lines_of(vcd, "b")) {
    const std::size_t blank = line.find(' ');
    if (line.substr(blank + 1, ready[1].length()) != ready[1].str()) continue;
    ++changes;
    EXPECT_LE(blank, 3u) << line;
  }
  EXPECT_GT(changes, 1u);
  EXPECT_NE(save.find("@2022\n^1 w.kind.txt\nSystemC.network.stage_0.switch_0.out_0.data.kind[3:0]\n"),
            std::string::npos);
  EXPECT_EQ(read_text(folder / "w.kind.txt"), "0 data\n1 acknowledge\n2 reply\n3 combinable\n");
  EXPECT_EQ(partial_files(folder), 0u);

  std::ofstream(folder / "e.yaml")
      << "name: e\ntopology: {kind: mesh, dimensions: [2, 2]}\nlink: {latency: 2}\n"
         "traffic: [{pattern: uniform, rate: 0.5, cycles: 20}]\n";
  const process_result r = run_experiment(SPILLWAY_COMMAND, "");
  EXPECT_EQ(r.status, 0) << r.output;
  const std::string mesh = save_file();
  EXPECT_EQ(mesh.find("stage"), std::string::npos) << "a mesh has none";
  EXPECT_NE(mesh.find("\n-column_1\n"), std::string::npos);
  EXPECT_NE(mesh.find(".out_0_end.valid\n"), std::string::npos) << "the other end of a long link";
}

// A link with a buffer and register stages is three, and each has a scope.
TEST_F(waveform, parts_of_a_long_link_have_scopes_of_their_own) {
  std::ofstream(folder / "e.yaml")
      << "name: e\ntopology: {kind: mesh, dimensions: [2, 2]}\nlink: {latency: 2, buffer: 4}\n"
         "traffic: [{pattern: uniform, rate: 0.5, cycles: 20}]\n";
  const process_result r = run_experiment(SPILLWAY_COMMAND, "");
  EXPECT_EQ(r.status, 0) << r.output;
  std::ifstream vcd(folder / "w.vcd");
  std::vector<std::string> scopes;
  std::set<std::string> names;
  for (std::string line; std::getline(vcd, line) && line.rfind("$enddefinitions", 0) != 0;) {
    std::istringstream words(line);
    std::string what, kind, name;
    words >> what >> kind >> name;
    if (what == "$scope") scopes.push_back(scopes.empty() ? name : scopes.back() + '.' + name);
    if (what == "$upscope") scopes.pop_back();
    if (what != "$var") continue;
    words >> name >> name;  // behind the width and the code
    EXPECT_TRUE(names.insert(scopes.back() + '.' + name).second) << scopes.back() << '.' << name;
  }
  for (const char* part : {"out_0.valid", "out_0_buffered.valid", "out_0_end.valid"})
    EXPECT_EQ(names.count(std::string("SystemC.network.column_0.switch_0.") + part), 1u) << part;
}

TEST_F(waveform, a_link_of_a_users_own_kind_is_checked_and_has_its_group) {
  for (const char* kernel : {"signals", "fast"}) {
    const std::string own = "--set switch.kind=counted --kernel " + std::string(kernel) + " --out '" +
                            (folder / "out").string() + "' '" + (folder / "e.yaml").string() + "' ";
    std::ofstream(folder / "e.yaml") << hot;
    const std::string run = "'" + std::string(SPILLWAY_FICKLE) + "' run " + own;
    const process_result right = run_process(run);
    EXPECT_EQ(right.status, 0) << right.output;
    const process_result wrong = run_process(run + "--set switch.wrong_at=50");
    EXPECT_EQ(wrong.status, 1) << wrong.output;
    EXPECT_NE(wrong.output.find("CT1 broken on network.link_switch_0_0 at cycle 51"), std::string::npos)
        << wrong.output;
  }
  ASSERT_EQ(run(SPILLWAY_FICKLE, "--set switch.kind=counted --set switch.wrong_at=50").status, 1);
  const auto groups = read_groups();
  ASSERT_EQ(groups.count("network.link_switch_0_0"), 1u);
  EXPECT_EQ(pins_of(groups, "network.link_switch_0_0"),
            (std::set<std::string>{"count", "valid", "data", "ready"}));
  EXPECT_NE(save_file().find("[markername] ACT1"), std::string::npos);
}

TEST_F(waveform, every_link_is_one_group_with_all_its_pins) {
  const auto groups_of = [this](const char* text) {
    std::ofstream(folder / "e.yaml") << "name: e\n" << text;
    const process_result r = run_experiment(SPILLWAY_COMMAND, "");
    EXPECT_EQ(r.status, 0) << r.output;
    return read_groups();
  };
  using pins = std::set<std::string>;
  const char* const burst = "traffic: [{pattern: uniform, injection: saturated, messages: 5}]\n";

  const std::string dampening =
      "topology: {kind: butterfly, radix: 2, stages: 2}\n"
      "switch: {kind: dampening, assignment: unique, buffers: 4, flow: receiver}\n"
      "interface: {kind: embargo}\n";
  auto groups = groups_of((dampening + burst).c_str());
  EXPECT_EQ(pins_of(groups, "network.link_switch_0_0"),
            (pins{"valid", "data", "ready", "place", "control", "interdict"}));
  EXPECT_EQ(pins_of(groups, "network.link_source_3"), (pins{"valid", "data", "ready"}));
  EXPECT_EQ(pins_of(groups, "network.switch_0.spill_0_0"), (pins{"valid", "slot", "data"}));
  EXPECT_EQ(pins_of(groups, "network.switch_3.refill_1_0"),
            (pins{"valid", "slot", "data", "fetch", "wanted"}));

  groups = groups_of(
      "topology: {kind: fat_tree, terminals: 4}\n"
      "switch: {kind: circuit}\n"
      "interface: {kind: circuit, retry: rounds}\n"
      "traffic: [{pattern: uniform, injection: batch, batch: {count: 2, every: 40}}]\n");
  EXPECT_EQ(pins_of(groups, "network.link_terminal_0_0"),
            (pins{"request", "data", "acknowledge", "collision"}));
  EXPECT_EQ(pins_of(groups, "network.round_state_2"), (pins{"value"}));

  const std::string feedback =
      "topology: {kind: omega, radix: 2, stages: 2}\n"
      "switch: {kind: packet, buffering: output, depth: 4, memory_depth: 8}\n"
      "interface: {kind: feedback, threshold: 6, announce: bus, hot_list: 2}\n";
  groups = groups_of((feedback + burst).c_str());
  EXPECT_EQ(pins_of(groups, "network.link_switch_2_0"), (pins{"valid", "data", "ready", "length"}));
  EXPECT_EQ(pins_of(groups, "network.feedback_bus"), (pins{"said"}));

  groups = groups_of(
      (std::string("topology: {kind: mesh, dimensions: [2, 2]}\ninterface: {kind: nifdy}\n") + burst)
          .c_str());
  EXPECT_EQ(pins_of(groups, "network.nifdy_1.sent"), (pins{"valid", "data", "ready"}));
  EXPECT_EQ(pins_of(groups, "network.nifdy_1.tags"), (pins{"value"}));
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
