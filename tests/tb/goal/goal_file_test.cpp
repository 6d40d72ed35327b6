// GOAL files: what is read, what is refused and with which words, and how far a rank is read ahead.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <fstream>
#include <numeric>
#include <set>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/goal/collective_program.hpp>
#include <spillway/tb/goal/expert_load.hpp>
#include <spillway/tb/goal/goal_file.hpp>
#include <spillway/tb/goal/goal_run.hpp>
#include <spillway/tb/goal/label_table.hpp>
#include <tuple>

#include "support/process.hpp"

using namespace spillway;

namespace {

class goal_files : public testing::Test {
protected:
  std::filesystem::path write(const std::string& text) const {
    std::ofstream(folder_ / "t.goal", std::ios::binary) << text;
    return folder_ / "t.goal";
  }
  goal_file read(const std::string& text, std::uint64_t most = 8) const {
    return {write(text), most, "as there are 8 terminals"};
  }
  std::string error_of(const std::string& text) const {
    try {
      read(text);
    } catch (const config_error& error) {
      const std::string what = error.what();
      return what.substr(what.find("t.goal"));
    }
    return "none";
  }
  static std::vector<goal_op> all(const goal_file& file, std::uint32_t rank) {
    std::vector<goal_op> ops;
    const auto program = file.open(rank);
    for (goal_op op; program->next(op); op = {}) ops.push_back(op);
    return ops;
  }

private:
  const scratch_folder folder_;
};

TEST_F(goal_files, are_read_as_they_are_written) {
  const goal_file file = read(
      "/* two\n ranks */ num_ranks 2\n"
      "rank 1 {\n recv 10 b from -1 tag -1 // from any\n}\n\n"
      "rank 0 {\r\n"
      "l1: calc 100 cpu 2\n"
      "  a_b: send 64b to 1 tag 5 cpu 1 nic 3\n"
      "send 1b to 1\n"
      "l2: recv 7b from 1 nic 1 tag 9\n"
      "l2 requires l1\n"
      "a_b irequires l1\n"
      "a_b requires l2 }\n");
  ASSERT_EQ(file.ranks(), 2u);
  EXPECT_EQ(file.operations(), 5u);
  const auto one = all(file, 1), ops = all(file, 0);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].kind, goal_kind::recv);
  EXPECT_EQ(one[0].size, 10u);
  EXPECT_EQ(one[0].peer, goal_op::any);
  EXPECT_EQ(one[0].tag, goal_op::any);
  ASSERT_EQ(ops.size(), 4u);
  EXPECT_EQ(ops[0].kind, goal_kind::calc);
  EXPECT_EQ(ops[0].size, 100u);
  EXPECT_EQ(ops[0].cpu, 2u);
  EXPECT_EQ(ops[1].kind, goal_kind::send);
  EXPECT_EQ(ops[1].peer, 1u);
  EXPECT_EQ(ops[1].tag, 5u);
  EXPECT_EQ(ops[1].cpu, 1u);
  EXPECT_EQ(ops[1].nic, 3u);
  EXPECT_EQ(ops[1].line, 9u);
  EXPECT_EQ(ops[1].column, 3u);
  EXPECT_EQ(ops[3].tag, 9u);
  ASSERT_EQ(ops[1].after.size(), 2u);
  EXPECT_EQ(ops[1].after[0].on, 0u);
  EXPECT_TRUE(ops[1].after[0].on_start);
  EXPECT_EQ(ops[1].after[1].on, 3u);
  EXPECT_FALSE(ops[1].after[1].on_start);
  EXPECT_EQ(ops[3].after.size(), 1u);
}

TEST_F(goal_files, have_ranks_that_begin_behind_the_end_of_a_comment) {
  const goal_file file = read("/* see\n http://there */ num_ranks 1 rank 0 { calc 7\ncalc 8 }\n");
  const auto ops = all(file, 0);
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops[0].size, 7u);
  EXPECT_EQ(ops[1].size, 8u);
}

TEST_F(goal_files, have_256_processors_and_interfaces) {
  const auto ops = all(read("num_ranks 1\nrank 0 {\nsend 1b to 0 cpu 255 nic 255\n}\n"), 0);
  ASSERT_EQ(ops.size(), 1u);
  EXPECT_EQ(ops[0].cpu, 255u);
  EXPECT_EQ(ops[0].nic, 255u);
}

TEST_F(goal_files, say_what_is_wrong_and_where) {
  const std::pair<const char*, const char*> wrong[]{
      {"", "t.goal:1:1: expected 'num_ranks' first"},
      {"num_ranks 8\nrank 0 {\n}\n", "t.goal:1:11: a file of 23 bytes has no room for 8 ranks"},
      {"rank 0 {\n}\n", "t.goal:1:1: expected 'num_ranks' first"},
      {"num_ranks 0\n", "t.goal:1:11: expected a rank or more, found num_ranks 0"},
      {"num_ranks 1000000000\n",
       "t.goal:1:11: expected at most 8 ranks, as there are 8 terminals, found 1000000000"},
      {"num_ranks 99999999999999999999\n", "t.goal:1:11: expected a number of ranks of at most"},
      {"num_ranks 1\nrank 1 {\n}\n", "t.goal:2:6: expected a rank 0..0, found 1"},
      {"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "t.goal:4:6: rank 0 stands here a second time"},
      {"num_ranks 2\nrank 0 {\n}\n", "t.goal:3:1: the file ends after 1 of 2 ranks: rank 1 is missing"},
      {"num_ranks 1\nrank 0 {\ncalc 5\n",
       "the file ends within rank 0, which begins in line 2: expected '}'"},
      {"num_ranks 1\nrank 0 {\n  send 5b to 1\n}\n", "t.goal:3:3: expected a rank 0..0, found 1"},
      {"num_ranks 1\nrank 0 {\nsend 5b to -1\n}\n", "t.goal:3:12: expected a rank, found '-1'"},
      {"num_ranks 1\nrank 0 {\nsend 5 to 0\n}\n", "t.goal:3:8: expected 'b', found 'to'"},
      {"num_ranks 1\nrank 0 {\nsend 5b from 0\n}\n", "t.goal:3:9: expected 'to', found 'from'"},
      {"num_ranks 1\nrank 0 {\nl1 calc 5\n}\n",
       "t.goal:3:4: expected ':', 'requires' or 'irequires', found 'calc'"},
      {"num_ranks 1\nrank 0 {\nl1: clac 5\n}\n", "t.goal:3:5: expected calc, send or recv, found 'clac'"},
      {"num_ranks 1\nrank 0 {\ncalc 5 tag 3\n}\n",
       "t.goal:3:8: expected 'cpu' or the end of the line, found 'tag'"},
      {"num_ranks 1\nrank 0 {\ncalc 5 cpu 256\n}\n",
       "t.goal:3:12: expected a processor of at most 255, found '256'"},
      {"num_ranks 1\nrank 0 {\nsend 1b to 0 nic 256\n}\n",
       "t.goal:3:18: expected a network interface of at most 255, found '256'"},
      {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1: calc 6\n}\n",
       "t.goal:4:1: label 'l1' stands here a second time in rank 0"},
      {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1 requires l2\n}\n",
       "t.goal:4:13: expected a label that stands above, found 'l2'"},
      {"num_ranks 1\nrank 0 {\nl1: calc 5\nl2 requires l1\n}\n",
       "t.goal:4:1: expected a label that stands above, found 'l2'"},
      {"num_ranks 1\nrank 0 {\nl1: calc 5\nl1 requires l1\n}\n", "t.goal:4:1: 'l1' waits for itself"},
      {"num_ranks 1\nrank 0 {\nl1: calc 5\nl2: calc 6\nl3: calc 6\nl1 requires l3\nl2 requires l1\nl3 "
       "irequires l2\n}\n",
       "t.goal:3:1: it waits for itself, which waits for line 5, which waits for line 4, which waits for "
       "line 3"},
      {"num_ranks 1\n/* rank 0 {\n}\n", "the file ends within a comment: expected '*/'"},
      {"num_ranks 1\nrank 0 {\n\x01\n}\n",
       "t.goal:3:1: expected num_ranks, rank, calc, send, recv, a label or '}', found '?'"},
  };
  for (const auto& [text, message] : wrong)
    EXPECT_NE(error_of(text).find(message), std::string::npos) << text << "\n" << error_of(text);
  const std::string longer = "num_ranks 1\nrank 0 {\ncalc 5" + std::string(5000, ' ') + "\n}\n";
  EXPECT_NE(error_of(longer).find("t.goal:3:4097: expected lines of at most 4096 characters"),
            std::string::npos);
}

TEST_F(goal_files, may_name_a_later_operation_where_that_is_no_circle) {
  const goal_file file = read("num_ranks 1\nrank 0 {\nl1: calc 5\nl2: calc 6\nl1 requires l2\n}\n");
  const auto ops = all(file, 0);
  ASSERT_EQ(ops.size(), 2u);
  ASSERT_EQ(ops[0].after.size(), 1u);
  EXPECT_EQ(ops[0].after[0].on, 1u);
}

// The last line of a rank may say what its first operation waits for.
TEST_F(goal_files, give_an_operation_only_with_all_that_it_waits_for) {
  std::string text = "num_ranks 1\nrank 0 {\n";
  constexpr unsigned n = 3000;
  for (unsigned i = 0; i < n; ++i) text += "x" + std::to_string(n - i) + ": calc 1\n";  // labels count down
  text += "x1 requires x" + std::to_string(n) + "\n";
  text += "x" + std::to_string(n) + " requires x2\n}\n";
  const auto ops = all(read(text), 0);
  ASSERT_EQ(ops.size(), n);
  ASSERT_EQ(ops[0].after.size(), 1u);
  EXPECT_EQ(ops[0].after[0].on, n - 2);
  ASSERT_EQ(ops[n - 1].after.size(), 1u);
  EXPECT_EQ(ops[n - 1].after[0].on, 0u);
}

// A network may let a message overtake another; a receive gets the one that was sent first all the same.
TEST_F(goal_files, have_their_messages_matched_in_the_order_of_sending) {
  goal_plan plan;
  plan.program = std::make_shared<goal_file>(
      read("num_ranks 2\nrank 0 {\nl1: send 8b to 1\nl2: send 16b to 1\nl2 requires l1\n}\n"
           "rank 1 {\nl1: recv 8b from 0\nl2: recv 16b from 0\n}\n"));
  plan.where = {0, 1};
  plan.terminals = 2;
  plan.host.packet_flits = 4;
  goal_run run(plan);
  const auto from = run.supply(0), to = run.supply(1);
  EXPECT_TRUE(from->shares()) << "the run, so that one thread steps all terminals";
  EXPECT_EQ(to->due(1, 0), packet_supply::never);
  std::vector<flit> sent;
  for (unsigned i = 0; i < 2; ++i) {
    ASSERT_EQ(from->due(1, 0), 1u);
    const packet_order order = from->take(1);
    flit f;
    f.length = order.length;
    f.index = static_cast<std::uint16_t>(order.length - 1);
    f.payload = order.data;
    sent.push_back(f);
  }
  EXPECT_EQ(sent[1].length, 2u);
  to->arrived(5, sent[1]);
  to->due(6, 0);
  EXPECT_EQ(run.ranks()[1].done, 0u);
  to->arrived(7, sent[0]);
  to->due(8, 0);
  EXPECT_TRUE(run.over());
  EXPECT_EQ(run.complaints(), std::vector<std::string>{});
}

// Of several senders the first that came is received, not the one of the lowest rank.
namespace {

using message_list =
    std::multiset<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>>;  // from, to, bytes

/// What all ranks send, and what they receive.
std::pair<message_list, message_list> messages_of(const collective_config& config) {
  const collective_program program(config);
  std::pair<message_list, message_list> all;
  for (std::uint32_t rank = 0; rank < config.ranks; ++rank) {
    const auto ops = program.open(rank);
    for (goal_op op; ops->next(op); op = {})
      if (op.kind == goal_kind::send)
        all.first.emplace(rank, op.peer, op.size);
      else if (op.kind == goal_kind::recv)
        all.second.emplace(op.peer, rank, op.size);
  }
  return all;
}

collective_config collective(collective_operation operation, collective_algorithm algorithm,
                             std::uint32_t ranks, std::uint64_t bytes) {
  collective_config c;
  c.operation = operation, c.algorithm = algorithm, c.ranks = ranks, c.bytes = bytes;
  return c;
}

using operation = collective_operation;
using algorithm = collective_algorithm;

}  // namespace

TEST(collectives, of_any_number_of_ranks_receive_what_they_send) {
  for (std::uint32_t ranks = 2; ranks < 10; ++ranks)
    for (const auto& [what, how, messages] :
         {std::tuple{operation::all_reduce, algorithm::ring, 2 * ranks * (ranks - 1)},
          {operation::all_reduce, algorithm::tree, 2 * (ranks - 1)},
          {operation::all_gather, algorithm::ring, ranks * (ranks - 1)},
          {operation::all_to_all, algorithm::direct, ranks * (ranks - 1)},
          {operation::halo_exchange, algorithm::direct, 2 * ranks},
          {operation::pipeline, algorithm::direct, ranks - 1}}) {
      const auto [sent, received] = messages_of(collective(what, how, ranks, 1000));
      EXPECT_EQ(sent, received) << ranks << " ranks";
      EXPECT_EQ(sent.size(), messages) << ranks << " ranks";
    }
}

TEST(collectives, send_parts_that_are_rounded_up) {
  const auto sizes = [](const collective_config& config) {
    std::set<std::uint64_t> all;
    for (const auto& [from, to, bytes] : messages_of(config).first) all.insert(bytes);
    return all;
  };
  using list = std::set<std::uint64_t>;
  EXPECT_EQ(sizes(collective(operation::all_gather, algorithm::ring, 3, 10)), list{4});
  EXPECT_EQ(sizes(collective(operation::all_gather, algorithm::recursive_doubling, 4, 10)), (list{3, 6}));
  EXPECT_EQ(sizes(collective(operation::reduce_scatter, algorithm::recursive_doubling, 4, 9)), (list{5, 3}));
}

TEST(message_matching, from_any_rank_takes_what_came_first) {
  message_matching matching;
  for (const std::uint32_t from : {2u, 0u, 1u}) {
    goal_message m;
    m.from = from;
    m.tag = 7;
    matching.keep(m);
  }
  goal_op any;
  any.peer = goal_op::any;
  any.tag = 7;
  for (const std::uint32_t from : {2u, 0u, 1u}) {
    const auto m = matching.receive(any);
    ASSERT_TRUE(m);
    EXPECT_EQ(m->from, from);
  }
  EXPECT_FALSE(matching.receive(any));
}

TEST(message_matching, serves_receives_in_the_order_in_which_they_were_posted) {
  message_matching matching;
  goal_op named, any;
  named.peer = 2;
  any.peer = goal_op::any;
  named.tag = any.tag = 7;
  goal_message m;
  m.from = 2;
  m.tag = 7;
  for (const bool first_named : {false, true})  // each kind before the other
    for (const std::uint32_t op : {0u, 1u, 2u, 3u})
      matching.post(op, (op % 2 == 0) == first_named ? named : any);
  for (unsigned round = 0; round < 2; ++round)
    for (const std::uint32_t op : {0u, 1u, 2u, 3u}) EXPECT_EQ(matching.arrive(m), op);
  EXPECT_FALSE(matching.arrive(m));
}

TEST(expert_loads, follow_zipf_and_move) {
  expert_load load({64, 1000, 1, 4, 1});
  double harmonic = 0;
  for (unsigned k = 1; k <= 64; ++k) harmonic += 1.0 / k;
  for (const std::uint32_t step : {0u, 3u, 4u, 9u}) {
    const auto& tokens = load.step(step);
    const std::vector<std::uint32_t> order = load.order(step);
    std::vector<double> got(64);
    for (const auto& source : tokens) {
      EXPECT_EQ(std::accumulate(source.begin(), source.end(), 0u), 1000u);
      for (std::size_t place = 0; place < 64; ++place) got[place] += source[order[place]];
    }
    for (const std::size_t place : {0, 1, 7, 63}) {
      const double expected = 64000 / harmonic / static_cast<double>(place + 1);
      EXPECT_NEAR(got[place], expected, 5 * std::sqrt(expected)) << "place " << place << " in step " << step;
    }
  }
  EXPECT_EQ(load.order(0), load.order(3));
  EXPECT_NE(load.order(3), load.order(4));
  EXPECT_EQ(expert_load({64, 1, 1, 0, 1}).order(0), expert_load({64, 1, 1, 0, 1}).order(100));
}

/// Cycles that the link of the most popular expert takes in the shipped experiments, one token a cycle.
std::uint64_t least(double skew) {
  expert_load load({64, 32, skew, 4, 1});
  std::uint64_t sum = 0;
  for (std::uint32_t step = 0; step < 12; ++step) {
    const auto& tokens = load.step(step);
    std::uint32_t most = 0;
    for (std::size_t expert = 0; expert < 64; ++expert) {
      std::uint32_t others = 0;
      for (std::size_t source = 0; source < 64; ++source)
        if (source != expert) others += tokens[source][expert];
      most = std::max(most, others);
    }
    sum += most;
  }
  return sum;
}

// Those that a rank has for its own expert, too.
TEST(expert_loads, are_all_worked_on) {
  collective_config config;
  config.operation = collective_operation::mixture_of_experts;
  config.ranks = 8, config.repeat = 3, config.compute = 2;
  config.experts = {8, 20, 1, 1, 1};
  const collective_program program(config);
  std::uint64_t worked = 0;
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    const auto ops = program.open(rank);
    for (goal_op op; ops->next(op); op = {})
      if (op.kind == goal_kind::calc) worked += op.size;
  }
  EXPECT_EQ(worked, 3u * 8 * 20 * 2) << "steps, ranks, tokens and their time";
}

// A step of 256 ranks has 256 KiB of numbers; if each rank kept the steps for itself, 16 of them, that were
// a GiB. A checker of memory keeps some of what has been freed.
TEST(expert_loads, are_kept_once_for_all_ranks) {
  collective_config config;
  config.operation = collective_operation::mixture_of_experts;
  config.ranks = 256, config.repeat = 16;
  config.experts = {256, 1, 1, 0, 1};
  const collective_program program(config);
  std::vector<std::unique_ptr<rank_program>> ranks;
  for (std::uint32_t rank = 0; rank < 256; ++rank) ranks.push_back(program.open(rank));
  for (const auto& rank : ranks)
    for (goal_op op; rank->next(op);) op = {};
  rusage used{};
  ASSERT_EQ(getrusage(RUSAGE_SELF, &used), 0);
  EXPECT_LT(used.ru_maxrss, 700 * 1024) << "KiB";
}

TEST(expert_loads, take_what_docs_say_of_the_link_of_the_hottest) {
  EXPECT_EQ(least(0.5), 1655u);
  EXPECT_EQ(least(0), 552u);
  EXPECT_EQ(least(1), 5071u);
  EXPECT_EQ(least(1.5), 10321u);
}

TEST(label_tables, find_what_was_added) {
  label_table labels;
  EXPECT_TRUE(labels.add("l1", 0));
  EXPECT_TRUE(labels.add("l2", 1));
  EXPECT_TRUE(labels.add("l3", 4));
  EXPECT_TRUE(labels.add("l03", 5));
  EXPECT_TRUE(labels.add("begin", 6));
  EXPECT_TRUE(labels.add("l0", 7));
  EXPECT_TRUE(labels.add("m1", 8));
  EXPECT_FALSE(labels.add("l2", 9));
  EXPECT_FALSE(labels.add("begin", 9));
  EXPECT_EQ(labels.find("l1"), 0u);
  EXPECT_EQ(labels.find("l2"), 1u);
  EXPECT_EQ(labels.find("l3"), 4u);
  EXPECT_EQ(labels.find("l03"), 5u);
  EXPECT_EQ(labels.find("begin"), 6u);
  EXPECT_EQ(labels.find("l0"), 7u);
  EXPECT_EQ(labels.find("m1"), 8u);
  EXPECT_FALSE(labels.find("l4"));
  EXPECT_FALSE(labels.find("m2"));
  EXPECT_FALSE(labels.find("l99999999999999999999"));
}

}  // namespace
