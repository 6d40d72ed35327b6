#pragma once
#include <cstdint>
#include <spillway/hw/links/bundle.hpp>
#include <spillway/hw/links/flit.hpp>
#include <spillway/hw/links/pin_bits.hpp>
#include <string>
#include <systemc>
#include <type_traits>

namespace spillway {

// As AXI4-Stream has it: tvalid does not wait for tready, what is shown stays until it is taken, and
// tvalid is low in reset. The bridges' reset is active high: an RTL block's ARESETn is its inverse.

/// The type of a pin that a stream does not have.
struct absent {};
inline bool operator==(absent, absent) { return true; }  ///< there is but one value
/// A pin that is not there reads as 0.
template <>
struct pin_bits<absent> {
  /// @{
  /// Nothing to read or to write.
  static std::uint64_t get(absent, unsigned, unsigned) { return 0; }
  static void put(absent, unsigned, unsigned, std::uint64_t) {}
  /// @}
};

/// Type of tdata: as Verilator's default ports.
template <unsigned Width>
using axi_data =
    std::conditional_t<(Width <= 32), std::uint32_t,
                       std::conditional_t<(Width <= 64), std::uint64_t, sc_dt::sc_bv<int{Width}>>>;

/// The pins of a stream of `Width` bits of data. What a stream has otherwise is said by deriving:
///
///     struct plain : axi_format<128> {
///       using keep = std::uint32_t;  // 16 bits of it
///       using user = absent;
///       using dest = std::uint32_t;
///     };
///
/// A type is one that pin_bits knows, such as those that Verilator gives ports, sc_bv<Width> (`--pins-bv`) or
/// sc_biguint<Width>, or `absent`; tdata and tlast are always there.
template <unsigned Width>
struct axi_format {
  static_assert(Width == 32 || Width == 64 || Width == 128 || Width == 256 || Width == 512,
                "a stream is 32, 64, 128, 256 or 512 bits wide");
  static constexpr unsigned width = Width;  ///< bits of data
  using data = axi_data<Width>;             ///< of tdata
  using keep = absent;                      ///< of tkeep: a bit a byte of tdata
  using dest = std::uint32_t;               ///< of tdest, number of a terminal
  using id = std::uint32_t;                 ///< of tid, number of a terminal
  using user = sc_dt::sc_bv<128>;           ///< of tuser, see axi_frames::length
};

/// In the place of a pin that a stream does not have.
struct no_pin {
  /// Whatever the name, there is no port.
  template <class Name>
  explicit no_pin(const Name&) {}
  /// Bound to nothing.
  template <class Other>
  void operator()(Other&) {}
  /// @{
  /// What those who use a pin may ask of it.
  absent read() const { return {}; }
  void write(absent) {}
  const char* name() const { return ""; }
  /// @}
};
inline void sc_trace(sc_core::sc_trace_file*, const no_pin&, const std::string&) {}  ///< nothing to trace

/// A forward pin, if the format has it.
template <class As, class T>
using optional_pin = std::conditional_t<std::is_same_v<T, absent>, no_pin, forward_pin<As, T>>;

/// Declares the pins of a stream.
template <class Format>
struct axi_stream {
  /// The pins of one end, of its signals or of who only looks on, by `As`.
  template <class As>
  struct pins {
    /// `of`: what the pins are named by, see bundle_name; a pin has the name of its member.
    explicit pins(const typename As::names& of)
        : tvalid(of["tvalid"]),
          tready(of["tready"]),
          tdata(of["tdata"]),
          tlast(of["tlast"]),
          tkeep(of["tkeep"]),
          tdest(of["tdest"]),
          tid(of["tid"]),
          tuser(of["tuser"]) {}
    forward_pin<As, bool> tvalid;                   ///< a beat is shown
    backward_pin<As, bool> tready;                  ///< it is taken at the next edge
    forward_pin<As, typename Format::data> tdata;   ///< of the beat, the first byte lowest
    forward_pin<As, bool> tlast;                    ///< the last beat of the frame
    optional_pin<As, typename Format::keep> tkeep;  ///< bytes of tdata that the frame has
    optional_pin<As, typename Format::dest> tdest;  ///< terminal that the frame is for
    optional_pin<As, typename Format::id> tid;      ///< terminal that it is from
    optional_pin<As, typename Format::user> tuser;  ///< header of the packet, see axi_frames::length

    /// Calls `f` with each pin of the bundles, like pins together.
    template <class F, class... Bundles>
    static void each(F&& f, Bundles&... b) {
      f(b.tvalid...), f(b.tready...), f(b.tdata...), f(b.tlast...), f(b.tkeep...);
      f(b.tdest...), f(b.tid...), f(b.tuser...);
    }
  };
};

/// The signals of a stream.
template <class Format>
using axi_stream_signals = bundle<axi_stream<Format>::template pins, as_signals>;
/// The sending end, `m_axis`.
template <class Format>
using axi_stream_out = bundle<axi_stream<Format>::template pins, as_sender>;
/// The receiving end, `s_axis`.
template <class Format>
using axi_stream_in = bundle<axi_stream<Format>::template pins, as_receiver>;
/// Who only looks on.
template <class Format>
using axi_stream_watch = bundle<axi_stream<Format>::template pins, as_watcher>;

/// Where the length of a frame stands, and what else the frames of a bridge are.
///
/// A packet is a frame: tdest is its destination, tid its source, tlast its last beat. The payload words of
/// its flits, 64 bits each, fill tdata from below: a word takes two beats of a stream of 32 bits, Width/64
/// words share a beat of a wide one, and the last beat may be partly filled.
struct axi_frames {
  /// How the end of a frame is found.
  enum class length : std::uint8_t {
    /// In tuser, which is the same in every beat: length in flits (bits 0-15), number of the packet (16-47),
    /// kind (48-51), traffic class (52-55), marks (56-59), network (60-61), interface word (64-103), route
    /// (104-115). A tuser of 64 bits does where interfaces and routing write no header; NIFDY does.
    in_tuser,
    /// Nowhere: a frame ends with tlast, and is stored before its packet goes on. tuser is not looked at and
    /// written as 0. The traffic class of the packet is the number of bytes of its last word that are none of
    /// the frame's, by tkeep.
    by_tlast,
  };
  length found = length::in_tuser;  ///< where the length stands
  unsigned longest = 64;     ///< by tlast: flits of the longest frame, 1 to 65535; a longer one is dropped
  std::uint32_t source = 0;  ///< of packets from a stream without tid
  std::uint32_t destination = 0;  ///< of packets from a stream without tdest
};

/// Writes the header of a packet into tuser.
template <class User>
void put_header(User& user, const flit& f) {
  using bits = pin_bits<User>;
  bits::put(user, 0, 16, f.length);
  bits::put(user, 16, 32, f.packet);
  bits::put(user, 48, 4, static_cast<std::uint64_t>(f.kind));
  bits::put(user, 52, 4, f.traffic_class);
  bits::put(user, 56, 4, f.marks);
  bits::put(user, 60, 2, f.network);
  bits::put(user, 64, 40, f.interface_word);
  bits::put(user, 104, 12, f.route);
}

/// Reads it.
template <class User>
void get_header(const User& user, flit& f) {
  using bits = pin_bits<User>;
  f.length = static_cast<std::uint16_t>(bits::get(user, 0, 16));
  f.packet = static_cast<std::uint32_t>(bits::get(user, 16, 32));
  f.kind = static_cast<flit_kind>(bits::get(user, 48, 4));
  f.traffic_class = static_cast<std::uint32_t>(bits::get(user, 52, 4));
  f.marks = static_cast<std::uint32_t>(bits::get(user, 56, 4));
  f.network = static_cast<std::uint8_t>(bits::get(user, 60, 2));
  f.interface_word = bits::get(user, 64, 40);
  f.route = static_cast<std::uint32_t>(bits::get(user, 104, 12));
}

/// Bytes of the flit's word that are the frame's.
inline unsigned bytes_of(const flit& f, const axi_frames& frames) {
  return frames.found == axi_frames::length::by_tlast && f.tail() ? 8 - f.traffic_class % 8 : 8;
}

}  // namespace spillway
