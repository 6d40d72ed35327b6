// Programs of ranks in networks, as a user runs them: what LogGP says of an ideal network is met to the
// cycle; broken traces are named; the same program from a file and from the generator is the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <spillway/tb/goal/collective_program.hpp>
#include <spillway/tb/goal/placement.hpp>
#include <sstream>

#include "support/process.hpp"

using namespace spillway;
using nlohmann::json;

namespace {

/// A network in which a message that starts at t has come at t + (s - 1)G + L where no two meet: G is a
/// nanosecond a byte.
constexpr const char* ideal =
    "name: ideal\n"
    "topology: {kind: crossbar, terminals: 8}\n"
    "switch: {kind: packet, buffering: voq, depth: 600}\n"
    "link: {latency: 100}\n"
    "packet: {length: 16}\n"
    "measure: {interval: 10}\n";

/// A program as a GOAL file, which has no reductions by the network.
std::string goal_text(const goal_program& program) {
  std::ostringstream text;
  text << "num_ranks " << program.ranks() << '\n';
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    text << "rank " << rank << " {\n";
    const auto ops = program.open(rank);
    goal_op op;
    for (std::uint32_t number = 0; ops->next(op); ++number, op = {}) {
      const bool sends = op.kind == goal_kind::send;
      text << 'l' << number << ": ";
      if (op.kind == goal_kind::calc)
        text << "calc " << op.size << " cpu " << unsigned{op.cpu} << '\n';
      else
        text << (sends ? "send " : "recv ") << op.size << (sends ? "b to " : "b from ") << op.peer << " tag "
             << op.tag << " cpu " << unsigned{op.cpu} << " nic " << unsigned{op.nic} << '\n';
      for (const goal_dependency& d : op.after)
        text << 'l' << number << (d.on_start ? " irequires l" : " requires l") << d.on << '\n';
    }
    text << "}\n";
  }
  return text.str();
}

struct outcome {
  int status = 0;
  std::string output;
  json result;
  double operator[](const char* name) const { return result.at("counters").at(std::string("goal.") + name); }
};

class goal_runs : public testing::Test {
protected:
  outcome run(const std::string& workload, const std::string& options = "",
              const std::string& network = ideal) {
    std::ofstream(folder_ / "e.yaml") << network << "workload: " << workload << "\n";
    const process_result r =
        run_process(std::string(SPILLWAY_COMMAND) + " run '" + (folder_ / "e.yaml").string() +
                    "' --no-report --out '" + (folder_ / "out").string() + "' " + options);
    outcome o{r.status, r.output, {}};
    if (r.status != 2) o.result = json::parse(read_text(folder_ / "out" / "result.json"));
    return o;
  }
  outcome run_file(const std::string& goal, const std::string& keys = "", const std::string& options = "",
                   const std::string& network = ideal) {
    std::ofstream(folder_ / "t.goal") << goal;
    return run("{kind: goal, file: t.goal, start: 200" + keys + "}", options, network);
  }
  const scratch_folder folder_;
};

constexpr unsigned P = 8;

/// L of the network as LogGP defines it: two links, and the switch.
constexpr std::uint64_t L = 2 * 100 + 1;

/// What hosts cost. On this network a nanosecond is a byte's time on a link.
struct costs {
  std::uint64_t o = 0, g = 0, O = 0, G = 0;
  bool asks = false;  ///< each message first: S is less than any
  std::uint64_t processor(std::uint64_t s) const { return o + (s - 1) * O; }
  /// A request and a grant, a packet each way.
  std::uint64_t ask() const { return asks ? 2 * L : 0; }
  /// From the send to the end of the receive, which was there before.
  std::uint64_t message(std::uint64_t s) const { return ask() + processor(s) + (s - 1) + L + processor(s); }
  std::uint64_t gap(std::uint64_t s) const { return g + (s - 1) * G; }
  /// From one message of a rank to the next: its processor, its interface, its link.
  std::uint64_t next(std::uint64_t s) const { return std::max({processor(s), gap(s), s}); }
  std::string keys() const {
    return ", flit_bytes: 1, o: " + std::to_string(o) + ", g: " + std::to_string(g) +
           ", O: " + std::to_string(O) + ", G: " + std::to_string(G) + (asks ? ", S: 0" : "");
  }
};

class loggp : public goal_runs, public testing::WithParamInterface<costs> {
protected:
  void expect(const std::string& program, std::uint64_t cycles, std::uint64_t ranks = P) {
    const outcome o = run("{kind: collective, start: 200, " + program + GetParam().keys() + "}");
    ASSERT_EQ(o.status, 0) << o.output;
    EXPECT_EQ(o["completion"], cycles) << program;
    EXPECT_EQ(o["finished"], ranks);
    EXPECT_EQ(o["path.host"] + o["path.interface"] + o["path.network"], cycles);
  }
  const costs c = GetParam();
};

TEST_P(loggp, one_message) {
  const outcome r =
      run_file("num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n", c.keys());
  ASSERT_EQ(r.status, 0) << r.output;
  EXPECT_EQ(r["completion"], c.message(1));
}
TEST_P(loggp, ring_all_reduce) { expect("operation: all_reduce, bytes: 320", 2 * (P - 1) * c.message(40)); }
TEST_P(loggp, recursive_doubling_all_reduce) {
  expect("operation: all_reduce, algorithm: recursive_doubling, bytes: 50", 3 * c.message(50));
}
TEST_P(loggp, tree_all_reduce) {
  expect("operation: all_reduce, algorithm: tree, bytes: 50", 6 * c.message(50));
}
TEST_P(loggp, all_gathers_and_reduce_scatters) {
  expect("operation: all_gather, bytes: 320, repeat: 2", 2 * 7 * c.message(40));
  expect("operation: all_gather, algorithm: recursive_doubling, bytes: 320",
         c.message(40) + c.message(80) + c.message(160));
  // Longer ones first here: the interface may be busy for longer than the message takes.
  expect("operation: reduce_scatter, algorithm: recursive_doubling, bytes: 320",
         std::max(c.message(160), c.gap(160)) + std::max(c.message(80), c.gap(80)) + c.message(40));
}
// Each message in its turn, or as fast as a processor sends and receives 7 each. The last is sent before the
// first has come in all of these cases: a processor would have to do that first.
TEST_P(loggp, all_to_all) {
  expect("operation: all_to_all, bytes: 128",
         std::max((P - 2) * c.next(16) + c.message(16), c.ask() + 2 * (P - 1) * c.processor(16)));
}
TEST_P(loggp, halo_exchange) {
  expect("operation: halo_exchange, bytes: 48, repeat: 3", 3 * (c.next(48) + c.message(48)));
}
// The slowest rank sets the pace. One that asks waits for the rank behind it, which lets the next come when
// its own has gone: for its grant, the message and a request and grant of its own; and the grant goes behind
// a message of 24 bytes.
TEST_P(loggp, pipeline) {
  const std::uint64_t pace =
      c.asks ? 4 * L + 3 * c.processor(24) + 23 + 24 : std::max(2 * c.processor(24), c.next(24));
  expect("operation: pipeline, bytes: 24, repeat: 20", (P - 1) * c.message(24) + 19 * pace);
}
TEST_P(loggp, wherever_the_ranks_are) {
  expect("operation: all_reduce, bytes: 320, placement: random", 2 * (P - 1) * c.message(40));
  std::ofstream(folder_ / "p.txt") << "5\n2\n7\n0\n1\n6\n3\n4\n";
  expect("operation: all_reduce, bytes: 320, placement: file, placement_file: p.txt",
         2 * (P - 1) * c.message(40));
}
// Every other message of the ring stays in its terminal and costs its processors only; so the second that
// goes out is ready at once, and waits for the first. One that asks through the network waits for the
// receive, which is there when the message before has come; where processors cost nothing the grant goes
// behind a request of the other rank.
TEST_P(loggp, two_ranks_a_terminal) {
  const std::uint64_t pairs = 2 * P - 1;
  const std::uint64_t both = c.message(40) + 2 * c.processor(40);
  const std::uint64_t at_once = (pairs - 1) * std::max(both, 2 * c.next(40)) + c.message(40) +
                                std::max(2 * c.processor(40), c.next(40));
  const std::uint64_t granted =
      c.message(40) + (2 * pairs - 1) * (c.message(40) - L + (c.processor(40) == 0 ? 1 : 0));
  expect("operation: all_reduce, bytes: 640, ranks: 16, ranks_per_terminal: 2", c.asks ? granted : at_once,
         2 * P);
}

INSTANTIATE_TEST_SUITE_P(on_the_ideal_network, loggp,
                         testing::Values(costs{0, 0}, costs{7, 0}, costs{3, 30}, costs{60, 10},
                                         costs{3, 10, 2, 1}, costs{0, 5, 0, 3}, costs{0, 0, 0, 0, true},
                                         costs{7, 30, 0, 0, true}, costs{60, 10, 0, 0, true},
                                         costs{3, 10, 1, 1, true}),
                         [](const auto& p) {
                           const costs& one = p.param;
                           std::string name = "o" + std::to_string(one.o) + "_g" + std::to_string(one.g);
                           if (one.O + one.G)
                             name += "_O" + std::to_string(one.O) + "_G" + std::to_string(one.G);
                           return name + (one.asks ? "_rendezvous" : "_eager");
                         });

TEST_F(goal_runs, send_long_messages_when_they_are_received) {
  const std::string text =
      "num_ranks 2\nrank 0 {\nsend 65b to 1\n}\nrank 1 {\nl1: calc 1000\nl2: recv 65b from 0\nl2 requires "
      "l1\n}\n";
  const outcome eager = run_file(text, ", flit_bytes: 1, o: 5, S: 65");
  EXPECT_EQ(eager["completion"], 1000 + 5);
  const outcome asked = run_file(text, ", flit_bytes: 1, o: 5, S: 64");
  EXPECT_EQ(asked["completion"], 1000 + L + 5 + 64 + L + 5);  // the grant, the message
  const outcome ready = run_file("num_ranks 2\nrank 0 {\nsend 65b to 1\n}\nrank 1 {\nrecv 65b from 0\n}\n",
                                 ", flit_bytes: 1, o: 5, S: 64");
  EXPECT_EQ(ready["completion"], L + L + 5 + 64 + L + 5);
}

// Four ranks; what the other terminals send is none of theirs, and where no two meet costs them nothing.
class traffic_beside : public goal_runs {
protected:
  outcome run_beside(const std::string& traffic) {
    return run("{kind: collective, operation: all_reduce, ranks: 4, bytes: 64, flit_bytes: 1, start: 200}",
               "", std::string(ideal) + traffic);
  }
};

TEST_F(traffic_beside, a_program_does_not_slow_it_down_on_other_links) {
  const outcome alone = run_beside("");
  const outcome beside = run_beside(
      "traffic: [{pattern: all_to_one, target: 7, terminals: [4, 6], injection: saturated, length: 16, "
      "messages: 100}]\n");
  ASSERT_EQ(beside.status, 0) << beside.output;
  EXPECT_EQ(beside["completion"], alone["completion"]);
  EXPECT_EQ(beside["finished"], 4);
  EXPECT_EQ(beside.result.at("delivered"), alone.result.at("delivered").get<int>() + 200);
}

TEST_F(traffic_beside, its_ranks_takes_their_links_but_is_not_taken_for_a_message) {
  const outcome alone = run_beside("");
  const outcome beside = run_beside(
      "traffic: [{pattern: all_to_one, target: 0, injection: saturated, length: 16, messages: 100}]\n");
  ASSERT_EQ(beside.status, 0) << beside.output;
  EXPECT_GT(beside["completion"], alone["completion"] + 16);
  EXPECT_EQ(beside["messages"], alone["messages"]);
  EXPECT_EQ(beside.result.at("delivered"), alone.result.at("delivered").get<int>() + 400);
}

TEST_F(traffic_beside, a_program_is_sent_by_a_share_of_the_terminals_without_a_rank) {
  const outcome alone = run_beside("");
  for (const char* seed : {"1", "2", "3", "4"}) {
    const outcome beside =
        run_beside(std::string("seed: ") + seed +
                   "\ntraffic: [{pattern: uniform, terminals: 0.5, rate: 0.1, length: 1, messages: 10}]\n");
    ASSERT_EQ(beside.status, 0) << beside.output;
    EXPECT_EQ(beside.result.at("delivered"), alone.result.at("delivered").get<int>() + 20) << seed;
  }
}

TEST_F(traffic_beside, a_program_that_is_stuck_is_not_the_reason) {
  const outcome o =
      run_file("num_ranks 2\nrank 0 {\n}\nrank 1 {\nrecv 1b from 0\n}\n", ", flit_bytes: 1", "",
               std::string(ideal) + "traffic: [{pattern: all_to_one, target: 1, rate: 0.1, messages: 10}]\n");
  EXPECT_EQ(o.status, 1) << o.output;
  EXPECT_NE(o.output.find("rank 1 waits at"), std::string::npos) << o.output;
  EXPECT_EQ(o.result.at("delivered"), 60);
}

TEST_F(traffic_beside, a_program_is_not_for_terminals_with_a_rank) {
  const outcome o = run_beside("traffic: [{pattern: uniform, terminals: [3, 5], messages: 1}]\n");
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(o.output.find("terminal 3 has a part of the workload: expected others"), std::string::npos)
      << o.output;
}

// From rank to rank; the two before the last wait where one can count it.
TEST_F(goal_runs, tell_the_critical_path_and_how_far_each_rank_is) {
  const outcome o = run_file(
      "num_ranks 3\nrank 0 {\nl1: calc 100\nl2: send 9b to 1\nl2 requires l1\n}\n"
      "rank 1 {\nl1: recv 9b from 0\nl2: calc 50\nl3: send 9b to 2\nl2 requires l1\nl3 requires l2\n}\n"
      "rank 2 {\nrecv 9b from 1\n}\n",
      ", flit_bytes: 1, o: 5");
  ASSERT_EQ(o.status, 0) << o.output;
  constexpr std::uint64_t way = 8 + L, first = 200 + 100 + 5, second = first + way + 5 + 50 + 5;
  EXPECT_EQ(o["completion"], second + way + 5 - 200);
  EXPECT_EQ(o["path.host"], 100 + 5 + 5 + 50 + 5 + 5);
  EXPECT_EQ(o["path.network"], 2 * way);
  using rows = std::vector<std::vector<std::string>>;
  const auto table = [&](const char* name) {
    for (const json& one : o.result.at("tables"))
      if (one.at("name") == name) return one.at("rows").get<rows>();
    return rows{};
  };
  const auto text = [](std::uint64_t n) { return std::to_string(n); };
  EXPECT_EQ(table("critical_path"),
            (rows{{"0", "1", "9", text(first), "0", text(way), text(first + way)},
                  {"1", "2", "9", text(second), "0", text(way), text(second + way)}}));
  // Terminal, operations, end; at work, waits for the network, for a partner, for its interface.
  EXPECT_EQ(table("ranks"),
            (rows{{"0", "0", "2", "105", "105", "0", "0", "0"},
                  {"1", "1", "3", text(second - 200), "60", text(way), "105", "0"},
                  {"2", "2", "1", text(second + way + 5 - 200), "5", text(way), text(second - 200), "0"}}));
  std::ifstream series(folder_ / "out" / "series.csv");
  std::string line;
  std::getline(series, line);
  EXPECT_NE(line.find("goal.computing,goal.waiting,goal.over,progress.0,progress.1,progress.2"),
            std::string::npos);
  while (std::getline(series, line) && line.rfind("540,", 0) != 0) {
  }
  // Rank 1 computes, rank 2 waits, rank 0 is over; a third of rank 1 is done.
  EXPECT_NE(line.find(",1,1,1,1,0.333333"), std::string::npos) << line;
}

TEST_F(goal_runs, charge_bytes_and_cycles_of_any_length) {
  const std::string text = "num_ranks 2\nrank 0 {\nsend 11b to 1\n}\nrank 1 {\nrecv 11b from 0\n}\n";
  EXPECT_EQ(run_file(text, ", flit_bytes: 4, o: 2, O: 0.5")["completion"], 7 + 2 + L + 7);
  EXPECT_EQ(run_file(text, ", flit_bytes: 4, o: 2, O: 0.5", "--set period=2")["completion"], 4 + 2 + L + 4);
  // The receive has room for more than comes.
  EXPECT_EQ(run_file("num_ranks 2\nrank 0 {\nsend 11b to 1\n}\nrank 1 {\nrecv 40b from 0\n}\n",
                     ", flit_bytes: 4, o: 2, O: 0.5")["completion"],
            7 + 2 + L + 7);
  // A header of 3 bytes in each packet of 16 flits of a byte.
  EXPECT_EQ(run_file(text, ", flit_bytes: 1, header_bytes: 3")["completion"], 13 + L);
  EXPECT_EQ(run_file("num_ranks 2\nrank 0 {\nsend 14b to 1\n}\nrank 1 {\nrecv 14b from 0\n}\n",
                     ", flit_bytes: 1, header_bytes: 3")["completion"],
            19 + L);
}

TEST_F(goal_runs, start_what_may_start_and_wait_for_processors) {
  // l2 from the start of l1 on, on another processor; l3 waits for both; l4 for the same processor as l1.
  const outcome o = run_file(
      "num_ranks 1\nrank 0 {\nl1: calc 50\nl2: calc 70 cpu 1\nl3: calc 5\nl4: calc 8\nl2 irequires l1\n"
      "l3 requires l1\nl3 requires l2\n}\n");
  EXPECT_EQ(o.status, 0) << o.output;
  EXPECT_EQ(o["completion"], 75);
  EXPECT_EQ(o["path.host"], 75);
}

TEST_F(goal_runs, let_what_begins_with_another_wait_for_its_start_alone) {
  // l2 waits for the processor of l1; l3 begins with it, on another.
  const outcome o =
      run_file("num_ranks 1\nrank 0 {\nl1: calc 30\nl2: calc 50\nl3: calc 70 cpu 1\nl3 irequires l2\n}\n");
  EXPECT_EQ(o.status, 0) << o.output;
  EXPECT_EQ(o["completion"], 30 + 70);
  EXPECT_EQ(o["path.host"], 30 + 70);
}

TEST_F(goal_runs, have_a_gap_for_each_interface) {
  const auto completion = [this](const std::string& first, const std::string& second) {
    const outcome o = run_file("num_ranks 2\nrank 0 {\nsend 1b to 1 nic " + first + "\nsend 1b to 1 nic " +
                                   second + "\n}\nrank 1 {\nrecv 1b from 0\nrecv 1b from 0\n}\n",
                               ", flit_bytes: 1, g: 50");
    EXPECT_EQ(o.status, 0) << o.output;
    return o["completion"];
  };
  EXPECT_EQ(completion("0", "0"), 50 + L);
  EXPECT_EQ(completion("1", "1"), 50 + L);
  EXPECT_EQ(completion("0", "1"), 1 + L) << "they share the link only";
}

TEST_F(goal_runs, match_messages_in_the_order_of_their_sending) {
  // The wildcard takes the first, whatever its tag.
  const outcome o = run_file(
      "num_ranks 2\nrank 0 {\nl1: send 5b to 1 tag 1\nl2: send 9b to 1 tag 2\nl2 requires l1\n}\n"
      "rank 1 {\nl1: recv 5b from -1 tag -1\nl2: recv 9b from 0 tag 2\n}\n",
      ", flit_bytes: 1");
  EXPECT_EQ(o.status, 0) << o.output;
  const outcome wrong =
      run_file("num_ranks 2\nrank 0 {\nsend 9b to 1\n}\nrank 1 {\nrecv 5b from 0\n}\n", ", flit_bytes: 1");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.result.dump().find("rank 1 receives 5 bytes at"), std::string::npos)
      << wrong.result.dump(1);
  EXPECT_NE(wrong.result.dump().find("t.goal:6:1, but rank 0 sends 9"), std::string::npos)
      << wrong.result.dump(1);
}

TEST_F(goal_runs, name_who_waits_for_a_partner_that_is_not_there) {
  const std::pair<const char*, const char*> broken[]{
      {"num_ranks 2\nrank 0 {\ncalc 5\n}\nrank 1 {\nrecv 5b from 0 tag 3\n}\n",
       "t.goal:6:1 for a message from rank 0 with tag 3"},
      {"num_ranks 2\nrank 0 {\nsend 5b to 1 tag 2\n}\nrank 1 {\nrecv 5b from 0 tag 3\n}\n",
       "rank 1 never receives the message with tag 2 that rank 0 sends at "},
      {"num_ranks 2\nrank 0 {\nsend 5b to 1\n}\nrank 1 {\n}\n",
       "rank 1 never receives the message with tag 0 that rank 0 sends at "},
      {"num_ranks 2\nrank 0 {\nsend 500b to 1\n}\nrank 1 {\n}\n",
       "t.goal:3:1: rank 1 does not receive the message with tag 0"},
      {"num_ranks 2\nrank 0 {\nl1: recv 1b from 1\nl2: send 1b to 1\nl2 requires l1\n}\n"
       "rank 1 {\nl1: recv 1b from 0\nl2: send 1b to 0\nl2 requires l1\n}\n",
       "t.goal:3:1 for a message from rank 1 with tag 0"}};
  for (const auto& [text, message] : broken) {
    const outcome o = run_file(text, ", S: 100");
    EXPECT_EQ(o.status, 1) << text;
    EXPECT_NE(o.result.dump().find(message), std::string::npos) << o.result.dump(1);
    EXPECT_LT(o.result.at("cycles").get<unsigned>(), 3000u);
  }
}

TEST_F(goal_runs, refuse_what_is_no_trace_before_they_start) {
  const auto said = [this](const std::string& text, const std::string& keys = "") {
    const outcome o = run_file(text, keys);
    EXPECT_EQ(o.status, 2) << o.output;
    return o.output;
  };
  EXPECT_NE(said("num_ranks 1000000000\n")
                .find("t.goal:1:11: expected at most 8 ranks, as 8 terminals have 1 each"),
            std::string::npos);
  EXPECT_NE(said("num_ranks 1\nrank 0 {\n").find("the file ends within rank 0"), std::string::npos);
  EXPECT_NE(said("num_ranks 1\nrank 0 {\n}\n", ", header_bytes: 128").find("room for its header"),
            std::string::npos);
  EXPECT_NE(said("num_ranks 1\nrank 0 {\n}\n", ", placement: file").find("needs a placement_file"),
            std::string::npos);
  std::ofstream(folder_ / "p.txt") << "7\n";
  for (const char* const place : {"", ", placement: random", ", placement: linear"})
    EXPECT_NE(said("num_ranks 1\nrank 0 {\n}\n", std::string(", placement_file: p.txt") + place)
                  .find("a placement_file goes with placement: file"),
              std::string::npos)
        << place;
  EXPECT_NE(run("{kind: collective, operation: all_reduce, algorithm: direct}")
                .output.find(
                    "expected one of ring, recursive_doubling, tree, network for all_reduce, found direct"),
            std::string::npos);
  EXPECT_NE(
      run("{kind: collective, operation: all_reduce, ranks: 9}").output.find("expected at most 8 ranks"),
      std::string::npos);
  EXPECT_NE(run("{kind: collective, operation: all_reduce, ranks: 6, algorithm: recursive_doubling}")
                .output.find("among 2, 4, 8 ... ranks, found 6"),
            std::string::npos);
}

TEST_F(goal_runs, place_ranks_as_asked) {
  const std::string pair = "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n";
  const auto place = [&](const std::string& lines, const std::string& each = "2") {
    std::ofstream(folder_ / "p.txt") << lines;
    return run_file(pair, ", placement: file, placement_file: p.txt, ranks_per_terminal: " + each);
  };
  const outcome apart = place("7 # rank 0\n\n3\n");
  EXPECT_EQ(apart.result.at("delivered"), 1);
  EXPECT_EQ(apart["completion"], L);
  const outcome together = place("3\n3\n");
  EXPECT_EQ(together.result.at("delivered"), 0);
  EXPECT_EQ(together["local_messages"], 1);
  EXPECT_EQ(together["completion"], 0);
  EXPECT_NE(place("3\n").output.find("p.txt:2:1: expected a terminal for each of 2 ranks, found 1"),
            std::string::npos);
  EXPECT_NE(place("3\n8\n").output.find("p.txt:2:1: expected the terminal of rank 1, 0..7"),
            std::string::npos);
  EXPECT_NE(place("3\n4\n5\n").output.find("p.txt:3:1: expected 2 ranks, found more"), std::string::npos);
  EXPECT_NE(place("3\n3\n", "1").output.find("p.txt:2:1: expected at most 1 ranks of terminal 3, found more"),
            std::string::npos);
}

TEST(placements, at_random_are_even_and_of_the_seed) {
  const placement where = place_at_random(64, 4, 16, 1);
  std::vector<unsigned> ranks(16);
  for (const std::uint32_t t : where) ++ranks.at(t);
  EXPECT_TRUE(std::all_of(ranks.begin(), ranks.end(), [](unsigned n) { return n == 4; }));
  EXPECT_EQ(where, place_at_random(64, 4, 16, 1));
  EXPECT_NE(where, place_at_random(64, 4, 16, 2));
  std::vector<unsigned> first(4);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) ++first.at(place_at_random(3, 65536, 4, seed)[2]);
  for (const unsigned n : first) EXPECT_NEAR(n, 1000, 150);
}

TEST_F(goal_runs, are_the_same_from_a_file_and_from_the_generator_on_both_kernels) {
  collective_config config;
  config.operation = collective_operation::mixture_of_experts;
  config.algorithm = collective_algorithm::direct;
  config.ranks = 8, config.repeat = 3, config.bytes = 32, config.compute = 2;
  config.experts = {8, 20, 1, 1, 1};
  std::ofstream(folder_ / "m.goal") << goal_text(collective_program(config));
  const auto deliveries = [&](const std::string& workload, const std::string& kernel) {
    const outcome o = run(workload, "--deliveries --kernel " + kernel);
    EXPECT_EQ(o.status, 0) << o.output;
    return read_text(folder_ / "out" / "deliveries.csv");
  };
  const std::string made =
      "{kind: collective, operation: mixture_of_experts, repeat: 3, bytes: 32, compute: 2, tokens: 20, "
      "change: 1}";
  const std::string fast = deliveries(made, "fast");
  EXPECT_GT(std::count(fast.begin(), fast.end(), '\n'), 100);
  EXPECT_EQ(fast, deliveries(made, "signals"));
  EXPECT_EQ(fast, deliveries("{kind: goal, file: m.goal}", "fast"));
  EXPECT_EQ(fast, deliveries("{kind: goal, file: m.goal, window: 40}", "fast"));
}

// A rank looks no further ahead than its window, but what it has in it must not keep it from the rest.
TEST_F(goal_runs, keep_what_waits_and_no_more) {
  std::string text = "num_ranks 2\nrank 0 {\n";
  for (unsigned i = 0; i < 3000; ++i) text += "recv 8b from 1 tag " + std::to_string(i) + "\n";
  text += "send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n";
  for (unsigned i = 0; i < 3000; ++i)
    text += "s" + std::to_string(i) + ": send 8b to 0 tag " + std::to_string(i) + "\ns" + std::to_string(i) +
            " requires l1\n";
  const outcome o = run_file(text + "}\n", ", window: 100");
  EXPECT_EQ(o.status, 0) << o.output;
  EXPECT_EQ(o["finished"], 2);
  EXPECT_GE(o["most_open"], 3000);
  const outcome ring = run("{kind: collective, operation: all_reduce, bytes: 64, repeat: 200, window: 50}");
  EXPECT_EQ(ring.status, 0) << ring.output;
  EXPECT_LE(ring["most_open"], 50);
  EXPECT_EQ(ring["steps"], 200);
}

TEST_F(goal_runs, tell_the_99th_of_100_steps_from_the_longest) {
  const outcome o = run("{kind: collective, operation: all_reduce, bytes: 64, repeat: 100}",
                        " --set 'endpoint={pauses: [{terminals: [0], from: 400, until: 90000}]}'");
  EXPECT_EQ(o["steps"], 100);
  EXPECT_GT(o["step.max"], 50000);
  EXPECT_LT(o["step.p99"], 10000);
}

}  // namespace
