#pragma once
#include <array>
#include <cstdint>
#include <iosfwd>
#include <spillway/hw/links/flit.hpp>
#include <string>

/// What the units of Callahan and Goldstein's NIFDY tell each other.
namespace spillway::nifdy {

/// Header of Callahan and Goldstein's NIFDY, in the interface word of a flit: flags in its bits 0 to 7,
/// sequence number in 8 to 23, dialog in 24 to 39.
struct header {
  std::uint8_t flags = 0;      ///< as below
  std::uint16_t sequence = 0;  ///< number of a packet in its dialog, or of the next that is expected
  std::uint16_t dialog = 0;    ///< see dialog_name()
};
/// What the flit's interface word holds.
inline header header_of(const flit& f) {
  const std::uint64_t word = f.interface_word;
  return {static_cast<std::uint8_t>(word), static_cast<std::uint16_t>(word >> 8),
          static_cast<std::uint16_t>(word >> 24)};
}
/// Writes it; all 40 bits of the interface word.
inline void set_header(flit& f, const header& h) {
  f.interface_word = h.flags | std::uint64_t{h.sequence} << 8 | std::uint64_t{h.dialog} << 24;
}

// Flags. The processor's software sets `request` and `exit`, and `bypass` for a packet outside the protocol;
// the units set the rest.
constexpr std::uint8_t bulk = 1;        ///< belongs to a dialog: `dialog` and `sequence` stand for the source
constexpr std::uint8_t request = 2;     ///< of a scalar packet: asks for a bulk dialog
constexpr std::uint8_t exit = 4;        ///< the last packet of a message, which ends its dialog
constexpr std::uint8_t toggle = 8;      ///< tells a retransmitted scalar packet from the next one
constexpr std::uint8_t bypass = 16;     ///< needs no acknowledgement and keeps no order
constexpr std::uint8_t ack_rides = 32;  ///< the data packet acknowledges a scalar packet as well
constexpr std::uint8_t granted = 64;    ///< of an acknowledgement: `dialog` is granted
constexpr std::uint8_t refused = 128;   ///< of an acknowledgement: no dialog, or (bulk) the receiver ends it

constexpr std::uint8_t set_by_software = request | exit | bypass;  ///< what a processor may ask for

/// Whether all of them are set.
inline bool has(const flit& f, std::uint8_t flags) { return (f.interface_word & flags) == flags; }
inline void set_flags(flit& f, std::uint8_t flags) {
  f.interface_word |= flags;
}  ///< sets them; the others stay
/// Takes them out; the others stay.
inline void clear_flags(flit& f, std::uint8_t flags) { f.interface_word &= ~std::uint64_t{flags}; }

/// An acknowledgement or another message between two units; never seen by a processor.
inline bool is_control(const flit& f) { return f.kind == flit_kind::acknowledge; }

/// header::dialog: number of the dialog at its receiver, and an epoch that changes with each grant of the
/// number, so that acknowledgements of the dialog before are known as such.
inline std::uint16_t dialog_name(unsigned number, unsigned epoch) {
  return static_cast<std::uint16_t>(number | (epoch & 0xff) << 8);
}
inline unsigned dialog_number(std::uint16_t name) { return name & 0xff; }  ///< see dialog_name()

/// Sequence numbers count modulo 2^16, which is more than the 2W that tell old from new packets.
inline int ahead(std::uint16_t sequence, std::uint16_t of) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(sequence - of));
}

constexpr std::uint64_t never = ~std::uint64_t{0};  ///< later than every cycle
/// So many cycles after `from`, at most `never`: a time without a bound is given by the greatest number.
inline std::uint64_t later(std::uint64_t from, std::uint64_t cycles) {
  return cycles < never - from ? from + cycles : never;
}

constexpr unsigned max_outstanding = 32;  ///< largest O

/// What the outstanding packet table shows: the destinations of unacknowledged scalar packets.
struct tags {
  std::array<std::uint32_t, max_outstanding> nodes{};  ///< the first `count` of these
  std::uint32_t toggles = 0;                           ///< bit i: duplicate bit of entry i
  std::uint8_t count = 0;                              ///< entries in use, 0 to O

  /// Whether the node is one of them.
  bool holds(std::uint32_t node) const {
    for (unsigned i = 0; i < count; ++i)
      if (nodes[i] == node) return true;
    return false;
  }
};
bool operator==(const tags& a, const tags& b);              ///< the same entries, in the same order
std::ostream& operator<<(std::ostream& os, const tags& t);  ///< `{3 7}`
/// Every field as `name.field`, and `name.node0`, ...
void sc_trace(sc_core::sc_trace_file* tf, const tags& t, const std::string& name);

/// What the table shows of the bulk dialog that this unit sends in.
struct dialog {
  bool open = false;               ///< granted, and not everything of it is acknowledged
  bool leaving = false;            ///< the exit bit has been sent
  bool ending = false;             ///< the receiver asked to end it, or the one that is asked for
  bool requested = false;          ///< a request is unanswered
  std::uint32_t peer = 0;          ///< the receiver
  std::uint16_t name = 0;          ///< see dialog_name()
  std::uint16_t next = 0;          ///< sequence number of the next packet
  std::uint16_t acknowledged = 0;  ///< all before this one are
};
bool operator==(const dialog& a, const dialog& b);  ///< all fields are the same
/// `closed`, `requested`, or its peer and numbers.
std::ostream& operator<<(std::ostream& os, const dialog& d);
/// Every field as `name.field`.
void sc_trace(sc_core::sc_trace_file* tf, const dialog& d, const std::string& name);

}  // namespace spillway::nifdy
