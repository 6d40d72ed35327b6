// `spillway reproduce` as a user runs it.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "support/studies.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* reproduction =
    "name: loads\n"
    "title: More load, more packets\n"
    "paper: Nobody, 1985\n"
    "source: figure 1\n"
    "runs:\n"
    "  loads: {experiment: e.yaml, grid: {traffic.0.rate: [0.1, 0.3]}, seeds: 3}\n"
    "theory:\n"
    "  bound: {model: hotspot, arguments: {N: 8, fraction: 0.5}}\n"
    "quick: {seeds: 2, set: {traffic.0.cycles: 100}}\n"
    "claims:\n"
    "  - {claim: Three times the load delivers twice the packets, value: 'delivered[loads, rate=0.3] > 2 * "
    "delivered[loads, rate=0.1]'}\n"
    "  - {claim: Nothing is lost, value: 'lost[loads] == 0 and bound.bound < 1'}\n"
    "pictures:\n"
    "  - {name: load, x: rate, y: delivered}\n";

class a_reproduction : public studies {
protected:
  process_result reproduce(const std::string& text, const std::string& more = "") {
    write("r.yaml", text);
    return spillway("reproduce r.yaml --out out " + more);
  }
};

TEST_F(a_reproduction, judges_its_claims) {
  const process_result r = reproduce(reproduction);
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("verdict   holds"));
  const json v = json::parse(read_text(folder / "out" / "loads" / "verdicts.json"));
  EXPECT_EQ(v["summary"], "2 hold");
  ASSERT_EQ(v["claims"].size(), 2u);
  EXPECT_EQ(v["claims"][0]["verdict"], "holds");
  EXPECT_EQ(v["claims"][0]["comparisons"][0]["left"]["runs"], 3);
  EXPECT_EQ(v["claims"][1]["comparisons"].size(), 3u);
  const std::string page = read_text(folder / "out" / "loads" / "report.html");
  EXPECT_THAT(page, HasSubstr("Three times the load"));
  EXPECT_THAT(page, HasSubstr("<p class=\"status fine\">Verdict: <strong>holds</strong></p>"));
  std::string cells = "<td>delivered[loads, rate=0.3] &gt; 2 * delivered[loads, rate=0.1]</td>";
  for (const char* side : {"left", "right", "difference"}) {
    const json& e = v["claims"][0]["comparisons"][0][side];
    std::array<char, 80> cell{};
    std::snprintf(cell.data(), cell.size(), "<td>%.5g ± %.2g</td>", e["mean"].get<double>(),
                  e["ci95"].get<double>());
    cells += cell.data();
  }
  EXPECT_THAT(page, HasSubstr("<tr>" + cells +
                              "<td>holds</td><td>loads, traffic.0.rate=0.3; loads, "
                              "traffic.0.rate=0.1</td></tr>"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_TRUE(fs::exists(folder / "out" / "loads" / "load.svg"));
}

/// What a command prints to a terminal; nothing where there are none.
std::string printed_to_a_terminal(const std::string& command_line) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  std::string text;
  if (terminal < 0) return text;
  if (::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0) {
    const std::string name = ::ptsname(terminal);
    const int kept_open = ::open(name.c_str(), O_RDWR | O_NOCTTY);  // what is printed stays till it is read
    run_process(command_line + " >'" + name + "'");
    std::array<char, 4096> buffer;
    for (ssize_t got = 0; (got = ::read(terminal, buffer.data(), buffer.size())) > 0;)
      text.append(buffer.data(), static_cast<std::size_t>(got));
    ::close(kept_open);
  }
  ::close(terminal);
  return text;
}

TEST_F(a_reproduction, is_coloured_on_a_terminal_unless_no_colour_is_wanted) {
  write("r.yaml", reproduction);
  const std::string line = "cd '" + folder.path().string() + "'; ",
                    command = SPILLWAY_COMMAND " reproduce r.yaml --out out";
  const std::string coloured = printed_to_a_terminal(line + "unset NO_COLOR; " + command);
  if (coloured.empty()) GTEST_SKIP() << "no terminal";
  EXPECT_THAT(coloured, testing::AllOf(HasSubstr("verdict"), HasSubstr("\033[")));
  const std::string plain = printed_to_a_terminal(line + "NO_COLOR=1 " + command);
  EXPECT_THAT(plain, testing::AllOf(HasSubstr("verdict"), testing::Not(HasSubstr("\033["))));
  EXPECT_THAT(reproduce(reproduction).output, testing::Not(HasSubstr("\033["))) << "no terminal";
}

TEST_F(a_reproduction, may_have_formulas_only) {
  const std::string text =
      "name: bound\ntitle: A bound\npaper: Nobody, 1985\nsource: figure 1\n"
      "theory: {bound: {model: hotspot, arguments: {N: 8, fraction: 0.5}}}\n"
      "claims: [{claim: It is one, value: bound.bound < 1}]\n";
  for (int times = 0; times < 2; ++times) {
    const process_result r = reproduce(text);
    EXPECT_EQ(r.status, 0) << r.output;
    EXPECT_THAT(r.output, HasSubstr("in all    1 holds\n"));
  }
  EXPECT_THAT(spillway("reproduce r.yaml --list").output, HasSubstr("full    formulas only\n"));
}

TEST_F(a_reproduction, may_have_runs_later) {
  const std::string runs =
      "runs:\n  loads: {experiment: e.yaml, grid: {traffic.0.rate: [0.1, 0.3]}, seeds: 3}\n";
  const std::string formulas =
      with(with(with(reproduction, runs, ""), "pictures:\n  - {name: load, x: rate, y: delivered}\n", ""),
           "  - {claim: Three times the load delivers twice the packets, value: "
           "'delivered[loads, rate=0.3] > 2 * delivered[loads, rate=0.1]'}\n",
           "");
  process_result r = reproduce(with(formulas, "lost[loads] == 0 and ", ""));
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_FALSE(fs::exists(folder / "out/loads/runs"));
  r = reproduce(reproduction);
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("in all    2 hold\n"));
}

TEST_F(a_reproduction, has_a_name_of_its_own) {
  write("r.yaml", reproduction);
  write("same.yaml", with(reproduction, "More load", "Another"));
  expect_wrong(spillway("reproduce r.yaml same.yaml --out out"),
               "same.yaml:1:7: name: ", "found a second reproduction 'loads', expected another name");
  expect_wrong(spillway("reproduce r.yaml r.yaml --out out"), "r.yaml:1:7: name: ", "a second reproduction");
}

TEST_F(a_reproduction, leaves_to_others_what_is_theirs) {
  fs::create_directories(folder / "all" / "loads" / "runs" / "kept");
  const auto plan_there = [&](const std::string& about) {
    write("all/loads/plan.jsonl",
          "{" + about + "}\n" + R"({"run":0,"id":"0000000000000000","set":{},"seed":1})" + "\n");
    return read_text(folder / "all" / "loads" / "plan.jsonl");
  };
  write("r.yaml", reproduction);
  std::string before = plan_there(R"("sweep":"loads")");
  expect_wrong(spillway("reproduce r.yaml --out all"), "all/loads", "holds a sweep");
  EXPECT_EQ(read_text(folder / "all" / "loads" / "plan.jsonl"), before);
  before = plan_there(R"("reproduction":"loads","build":"another")");
  expect_wrong(spillway("reproduce r.yaml --out all --engine slurm --dry-run"), "all/loads", "another build");
  EXPECT_EQ(read_text(folder / "all" / "loads" / "plan.jsonl"), before);
  EXPECT_TRUE(fs::exists(folder / "all" / "loads" / "runs" / "kept"));
  expect_wrong(spillway("reproduce r.yaml --dry-run"), "", "needs --engine slurm");
}

TEST_F(a_reproduction, fails_when_a_claim_does) {
  const std::string wrong = with(reproduction, "> 2 *", "< 2 *");
  const process_result r = reproduce(wrong);
  EXPECT_EQ(r.status, 1) << r.output;
  EXPECT_THAT(r.output, HasSubstr("verdict   does not hold"));
  EXPECT_EQ(json::parse(read_text(folder / "out" / "loads" / "verdicts.json"))["claims"][0]["met"], false);
}

// What the seeds differ by cannot decide.
TEST_F(a_reproduction, that_the_noise_leaves_undecided_is_met_by_a_quick_run_alone) {
  const std::string unsure = with(reproduction, "delivered[loads, rate=0.3] > 2 * delivered[loads, rate=0.1]",
                                  "latency.mean[loads, rate=0.3] > average(latency.mean[loads, rate=0.3])");
  const process_result full = reproduce(unsure);
  EXPECT_EQ(full.status, 1);
  EXPECT_THAT(full.output, HasSubstr("verdict   undecided, inside the noise  <<<\n"));
  EXPECT_THAT(full.output, HasSubstr("in all    1 holds, 1 undecided\n"));
  EXPECT_EQ(json::parse(read_text(folder / "out/loads/verdicts.json"))["claims"][0]["met"], false);
  const process_result quick = spillway("reproduce r.yaml --out quick --quick");
  EXPECT_EQ(quick.status, 0) << quick.output;
  EXPECT_THAT(quick.output, HasSubstr("verdict   undecided, inside the noise\n"));
}

// A lie in a result is believed for as long as it is one of this build.
TEST_F(a_reproduction, does_not_go_by_the_results_of_another_build) {
  ASSERT_EQ(reproduce(reproduction).status, 0);
  for (const auto& run : fs::directory_iterator(folder / "out/loads/runs")) {
    const std::string file = "out/loads/runs/" + run.path().filename().string() + "/result.json";
    write(file, with(read_text(folder / file), "\"lost\": 0", "\"lost\": 1"));
  }
  EXPECT_EQ(reproduce(reproduction).status, 1) << "what is there is not run again";
  const std::string plan = read_text(folder / "out/loads/plan.jsonl"),
                    build = json::parse(lines("out/loads/plan.jsonl")[0])["build"];
  write("out/loads/plan.jsonl", with(plan, build, "another"));
  EXPECT_EQ(reproduce(reproduction).status, 0);
}

TEST_F(a_reproduction, may_be_told_other_settings) {
  EXPECT_EQ(reproduce(reproduction, "--set runs.loads.seeds=4").status, 0);
  EXPECT_EQ(lines("out/loads/results.csv").size(), 1u + 2 * 4);
}

TEST_F(a_reproduction, may_know_that_a_claim_does_not_hold_within_bounds) {
  const std::string wrong = with(with(reproduction, "> 2 *", "< 2 *"), "{claim: Three",
                                 "{known: It is linear, bounds: 'delivered[loads, rate=0.3] < 4 * "
                                 "delivered[loads, rate=0.1]', claim: Three");
  process_result r = reproduce(wrong);
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("verdict   does not hold, explained"));
  EXPECT_THAT(r.output, HasSubstr("It is linear"));
  EXPECT_THAT(r.output, HasSubstr("in all    1 holds, 1 does not and is explained\n"));
  r = reproduce(with(wrong, "< 2 *", "> 2 *"));
  EXPECT_EQ(r.status, 1) << "a finding that is no longer true must not stay in the file";
  EXPECT_THAT(r.output, HasSubstr("holds, but was known not to"));
  r = reproduce(with(wrong, "< 4 *", "> 4 *"));
  EXPECT_EQ(r.status, 1) << "it deviates otherwise than was explained";
  EXPECT_THAT(r.output, HasSubstr("not within the bounds"));
  EXPECT_THAT(r.output, HasSubstr("1 holds, 1 does not hold\n"));
}

TEST_F(a_reproduction, has_bounds_for_what_is_known_and_for_nothing_else) {
  expect_wrong(reproduce(with(reproduction, "{claim: Three", "{known: It is linear, claim: Three")),
               "r.yaml:11:", "found 'known' without 'bounds'");
  expect_wrong(reproduce(with(reproduction, "{claim: Three", "{bounds: 1 < 2, claim: Three")),
               "r.yaml:11:", "found 'bounds' without 'known'");
  expect_wrong(reproduce(with(reproduction, "{claim: Three",
                              "{known: It is linear, bounds: 'lost[lods] < 2', claim: Three")),
               "r.yaml:11:", "no runs 'lods'");
}

TEST_F(a_reproduction, prints_each_configuration_with_its_values_and_settings) {
  const std::string text = with(reproduction, "lost[loads] == 0", "delivered[loads] > 0");
  const process_result r = reproduce(text);
  EXPECT_EQ(r.status, 0) << r.output;
  const json claim = json::parse(read_text(folder / "out" / "loads" / "verdicts.json"))["claims"][1];
  const json &low = claim["comparisons"][0], &high = claim["comparisons"][1];
  EXPECT_EQ(low["configurations"], json({"loads, traffic.0.rate=0.1"}));
  EXPECT_EQ(high["configurations"], json({"loads, traffic.0.rate=0.3"}));
  EXPECT_LT(low["left"]["mean"], high["left"]["mean"]);
  for (const json& one : {low, high}) {
    const std::regex line("\n +" + std::to_string(one["left"]["mean"].get<int>()) +
                          R"([.\d]* .*against 0  \[)" + one["configurations"][0].get<std::string>() +
                          "\\]\n");
    EXPECT_TRUE(std::regex_search(r.output, line)) << r.output;
  }
}

TEST_F(a_reproduction, prints_tables) {
  const std::string text =
      with(reproduction, "pictures:",
           "tables:\n  - name: loads\n    corner: load\n    rows: [{title: low, row: rate=0.1}, {title: "
           "high, row: rate=0.3}]\n"
           "    columns:\n      - {title: share, value: 'delivered[loads, ROW] / injected[loads, ROW]', "
           "decimals: 1}\n"
           "      - {title: lost, value: 'lost[loads, ROW]', decimals: 0, interval: true}\npictures:");
  process_result r = reproduce(text);
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("| load | share | lost |\n  |---|---|---|\n  | low | 1.0 | 0 ± 0 |\n"));
  const json kept = json::parse(read_text(folder / "out" / "loads" / "verdicts.json"));
  EXPECT_EQ(kept["tables"][0]["markdown"][3], "| high | 1.0 | 0 ± 0 |");
  fs::remove_all(folder / "out");
  expect_wrong(reproduce(with(text, "row: rate=0.3", "row: rate=0.5")), "r.yaml:", "no runs of 'loads'");
  expect_wrong(reproduce(with(text, "delivered[loads, ROW] /", "delivered[loads] /")),
               "r.yaml:", "found 2 configurations");
}

TEST_F(a_reproduction, can_claim_what_happens_over_time) {
  write("e.yaml",
        "name: pause\ntopology: {kind: crossbar, terminals: 4}\nswitch: {kind: packet}\n"
        "endpoint: {pauses: [{terminals: [0, 1, 2, 3], from: 400, until: 800}]}\n"
        "traffic:\n  - {pattern: uniform, rate: 0.3, cycles: 1000}\nmeasure: {interval: 100}\n");
  const std::string paused =
      with(with(reproduction, "grid: {traffic.0.rate: [0.1, 0.3]}, ", ""),
           "delivered[loads, rate=0.3] > 2 * delivered[loads, rate=0.1]",
           "series.delivered[loads, cycle=500..800] == 0 and series.delivered[loads, cycle=0..400] > 80"
           " and series.delivered[loads, cycle=300..400] > 40 and series.delivered[loads, cycle=400..800] < 5"
           " and series.created[loads] > 0");
  const std::string text =
      with(paused, "  - {name: load, x: rate, y: delivered}", "  - {name: load, x: cycle, y: delivered}");
  process_result r = reproduce(text);
  EXPECT_EQ(r.status, 0) << r.output;
  r = reproduce(with(text, "cycle=500..800", "cycle=300..800"));
  EXPECT_EQ(r.status, 1) << r.output;
  r = reproduce(with(text, "cycle=500..800", "cycle=500.800"));
  EXPECT_EQ(r.status, 2) << r.output;
  EXPECT_THAT(r.output, HasSubstr("expected cycle=A..B"));
  r = reproduce(with(text, "series.created", "series.cretaed"));
  EXPECT_EQ(r.status, 2) << r.output;
  EXPECT_THAT(r.output, HasSubstr("no column 'cretaed'"));
}

TEST_F(a_reproduction, can_claim_how_long_something_takes) {
  write("e.yaml",
        "name: pause\ntopology: {kind: crossbar, terminals: 4}\nswitch: {kind: packet}\n"
        "endpoint: {pauses: [{terminals: [0, 1, 2, 3], from: 400, until: 800}]}\n"
        "traffic:\n  - {pattern: uniform, rate: 0.3, cycles: 1000}\nmeasure: {interval: 100}\n");
  const std::string text =
      with(with(with(reproduction, "grid: {traffic.0.rate: [0.1, 0.3]}, ", ""),
                "delivered[loads, rate=0.3] > 2 * delivered[loads, rate=0.1]",
                "until.delivered[loads, cycle=500..1000, at_least=50] == 400 and"
                " until.delivered[loads, cycle=500..1000, at_least=10000] == 500"),
           "  - {name: load, x: rate, y: delivered}", "  - {name: load, x: cycle, y: delivered}");
  process_result r = reproduce(text);
  EXPECT_EQ(r.status, 0) << r.output;
  r = reproduce(with(text, "at_least=50]", "at_least=0]"));
  EXPECT_EQ(r.status, 1) << r.output;
  fs::remove_all(folder / "out");
  expect_wrong(reproduce(with(text, "at_least=50]", "at_least=many]")),
               "r.yaml:", "found 'at_least=many', expected at_least=NUMBER");
  expect_wrong(reproduce(with(text, ", at_least=50]", "]")), "r.yaml:", "until.delivered has no level");
  expect_wrong(reproduce(with(text, ", cycle=500..1000, at_least=50]", ", at_least=50]")),
               "r.yaml:", "until.delivered has no beginning");
}

TEST_F(a_reproduction, has_a_quick_version) {
  const std::string text = with(reproduction, "{claim: Three", "{full: true, claim: Three");
  const process_result r = reproduce(text, "--quick");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(lines("out/loads/results.csv").size(), 1u + 2 * 2);
  EXPECT_THAT(r.output, HasSubstr("verdict   needs full size; no verdict of one is kept"));
  EXPECT_THAT(r.output, HasSubstr("1 holds, 1 needs full size (1 without a kept verdict)"));
  const json plan = json::parse(lines("out/loads/plan.jsonl")[1]);
  EXPECT_THAT(read_text(folder / "out" / "loads" / "runs" / std::string(plan["id"]) / "config.yaml"),
              HasSubstr("cycles: 100"));
}

/// The verdicts of full size as they are kept, beside a quick run of them.
class kept_verdicts_of_a_reproduction : public a_reproduction {
protected:
  const std::string text = with(reproduction, "{claim: Three", "{full: true, claim: Three");
  void keep() {
    ASSERT_EQ(reproduce(text).status, 0);
    json v = json::parse(read_text(folder / "out" / "loads" / "verdicts.json"));
    v["date"] = "2026-01-31";
    write_kept(v.dump());
    fs::remove_all(folder / "out");
  }
  void write_kept(const std::string& what) {
    fs::create_directories(folder / "kept" / "loads");
    write("kept/loads/verdicts.json", what);
  }
};

TEST_F(kept_verdicts_of_a_reproduction, are_shown_for_as_long_as_nothing_changes) {
  keep();
  const std::string quick = "--quick --kept kept";
  EXPECT_THAT(reproduce(text, quick).output, HasSubstr("needs full size; holds on 2026-01-31\n"));
  EXPECT_THAT(reproduce(text, quick).output, HasSubstr("1 holds, 1 needs full size\n"));
  EXPECT_THAT(spillway("reproduce r.yaml --list --kept kept").output, HasSubstr("kept    2026-01-31\n"));
  EXPECT_THAT(reproduce(with(text, "Nobody, 1985", "Somebody, 1986"), quick).output,
              HasSubstr("holds on 2026-01-31\n"));
  const char* const stale = "what it depends on has changed since";
  EXPECT_THAT(reproduce(with(text, "seeds: 3", "seeds: 4"), quick).output, HasSubstr(stale));
  EXPECT_THAT(reproduce(with(text, "N: 8", "N: 9"), quick).output, HasSubstr(stale));
  EXPECT_THAT(reproduce(with(text, "> 2 *", "> 1.9 *"), quick).output,
              HasSubstr("no verdict of one is kept"));
  EXPECT_THAT(spillway("reproduce r.yaml --list --kept kept").output, HasSubstr("kept    missing\n"));
  write("e.yaml", with(small_experiment, "stages: 3", "stages: 4"));
  EXPECT_THAT(reproduce(text, quick).output, HasSubstr(stale));
  EXPECT_THAT(spillway("reproduce r.yaml --list --kept kept").output, HasSubstr("kept    stale\n"));
}

TEST_F(kept_verdicts_of_a_reproduction, with_bounds_are_for_these_bounds) {
  const std::string value = "> 2 * delivered[loads, rate=0.1]'",
                    known = with(text, value,
                                 "> 9 * delivered[loads, rate=0.1]', known: little,\n      bounds: "
                                 "'delivered[loads, rate=0.3] > 1 and  delivered[loads] > 0'");
  ASSERT_EQ(reproduce(known).status, 0);
  json v = json::parse(read_text(folder / "out/loads/verdicts.json"));
  v["date"] = "2026-01-31";
  write_kept(v.dump());
  fs::remove_all(folder / "out");
  const std::string quick = "--quick --kept kept", none = "no verdict of one is kept";
  const auto state = [this] { return spillway("reproduce r.yaml --list --kept kept").output; };
  EXPECT_THAT(reproduce(known, quick).output, HasSubstr("does not hold, explained on 2026-01-31"));
  EXPECT_THAT(state(), HasSubstr("kept    2026-01-31\n"));
  EXPECT_THAT(reproduce(with(known, "rate=0.3] > 1", "rate=0.3] > 9"), quick).output, HasSubstr(none));
  EXPECT_THAT(state(), HasSubstr("kept    missing\n"));
  const std::string held = with(text, "> 2 *", "> 9 *");
  EXPECT_THAT(reproduce(held, quick).output, HasSubstr(none)) << "nothing is known any more";
}

TEST_F(kept_verdicts_of_a_reproduction, that_cannot_be_read_are_one_message) {
  const std::string quick = "--quick --kept kept", file = "kept/loads/verdicts.json:";
  write("r.yaml", text);
  for (const auto& [content, message] : std::map<std::string, std::string>{
           {"{", "1:2: not valid JSON: syntax error"},
           {std::string(100, '['), " found more than 64 levels"},
           {"[]", " date: found nothing, expected string"},
           {R"({"date": 3})", " date: found number, expected string"},
           {R"({"date": "x", "depends": {}, "claims": 7})", " claims: found number, expected array"},
           {R"({"date": "x", "depends": {}, "claims": [7]})",
            " claims/0/value: found nothing, expected string"},
           {R"({"date": "x", "depends": {}, "claims": [{"value": "a", "outcome": "well"}]})",
            " found outcome 'well'"}}) {
    write_kept(content);
    const process_result r = reproduce(text, quick);
    EXPECT_EQ(r.status, 2) << r.output;
    EXPECT_THAT(r.output, HasSubstr(file + message));
    EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << r.output;
  }
}

TEST_F(a_reproduction, is_listed_with_paper_figure_and_sizes) {
  write("r.yaml", reproduction);
  const process_result r = spillway("reproduce r.yaml --list");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(r.output,
            "loads\n  paper   Nobody, 1985\n  figure  figure 1\n  full    6 runs\n  quick   4 runs\n"
            "  kept    not needed\n");
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(a_reproduction, that_is_unknown_lists_the_nearest) {
  EXPECT_THAT(spillway("reproduce feedback-figure3").output, HasSubstr("did you mean feedback-figure-3?"));
  const std::string several = spillway("reproduce figure-3").output;
  EXPECT_THAT(several, HasSubstr("nifdy-figure-3"));
  EXPECT_THAT(several, HasSubstr("dampening-figure-3"));
}

TEST_F(a_reproduction, that_is_wrong_names_the_place_before_it_runs) {
  const auto claim = [](const std::string& value) {
    return with(reproduction, "lost[loads] == 0 and bound.bound < 1", value);
  };
  expect_wrong(reproduce(claim("lost[load] == 0")), "r.yaml:12:", "no runs 'load', did you mean 'loads'?");
  expect_wrong(reproduce(claim("lost[loads, rate=0.2] == 0")),
               "r.yaml:12:", "no runs of 'loads' are 'rate=0.2'");
  expect_wrong(reproduce(with(reproduction, "seeds: 3}", "seeds: 3, quick: {grid: {traffic.0.raet: [0.1]}}}"),
                         "--quick"),
               "r.yaml:6:", "found the key 'traffic.0.raet', expected one of the grid of loads");
  expect_wrong(
      reproduce(with(reproduction, "quick: {seeds: 2,", "quick: {seeds: 2, grid: {traffic.0.raet: [0.1]},")),
      "r.yaml:9:", "found the key 'traffic.0.raet', expected one of the grid of a group of runs");
  expect_wrong(reproduce(with(claim("lost[loads, rate=0.1] == lost[one]"),
                              "theory:", "  one: {experiment: e.yaml, seeds: 1}\ntheory:")),
               "r.yaml:13:", "found sides with 3 and 1 seeds");
  write("two.yaml", small_experiment + std::string("  - {pattern: uniform, rate: 0.1, cycles: 200}\n"));
  expect_wrong(reproduce(with(with(reproduction, "e.yaml, grid", "two.yaml, grid"), "[0.1, 0.3]}",
                              "[0.1, 0.3], traffic.1.rate: [0.1, 0.3]}")),
               "r.yaml:11:", "found 'rate', which is traffic.0.rate and traffic.1.rate, expected more of");
  expect_wrong(reproduce(claim("lost[loads]")), "r.yaml:12:", "expected one of < <= > >= ==");
  expect_wrong(reproduce(claim("bound.bond < 1")), "r.yaml:12:", "no number 'bond', did you mean 'bound'?");
  expect_wrong(reproduce(claim("band.bound < 1")), "r.yaml:12:", "expected a formula");
  expect_wrong(reproduce(with(reproduction, "model: hotspot", "model: hotpot")),
               "r.yaml:8:", "unknown model");
  expect_wrong(reproduce(with(reproduction, "quick:", "qick:")), "r.yaml:9:", "did you mean 'quick'?");
  expect_wrong(spillway("reproduce nothing --out out"), "nothing", "expected a file or the name");
}

TEST_F(a_reproduction, passes_over_nothing_in_the_brackets_of_a_claim) {
  const auto claim = [](const std::string& value) {
    return with(reproduction, "lost[loads] == 0 and bound.bound < 1", value);
  };
  expect_wrong(reproduce(claim("lost[loads, cycle=0..50] == 0")),
               "r.yaml:12:", "found 'cycle=0..50' for lost, expected it for series.COLUMN or until.COLUMN");
  expect_wrong(reproduce(claim("lost[loads, at_least=5] == 0")),
               "r.yaml:12:", "found 'at_least=5' for lost, expected it for until.COLUMN");
  expect_wrong(reproduce(claim("series.created[loads, at_least=5] > 0")),
               "r.yaml:12:", "found 'at_least=5' for series.created, expected it for until.COLUMN");
  expect_wrong(reproduce(claim("series.created[loads, cycle=0..50, cycle=0..100] > 0")),
               "r.yaml:12:", "found 'cycle=0..100' after 'cycle=0..50', expected one of them");
  expect_wrong(reproduce(claim("until.created[loads, cycle=0..50, at_least=1, at_least=2] > 0")),
               "r.yaml:12:", "found 'at_least=2' after 'at_least=1', expected one of them");
}

TEST_F(a_reproduction, refuses_a_number_that_no_result_has) {
  const process_result r = reproduce(with(reproduction, "lost[loads]", "lots[loads]"));
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.output, HasSubstr("no result has a number 'lots', did you mean 'lost'?"));
}

}  // namespace
