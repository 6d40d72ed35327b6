#pragma once
#include <cstdint>
#include <functional>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <string>
#include <vector>

namespace spillway::tb {

/// A module with packet links, as the kit sees it: any sc_module, it need not be a block of ours.
struct device {
  std::vector<packet_in*> in;
  std::vector<packet_out*> out;
  /// Binds its clock (rising edge) and its synchronous reset (active high).
  std::function<void(sc_core::sc_signal<bool>& clk, sc_core::sc_signal<bool>& rst)> clock;

  device() = default;
  explicit device(switch_block& block);
};

/// What the device should do, and how hard it is driven.
struct conformance_options {
  /// Where the flits of a packet may leave that comes in at `input`, as a mask of outputs.
  std::function<port_mask(unsigned input, const flit& head)> routes;
  /// Lane that a head uses on the link of `input`; empty: lane 0.
  std::function<std::uint8_t(unsigned input, const flit& head)> lane;
  std::uint32_t destinations = 0;   ///< destinations drawn are 0 .. this - 1; 0: as many as outputs
  std::uint16_t packet_length = 4;  ///< flits of the longest packet
  /// A fault that every packet meets with a chance of one in so many is found in 999 of 1000 campaigns: of
  /// each sort of traffic 7 times as many packets are sent.
  unsigned rarest_fault = 64;
  unsigned patience = 1000;  ///< cycles in which a packet must get through when nothing stalls
  bool ready_first = true;   ///< CF2: an idle input shows ready before it is offered anything
  bool ordered = true;       ///< packets of one input and output keep their order
  std::uint64_t seed = 1;
};

/// What came of it.
struct conformance_report {
  std::uint64_t packets = 0, flits = 0;  ///< that got through
  /// What is wrong: the rule (PL1 to PL5 of the links, CF1 to CF11 of the device) and, after a colon, where,
  /// when and with which values. The first 50.
  std::vector<std::string> findings;
  std::uint64_t violations = 0;  ///< all of them

  bool passed() const { return violations == 0; }
};

/// Exercises a device by all of its links at once: light load, all inputs saturated, random stalls, long
/// stalls, one closed output after the other, a hot output, and a reset in the middle of traffic; before
/// that, idle and with all outputs closed. A link checker watches every link, and every flit is followed
/// through.
///
/// CF1   an output shows a flit that is there without waiting for ready
/// CF2   an idle input shows ready without waiting for valid
/// CF3   an input shows ready in lanes that its link has
/// CF4   no flit is lost
/// CF5   none is duplicated
/// CF6   none leaves that has not come since the reset
/// CF7   none is corrupted
/// CF8   packets leave where the routing says
/// CF9   packets of one input and output keep their order
/// CF10  no input starves while every output takes flits
/// CF11  all that has been sent leaves
///
/// Elaborates and simulates: call it once in
/// a process, from sc_main, after the device has been made.
conformance_report conformance(const device& d, const conformance_options& options);

}  // namespace spillway::tb
