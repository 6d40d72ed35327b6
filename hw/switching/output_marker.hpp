#pragma once
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/marking_link.hpp>

namespace spillway {

/// A block beside a switch that marks packets at its outputs: it sees what waits for each, and the output's
/// link if it wants to. The switch marks the heads that it comes to show, so a mark is two edges behind what
/// it is given for.
class output_marker : public clocked {
public:
  row<marking_in> output;  ///< output<o>
  row<packet_watch> link;  ///< link<o>: of output o; none if it does not watch

  /// Adds what it counts.
  virtual void count(counters&) const {}

protected:
  /// `outputs`: of the switch. `watches`: it has pins that see the outputs' links.
  output_marker(const sc_core::sc_module_name& name, unsigned outputs, bool watches)
      : clocked(name), output(outputs, "output"), link(watches ? outputs : 0, "link") {}
};

}  // namespace spillway
