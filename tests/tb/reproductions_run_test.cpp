// `spillway reproduce` as a user runs it.
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
  ASSERT_EQ(v["claims"].size(), 2u);
  EXPECT_EQ(v["claims"][0]["verdict"], "holds");
  EXPECT_EQ(v["claims"][0]["comparisons"][0]["left"]["runs"], 3);
  EXPECT_EQ(v["claims"][1]["comparisons"].size(), 3u);
  const std::string page = read_text(folder / "out" / "loads" / "report.html");
  EXPECT_THAT(page, HasSubstr("Three times the load"));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_TRUE(fs::exists(folder / "out" / "loads" / "load.svg"));
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

TEST_F(a_reproduction, may_know_that_a_claim_does_not_hold) {
  const std::string wrong =
      with(with(reproduction, "> 2 *", "< 2 *"), "{claim: Three", "{known: It is linear, claim: Three");
  process_result r = reproduce(wrong);
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(r.output, HasSubstr("does not hold (known)"));
  EXPECT_THAT(r.output, HasSubstr("It is linear"));
  r = reproduce(with(wrong, "< 2 *", "> 2 *"));
  EXPECT_EQ(r.status, 1) << "a finding that is no longer true must not stay in the file";
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

TEST_F(a_reproduction, has_a_quick_version) {
  const std::string text = with(reproduction, "{claim: Three", "{full: true, claim: Three");
  const process_result r = reproduce(text, "--quick");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(lines("out/loads/results.csv").size(), 1u + 2 * 2);
  EXPECT_THAT(r.output, HasSubstr("only judged at full size"));
  const json plan = json::parse(lines("out/loads/plan.jsonl")[1]);
  EXPECT_THAT(read_text(folder / "out" / "loads" / "runs" / std::string(plan["id"]) / "config.yaml"),
              HasSubstr("cycles: 100"));
}

TEST_F(a_reproduction, that_is_wrong_names_the_place_before_it_runs) {
  const auto claim = [](const std::string& value) {
    return with(reproduction, "lost[loads] == 0 and bound.bound < 1", value);
  };
  expect_wrong(reproduce(claim("lost[load] == 0")), "r.yaml:12:", "no runs 'load', did you mean 'loads'?");
  expect_wrong(reproduce(claim("lost[loads, rate=0.2] == 0")),
               "r.yaml:12:", "no runs of 'loads' are 'rate=0.2'");
  expect_wrong(reproduce(claim("lost[loads]")), "r.yaml:12:", "expected one of < <= > >= ==");
  expect_wrong(reproduce(claim("bound.bond < 1")), "r.yaml:12:", "no number 'bond', did you mean 'bound'?");
  expect_wrong(reproduce(claim("band.bound < 1")), "r.yaml:12:", "expected a formula");
  expect_wrong(reproduce(with(reproduction, "model: hotspot", "model: hotpot")),
               "r.yaml:8:", "unknown model");
  expect_wrong(reproduce(with(reproduction, "quick:", "qick:")), "r.yaml:9:", "did you mean 'quick'?");
  expect_wrong(spillway("reproduce nothing --out out"), "nothing", "expected a file or a name");
}

TEST_F(a_reproduction, refuses_a_number_that_no_result_has) {
  const process_result r = reproduce(with(reproduction, "lost[loads]", "lots[loads]"));
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.output, HasSubstr("no result has a number 'lots', did you mean 'lost'?"));
}

}  // namespace
