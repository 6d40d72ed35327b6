#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <iosfwd>
#include <string>
#include <systemc>
#include <type_traits>

namespace spillway {

/// What a flit carries besides its data; at most 16 kinds.
enum class flit_kind : std::uint8_t {
  data,         ///< of a terminal, and of no other kind
  acknowledge,  ///< of the network interfaces: a message between them
  reply,        ///< to a request: its packet has the number that the request has at the terminal it is for
  combinable,   ///< a request that may be combined with others to the same destination, as a fetch-and-add
};

/// One flow-control digit: what a packet link moves in one cycle, 256 bits. Each part has one owner, which
/// alone writes it; all others carry it as it is.
///
/// The layout in bits (for RTL), least significant first: source 0-27, kind 28-31, destination 32-59,
/// traffic_class 60-63, packet 64-95, index 96-111, length 112-127, lane 128-133, network 134-135,
/// route 136-147, marks 148-151, interface_word 152-191, payload 192-255.
struct flit {
  static constexpr std::uint64_t most_terminals = std::uint64_t{1} << 28;  ///< terminals of a network
  static constexpr unsigned most_networks = 4;                             ///< logical networks
  static constexpr unsigned most_lanes = 64;                               ///< lanes of a link

  // Of the terminal that makes the packet.
  std::uint32_t source : 28;        ///< terminal that made the packet
  flit_kind kind : 4;               ///< what the packet is, of all its flits the same
  std::uint32_t destination : 28;   ///< terminal it is for
  std::uint32_t traffic_class : 4;  ///< what the packet is to the traffic, such as a hot message
  /// Number of the packet at its source, in its logical network; of a reply, see its kind.
  std::uint32_t packet = 0;
  std::uint16_t index = 0;   ///< position in the packet; 0 is the head
  std::uint16_t length = 1;  ///< flits in the packet

  std::uint8_t lane : 6;     ///< of who sends on the link: the bit of its ready mask that concerns this flit
  std::uint8_t network : 2;  ///< of the terminal: logical network, such as 0 request, 1 reply
  std::uint32_t route : 12;  ///< of the routing: what it chose for the packet at the network's entry
  std::uint32_t marks : 4;   ///< of the switches: what they report of their state, such as congestion
  /// Of the network interfaces: what they tell each other, and at first what the terminal's software asks of
  /// them. Of requests in a network that combines them: their way back; it has no such interfaces.
  std::uint64_t interface_word : 40;

  std::uint64_t payload = 0;  ///< of the terminal: data word or handle

  constexpr flit()
      : source(0),
        kind(flit_kind::data),
        destination(0),
        traffic_class(0),
        lane(0),
        network(0),
        route(0),
        marks(0),
        interface_word(0) {}

  bool head() const { return index == 0; }           ///< the first flit of its packet
  bool tail() const { return index + 1 == length; }  ///< the last flit of its packet
};

constexpr unsigned flit_bits = 256;  ///< bits of a flit
/// A flit as four words, word 0 holding bits 0 to 63.
using flit_words = std::array<std::uint64_t, flit_bits / 64>;

static_assert(sizeof(flit) == sizeof(flit_words) && std::is_trivially_copyable_v<flit>);

/// @{
/// The flit as bits, in the layout of flit, and back.
flit_words to_bits(const flit& f);
flit from_bits(const flit_words& bits);
/// @}

/// All parts are the same.
inline bool operator==(const flit& a, const flit& b) {
  static_assert(std::has_unique_object_representations_v<flit>, "no bit is unused");
  flit_words x, y;
  std::memcpy(x.data(), &a, sizeof a);
  std::memcpy(y.data(), &b, sizeof b);
  // Others mostly differ in the first word.
  return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3];
}
/// Some part differs.
inline bool operator!=(const flit& a, const flit& b) { return !(a == b); }

/// `3>7 #12 0/4`: source, destination, packet, index of length.
std::ostream& operator<<(std::ostream& os, const flit& f);
std::string text(const flit& f);  ///< the same

/// @{
/// Traces every part of a signal's flit as `name.part`.
void sc_trace(sc_core::sc_trace_file* tf, const sc_core::sc_signal_in_if<flit>& signal,
              const std::string& name);
// A template of SystemC's fits a literal better than the one above, and would trace the words.
inline void sc_trace(sc_core::sc_trace_file* tf, const sc_core::sc_signal_in_if<flit>& signal,
                     const char* name) {
  sc_trace(tf, signal, std::string(name));
}
/// @}
/// Traces the four words of the flit as it lies in memory, `name.word0` to `name.word3`; where bit fields are
/// laid out from the least significant bit on these are to_bits(). A trace file looks at a variable by its
/// address, which single parts do not have.
void sc_trace(sc_core::sc_trace_file* tf, const flit& f, const std::string& name);

}  // namespace spillway
