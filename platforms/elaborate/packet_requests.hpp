#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace spillway {

/// What a terminal's software can ask of its interface for a packet, as words for flit::interface_word; 0:
/// the interface knows no such thing.
struct packet_requests {
  std::uint64_t unordered = 0;     ///< the packet goes at once, outside of the protocol, and keeps no order
  std::uint64_t of_several = 0;    ///< it is one of several to the same destination, and not the last
  std::uint64_t last_of_them = 0;  ///< it is the last of them
  /// Of networks that reduce: the packet, a combinable one of one flit to its own terminal, comes back with
  /// what the data of this one and of one of every other terminal make, their first ones, their second ones
  /// and so on; by name sum, minimum or maximum.
  std::map<std::string, std::uint64_t> reductions = {};
  /// Why `unordered` is 0.
  std::string no_unordered = "these interfaces have no protocol to pass by";
};

}  // namespace spillway
