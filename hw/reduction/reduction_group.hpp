#pragma once
#include <cstdint>
#include <optional>
#include <spillway/hw/kernel/hardware_size.hpp>
#include <spillway/hw/links/flit.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Where a switch is in the tree of a group.
struct reduction_place {
  port_mask children = 0;          ///< inputs by which contributions come; none: not in the tree
  std::optional<unsigned> parent;  ///< output to the next switch of the tree; none: this is its root
};

/// What a reduction_switch keeps of one group: its table, and a register a child. A plain part, whose owner
/// moves flits between it and the pins.
///
/// The table has a place for each child of each round under way. A contribution lies there until its result
/// leaves, as a packet from a terminal to itself whose data are replaced; one of them, the first child's,
/// bears the partial result upwards. A contribution to a later round than the table has places for waits in
/// the register of its child. Rounds come in order from every child, and go to the parent in order. A
/// contribution to a round that is over, a second one, or a result that nobody waits for is a
/// std::logic_error.
class reduction_group {
public:
  /// `rounds`: places of the table. `name`: of the switch, for messages.
  reduction_group(const reduction_place& place, unsigned rounds, std::string name);

  /// Inputs of its children, in ascending order; the others are numbered by their place here.
  const std::vector<unsigned>& inputs() const { return inputs_; }
  const std::optional<unsigned>& parent() const { return place_.parent; }  ///< output, none at the root

  void clear();  ///< as after a reset
  /// Whether the child's register is free.
  bool takes(unsigned child) const { return !children_[child].waiting; }
  /// Into the register of the child, which is free.
  void contribute(unsigned child, const flit& f) { children_[child].waiting = f; }
  void answer(const flit& result);  ///< of the parent
  void fill();                      ///< from the registers into the table, as far as that has places

  std::optional<flit> upward() const;                  ///< what goes to the parent next, if something does
  void went_up();                                      ///< what upward() has told of is gone
  std::optional<flit> downward(unsigned child) const;  ///< what goes to a child next, if something does
  void went_down(unsigned child);                      ///< what downward() has told of is gone
  void close();                                        ///< rounds that all children have the result of

  unsigned level() const;                                     ///< flits that it holds
  unsigned capacity() const;                                  ///< and can hold
  hardware_size storage() const;                              ///< of a circuit of it
  std::uint64_t merged() const { return merged_; }            ///< contributions that others have gone on for
  std::uint64_t most_rounds() const { return most_rounds_; }  ///< under way at a time

private:
  struct round_state {
    std::vector<std::optional<flit>> contributions;  // by child
    unsigned came = 0, served = 0;
    bool sent = false, answered = false;
    std::uint32_t data = 0;  // of what has come; of the result
  };
  struct child_state {
    std::optional<flit> waiting;
    std::uint64_t next = 0;  // round whose result it gets next
  };

  void place(unsigned number);
  void open_round();
  round_state& place_of(std::uint64_t round) { return table_[round % table_.size()]; }
  round_state* find(std::uint64_t round) { return round - first_ < open_ ? &place_of(round) : nullptr; }
  const round_state* find(std::uint64_t round) const {
    return round - first_ < open_ ? &table_[round % table_.size()] : nullptr;
  }
  [[noreturn]] void fail(const char* what, const flit& f) const;

  const reduction_place place_;
  const std::string name_;
  std::vector<unsigned> inputs_;
  std::vector<child_state> children_;
  std::vector<round_state> table_;  // round r at r modulo its size
  std::uint64_t first_ = 0;         // rounds before it are over
  std::uint64_t open_ = 0;          // rounds under way, from that on
  std::uint64_t up_ = 0;            // the next one for the parent
  std::uint64_t answered_ = 0;      // the next one that the parent answers
  std::uint64_t merged_ = 0, most_rounds_ = 0;
};

}  // namespace spillway
