// A waveform in FST has what the VCD of the same run has: by the reader of Verilator's sources, and by
// fst2vcd.
#include <gtest/gtest.h>
#include <gtkwave/fstapi.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <map>
#include <regex>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/fst_file.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/process.hpp"

namespace {

namespace fs = std::filesystem;

/// Of each variable, by full name: its values and since when; one that does not change the value is no
/// change.
using value_changes = std::map<std::string, std::vector<std::pair<std::uint64_t, std::string>>>;

struct wave {
  std::vector<std::string> names;  // in the order of the file
  value_changes changes;

  void add(const std::string& name, std::uint64_t time, const std::string& value) {
    auto& all = changes[name];
    if (!all.empty() && all.back().first == time) all.pop_back();
    if (all.empty() || all.back().second != value) all.emplace_back(time, value);
  }
};

/// Any VCD, whose variables may have aliases.
wave read_vcd(const fs::path& path) {
  struct variable {
    std::vector<std::string> names;
    std::size_t width = 1;
  };
  wave w;
  std::map<std::string, variable> by_code;
  std::string scope;
  std::uint64_t time = 0;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first, second, third, code, name, range;
    words >> first >> second >> third >> code >> name >> range;
    if (first == "$scope") scope += third + '.';
    if (first == "$upscope") scope.resize(scope.rfind('.', scope.size() - 2) + 1);
    if (first == "$var") {
      w.names.push_back(scope + name + (range[0] == '[' ? range : ""));
      by_code[code].names.push_back(w.names.back());
      by_code[code].width = std::stoul(third);
    }
    if (first.empty() || first[0] == '$') continue;
    if (first[0] == '#') {
      time = std::stoull(first.substr(1));
      continue;
    }
    const bool vector = first[0] == 'b', real = first[0] == 'r';
    const auto found = by_code.find(vector || real ? second : first.substr(1));
    if (found == by_code.end()) continue;
    std::string value = first.substr(vector || real ? 1 : 0, vector || real ? std::string::npos : 1);
    if (real) value = std::to_string(std::stod(value));
    const std::size_t width = found->second.width;
    const char front = value[0] == 'x' || value[0] == 'z' ? value[0] : '0';
    if (!real && value.size() < width) value.insert(0, width - value.size(), front);
    for (const std::string& n : found->second.names) w.add(n, time, value);
  }
  return w;
}

wave read_fst(const fs::path& path) {
  wave w;
  std::map<fstHandle, std::vector<std::string>> by_handle;
  void* const file = fstReaderOpen(path.c_str());
  EXPECT_TRUE(file) << path;
  if (!file) return w;
  EXPECT_EQ(fstReaderGetTimescale(file), -12);
  std::string scope;
  while (const fstHier* const h = fstReaderIterateHier(file)) {
    if (h->htyp == FST_HT_SCOPE) scope += std::string(h->u.scope.name) + '.';
    if (h->htyp == FST_HT_UPSCOPE) scope.resize(scope.rfind('.', scope.size() - 2) + 1);
    if (h->htyp != FST_HT_VAR) continue;
    w.names.push_back(scope + std::regex_replace(h->u.var.name, std::regex(" "), ""));
    by_handle[h->u.var.handle].push_back(w.names.back());
  }
  struct told {
    wave& w;
    std::map<fstHandle, std::vector<std::string>>& by_handle;
  } to{w, by_handle};
  fstReaderSetFacProcessMaskAll(file);
  fstReaderIterBlocks(
      file,
      [](void* user, std::uint64_t time, fstHandle handle, const unsigned char* value) {
        auto& t = *static_cast<told*>(user);
        std::string text = reinterpret_cast<const char*>(value);
        if (text.find('.') != std::string::npos) text = std::to_string(std::stod(text));
        for (const std::string& name : t.by_handle[handle]) t.w.add(name, time, text);
      },
      &to, nullptr);
  fstReaderClose(file);
  return w;
}

constexpr const char* packets =
    "name: e\ntopology: {kind: butterfly, radix: 2, stages: 2}\nswitch: {buffering: voq}\n"
    "traffic: [{pattern: hotspot, targets: [0], fraction: 0.5, rate: 0.8, cycles: 100}]\n";

class fst : public testing::Test {
protected:
  process_result run(const std::string& arguments) {
    return run_process("'" SPILLWAY_COMMAND "' run '" + (folder / "e.yaml").string() + "' " + arguments);
  }
  /// Runs the experiment twice, with either file.
  void make_both(const std::string& experiment, const std::string& more = "") {
    std::ofstream(folder / "e.yaml") << experiment;
    const process_result vcd = run("--vcd '" + (folder / "v.vcd").string() + "' " + more);
    ASSERT_EQ(vcd.status, 0) << vcd.output;
    const process_result f = run("--fst '" + (folder / "f.fst").string() + "' " + more);
    ASSERT_EQ(f.status, 0) << f.output;
    EXPECT_NE(f.output.find("f.fst"), std::string::npos) << f.output;
  }
  void expect_same(const wave& a, const wave& b) {
    EXPECT_GT(a.names.size(), 10u);
    EXPECT_EQ(a.names, b.names);
    std::size_t compared = 0;
    for (const auto& [name, changes] : a.changes) {
      compared += changes.size();
      const auto found = b.changes.find(name);
      ASSERT_NE(found, b.changes.end()) << name;
      EXPECT_EQ(changes, found->second) << name;
    }
    EXPECT_EQ(a.changes.size(), b.changes.size());
    EXPECT_GT(compared, 3 * a.names.size()) << "something has changed";
  }
  scratch_folder folder;
};

TEST_F(fst, has_the_signals_scopes_and_changes_of_the_vcd) {
  for (const char* const experiment :
       {packets,
        "name: e\ntopology: {kind: omega, radix: 2, stages: 2}\nswitch: {kind: dampening, assignment: "
        "unrestricted, buffers: 16}\n"
        "traffic: [{pattern: hotspot, targets: [0], fraction: 0.5, rate: 0.8, cycles: 100}]\n",
        "name: e\ntopology: {kind: fat_tree, terminals: 4}\nswitch: {kind: circuit}\n"
        "interface: {kind: circuit, retry: immediate}\n"
        "traffic: [{pattern: uniform, injection: saturated, messages: 10}]\n"}) {
    make_both(experiment);
    if (HasFatalFailure()) return;
    expect_same(read_vcd(folder / "v.vcd"), read_fst(folder / "f.fst"));
  }
  EXPECT_EQ(partial_files(folder), 0u);
}

TEST_F(fst, keeps_to_the_same_window_and_signals) {
  make_both(packets, "--set trace.from=20 --set trace.until=30 --set 'trace.signals=[\"*switch_0*\"]'");
  const wave vcd = read_vcd(folder / "v.vcd"), f = read_fst(folder / "f.fst");
  expect_same(vcd, f);
  std::uint64_t last = 0;
  for (const auto& [name, changes] : f.changes)
    for (const auto& [time, value] : changes) {
      EXPECT_GE(time, 20000u) << name;
      last = std::max(last, time);
    }
  EXPECT_LE(last, 30000u);
  EXPECT_GT(last, 28000u);
}

TEST_F(fst, fst2vcd_makes_the_vcd_of_it) {
  if (run_process("command -v fst2vcd").status != 0) GTEST_SKIP() << "no fst2vcd: install gtkwave";
  make_both(packets);
  const process_result r =
      run_process("fst2vcd '" + (folder / "f.fst").string() + "' > '" + (folder / "back.vcd").string() + "'");
  ASSERT_EQ(r.status, 0) << r.output;
  expect_same(read_vcd(folder / "v.vcd"), read_vcd(folder / "back.vcd"));
}

TEST_F(fst, has_the_groups_and_markers_of_the_vcd) {
  make_both(packets);
  std::string vcd = read_text(folder / "v.gtkw"), f = read_text(folder / "f.gtkw");
  EXPECT_NE(f.find("f.fst"), std::string::npos);
  EXPECT_NE(f.find("[markername] Asent"), std::string::npos);
  for (const auto& [from, to] : {std::pair{"v\\.vcd", "w"}, {"v\\.", "w."}})
    vcd = std::regex_replace(vcd, std::regex(from), to);
  for (const auto& [from, to] : {std::pair{"f\\.fst", "w"}, {"f\\.", "w."}})
    f = std::regex_replace(f, std::regex(from), to);
  EXPECT_EQ(vcd, f);
}

TEST_F(fst, is_one_waveform_and_has_its_name) {
  std::ofstream(folder / "e.yaml") << packets;
  const process_result both = run("--vcd a.vcd --fst a.fst");
  EXPECT_EQ(both.status, 2);
  EXPECT_NE(both.output.find("trace.fst: expected one waveform, found vcd beside it"), std::string::npos)
      << both.output;
  const process_result name = run("--fst a.vcd");
  EXPECT_EQ(name.status, 2);
  EXPECT_NE(name.output.find("ends with .fst"), std::string::npos) << name.output;
}

/// Made by hand: unknown, shortened and lengthened values, a real number, two names of one signal, changes at
/// one time.
constexpr const char* fst_by_hand =
    "$timescale\n  1 ps\n$end\n$scope module t $end\n$var wire 1 ! a $end\n$var wire 8 \" b [7:0] $end\n"
    "$var real 64 # c $end\n$scope module u $end\n$var wire 8 \" d [7:0] $end\n$upscope $end\n$upscope $end\n"
    "$enddefinitions $end\n$dumpvars\n0!\nbx \"\nr0.5 #\n$end\n#10\n1!\nb101 \"\n#25\nbz01 \"\nr-2.25 #\n"
    "#30\n0!\n1!\n#40\nb0011111111 \"\n";

TEST_F(fst, keeps_unknown_short_and_real_values_and_aliases) {
  std::ofstream(folder / "h.vcd") << fst_by_hand;
  const auto variables =
      spillway::move_vcd_to_fst(folder / "h.vcd", folder / "h.fst", [](spillway::vcd_variable&) {});
  EXPECT_EQ(variables.size(), 4u);
  const wave w = read_fst(folder / "h.fst");
  EXPECT_EQ(w.names, (std::vector<std::string>{"t.a", "t.b[7:0]", "t.c", "t.u.d[7:0]"}));
  EXPECT_EQ(w.changes.at("t.b[7:0]"),
            (std::vector<std::pair<std::uint64_t, std::string>>{
                {0, "xxxxxxxx"}, {10, "00000101"}, {25, "zzzzzz01"}, {40, "11111111"}}));
  EXPECT_EQ(w.changes.at("t.u.d[7:0]"), w.changes.at("t.b[7:0]"));
  EXPECT_EQ(w.changes.at("t.a"), (std::vector<std::pair<std::uint64_t, std::string>>{{0, "0"}, {10, "1"}}));
  EXPECT_EQ(w.changes.at("t.c"),
            (std::vector<std::pair<std::uint64_t, std::string>>{{0, "0.500000"}, {25, "-2.250000"}}));
}

TEST_F(fst, that_finds_no_room_is_no_file) {
  std::ofstream(folder / "h.vcd") << fst_by_hand;
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit few{300, 300};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &few), 0);
  EXPECT_THROW(spillway::move_vcd_to_fst(folder / "h.vcd", folder / "h.fst", [](spillway::vcd_variable&) {}),
               spillway::io_error);
  EXPECT_FALSE(fs::exists(folder / "h.fst"));
  EXPECT_EQ(partial_files(folder), 0u);
}

}  // namespace
