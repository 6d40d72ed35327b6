// What the command says of itself and of an experiment, as a user, a script and a shell read it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/process.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* small =
    "name: small\n"
    "topology: {kind: butterfly, radix: 2, stages: 3}\n"
    "traffic: [{pattern: uniform, rate: 0.2, cycles: 200}]\n";
const std::string piped = "printf '" + std::string(small) + "' | ";

std::string said(const std::string& arguments, int status = 0, const std::string& before = "") {
  const process_result r = run_process(before + SPILLWAY_COMMAND " " + arguments);
  EXPECT_EQ(r.status, status) << r.output;
  return r.output;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(command_line, knows_its_version_and_explains_each_command) {
  EXPECT_THAT(run_process(SPILLWAY_COMMAND " --version").output, testing::MatchesRegex("spillway [0-9.]+\n"));
  const std::string all = run_process(SPILLWAY_COMMAND " help").output;
  for (const char* name :
       {"run", "check", "graph", "list", "theory", "bench", "compare", "sweep", "plot", "reproduce"}) {
    EXPECT_THAT(all, HasSubstr(name));
    const process_result r = run_process(SPILLWAY_COMMAND " help " + std::string(name));
    EXPECT_EQ(r.status, 0);
    EXPECT_THAT(r.output, HasSubstr("Examples:\n  spillway " + std::string(name)));
  }
}

TEST(command_line, guesses_what_was_meant) {
  const auto refused = [](const std::string& arguments, const std::string& why) {
    const process_result r = run_process(SPILLWAY_COMMAND " " + arguments);
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_EQ(r.output, why + "\n");
  };
  refused("rnu", "found no command 'rnu', did you mean 'run'?");
  refused("help sweeep", "found no command 'sweeep', did you mean 'sweep'?");
  refused("run hotspot-buterfly", "found no experiment 'hotspot-buterfly', did you mean hotspot-butterfly?");
  refused("sweep saturaton", "found no sweep 'saturaton', did you mean saturation?");
  refused("reproduce nifdy-figure-22 --quick",
          "found no reproduction 'nifdy-figure-22', did you mean nifdy-figure-2?");
}

TEST(command_line, finds_shipped_experiments_by_name_from_anywhere) {
  const scratch_folder folder;
  const process_result r =
      run_process("cd '" + folder.path().string() + "' && " SPILLWAY_COMMAND " run storm-plain -o out");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_TRUE(fs::exists(folder / "out/result.json"));
}

TEST(command_line, help_ends_with_two_examples_and_shows_defaults) {
  for (const char* name : {"run", "check", "graph", "list", "theory", "bench", "compare", "curve", "sweep",
                           "plot", "reproduce", "help"}) {
    SCOPED_TRACE(name);
    const auto lines = lines_of(said(std::string(name) + " --help"));
    ASSERT_GT(lines.size(), 4u);
    EXPECT_EQ(lines[lines.size() - 3], "Examples:");
    for (std::size_t i = lines.size() - 2; i < lines.size(); ++i)
      EXPECT_THAT(lines[i], HasSubstr("spillway "));
    EXPECT_THAT(said(std::string("help ") + name), HasSubstr("Usage: spillway " + std::string(name)));
  }
  EXPECT_THAT(said("help sweep"), HasSubstr("--engine {local,slurm}=local"));
  EXPECT_THAT(said("help curve"), HasSubstr("=traffic.0.rate=0.05:1:0.05"));
}

TEST(command_line, the_bench_has_a_case_of_every_section) {
  for (const char* name :
       {"fast:3:0.2:50", "signals:3:0.2:20", "run:omega:3:0.2:50", "run:mesh:4:0.2:50",
        "run:dampening:3:0.2:50", "router:fast:0.2:50", "router:signals:0.2:20", "circuit:6:rounds"})
    EXPECT_TRUE(json::parse(said(std::string("bench --case ") + name)).is_object()) << name;
}

TEST(command_line, the_whole_bench_has_all_cases_in_either_form) {
  const auto bench = [](const std::string& options) {
    const process_result r = run_process("'" SPILLWAY_SMALL_BENCH "' bench " + options);
    EXPECT_EQ(r.status, 0) << r.output;
    return r.output;
  };
  EXPECT_EQ(bench(""), "table of a:\nmeasured a:1\nmeasured a:2\n\ntable of b:\nmeasured b:1\n");
  EXPECT_EQ(json::parse(bench("--json")),
            json::parse(R"([{"case": "a:1"}, {"case": "a:2"}, {"case": "b:1"}])"));
  EXPECT_EQ(json::parse(bench("--json --quick")), json::parse(R"([{"case": "a:1"}, {"case": "b:1"}])"));
  EXPECT_EQ(json::parse(bench("--json --case a:2")), json::parse(R"([{"case": "a:2"}])"));
}

TEST(command_line, takes_no_empty_value_for_an_option_that_is_left_out) {
  for (const char* option : {"--out ''", "--seed ''", "--vcd ''", "--kernel ''", "-o ''"})
    EXPECT_THAT(said("run - " + std::string(option), 2, piped),
                HasSubstr("found an empty value, expected one"))
        << option;
}

TEST(command_line, help_that_finds_no_room_says_so) {
  for (const char* asked : {"--help", "--version", "help run", "run --help"})
    EXPECT_THAT(said(std::string(asked) + " > /dev/full", 2), HasSubstr("cannot write")) << asked;
}

TEST(command_line, a_standard_output_that_finds_no_room_has_one_message) {
  for (const char* asked :
       {"list", "theory", "theory hotspot", "help", "help run --man", "help --completion bash"})
    EXPECT_EQ(said(std::string(asked) + " > /dev/full", 2), "standard output: cannot write all of it\n")
        << asked;
}

TEST(command_line, a_case_of_the_bench_that_makes_no_sense_is_refused) {
  for (const char* one : {"fast:3:0.1:-5", "fast:3:nan:100", "fast:-1:0.1:100", "fast:3:1.5:100",
                          "run:butterfly:4:0.1:-5", "run:butterfly:4:nan:100"})
    EXPECT_THAT(said("bench --case " + std::string(one), 2), HasSubstr("a case is")) << one;
  EXPECT_THAT(said("bench --case fast:3:1e-3:100"), HasSubstr("0.001")) << "a small rate is one";
}

TEST(command_line, json_is_the_record_that_is_kept_and_nothing_else) {
  const scratch_folder folder;
  const std::string out = (folder / "out").string();
  const std::string printed = said("run - --json --out '" + out + "'", 0, piped);
  EXPECT_EQ(printed, read_text(folder / "out" / "result.json"));
  EXPECT_EQ(json::parse(printed)["name"], "small");
  const json checked = json::parse(said("check - --json", 0, piped));
  EXPECT_EQ(checked["terminals"], 8);
  EXPECT_EQ(checked["links"], 32);
  EXPECT_EQ(checked["analysis"]["deadlock_free"], true);
  EXPECT_THAT(checked["plan"].get<std::string>(), HasSubstr("cycles: 0 to the end are measured"));
  const json graph = json::parse(said("graph - --json", 0, piped));
  EXPECT_EQ(graph["vertices"].size(), 8u + 12u);
  EXPECT_EQ(graph["links"].size(), 32u);
  const json listed = json::parse(said("list switch wormhole --json"));
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0]["name"], "wormhole");
  EXPECT_EQ(listed[0]["keys"][0]["default"], "1");
}

TEST(command_line, json_of_a_network_that_is_not_sound_says_so) {
  const std::string ring =
      "printf 'name: r\\ntopology: {kind: ring, terminals: 6, bidirectional: false}\\n"
      "traffic: [{pattern: uniform, rate: 0.2, cycles: 9}]\\n' | ";
  const json checked = json::parse(said("check - --json", 1, ring));
  EXPECT_EQ(checked["sound"], false);
  EXPECT_FALSE(checked["analysis"]["cycle"].empty());
}

TEST(command_line, standard_input_is_named_in_errors) {
  const std::string error = said("run -", 2, "printf 'name: a\\ntopology: {kind: mash}\\n' | ");
  EXPECT_THAT(error, testing::StartsWith("standard input:2:18: topology.kind: "));
  EXPECT_THAT(error, HasSubstr("did you mean 'mesh'?"));
}

TEST(command_line, quiet_says_faults_only) {
  EXPECT_EQ(said("run - -q", 0, piped), "");
  EXPECT_THAT(said("run - --set measure.limit=60 -q", 1, piped), HasSubstr("small: limit"));
  EXPECT_EQ(said("check - -q", 0, piped), "");
}

TEST(command_line, run_and_check_say_what_is_kept) {
  EXPECT_THAT(said("run -", 0, piped), HasSubstr("kept       nothing: --out DIR keeps"));
  EXPECT_THAT(said("check -", 0, piped), HasSubstr("kept: nothing; --out DIR keeps"));
  const std::string words =
      said("check - -o somewhere --deliveries --set measure.warmup=50 measure.cycles=100", 0, piped);
  for (const char* part :
       {"between 8 terminals, seed 1, on the fast kernel", "cycles: 0 to 50 warm up, 50 to 150 are measured",
        "kept: in somewhere: config.yaml", "deliveries.csv"})
    EXPECT_THAT(words, HasSubstr(part));
  EXPECT_FALSE(fs::exists("somewhere"));
  // Of five cycles, the first of which is 10.
  EXPECT_THAT(said("check - --set 'resets=[{cycle: 10, length: 5}]'", 0, piped),
              HasSubstr("reset: in cycles 10 to 14\n"));
}

TEST(command_line, check_says_all_that_is_measured_and_kept) {
  const std::string all = said(
      "check - --set measure.pending=true measure.breakdown=true measure.flows=true "
      "measure.overtaking=true 'measure.snapshots=[10, 20]'",
      0, piped);
  EXPECT_THAT(
      all, HasSubstr("  measured: throughput, latency; every 50 cycles packets created, delivered, in "
                     "flight, and how full the buffers are, packets under way to each terminal; latency by "
                     "where it was spent; packets and latency from each terminal to each; packets that "
                     "overtake others; the network at cycles 10, 20\n"));
  EXPECT_THAT(all, HasSubstr("timing.json, network.json, flows.csv, report.html\n"));
  const std::string found =
      said("check - --trace t.json --vcd w.vcd --no-report -o x --set measure.warmup=auto measure.cycles=300",
           0, piped);
  EXPECT_THAT(found,
              HasSubstr("cycles: MSER-5 finds the warm-up, half of these at most; 0 to 300 are measured\n"));
  EXPECT_THAT(found, HasSubstr("timing.json\n  waveform: w.vcd\n  record of packets: t.json\n"));
  EXPECT_THAT(found, HasSubstr("\n  kernel: signals in place of fast, as a waveform needs them"));
}

TEST(command_line, a_waveform_with_the_fast_kernel_says_what_it_does) {
  const scratch_folder folder;
  const std::string vcd = " --vcd '" + (folder / "w.vcd").string() + "'";
  EXPECT_THAT(said("run - --kernel fast" + vcd, 0, piped), HasSubstr("signals in place of fast"));
  EXPECT_THAT(said("run - --kernel signals" + vcd, 0, piped), Not(HasSubstr("in place of")));
}

TEST(command_line, lists_one_entry_all_sections_and_what_is_shipped) {
  const std::string one = said("list switch wormhole");
  EXPECT_THAT(one, HasSubstr("\n  wormhole "));
  EXPECT_THAT(one, Not(HasSubstr("\n  packet ")));
  EXPECT_EQ(said("list switch womhole", 2), "found no switch 'womhole', did you mean 'wormhole'?\n");
  const auto sections = lines_of(said("list --names"));
  for (const char* section : {"experiment", "topology", "endpoint", "packet", "measure", "checks", "trace",
                              "experiments", "sweeps", "reproductions"})
    EXPECT_THAT(sections, testing::Contains(section));
  EXPECT_THAT(said("list measure"), HasSubstr("warmup"));
  EXPECT_THAT(said("list experiment"),
              testing::AllOf(testing::ContainsRegex("\n    name +string, required: "),
                             testing::ContainsRegex("\n    seed +integer [0-9.]+, default 1: ")));
  const json keys = json::parse(said("list experiment --json"))[0]["keys"];
  EXPECT_EQ(keys[0]["name"], "name");
  EXPECT_EQ(keys[0]["required"], true);
  EXPECT_EQ(keys[1]["name"], "seed");
  EXPECT_EQ(keys[1]["required"], false);
  EXPECT_THAT(lines_of(said("list experiments --names")), testing::Contains("hotspot-butterfly"));
}

TEST(command_line, finds_what_is_shipped_in_a_folder_above_before_what_comes_with_the_program) {
  const scratch_folder folder;
  fs::create_directories(folder / "yaml/experiments");
  fs::create_directories(folder / "deep/down");
  std::ofstream(folder / "yaml/experiments/storm-plain.yaml") << small;
  const std::string at = "cd '" + folder.path().string() + "/deep/down' && " SPILLWAY_COMMAND " ";
  EXPECT_THAT(run_process(at + "run storm-plain").output, testing::StartsWith("small: ok after "));
  EXPECT_EQ(run_process(at + "list experiments --names").output, "storm-plain\n");
  EXPECT_THAT(run_process(at + "check mesh-3d").output, HasSubstr("deadlock: free")) << "which is not there";
}

TEST(command_line, writes_the_graph_to_standard_output) {
  const auto links = lines_of(said("graph -", 0, piped));
  EXPECT_EQ(links.size(), 32u);
  EXPECT_THAT(links[0], testing::MatchesRegex("t0:0 -> s[0-9]+:0"));
  EXPECT_THAT(said("graph - --format graphml", 0, piped), HasSubstr("attr.name=\"from_port\""));
  EXPECT_THAT(said("graph - -o x.jpg", 2, piped), HasSubstr("expected a file that ends in .txt"));
  if (run_process("dot -V").status != 0) GTEST_SKIP() << "no Graphviz";
  const std::string svg = said("graph - --format svg", 0,
                               "printf 'name: m\\ntopology: {kind: mesh, dimensions: [4, 2]}\\n"
                               "traffic: [{pattern: uniform, rate: 0.2, cycles: 9}]\\n' | ");
  const std::size_t width = svg.find("width=\"");
  ASSERT_NE(width, std::string::npos) << svg;
  EXPECT_NEAR(std::stoi(svg.substr(width + 7)), 3 * 54 + 37, 5) << "points, three steps and a box";
  EXPECT_THAT(said("graph - --format pdf", 0, piped), testing::StartsWith("%PDF"));
  EXPECT_THAT(said("graph - --format png", 0, piped), testing::StartsWith("\x89PNG"));
}

/// What bash offers for the last of the words.
std::vector<std::string> completed(const std::string& words) {
  const process_result r = run_process(
      "bash -c 'PATH=$1:$PATH; source <(spillway help --completion bash); shift; COMP_WORDS=(\"$@\"); "
      "COMP_CWORD=$(($# - 1)); _spillway \"$1\" \"${@: -1}\" \"${@: -2:1}\"; printf \"%s\\n\" "
      "\"${COMPREPLY[@]}\"' bash '" +
      fs::path(SPILLWAY_COMMAND).parent_path().string() + "' " + words);
  EXPECT_EQ(r.status, 0) << r.output;
  return lines_of(r.output);
}

TEST(manual, bash_completes_commands_options_and_shipped_names) {
  using testing::Contains;
  using testing::ElementsAre;
  EXPECT_THAT(completed("spillway re"), ElementsAre("reproduce"));
  EXPECT_THAT(completed("spillway --ver"), ElementsAre("--version"));
  EXPECT_THAT(completed("spillway run --del"), ElementsAre("--deliveries"));
  EXPECT_THAT(completed("spillway run hotspot-bu"), ElementsAre("hotspot-butterfly"));
  EXPECT_THAT(completed("spillway run --seed 3 hotspot-bu"), ElementsAre("hotspot-butterfly"));
  EXPECT_THAT(completed("spillway compare storm-plain storm-coun"), Contains("storm-counting"));
  EXPECT_THAT(completed("spillway run --kernel sig"), ElementsAre("signals"));
  EXPECT_THAT(completed("spillway run --seed hotspot-bu"), ElementsAre(""));
  EXPECT_THAT(completed("spillway list topol"), ElementsAre("topology"));
  EXPECT_THAT(completed("spillway list switch wor"), ElementsAre("wormhole"));
  EXPECT_THAT(completed("spillway sweep satur"), ElementsAre("saturation"));
  EXPECT_THAT(completed("spillway run x -o /us"), ElementsAre("/usr"));
}

TEST(manual, brackets_are_round_what_may_be_left_out) {
  const auto synopsis = [](const std::string& command) {
    const auto lines = lines_of(said("help " + command + " --man"));
    return *std::next(std::find(lines.begin(), lines.end(), ".SH SYNOPSIS"));
  };
  EXPECT_THAT(synopsis("run"), testing::EndsWith("[\\fIoption\\fR...] \\fIexperiment\\fR"));
  EXPECT_THAT(synopsis("compare"), testing::EndsWith("[\\fIoption\\fR...] \\fInames\\fR..."));
  EXPECT_THAT(synopsis("list"), testing::EndsWith("[\\fIoption\\fR...] [\\fIsection\\fR] [\\fIentry\\fR]"));
}

// Other shells than bash may not be there: their files are held to what they should say of a few options.
TEST(manual, zsh_and_fish_learn_of_commands_options_and_values) {
  const std::string fish = said("help --completion fish"),
                    run = "complete -c spillway -n '__fish_seen_subcommand_from run' ";
  for (const std::string& line :
       {std::string("complete -c spillway -n __fish_use_subcommand -a run -d 'run an experiment'\n"),
        run + "-s o -l out -xa '(__fish_complete_directories)' -d 'folder for",
        run + "-l vcd -rF -d 'waveform", run + "-l kernel -xa 'fast signals doubting' -d ",
        run + "-l threads -x -d ", run + "-s q -l quiet -d 'print nothing but faults'\n",
        run + "-rFa '(spillway list experiments --names)'\n"})
    EXPECT_THAT(fish, HasSubstr(line));
  const std::string zsh = said("help --completion zsh"), start = "\n    run)\n";
  const std::string of_run =
      zsh.substr(zsh.find(start) + start.size(), zsh.find("\n    check)") - zsh.find(start));
  for (const char* spec :
       {" '*--set[override a key\\: traffic.0.rate=0.3]:KEY=VALUE: '", " '(-o --out)-o[folder for",
        " '(-o --out)--out[folder for", "]:DIR:_files -/'", " '--vcd[waveform file;", "]:FILE:_files'",
        "]:{fast,signals,doubting}:(fast signals doubting)'",
        " '(-q --quiet)--quiet[print nothing but faults]'", " '1:experiment:_spillway_shipped experiments'"})
    EXPECT_THAT(of_run, HasSubstr(spec));
  EXPECT_THAT(zsh, HasSubstr(" '2:entry:_spillway_listed $line[1]'"));
  EXPECT_THAT(zsh, HasSubstr(" '*:names:_spillway_shipped reproductions'"));
}

TEST(manual, a_page_has_every_argument_option_value_and_default) {
  const std::string page = said("help sweep --man");
  for (const char* part :
       {".TH SPILLWAY\\-SWEEP 1 ", ".SH NAME\nspillway\\-sweep \\- run every combination",
        ".SH ARGUMENTS\n.TP\n\\fIsweep\\fR\nsweep file (YAML)",
        ".TP\n\\fB\\-o, \\-\\-out\\fR \\fIDIR\\fR\nfolder of plan",
        ".TP\n\\fB\\-q, \\-\\-quiet\\fR\nprint nothing",
        ".TP\n\\fB\\-\\-engine\\fR \\fI{local,slurm}\\fR\nwhat runs it: local processes, or job arrays of "
        "Slurm (default: local)\n",
        ".SH SEE ALSO\n\\fBspillway\\fR(1)\n"})
    EXPECT_THAT(page, HasSubstr(part));
  EXPECT_THAT(page, Not(HasSubstr("\\-\\-search"))) << "which is for the program itself";
  const std::string all = said("help --man");
  EXPECT_THAT(all, HasSubstr(".SH COMMANDS\n.TP\n\\fBrun\\fR\nrun an experiment\n"));
  EXPECT_THAT(all, HasSubstr("\n\\fBspillway\\-run\\fR(1),\n"));
}

TEST(manual, pages_and_completions_have_no_fault) {
  const scratch_folder folder;
  const std::string at = folder.path().string();
  EXPECT_EQ(said("help --write '" + at + "'"), "");
  EXPECT_EQ(read_text(folder / "man/man1/spillway-run.1"), said("help run --man"));
  for (const char* page : {"spillway", "spillway-run", "spillway-help", "spillway-sweep"}) {
    const std::string text = read_text(folder / "man/man1" / (page + std::string(".1")));
    for (const char* part : {".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".SH EXAMPLES"})
      EXPECT_THAT(text, HasSubstr(part)) << page;
  }
  EXPECT_EQ(run_process("bash -n '" + at + "/bash-completion/completions/spillway'").output, "");
  // Each looks if it is there.
  for (const char* check :
       {"command -v groff >/dev/null || exit 0; for f in man/man1/*; do groff -man -Tutf8 -ww -z \"$f\"; "
        "done",
        "command -v mandoc >/dev/null || exit 0; mandoc -T lint -W error man/man1/*",
        "command -v zsh >/dev/null || exit 0; zsh -n zsh/site-functions/_spillway",
        "command -v fish >/dev/null || exit 0; fish -n fish/vendor_completions.d/spillway.fish"})
    EXPECT_EQ(run_process("cd '" + at + "' && " + check).output, "") << check;
}

TEST(results, tell_throughput_in_flits_and_packets_and_replies_apart) {
  const json r =
      json::parse(said("run - --json --set packet.length=3 switch.depth=4 traffic.0.cycles=2000", 0, piped));
  EXPECT_NEAR(r["offered_flits"], 0.2, 0.02) << "the rate";
  EXPECT_DOUBLE_EQ(r["offered_flits"], 3 * r["offered"].get<double>());
  EXPECT_DOUBLE_EQ(r["throughput_flits"], 3 * r["throughput"].get<double>());
  EXPECT_DOUBLE_EQ(r["classes"]["cool"]["throughput_flits"], r["throughput_flits"]);
  EXPECT_FALSE(r["classes"].contains("reply"));
  const json answered =
      json::parse(said("run - --json --set endpoint.replies=true traffic.0.cycles=2000", 0, piped));
  const json &reply = answered["classes"]["reply"], &cool = answered["classes"]["cool"];
  EXPECT_NEAR(cool["offered_flits"], 0.2, 0.02) << "what the rate offers";
  EXPECT_DOUBLE_EQ(reply["throughput"], cool["throughput"]);
  EXPECT_DOUBLE_EQ(answered["throughput"],
                   reply["throughput"].get<double>() + cool["throughput"].get<double>());
  EXPECT_THAT(said("run - --set endpoint.replies=true", 0, piped), HasSubstr("packets of them replies"));
}

TEST(results, are_printed_as_they_are_kept) {
  const scratch_folder folder;
  const std::string printed = said("run - --no-report -o '" + (folder / "out").string() +
                                       "' --set traffic.0.cycles=3000 traffic.0.rate=0.5 packet.length=2 "
                                       "measure.warmup=100 measure.cycles=2000",
                                   0, piped);
  const json r = json::parse(read_text(folder / "out/result.json"));
  const auto number = [&r](const char* place) { return r.at(json::json_pointer(place)).get<double>(); };
  char lines[400];
  std::snprintf(lines, sizeof lines,
                "  throughput %.4f of %.4f flits/cycle/terminal offered; %.4f ± %.4f of %.4f packets\n"
                "  latency    mean %.2f ± %.2f, p99 %.0f, max %.0f cycles; in the network mean %.2f\n",
                number("/throughput_flits"), number("/offered_flits"), number("/throughput"),
                number("/confidence/throughput"), number("/offered"), number("/latency/mean"),
                number("/confidence/latency"), number("/latency/p99"), number("/latency/max"),
                number("/network_latency/mean"));
  EXPECT_THAT(printed, HasSubstr(lines));
  EXPECT_NE(number("/latency/p99"), number("/latency/max"));
}

TEST(results, of_the_same_seed_are_the_same_bytes_but_for_times) {
  const scratch_folder folder;
  fs::create_directories(folder / "deep/down");
  for (const std::string at : {"a", "deep/down/b"})
    said("run storm-plain --deliveries -q -o " + at + " --vcd w.vcd --set trace.until=20", 0,
         "cd '" + folder.path().string() + "' && ");
  std::vector<std::string> different;
  for (const auto& file : fs::directory_iterator(folder / "a"))
    if (read_text(file.path()) != read_text(folder / "deep/down/b" / file.path().filename()))
      different.push_back(file.path().filename());
  EXPECT_THAT(different, testing::IsSubsetOf({"timing.json"}));
  EXPECT_THAT(read_text(folder / "a" / "config.yaml"), HasSubstr("vcd: w.vcd"));
}

}  // namespace
