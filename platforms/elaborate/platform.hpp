#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <spillway/hw/endpoints/ordered_observer.hpp>
#include <spillway/hw/kernel/teardown.hpp>
#include <spillway/platforms/elaborate/dropping_entry.hpp>
#include <spillway/platforms/elaborate/interface_chain.hpp>
#include <spillway/platforms/elaborate/marking_entry.hpp>
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What the terminals do, and who watches them.
struct workload {
  std::function<std::unique_ptr<packet_supply>(unsigned terminal)> supply;
  std::function<sink_config(unsigned terminal)> service;
  endpoint_observer& observer;
  /// Nothing that the platform does depends on what the observer was told: several threads may tell it of a
  /// cycle beside the next one, and of all before run() returns.
  bool only_observes = false;
};

/// A clock and a reset of the user's, instead of a platform's own. Blocks work at the rising edges of `clk`;
/// `rst` is active high and is seen at the edge.
struct platform_clock {
  sc_core::sc_signal_in_if<bool>& clk;
  sc_core::sc_signal_in_if<bool>& rst;
};

/// Models without pins compute with times: throws std::invalid_argument if their clock is to be one of the
/// user's that is no sc_clock of the period in the file.
void check_clock(const platform_config& config, const platform_clock& clock);

/// A link of the networks and what it leads from and to: a switch by its number in platform::switches(), or a
/// terminal; the other is -1.
struct network_edge {
  network_link* link = nullptr;
  int from_switch = -1, from_terminal = -1, to_switch = -1, to_terminal = -1;
  bool first = true, last = true;  ///< the sender is bound to it, the receiver is: not both of a long link
};

/// What a circuit of a platform takes.
struct platform_size {
  hardware_size switches;    ///< with what marks at their outputs
  hardware_size stages;      ///< of links that take more than a cycle, and buffers before links
  hardware_size interfaces;  ///< of all terminals, and what they share; without what a terminal itself has
  hardware_size wires;       ///< of links between switches and terminals, and of buses
};

/// A network with its terminals, elaborated from a topology graph: one module a vertex, one link an edge,
/// and that as many times as the interfaces want networks. At the transaction level it has no switches and no
/// links, but what the kind of the interfaces has in their place.
class platform : public sc_core::sc_module, public clock_scope {
public:
  /// `outside`: what clocks and resets it, for as long as it lives; nullptr: a clock of its own, whose first
  /// edge is at half a period.
  platform(const sc_core::sc_module_name& name, const network_plan& plan, const catalogue& all,
           const workload& work, const platform_clock* outside = nullptr);
  ~platform() override;

  /// Makes the checkers of all links, and of what looks at several of them; to be called outside of all
  /// modules. They must go before the platform. Throws std::logic_error the second time, and once the
  /// simulation has started.
  std::vector<std::unique_ptr<stepped>> make_checkers(const violation_handler& to);
  /// Binds clock and reset of a block of the testbench's own to those of the platform.
  void attach(clocked& block);
  /// The same for one side of a clock_crossing.
  void drive(sc_core::sc_in<bool>& clk, input<bool>& rst);
  /// Drives the reset of every block; seen at the next edge. Throws std::logic_error if that is the user's.
  void drive_reset(bool active);
  /// Runs SystemC for so many times period(): so many cycles, if the clock is the platform's own or an
  /// sc_clock and nobody pauses or stops the simulation. What has run is said by cycle(). Throws
  /// std::out_of_range where SystemC's time would end.
  void run(std::uint64_t cycles);
  /// Rising edges of the clock that the blocks have seen, whoever ran the simulation. Asked for between
  /// edges.
  std::uint64_t cycle() const;
  /// Of the clock: the file's, but over pins that of an sc_clock of the user's.
  const sc_core::sc_time& period() const { return period_; }
  /// The fast kernel's; nullptr on signals.
  clock_domain* domain() const override { return domain_.get(); }
  /// Whether several threads tell the observer of a cycle beside the next one, see workload::only_observes.
  bool tells_late() const { return tells_late_; }

  /// Copy after copy of the graph, each in its order.
  const std::vector<std::unique_ptr<network_block>>& switches() const { return switches_; }
  /// Copies of the switches: one a logical network, or one for all.
  unsigned networks() const { return copies_; }
  const std::vector<std::unique_ptr<terminal_edge>>& terminals() const { return terminals_; }
  /// The links of the networks, then those within switches, within what the terminals share, and within them.
  const std::vector<network_link*>& links() const { return all_links_; }
  /// The links of the networks, in the same order.
  const std::vector<network_edge>& edges() const { return edges_; }
  std::size_t blocks() const { return blocks_; }
  /// Flits that some block holds now.
  std::uint64_t held_flits() const;
  /// Of these, flits that an interface sends on by itself at a later cycle.
  std::uint64_t resting_flits() const;
  std::uint64_t lost_in_reset() const;
  /// Flits that switches have sent so far.
  std::uint64_t forwarded() const;
  /// What the blocks have counted.
  counters count() const;
  platform_size size();  ///< what a circuit of it takes; of what has no bound, as much as it has held

private:
  void make_clock();
  sc_core::sc_time first_edge() const;
  void follow_reset();
  unsigned networks_a_copy() const;
  std::shared_ptr<drop_rule> make_drop_rule(unsigned outputs) const;
  void make_switches(const topology& shape, const std::shared_ptr<const routing>& routes, unsigned network);
  void mark(network_block& block, const switch_context& context);
  void make_terminals(const network_plan& plan, const workload& work);
  void watch_switches(endpoint_observer& observer);
  void make_links(const topology& shape, unsigned way, bool escapes);
  network_edge edge_of(const vertex& from, const vertex& to, unsigned way) const;
  template <class Block, class Config>
  void lengthen(link_place& place, const char* what, const char* end,
                std::vector<std::unique_ptr<Block>>& blocks, const Config& config);
  void tie_open_ports(const topology& shape, unsigned way);
  std::unique_ptr<network_link> make_link(link_place place);
  void connect(network_link& l, const vertex& v, unsigned way, unsigned port, bool sends);
  void adopt(platform_part& part);

  first_module first_{"first"};
  const platform_config config_;
  const sc_core::sc_time period_;
  const std::optional<platform_clock> outside_;
  const interface_chain chain_;
  const marking_entry* const marking_;
  const dropping_entry* const dropping_;
  const std::vector<network_course> ways_;
  const unsigned copies_;
  std::size_t switches_a_network_ = 0, blocks_ = 0;
  std::shared_ptr<const switch_plan> switch_plan_;
  std::unique_ptr<clock_domain> domain_;
  std::unique_ptr<sc_core::sc_clock> clock_;
  std::unique_ptr<sc_core::sc_signal<bool>> reset_signal_;
  std::unique_ptr<wire<bool>> reset_wire_;
  std::vector<std::unique_ptr<network_block>> switches_;
  std::vector<std::unique_ptr<output_marker>> markers_;  // by switch, or none
  std::vector<std::unique_ptr<marking_link>> marking_links_;
  std::unique_ptr<platform_part> shared_;
  std::optional<ordered_observer> observer_;
  bool tells_late_ = false;
  bool has_checkers_ = false;
  std::unique_ptr<edge_log<violation>> violations_;
  std::vector<std::unique_ptr<terminal_edge>> terminals_;
  std::vector<std::unique_ptr<network_link>> links_;
  std::vector<std::unique_ptr<output_buffer>> buffers_;    // between senders and links
  std::vector<std::unique_ptr<link_pipeline>> pipelines_;  // of links that take more than a cycle
  std::vector<std::unique_ptr<network_link>> stubs_;       // open ports: never valid, never ready
  std::vector<network_link*> all_links_;
  std::vector<network_edge> edges_;  // by links_
  const clocked* counts_ = nullptr;  // a block of its own, which counts the edges of its clock
};

}  // namespace spillway
