#pragma once
#include <spillway/hw/links/flit.hpp>
#include <string>
#include <systemc>

namespace spillway {

/// Reports a packet that comes to an input for which room was offered for at most `longest` flits, before it
/// does harm.
inline void check_length(const sc_core::sc_object& block, unsigned input, const flit& f, unsigned longest) {
  if (f.length - 1u < longest) return;
  const std::string what = std::string(block.name()) + ": a packet of " + std::to_string(f.length) +
                           " flits has come to input " + std::to_string(input) + ", expected 1 to " +
                           std::to_string(longest) + " (packet_length)";
  SC_REPORT_ERROR("spillway/packet_length", what.c_str());
  sc_core::sc_abort();  // only if errors have been told not to throw
}

}  // namespace spillway
