#pragma once
#include <spillway/hw/reduction/reduction_checker.hpp>
#include <spillway/hw/reduction/reduction_group.hpp>
#include <spillway/hw/switching/arbiter.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <vector>

namespace spillway {

/// The places of a reduction_switch in the trees of its groups, and its size.
struct reduction_switch_config {
  unsigned inputs = 2;                           ///< of the request network, 1 to 64
  unsigned outputs = 2;                          ///< of the request network, 1 to 64
  std::vector<reduction_place> groups{{3, {}}};  ///< 1 to 64, by number
  port_mask terminals = 0;                       ///< inputs that come from terminals
  unsigned rounds = 8;  ///< rounds under way of a group that it has places for, at least 1

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// A switch of trees that reduce (the NYU Ultracomputer's combining made to wait for all; SHARP, NVLS): what
/// its children contribute to a round becomes one contribution to its parent, and the result that comes back
/// goes to every child. The root makes the result itself. A switch of the request network and the switch of
/// the reply network at the same place as one block; contributions have one flit, and take one cycle from
/// the last child's arrival to the parent, results one from the parent to all children.
///
/// Each group has a tree, a table and registers of its own (reduction_group), and on every link between
/// switches and from terminals a lane, the number of the group: so groups wait for the links alone, which
/// those whose lane is ready have by turns. A terminal is in one group; its results come in lane 0.
class reduction_switch final : public network_block {
public:
  row<packet_in> in;           ///< in0, ...: contributions
  row<packet_out> out;         ///< out0, ...: contributions; only those of parents are driven
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
  /// `reduction.merged`, contributions that others have gone on for; of one group in one switch at most:
  /// `reduction.most_rounds`.
  void count(counters& all) const override;

private:
  struct user {  // of an output: a group, towards its parent or one of its children
    unsigned group = 0, lane = 0;
    bool up = false;
    unsigned child = 0;
  };
  struct line {  // an output that is driven
    packet_out* pins = nullptr;
    std::vector<user> users;
    unsigned shown = 0;  // of the users, whose flit is shown
    bool showing = false;
    round_robin_arbiter turn;
  };
  struct entry {  // an input that is listened to
    packet_in* pins = nullptr;
    std::vector<unsigned> child;  // by group, of contributions; `none`: of none
    lane_mask groups = 0, ready = 0;
    bool answers = false;  // by which results come
  };
  static constexpr unsigned none = ~0u;

  void reset() override;
  void tick() override;
  void make_lines();
  void add_user(packet_out& pins, const user& u);
  entry& entry_at(packet_in& pins, bool answers);
  void send();
  void receive();
  bool show(line& l);
  bool offer(entry& e);
  std::optional<flit> next_of(const user& u) const;

  const reduction_switch_config config_;
  std::vector<reduction_group> groups_;
  std::vector<line> lines_;
  std::vector<entry> entries_;
  std::vector<network_link*> in_links_, out_links_, return_in_links_, return_out_links_;  // for the checkers
};

}  // namespace spillway
