#pragma once
#include <nlohmann/json.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <string>

namespace spillway {

/// What a platform will take.
struct size_estimate {
  topology_size size;
  double bytes = 0;  ///< of memory, elaborated
};

/// What a link takes.
struct link_memory {
  unsigned pins = 3;   ///< of an end
  double bytes = 900;  ///< besides
};

/// Of a network of such links, but for the buffers of the switches. `checkers`: a checker on every link.
size_estimate estimate_pins(const topology_size& size, const link_memory& link, bool checkers);

/// Adds what the register stages of all links take, with their second wires; `checkers`: and checkers of
/// those.
void add_link_stages(size_estimate& size, bool checkers);

/// Of a network that is modelled at the transaction level.
size_estimate estimate_transactions(const topology_size& size);

/// What a place for a flit in a buffer takes.
constexpr double flit_bytes = 40;

/// Throws std::length_error if `what` needs more bytes than this machine's memory, or the limit of this
/// process, can hold.
void check_memory(double bytes, const std::string& what);

/// Throws std::length_error, with the estimate, if that much memory cannot be had.
void check_size(const size_estimate& estimate);

}  // namespace spillway
