// Broken traces case by case, as the command tells of them: one message with line and column, or the rank
// that waits and for what; and that a trace of any length needs no more memory than a short one.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "support/process.hpp"

namespace {

/// Runs a trace on a crossbar of eight terminals and keeps what a quiet run says.
process_result play_trace(const scratch_folder& folder) {
  std::ofstream(folder / "e.yaml") << "name: trace\n"
                                      "topology: {kind: crossbar, terminals: 8}\n"
                                      "switch: {kind: packet, buffering: voq, depth: 600}\n"
                                      "packet: {length: 16}\n"
                                      "measure: {interval: 1000}\n"
                                      "workload: {kind: goal, file: t.goal, flit_bytes: 64, S: 100000}\n";
  return run_process("cd '" + folder.path().string() + "' && " SPILLWAY_COMMAND " run e.yaml --quiet");
}

struct broken {
  const char* name;
  std::string text;
  int status;
  std::string said;  // all of it
};
void PrintTo(const broken& b, std::ostream* os) { *os << b.name; }

class broken_traces : public testing::TestWithParam<broken> {};

TEST_P(broken_traces, are_told_of_in_one_message) {
  const scratch_folder folder;
  std::ofstream(folder / "t.goal", std::ios::binary) << GetParam().text;
  const process_result r = play_trace(folder);
  EXPECT_EQ(r.status, GetParam().status);
  EXPECT_EQ(r.output, GetParam().said.empty() ? "" : GetParam().said + "\n");
}

/// Two ranks.
std::string two(const std::string& first, const std::string& second = "") {
  return "num_ranks 2\nrank 0 {\n" + first + "}\nrank 1 {\n" + second + "}\n";
}
const std::string stuck = "trace: stuck\n  ", wrong = "trace: broken trace\n  ";

INSTANTIATE_TEST_SUITE_P(
    all, broken_traces,
    testing::Values(
        broken{"empty", "", 2, "t.goal:1:1: expected 'num_ranks' first"},
        broken{"circle", two("l1: calc 5\nl2: calc 6\nl1 requires l2\nl2 requires l1\n"), 2,
               "t.goal:3:1: it waits for itself, which waits for line 4, which waits for line 3"},
        broken{"circle_of_ranks",
               two("l1: recv 1b from 1\nl2: send 1b to 1\nl2 requires l1\n",
                   "l1: recv 1b from 0\nl2: send 1b to 0\nl2 requires l1\n"),
               1,
               stuck + "rank 0 waits at t.goal:3:1 for a message from rank 1 with tag 0\n"
                       "  rank 1 waits at t.goal:8:1 for a message from rank 0 with tag 0"},
        broken{"partner_that_never_sends", two("calc 5\n", "recv 5b from 0 tag 3\n"), 1,
               stuck + "rank 1 waits at t.goal:6:1 for a message from rank 0 with tag 3"},
        broken{"several_that_never_come", two("calc 5\n", "recv 5b from 0 tag 3\nrecv 5b from 0 tag 4\n"), 1,
               stuck + "rank 1 waits at t.goal:6:1 for a message from rank 0 with tag 3"},
        broken{"nobody_who_sends", two("calc 5\n", "recv 5b from -1 tag -1\n"), 1,
               stuck + "rank 1 waits at t.goal:6:1 for a message from any rank with any tag"},
        broken{"partner_that_never_receives", two("send 5b to 1\n"), 1,
               wrong + "rank 1 never receives the message with tag 0 that rank 0 sends at t.goal:3:1"},
        broken{"partner_that_never_lets_come", two("send 100001b to 1\n"), 1,
               stuck + "rank 0 waits at t.goal:3:1: rank 1 does not receive the message with tag 0\n"
                       "  rank 1 never receives the message with tag 0 that rank 0 sends at t.goal:3:1"},
        broken{"another_tag", two("send 5b to 1 tag 2\n", "recv 5b from 0 tag 3\n"), 1,
               stuck + "rank 1 waits at t.goal:6:1 for a message from rank 0 with tag 3\n"
                       "  rank 1 never receives the message with tag 2 that rank 0 sends at t.goal:3:1"},
        broken{"to_itself_without_receive", two("send 5b to 0\n"), 1,
               wrong + "rank 0 never receives the message with tag 0 that rank 0 sends at t.goal:3:1"},
        broken{"to_itself", two("send 5b to 0\nrecv 5b from 0\n"), 0, ""},
        broken{"receive_shorter_than_send", two("send 9b to 1\n", "recv 5b from 0\n"), 1,
               wrong + "rank 1 receives 5 bytes at t.goal:6:1, but rank 0 sends 9"},
        broken{"receive_longer_than_send", two("send 5b to 1\n", "recv 9b from 0\n"), 0, ""},
        broken{"rank_that_is_not_there", two("send 5b to 7\n"), 2,
               "t.goal:3:1: expected a rank 0..1, found 7"},
        broken{"rank_that_is_missing", "num_ranks 2\nrank 0 {\n}\n", 2,
               "t.goal:3:1: the file ends after 1 of 2 ranks: rank 1 is missing"},
        broken{"billion_ranks", "num_ranks 1000000000\n", 2,
               "t.goal:1:11: expected at most 8 ranks, as 8 terminals have 1 each, found 1000000000"},
        broken{"cut_off_in_a_rank", "num_ranks 2\nrank 0 {\nsend 5b to 1\n", 2,
               "t.goal:3:1: the file ends within rank 0, which begins in line 2: expected '}'"},
        broken{"cut_off_in_a_word", "num_ranks 2\nrank 0 {\nsend 5b t", 2,
               "t.goal:3:9: expected 'to', found 't'"},
        broken{"cut_off_in_a_comment", "num_ranks 2\n/* rank", 2,
               "t.goal:2:1: the file ends within a comment: expected '*/'"},
        broken{"negative_size", two("send -5b to 1\n"), 2,
               "t.goal:3:6: expected a number of bytes such as 64b, found '-5b'"},
        broken{"negative_time", two("calc -5\n"), 2,
               "t.goal:3:6: expected a time in nanoseconds, found '-5'"},
        broken{
            "bytes_of_a_billion_billion", two("send 1000000000000000000b to 1\n"), 2,
            "t.goal:3:6: expected a number of bytes of at most 281474976710656, found '1000000000000000000'"},
        broken{"unknown_label", two("l1: calc 5\nl1 requires l9\n"), 2,
               "t.goal:4:13: expected a label that stands above, found 'l9'"},
        broken{"label_twice", two("l1: calc 5\nl1: calc 5\n"), 2,
               "t.goal:4:1: label 'l1' stands here a second time in rank 0"},
        broken{"label_of_another_rank", two("l1: calc 5\n", "l2: calc 5\nl2 requires l1\n"), 2,
               "t.goal:7:13: expected a label that stands above, found 'l1'"},
        broken{"lines_that_end_as_on_Windows",
               "num_ranks 2\r\nrank 0 {\r\nsend 5b to 1\r\n}\r\nrank 1 {\r\nrecv 5b from 0\r\n}\r\n", 0, ""},
        broken{"wrong_word_before_a_carriage_return", "num_ranks 1\r\nrank 0 {\r\nl1: clac 5\r\n}\r\n", 2,
               "t.goal:3:5: expected calc, send or recv, found 'clac'"},
        broken{"byte_order_mark_between", "num_ranks 1\nrank 0 {\n\xef\xbb\xbf}\n", 2,
               "t.goal:3:1: expected num_ranks, rank, calc, send, recv, a label or '}', found '?'"},
        broken{"operation_outside_a_rank", "num_ranks 1\ncalc 5\nrank 0 {\n}\n", 2,
               "t.goal:2:1: expected 'rank'"}),
    [](const auto& b) { return std::string(b.param.name); });

constexpr unsigned ranks = 4;

/// A ring in which each rank sends on what has come, in all `messages`.
std::string goal_ring(const std::filesystem::path& file, unsigned messages) {
  std::ofstream out(file);
  out << "num_ranks " << ranks << '\n';
  for (unsigned r = 0; r < ranks; ++r) {
    out << "rank " << r << " {\n";
    for (unsigned i = 0; i < messages / ranks; ++i) {
      out << 'l' << 2 * i + 1 << ": send 64b to " << (r + 1) % ranks << "\nl" << 2 * i + 2
          << ": recv 64b from " << (r + ranks - 1) % ranks << '\n';
      if (i) out << 'l' << 2 * i + 1 << " requires l" << 2 * i << '\n';
    }
    out << "}\n";
  }
  return "'workload={kind: goal, file: t, flit_bytes: 64}'";
}

/// The same as a table of packets.
std::string table_ring(const std::filesystem::path& file, unsigned messages) {
  std::ofstream out(file);
  for (unsigned i = 0; i < messages; ++i)
    out << "1," << (i / ranks + i) % ranks << ',' << (i / ranks + i + 1) % ranks << ",1,"
        << (i < ranks ? 0 : i - ranks + 1) << '\n';
  return "'workload={kind: packets, file: t}'";
}

/// Packets at their cycles, in a table or as traffic.
std::string at_cycles(const std::filesystem::path& file, unsigned messages, const char* setting) {
  std::ofstream out(file);
  for (unsigned i = 0; i < messages; ++i)
    out << i / ranks * 4 << ',' << i % ranks << ',' << (i + 1) % ranks << '\n';
  return setting;
}
std::string table(const std::filesystem::path& file, unsigned messages) {
  return at_cycles(file, messages, "'workload={kind: packets, file: t}'");
}
std::string traffic(const std::filesystem::path& file, unsigned messages) {
  return at_cycles(file, messages, "'traffic=[{pattern: trace, file: t}]'");
}

/// Of the largest process so far, in KiB.
long most_memory() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return used.ru_maxrss;
}

struct long_trace {
  const char* name;
  std::string (*write)(const std::filesystem::path& file, unsigned messages);  // and how to play it
};
void PrintTo(const long_trace& t, std::ostream* os) { *os << t.name; }

class long_traces : public testing::TestWithParam<long_trace> {};

TEST_P(long_traces, need_no_more_memory_than_short_ones) {
  // What was freed an address sanitizer keeps for a while.
  const char* const options = std::getenv("ASAN_OPTIONS");
  setenv("ASAN_OPTIONS", ((options ? options : "") + std::string(":quarantine_size_mb=0")).c_str(), 1);
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << "name: trace\n"
                                      "topology: {kind: crossbar, terminals: 4}\n"
                                      "switch: {kind: packet, buffering: voq, depth: 16}\n"
                                      "measure: {interval: 100000}\n";
  const auto play = [&](unsigned messages) {
    const std::string how = GetParam().write(folder / "t", messages);
    const process_result r = run_process("cd '" + folder.path().string() +
                                         "' && " SPILLWAY_COMMAND " run e.yaml --quiet --set " + how);
    EXPECT_EQ(r.status, 0) << r.output;
  };
  play(20'000);
  const long little = most_memory();
  play(400'000);
  EXPECT_LT(most_memory() - little, 4096) << "KiB more for twenty times as many messages";
}

INSTANTIATE_TEST_SUITE_P(all, long_traces,
                         testing::Values(long_trace{"goal", goal_ring}, long_trace{"table_ring", table_ring},
                                         long_trace{"table", table}, long_trace{"traffic", traffic}),
                         [](const auto& named) { return std::string(named.param.name); });

}  // namespace
