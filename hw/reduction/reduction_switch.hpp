#pragma once
#include <optional>
#include <spillway/hw/reduction/reduction_checker.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <vector>

namespace spillway {

/// The place of a reduction_switch in its tree, and its size.
struct reduction_switch_config {
  unsigned inputs = 2;             ///< of the request network, 1 to 64
  unsigned outputs = 2;            ///< of the request network, 1 to 64
  port_mask children = 3;          ///< inputs by which contributions come
  std::optional<unsigned> parent;  ///< output to the next switch of the tree; none: this is its root
  unsigned rounds = 8;             ///< rounds under way that it has places for, at least 1

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// A switch of a tree that reduces (the NYU Ultracomputer's combining made to wait for all; SHARP, NVLS):
/// what its children contribute to a round becomes one contribution to its parent, and the result that comes
/// back goes to every child. The root makes the result itself. A switch of the request network and the switch
/// of the reply network at the same place as one block; contributions have one flit, and take one cycle from
/// the last child's arrival to the parent, results one from the parent to all children.
///
/// The table has a place for each child of each round under way. A contribution lies there until its result
/// leaves, as a packet from a terminal to itself whose data are replaced; one of them, the first child's,
/// bears the partial result upwards. A contribution to a later round than the table has places for waits in
/// the register of its input, which is not ready meanwhile. Rounds come in order from every child, and go to
/// the parent in order. A contribution to a round that is over, a second one, or a result that nobody waits
/// for is a std::logic_error.
class reduction_switch final : public network_block {
public:
  row<packet_in> in;           ///< in0, ...: contributions
  row<packet_out> out;         ///< out0, ...: contributions; only that of the parent is driven
  row<packet_in> return_in;    ///< return_in0, ...: results, from where that out leads to
  row<packet_out> return_out;  ///< return_out0, ...: results, to where in0, ... come from

  /// Throws as reduction_switch_config::check().
  reduction_switch(const sc_core::sc_module_name& name, const reduction_switch_config& config);

  /// Ports past those of the request network are those of the reply network.
  void connect_input(unsigned port, network_link& l) override;
  void connect_output(unsigned port, network_link& l) override;
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;

  unsigned level() const override;
  unsigned capacity() const override;
  hardware_size storage() const override;
  /// `reduction.merged`, contributions that others have gone on for; in one switch at most:
  /// `reduction.most_rounds`.
  void count(counters& all) const override;

private:
  struct round_state {
    std::vector<std::optional<flit>> contributions;  // by child
    unsigned came = 0, served = 0;
    bool sent = false, answered = false;
    std::uint32_t data = 0;  // of what has come; of the result
  };
  /// A child: its register, and the round whose result its pins show next.
  struct child {
    unsigned port = 0;
    std::optional<flit> waiting;
    std::uint64_t next = 0;
    bool ready = false, showing = false;
  };

  void reset() override;
  void tick() override;
  void send();
  void receive();
  void place(child& from);
  bool show();
  bool show_down(child& to);
  void open_round();
  round_state& place_of(std::uint64_t round) { return table_[round % table_.size()]; }
  round_state* find(std::uint64_t round) { return round - first_ < open_ ? &place_of(round) : nullptr; }
  [[noreturn]] void fail(const char* what, const flit& f) const;

  const reduction_switch_config config_;
  std::vector<child> children_;
  std::vector<round_state> table_;  // round r at r modulo its size
  std::uint64_t first_ = 0;         // rounds before it are over
  std::uint64_t open_ = 0;          // rounds under way, from that on
  std::uint64_t up_ = 0;            // the next one for the parent
  std::uint64_t answered_ = 0;      // the next one that the parent answers
  bool showing_up_ = false, listening_ = false;
  std::uint64_t merged_ = 0;
  std::uint64_t most_rounds_ = 0;
  std::vector<network_link*> in_links_, return_out_links_;  // by input, for the checker
  network_link *up_link_ = nullptr, *answer_link_ = nullptr;
};

}  // namespace spillway
