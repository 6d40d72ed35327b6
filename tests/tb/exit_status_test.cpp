// What a script learns of a command: its exit status, and faults although it is told to be quiet.
#include "support/studies.hpp"

namespace {

using testing::HasSubstr;
using testing::Not;

class exit_status : public studies {};

/// Sends a signal to a long run once it catches SIGTERM, which is bit 14 of the mask.
std::string interrupting(const std::string& how, const std::string& signal) {
  return how +
         " & p=$!; for i in $(seq 6000); do [ -e /proc/$p ] || break; grep -qs "
         "'SigCgt:.*[4-7c-f][0-9a-f]\\{3\\}$' /proc/$p/status && "
         "break; sleep 0.01; done; kill -" +
         signal + " $p; ";
}

TEST_F(exit_status, of_an_interrupted_run_is_130) {
  write("long.yaml", with(small_experiment, "cycles: 200", "cycles: 100000000") +
                         "measure: {limit: 100000000, interval: 10000}\n");
  for (const char* signal : {"TERM", "HUP"}) {
    const std::string out = std::string("out_") + signal;
    const process_result r =
        spillway(interrupting("run long.yaml --no-report --out " + out, signal) + "wait $p");
    EXPECT_EQ(r.status, 130) << r.output;
    EXPECT_THAT(read_text(folder / out / "result.json"), HasSubstr("\"status\": \"interrupted\""));
  }
}

TEST_F(exit_status, of_interrupted_studies_is_130_and_they_say_so) {
  write("long.yaml", with(small_experiment, "cycles: 200", "cycles: 100000000") +
                         "measure: {limit: 100000000, interval: 10000}\n");
  write("other.yaml", read_text(folder / "long.yaml"));
  const process_result curve = spillway(
      interrupting("curve long.yaml -j 1 --over traffic.0.rate=0.1:0.2:0.1 -o curve", "TERM") + "wait $p");
  EXPECT_EQ(curve.status, 130) << curve.output;
  EXPECT_THAT(curve.output, HasSubstr("2 of 2 runs are left; the same command goes on from here"));
  const process_result compared =
      spillway(interrupting("compare long.yaml other.yaml -o both", "TERM") + "wait $p");
  EXPECT_EQ(compared.status, 130) << compared.output;
  EXPECT_THAT(compared.output, HasSubstr("interrupted: nothing is compared"));
}

TEST_F(exit_status, of_a_run_whose_terminal_goes_is_its_own_under_nohup) {
  write("long.yaml", with(small_experiment, "cycles: 200", "cycles: 200000"));
  const process_result r =
      run_process("cd '" + folder.path().string() + "'; nohup " + SPILLWAY_COMMAND + " " +
                  interrupting("run long.yaml --no-report --out out >/dev/null 2>&1", "HUP") + "wait $p");
  EXPECT_EQ(r.status, 0) << r.output;
  EXPECT_THAT(read_text(folder / "out/result.json"), HasSubstr("\"status\": \"ok\""));
}

TEST_F(exit_status, of_a_quiet_check_that_finds_a_fault_comes_with_what_it_is) {
  write("ring.yaml", with(small_experiment, "{kind: butterfly, radix: 2, stages: 3}",
                          "{kind: ring, terminals: 6, bidirectional: false}"));
  const process_result r = spillway("check ring.yaml -q");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.output, HasSubstr("deadlock: possible"));
  EXPECT_THAT(r.output, Not(HasSubstr("`run` sends"))) << "no more than what is wrong";
}

TEST_F(exit_status, of_options_that_do_not_fit_is_2) {
  EXPECT_EQ(spillway("--help").status, 0);
  EXPECT_EQ(spillway("run --help").status, 0);
  for (const char* wrong : {"", "run", "run e.yaml --no-such-option", "run e.yaml --threads 65",
                            "curve e.yaml --seeds 0", "list --json --names", "graph e.yaml --format jpg"})
    EXPECT_EQ(spillway(wrong).status, 2) << wrong;
  for (const char* what : {"run", "check"}) {
    const process_result r = spillway(what + std::string(" e.yaml --deliveries"));
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.output, "--deliveries needs --out DIR\n");
  }
}

TEST_F(exit_status, of_a_quiet_study_is_all_that_it_tells) {
  write("s.yaml", "name: s\nexperiment: e.yaml\nseeds: 1\n");
  write("r.yaml",
        "name: r\ntitle: t\npaper: p\nsource: s\nruns: {a: {experiment: e.yaml, seeds: 1}}\n"
        "claims: [{claim: Nothing is lost, value: 'lost[a] == 0'}]\n");
  for (const char* study :
       {"compare e.yaml --out one", "curve e.yaml --over traffic.0.rate=0.1:0.2:0.1 --out two",
        "sweep s.yaml --out three", "reproduce r.yaml --out four"}) {
    const process_result r = spillway(std::string(study) + " --quiet");
    EXPECT_EQ(r.status, 0) << study;
    EXPECT_EQ(r.output, "") << study;
  }
  // What is asked for is told.
  EXPECT_THAT(spillway("sweep s.yaml --out five --list-commands -q").output, HasSubstr("--index 0\n"));
  EXPECT_THAT(spillway("reproduce r.yaml --list -q").output, HasSubstr("full    1 run\n"));
}

}  // namespace
