#pragma once
#include <deque>
#include <memory>
#include <spillway/hw/isolation/isolation_link.hpp>
#include <spillway/hw/isolation/output_map.hpp>
#include <spillway/hw/isolation/roots.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spillway {

/// What an isolation_switch_checker watches; docs/checker-rules.md states the rules in full.
struct isolation_switch_checker_config {
  std::string watched;                    ///< name of the switch in messages
  unsigned inputs = 2;                    ///< of the switch
  bool at_terminal = false;               ///< its inputs are packet links
  std::shared_ptr<const output_map> map;  ///< where packets go on
  std::vector<link_end> neighbours;       ///< what its outputs lead to
  unsigned patience = 64;                 ///< cycles after which an empty switch has nothing set aside
};

/// Watches the links of one isolation_switch and drives none. It holds it to IS6, nothing is sent that the
/// next switch has stopped; IS7, the packets of a source to a destination leave in the order in which they
/// came; and IS8, what was set aside is given up when it is over.
class isolation_switch_checker final : public clocked {
public:
  row<packet_watch> in;                         ///< in0, in1, ...
  row<bundle<tree_pins, as_watcher>> in_tree;   ///< in0, ..., the rest of the links; none at a terminal
  row<packet_watch> out;                        ///< out0, out1, ...
  row<bundle<tree_pins, as_watcher>> out_tree;  ///< out0, ..., the rest of the links

  /// `config`: the switch. `handler`: see violation_handler.
  isolation_switch_checker(const sc_core::sc_module_name& name, isolation_switch_checker_config config,
                           violation_handler handler = {});

private:
  using flow = std::uint64_t;  // source, destination and network
  static flow flow_of(const flit& f) {
    return std::uint64_t{f.source} << 32 | std::uint64_t{f.destination} << 4 | f.network;
  }

  void reset() override;
  void tick() override;
  void look_at_output(unsigned o);
  void look_at_input(unsigned i);
  void check_given_up();
  void fail(const char* rule, const std::string& what);

  const isolation_switch_checker_config config_;
  const violation_handler handler_;
  std::unordered_map<flow, std::deque<std::uint32_t>> flows_;  // packets within it, in order
  std::vector<heard_roots> stopped_;   // by output, as the switch knew at the edge before
  std::vector<heard_roots> tokens_;    // by output: what it has set aside
  std::vector<heard_roots> stops_;     // by input: what it has stopped
  std::vector<heard_roots> branches_;  // by input: what its sender has set aside
  std::vector<bool> waits_;            // by output: the flit that is shown was shown at the edge before
  std::uint64_t held_ = 0, idle_since_ = 0;
  bool idle_ = false, reported_ = false;
};

}  // namespace spillway
