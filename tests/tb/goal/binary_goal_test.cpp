// GOAL files in LogGOPSim's binary format, made here by a writer of the test's own: they are read as the same
// programs as their text, and what does not fit is named with its byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/goal/binary_goal.hpp>
#include <spillway/tb/goal/goal_file.hpp>
#include <spillway/tb/goal/goal_workload.hpp>

#include "support/dice.hpp"
#include "support/process.hpp"

using namespace spillway;
using spillway::testing_support::dice;

namespace {

using rank_ops = std::vector<goal_op>;

class bytes {
public:
  void put(std::uint64_t value, unsigned count) {
    for (; count; --count, value >>= 8) text += static_cast<char>(value & 255);
  }
  void put_at(std::size_t at, std::uint64_t value, unsigned count) {
    for (; count; --count, value >>= 8) text.at(at++) = static_cast<char>(value & 255);
  }
  std::string text;
};

std::string binary_of(const std::vector<rank_ops>& ranks) {
  bytes file;
  file.put(4223, 8), file.put(ranks.size(), 4), file.put(0, 2);
  file.text.resize(14 + 16 * ranks.size());
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const rank_ops& ops = ranks[r];
    file.put_at(14 + 16 * r, file.text.size() - 8, 8);
    std::vector<std::vector<std::uint32_t>> lists(2 * ops.size());  // who waits for its end, for its start
    std::vector<std::uint32_t> roots;
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      for (const goal_dependency& d : ops[i].after) lists[2 * d.on + d.on_start].push_back(i);
      if (ops[i].after.empty()) roots.push_back(i);
    }
    file.put(ops.size(), 4), file.put(roots.size(), 4);
    for (const std::uint32_t root : roots) file.put(root, 4);
    std::size_t listed = 0;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const goal_op& op = ops[i];
      file.put(op.after.size(), 4);
      file.put(op.kind == goal_kind::send ? 1 : op.kind == goal_kind::recv ? 2 : 3, 1);
      file.put(op.peer, 4), file.put(op.size, 8), file.put(op.tag, 4), file.put(op.cpu, 1),
          file.put(op.nic, 1);
      for (std::size_t l = 2 * i; l < 2 * i + 2; ++l) {
        file.put(lists[l].size(), 4), file.put(listed, 4);
        listed += lists[l].size();
      }
    }
    for (const auto& list : lists)
      for (const std::uint32_t follower : list) file.put(follower, 4);
    file.put_at(14 + 16 * r + 8, file.text.size() - 8, 8);
  }
  return file.text;
}

std::string text_of(const std::vector<rank_ops>& ranks) {
  std::string text = "num_ranks " + std::to_string(ranks.size()) + "\n";
  const auto number = [](std::uint32_t n) {
    return n == goal_op::any ? std::string("-1") : std::to_string(n);
  };
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    text += "rank " + std::to_string(r) + " {\n";
    for (std::size_t i = 0; i < ranks[r].size(); ++i) {
      const goal_op& op = ranks[r][i];
      text += "l" + std::to_string(i) + ": ";
      if (op.kind == goal_kind::calc)
        text += "calc " + std::to_string(op.size);
      else
        text += (op.kind == goal_kind::send ? "send " : "recv ") + std::to_string(op.size) + "b " +
                (op.kind == goal_kind::send ? "to " : "from ") + number(op.peer) + " tag " + number(op.tag);
      text += " cpu " + std::to_string(op.cpu);
      if (op.kind != goal_kind::calc) text += " nic " + std::to_string(op.nic);
      text += "\n";
    }
    for (std::size_t i = 0; i < ranks[r].size(); ++i)
      for (const goal_dependency& d : ranks[r][i].after)
        text += "l" + std::to_string(i) + (d.on_start ? " irequires l" : " requires l") +
                std::to_string(d.on) + "\n";
    text += "}\n";
  }
  return text;
}

/// What there is of an operation, whichever file it is from.
std::string shown(const goal_op& op) {
  std::vector<std::string> after;
  for (const goal_dependency& d : op.after) after.push_back((d.on_start ? "s" : "e") + std::to_string(d.on));
  std::sort(after.begin(), after.end());
  std::string all;
  for (const std::uint64_t n : {std::uint64_t(op.kind), std::uint64_t{op.cpu}, std::uint64_t{op.nic}, op.size,
                                std::uint64_t{op.peer}, std::uint64_t{op.tag}})
    all += std::to_string(n) + ' ';
  for (const std::string& one : after) all += one + ' ';
  return all;
}

std::vector<std::string> shown(const goal_program& program, std::uint32_t rank) {
  std::vector<std::string> all;
  const auto ops = program.open(rank);
  for (goal_op op; ops->next(op); op = {}) all.push_back(shown(op));
  return all;
}

/// Any operations, some of which wait for others, also for later ones, but never in a circle.
rank_ops any_rank(dice& d, std::uint32_t ranks) {
  rank_ops ops(d.below(60));
  std::vector<std::uint32_t> order;  // in which they could be done
  for (std::uint32_t i = 0; i < ops.size(); ++i)
    order.insert(order.begin() + d.below(std::min(i + 1, 4U)), i);
  for (std::size_t at = 0; at < order.size(); ++at) {
    goal_op& op = ops[order[at]];
    op.kind = static_cast<goal_kind>(d.below(3));
    op.cpu = static_cast<std::uint8_t>(d.below(256));
    op.size = std::uint64_t{d.below(1U << 31)} << d.below(16);
    if (op.kind != goal_kind::calc) {
      op.nic = static_cast<std::uint8_t>(d.below(256));
      op.peer = op.kind == goal_kind::recv && d.below(4) == 0 ? goal_op::any : d.below(ranks);
      op.tag = op.kind == goal_kind::recv && d.below(4) == 0 ? goal_op::any : d.below(1U << 31);
    }
    for (std::uint32_t n = d.below(4); n && at; --n)
      op.after.push_back({order[d.below(static_cast<std::uint32_t>(at))], d.below(2) == 1});
  }
  return ops;
}

class binary_goals : public testing::Test {
protected:
  std::filesystem::path write(const std::string& text, const char* name = "t.bin") const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  std::string error_of(const std::string& text, std::uint64_t most = 8) const {
    try {
      open_goal(write(text), most, "as there are 8 terminals");
    } catch (const config_error& error) {
      const std::string what = error.what();
      return what.substr(what.find("t.bin"));
    }
    return "none";
  }
  const scratch_folder folder_;
};

/// Two ranks of two operations; byte offsets of rank 0: part 46, roots 54, operations 58 and 97, list 136.
std::vector<rank_ops> small() {
  goal_op first, second;
  first.size = 100;
  second.kind = goal_kind::send, second.size = 64, second.peer = 1, second.tag = 5;
  second.after = {{0, false}};
  goal_op comes = second, goes = first;
  comes.kind = goal_kind::recv, comes.peer = 0, comes.after.clear();
  goes.after = {{0, true}};
  return {{first, second}, {comes, goes}};
}

std::string changed(std::size_t at, std::uint64_t value, unsigned count) {
  bytes file{binary_of(small())};
  file.put_at(at, value, count);
  return file.text;
}

}  // namespace

TEST_F(binary_goals, are_the_programs_of_their_texts) {
  dice d(7);
  std::size_t compared = 0, later = 0;
  for (int round = 0; round < 80; ++round) {
    std::vector<rank_ops> ranks(1 + d.below(4));
    for (rank_ops& r : ranks) r = any_rank(d, static_cast<std::uint32_t>(ranks.size()));
    const auto binary = open_goal(write(binary_of(ranks)), 8, "");
    const auto text = open_goal(write(text_of(ranks), "t.goal"), 8, "");
    ASSERT_NE(dynamic_cast<const binary_goal*>(binary.get()), nullptr);
    ASSERT_NE(dynamic_cast<const goal_file*>(text.get()), nullptr);
    ASSERT_EQ(binary->ranks(), text->ranks());
    for (std::uint32_t r = 0; r < ranks.size(); ++r) {
      EXPECT_EQ(shown(*binary, r), shown(*text, r));
      compared += shown(*binary, r).size();
      for (std::uint32_t i = 0; i < ranks[r].size(); ++i)
        for (const goal_dependency& on : ranks[r][i].after) later += on.on > i;
    }
  }
  EXPECT_GT(compared, 4000u);
  EXPECT_GT(later, 400u);  // some wait for later ones
}

TEST_F(binary_goals, of_many_operations_are_read_on_from_window_to_window) {
  rank_ops ops(30000);
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    ops[i].size = i;
    if (i) ops[i].after = {{i - 1, i % 2 == 1}};
  }
  const auto program = open_goal(write(binary_of({ops, ops})), 8, "");
  for (const std::uint32_t r : {0U, 1U}) {
    const auto rank = program->open(r);
    goal_op op;
    for (std::uint32_t i = 0; i < ops.size(); ++i, op = {}) {
      ASSERT_TRUE(rank->next(op));
      ASSERT_EQ(shown(op), shown(ops[i])) << i;
    }
    EXPECT_FALSE(rank->next(op));
  }
}

TEST_F(binary_goals, say_where_an_operation_stands) {
  const auto program = open_goal(write(binary_of(small())), 8, "");
  const auto rank = program->open(0);
  goal_op op;
  ASSERT_TRUE(rank->next(op));
  ASSERT_TRUE(rank->next(op));
  const std::string where = program->where(0, op);
  EXPECT_EQ(where.substr(where.find("t.bin")), "t.bin: byte 97");
}

TEST_F(binary_goals, that_end_too_soon_are_refused_wherever_they_end) {
  const std::string whole = binary_of(small());
  ASSERT_EQ(error_of(whole), "none");
  for (std::size_t size = 8; size < whole.size(); ++size) {
    const std::string error = error_of(whole.substr(0, size));
    EXPECT_NE(error.find("t.bin: byte "), std::string::npos) << size << ": " << error;
  }
}

TEST_F(binary_goals, whose_numbers_do_not_fit_are_refused_with_their_byte) {
  const auto says = [&](const std::string& text, const std::string& message) {
    EXPECT_EQ(error_of(text).find("t.bin: byte " + message), 0u) << error_of(text) << "\nnot " << message;
  };
  says(changed(0, 2342, 8), "0: LogGOPSim has used this file up");
  says(changed(8, 0, 4), "8: expected a rank or more, found 0");
  says(changed(8, 1000000000, 4), "8: expected at most 8 ranks, as there are 8 terminals, found 1000000000");
  says(changed(14, 30, 8), "14: expected the part of rank 0 within");
  says(changed(22, 1U << 30, 8), "14: expected the part of rank 0 within");
  says(changed(30, 38, 8), "30: the part of rank 1 overlaps others");
  says(changed(46, 3, 4), "46: 3 operations");
  says(changed(46, 1, 4),
       "46: 1 operations, 1 of them without others that they wait for, do not fit in 94 bytes");
  says(changed(58, 1, 4), "58: operation 0 waits for 1 others of which no operation knows");
  says(changed(62, 4, 1), "62: expected 1 (send), 2 (recv) or 3 (calc), found 4");
  says(changed(67, std::uint64_t{1} << 54, 8), "67: expected at most 2^53");
  says(changed(97, 2, 4), "97: operation 1 waits for 1 others of which no operation knows");
  says(changed(97, 0, 4), "97: operation 1 waits for 0 others, but 1 or more say so");
  says(changed(102, 2, 4), "102: expected a rank 0..1, found 2");
  says(changed(102, ~0U, 4), "102: expected a rank 0..1, found 4294967295");
  says(changed(114, ~0U, 4), "114: expected a tag below");
  says(changed(81, 2, 4), "81: expected operations within a list of 1, found 2 from 0 on");
  says(changed(81, 0, 4), "97: operation 1 waits for 1 others of which");
  says(changed(85, 1, 4), "81: expected operations within a list of 1, found 1 from 1 on");
  says(changed(136, 2, 4), "136: expected an operation 0..1, found 2");
  says(changed(136, 0, 4), "136: operation 0 waits for itself");
}

// Rank 1 is the last part: a word more in its list is one that no operation has.
TEST_F(binary_goals, that_list_more_than_their_operations_say_are_refused) {
  bytes file{binary_of(small())};
  const std::size_t list = file.text.size() - 4;
  file.put(0, 4);
  file.put_at(14 + 16 + 8, file.text.size() - 8, 8);
  EXPECT_EQ(error_of(file.text),
            "t.bin: byte " + std::to_string(list) + ": expected a list of 1 operations, found one of 2");
}

TEST_F(binary_goals, with_circles_are_refused_with_the_bytes_of_the_circle) {
  auto ranks = small();
  ranks[0][0].after = {{1, false}};
  ranks[0].emplace_back();
  EXPECT_EQ(error_of(binary_of(ranks)),
            "t.bin: byte 58: it waits for itself, which waits for byte 97, which waits for byte 58");
}

TEST_F(binary_goals, of_random_bytes_are_refused_and_end) {
  dice d(3);
  const std::string whole = binary_of({any_rank(d, 2), any_rank(d, 2)});
  unsigned refused = 0;
  for (int round = 0; round < 600; ++round) {
    std::string text = whole;
    text[8 + d.below(static_cast<std::uint32_t>(text.size() - 8))] = static_cast<char>(d.below(256));
    refused += error_of(text) != "none";
  }
  EXPECT_GT(refused, 100u);
}
