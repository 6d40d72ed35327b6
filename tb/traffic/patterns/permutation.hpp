#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <vector>

namespace spillway {

/// Every terminal sends to one other; a terminal that would send to itself sends nothing.
class permutation : public pattern {
public:
  /// `to`: destination of a terminal.
  template <class Map>
  permutation(std::uint32_t terminals, const Map& to) {
    destinations_.reserve(terminals);
    for (std::uint32_t t = 0; t < terminals; ++t) destinations_.push_back(to(t));
  }

  void address(packet_order& packet, std::uint32_t terminal, std::uint64_t, random_stream&) const final {
    packet.destination = destinations_[terminal];
  }
  bool silent(std::uint32_t terminal) const final { return destinations_[terminal] == terminal; }

private:
  std::vector<std::uint32_t> destinations_;
};

/// Bits of the numbers of terminals, of which there are a power of two.
unsigned bits_of(std::uint32_t terminals);
/// The same of an entry's network. Throws config_error if there are other than a power of two.
unsigned checked_bits(const traffic_context& context);

}  // namespace spillway
