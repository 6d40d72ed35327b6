#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace spillway {

/// What a platform will take, from its parameters alone.
struct size_estimate {
  double terminals = 0, switches = 0, links = 0;
  double bytes = 0;  ///< of memory, elaborated
};

/// From the sections `topology` and `switch` of an experiment, but for the buffers of the switches. A graph
/// from a file counts as nothing, since the file bounds it. `checkers`: a checker on every link.
size_estimate estimate_size(const nlohmann::json& topology_section, const nlohmann::json& switch_section,
                            bool checkers);

/// The same of a network that is modelled at the transaction level.
size_estimate estimate_transactions(const nlohmann::json& topology_section);

/// What a place for a flit in a buffer takes.
constexpr double flit_bytes = 40;

/// Throws std::length_error if `what` needs more bytes than this machine's memory can hold.
void check_memory(double bytes, const std::string& what);

/// Throws std::length_error, with the estimate, if this machine's memory cannot hold it.
void check_size(const size_estimate& size);

}  // namespace spillway
