#pragma once
#include <spillway/hw/links/flit.hpp>
#include <string>
#include <systemc>

namespace spillway {

/// Reports a packet that comes to an input and is for none of the network's terminals, before it does harm.
inline void check_destination(const sc_core::sc_object& block, unsigned input, const flit& f,
                              unsigned terminals) {
  if (f.destination < terminals) return;
  const std::string what = std::string(block.name()) + ": a packet for terminal " +
                           std::to_string(f.destination) + " has come to input " + std::to_string(input) +
                           ", expected 0 to " + std::to_string(terminals - 1);
  SC_REPORT_ERROR("spillway/packet_destination", what.c_str());
  sc_core::sc_abort();  // only if errors have been told not to throw
}

}  // namespace spillway
