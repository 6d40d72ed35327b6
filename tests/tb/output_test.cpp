// What the command writes, as the programs that read it see it: JSON, VCD, SVG.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/process.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
const std::string quoted_command = "'" SPILLWAY_COMMAND "' ";

constexpr const char* small =
    "name: small\n"
    "topology: {kind: butterfly, radix: 2, stages: 2}\n"
    "traffic:\n"
    "  - {pattern: uniform, rate: 0.5, cycles: 200}\n";

class output : public testing::Test {
protected:
  std::string experiment() {
    std::ofstream(folder / "e.yaml") << small;
    return "'" + (folder / "e.yaml").string() + "' ";
  }
  scratch_folder folder;
};

/// The variables of a VCD file by hierarchical name, and how often each changes after the first value.
std::map<std::string, unsigned> read_vcd(const std::string& text) {
  std::map<std::string, std::string> name_of;
  std::map<std::string, unsigned> values;
  std::vector<std::string> scopes;
  std::istringstream words(text);
  std::string word;
  while (words >> word && word != "$enddefinitions") {
    std::string kind, size, id, name;
    if (word == "$scope") {
      words >> kind >> name;
      scopes.push_back(name);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      words >> kind >> size >> id >> name;
      for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) name = *scope + '.' + name;
      EXPECT_TRUE(name_of.emplace(id, name).second) << id << " stands for two variables";
      values[name] = 0;
    }
  }
  EXPECT_TRUE(scopes.empty());
  std::string line;
  while (std::getline(words, line)) {
    if (line.empty() || line[0] == '#' || line[0] == '$') continue;
    const bool vector = line[0] == 'b' || line[0] == 'r';
    const auto found = name_of.find(line.substr(vector ? line.find(' ') + 1 : 1));
    if (found != name_of.end()) ++values[found->second];
  }
  std::map<std::string, unsigned> changes;
  for (const auto& [name, count] : values) {
    EXPECT_GE(count, 1u) << name << " has no first value";
    changes[name] = count ? count - 1 : 0;
  }
  return changes;
}

}  // namespace

TEST_F(output, waveform_has_every_wire_in_its_scope_and_they_move) {
  const process_result r =
      run_process(quoted_command + "run " + experiment() + "--no-report --out '" + (folder / "out").string() +
                  "' --vcd '" + (folder / "w.vcd").string() + "'");
  ASSERT_EQ(r.status, 0) << r.output;
  const auto changes = read_vcd(read_text(folder / "w.vcd"));
  const json result = json::parse(read_text(folder / "out" / "result.json"));
  // Clock and reset; of a link valid, ready, and the thirteen parts of a flit.
  EXPECT_EQ(changes.size(), 2 + 15 * result["links"].get<unsigned>());
  for (const char* link : {"terminals.terminal_0.out_0", "terminals.terminal_3.out_0",
                           "stage_0.switch_0.out_0", "stage_1.switch_3.out_1"}) {
    const std::string name = std::string("SystemC.network.") + link;
    for (const char* wire : {".valid", ".data.packet", ".data.payload"}) {
      ASSERT_TRUE(changes.count(name + wire)) << name << wire;
      EXPECT_GT(changes.at(name + wire), 10u) << name << wire;
    }
    EXPECT_TRUE(changes.count(name + ".ready"));
    EXPECT_EQ(changes.at(name + ".data.length"), 0u) << "all packets are of one flit";
  }
}

TEST_F(output, waveform_has_the_chosen_signals_only) {
  const process_result r = run_process(quoted_command + "run " + experiment() +
                                       "--set 'trace.signals=[\"*terminal_?_0_valid\"]' --vcd '" +
                                       (folder / "w.vcd").string() + "'");
  ASSERT_EQ(r.status, 0) << r.output;
  std::set<std::string> names;
  for (const auto& [name, count] : read_vcd(read_text(folder / "w.vcd"))) names.insert(name);
  std::set<std::string> expected{"SystemC.network.clk", "SystemC.network.rst"};
  for (const char* t : {"0", "1", "2", "3"})
    expected.insert(std::string("SystemC.network.terminals.terminal_") + t + ".out_0.valid");
  EXPECT_EQ(names, expected);
}

TEST_F(output, waveform_can_be_converted_for_gtkwave) {
  if (run_process("command -v vcd2fst").status != 0) GTEST_SKIP() << "GTKWave's vcd2fst is not installed";
  ASSERT_EQ(
      run_process(quoted_command + "run " + experiment() + "--vcd '" + (folder / "w.vcd").string() + "'")
          .status,
      0);
  const process_result r =
      run_process("vcd2fst '" + (folder / "w.vcd").string() + "' '" + (folder / "w.fst").string() + "'");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_GT(fs::file_size(folder / "w.fst"), 1000u);
}

TEST_F(output, bench_prints_a_list_of_objects) {
  for (const char* kernel : {"fast", "signals"}) {
    const process_result r =
        run_process("ulimit -t 300; " + quoted_command + "bench --json --case " + kernel + ":3:0.2:200");
    ASSERT_EQ(r.status, 0) << r.output;
    const json list = json::parse(r.output.substr(r.output.find('[')));
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0]["kernel"], kernel);
    EXPECT_EQ(list[0]["terminals"], 8);
    EXPECT_EQ(list[0]["rate"], 0.2);
    EXPECT_TRUE(list[0]["name"].is_string());
    for (const char* key : {"ns_per_switch_cycle", "bytes_per_switch", "ratio_to_bare_loop"})
      EXPECT_GT(list[0][key].get<double>(), 0) << key;
  }
}

TEST_F(output, bench_times_whole_runs_with_and_without_checks) {
  struct timed {
    const char* what;
    unsigned terminals, switches;
  };
  for (const auto& [what, terminals, switches] :
       {timed{"omega:3:0.2:500", 8, 12}, {"mesh:2:0.1:500", 4, 4}, {"dampening:4:0.1:500", 16, 32}}) {
    const process_result r = run_process(quoted_command + "bench --json --case run:" + what);
    ASSERT_EQ(r.status, 0) << r.output;
    const json row = json::parse(r.output.substr(r.output.find('['))).at(0);
    EXPECT_EQ(row.at("terminals"), terminals) << what;
    EXPECT_GT(row.at("ns_per_switch_cycle"), 0) << what;
    EXPECT_DOUBLE_EQ(row.at("ns_per_switch_cycle").get<double>(),
                     row.at("seconds").get<double>() * 1e9 / (500 * switches))
        << what;
    EXPECT_GT(row.at("ns_without_link_checks"), 0) << what;
  }
  const process_result wrong = run_process(quoted_command + "bench --case run:omega:3:0.2");
  EXPECT_NE(wrong.status, 0);
  EXPECT_NE(wrong.output.find("a case is run:network:size:rate:cycles"), std::string::npos) << wrong.output;
}

TEST_F(output, bench_times_whole_runs_by_threads) {
  const process_result r = run_process(quoted_command + "bench --json --case threads:omega:5:0.2:400:2");
  ASSERT_EQ(r.status, 0) << r.output;
  const json row = json::parse(r.output.substr(r.output.find('['))).at(0);
  EXPECT_EQ(row.at("threads"), 2);
  EXPECT_EQ(row.at("terminals"), 32);
  EXPECT_DOUBLE_EQ(row.at("times").get<double>(),
                   row.at("seconds_by_one").get<double>() / row.at("seconds").get<double>());
  EXPECT_GT(row.at("ns_of_exchange"), 0);
  EXPECT_LT(row.at("ns_per_cycle").get<double>() * 400e-9, row.at("seconds").get<double>());
  for (const char* wrong : {"threads:omega:5:0.2:400", "threads:omega:5:0.2:400:1"})
    EXPECT_NE(run_process(quoted_command + "bench --case " + wrong).output.find("a case is threads:network:"),
              std::string::npos)
        << wrong;
}

TEST_F(output, graph_is_drawn) {
  const std::string target = folder / "g.svg";
  const process_result r = run_process(quoted_command + "graph " + experiment() + "-o '" + target + "'");
  ASSERT_EQ(r.status, 0) << r.output;
  const std::string svg = read_text(target);
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  // 4 switches, and 4 terminals as sources and as sinks; 4 + 4 + 4 links.
  const auto count = [&](const std::string& what) {
    unsigned n = 0;
    for (std::size_t at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("class=\"node\""), 12u);
  EXPECT_EQ(count("class=\"edge\""), 12u);
}

TEST_F(output, theory_lists_its_models) {
  const process_result r = run_process(quoted_command + "theory");
  EXPECT_EQ(r.status, 0);
  for (const char* model : {"hotspot", "nifdy", "crossbar", "collision"})
    EXPECT_NE(r.output.find(std::string("\n") + model + ' '), std::string::npos) << model;
}

TEST_F(output, a_limit_on_the_size_of_files_is_an_error_like_a_full_disk) {
  const process_result r = run_process("ulimit -f 1; " + quoted_command + "run " + experiment() +
                                       "--no-report --deliveries --out '" + (folder / "out").string() + "'");
  EXPECT_EQ(r.status, 2) << r.output;
  EXPECT_NE(r.output.find("deliveries.csv"), std::string::npos) << r.output;
  EXPECT_NE(r.output.find("File too large"), std::string::npos) << r.output;
  EXPECT_FALSE(fs::exists(folder / "out" / "deliveries.csv"));
}
