#pragma once
#include <deque>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>
#include <vector>

namespace spillway {

/// The switch that is watched; docs/checker-rules.md states the rules in full.
struct reduction_checker_config {
  std::string watched;                   ///< its name in messages
  unsigned children = 2;                 ///< that contribute, at least 1
  unsigned rounds = 8;                   ///< that its table has places for
  bool root = false;                     ///< it has no parent
  unsigned group = 0;                    ///< number of the group, the lane of its flits
  std::vector<bool> from_terminal = {};  ///< by child, none if empty: its results come in lane 0
};

/// Watches the pins of a switch that reduces, towards the children and the parent of one group, and enforces
/// rules RD1 to RD4 for it. It computes every partial result again, and drives nothing.
class reduction_checker final : public clocked {
public:
  row<packet_watch> contributions;  ///< contributions0, ...: from each child
  row<packet_watch> results;        ///< results0, ...: to each child, in the same order
  row<packet_watch> up;             ///< up0, unless it is the root: to the parent
  row<packet_watch> answer;         ///< answer0, unless it is the root: from the parent

  /// `handler`: see violation_handler.
  reduction_checker(const sc_core::sc_module_name& name, reduction_checker_config config,
                    violation_handler handler = {});

  std::uint64_t violations() const { return violations_; }  ///< reported so far

private:
  struct round_book {
    std::vector<flit> from;  // by child, those that have come
    unsigned came = 0, served = 0;
    bool sent = false, answered = false;
    std::uint32_t data = 0;  // of the result
  };

  void reset() override;
  void tick() override;
  void sees_contribution(unsigned child, const flit& f);
  void sees_up(const flit& f);
  void sees_answer(const flit& f);
  void sees_result(unsigned child, const flit& f);
  std::uint32_t partial(const round_book& r) const;
  round_book* find(std::uint64_t round);
  void fail(const char* rule, const flit& f, const std::string& what);

  const reduction_checker_config config_;
  const violation_handler handler_;
  std::deque<round_book> open_;  // from round first_ on
  std::uint64_t first_ = 0;
  std::uint64_t up_ = 0, answered_ = 0;                // the next ones
  std::vector<std::uint64_t> contributed_, returned_;  // by child: the next ones
  std::uint64_t violations_ = 0;
};

}  // namespace spillway
