#pragma once
#include <cstddef>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <string>
#include <systemc>

namespace spillway {

namespace detail {
[[gnu::cold, gnu::noinline]] inline void report_no_output(unsigned node, unsigned input, const flit& f,
                                                          port_mask allowed, std::size_t outputs) {
  const std::string what =
      "a packet from terminal " + std::to_string(f.source) + " to terminal " + std::to_string(f.destination) +
      " comes to input " + std::to_string(input) + " of switch " + std::to_string(node) +
      ", and the routing allows " +
      (allowed ? "output " + std::to_string(63 - __builtin_clzll(allowed)) + " of " + std::to_string(outputs)
               : "no output") +
      " there";
  SC_REPORT_ERROR("spillway/routing", what.c_str());
  sc_core::sc_abort();  // only if errors have been told not to throw
}
}  // namespace detail

/// Outputs of switch `node` that a flit may take which came in at `input`. Reports an error
/// `spillway/routing` if there are none, or other than the switch's first `outputs`, 1 to 64.
inline port_mask next_outputs(const routing& routes, unsigned node, unsigned input, const flit& f,
                              std::size_t outputs) {
  const port_mask allowed = routes.outputs(node, input, f);
  if (!allowed || allowed >> (outputs - 1) > 1) detail::report_no_output(node, input, f, allowed, outputs);
  return allowed;
}

/// The lowest of next_outputs().
inline unsigned next_output(const routing& routes, unsigned node, unsigned input, const flit& f,
                            std::size_t outputs) {
  return masks::lowest(next_outputs(routes, node, input, f, outputs));
}

/// The lane in which a packet is sent to a switch with a lane an output: its output there. Reports as
/// next_output().
inline std::uint8_t lane_ahead(const routing& routes, const link_end& next, const flit& head) {
  return static_cast<std::uint8_t>(next_output(routes, next.node, next.input, head, next.lanes));
}

}  // namespace spillway
