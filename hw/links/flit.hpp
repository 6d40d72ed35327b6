#pragma once
#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <systemc>

namespace spillway {

/// What a flit carries besides its data.
enum class flit_kind : std::uint8_t {
  data,
  acknowledge,
  reply,       ///< to a request: its packet has the number that the request has at the terminal it is for
  combinable,  ///< a request that may be combined with others to the same destination, as a fetch-and-add
};

/// One flow-control digit: what a packet link moves in one cycle.
///
/// The layout in bits (for RTL), least significant first, 256 bits in all:
/// source 0-31, destination 32-63, packet 64-95, index 96-111, length 112-127, kind 128-135,
/// lane 136-143, network 144-151, flags 152-159, sequence 160-175, dialog 176-191, payload 192-255.
struct flit {
  std::uint32_t source = 0;       ///< terminal that made the packet
  std::uint32_t destination = 0;  ///< terminal it is for
  /// Number of the packet at its source, in its logical network; of a reply, see its kind.
  std::uint32_t packet = 0;
  std::uint16_t index = 0;   ///< position in the packet; 0 is the head
  std::uint16_t length = 1;  ///< flits in the packet
  flit_kind kind = flit_kind::data;
  std::uint8_t lane = 0;       ///< which bit of the link's ready mask concerns this flit
  std::uint8_t network = 0;    ///< logical network: 0 request, 1 reply
  std::uint8_t flags = 0;      ///< header bits of the network interface
  std::uint16_t sequence = 0;  ///< sequence number in a bulk dialog
  std::uint16_t dialog = 0;    ///< number of the bulk dialog
  std::uint64_t payload = 0;   ///< data word or handle

  bool head() const { return index == 0; }
  bool tail() const { return index + 1 == length; }
};

constexpr unsigned flit_bits = 256;
/// A flit as four words, word 0 holding bits 0 to 63.
using flit_words = std::array<std::uint64_t, flit_bits / 64>;

flit_words to_bits(const flit& f);
flit from_bits(const flit_words& bits);

inline bool operator==(const flit& a, const flit& b) {
  return a.source == b.source && a.destination == b.destination && a.packet == b.packet &&
         a.index == b.index && a.length == b.length && a.kind == b.kind && a.lane == b.lane &&
         a.network == b.network && a.flags == b.flags && a.sequence == b.sequence && a.dialog == b.dialog &&
         a.payload == b.payload;
}
inline bool operator!=(const flit& a, const flit& b) { return !(a == b); }

/// `3>7 #12 0/4`: source, destination, packet, index of length.
std::ostream& operator<<(std::ostream& os, const flit& f);

/// Traces every field as `name.field`. Found by sc_signal<flit> through argument-dependent look-up.
void sc_trace(sc_core::sc_trace_file* tf, const flit& f, const std::string& name);

}  // namespace spillway
