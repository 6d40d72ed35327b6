#pragma once
#include <algorithm>
#include <cstdint>
#include <spillway/hw/adapters/axi_stream.hpp>

namespace spillway {

/// The pins of an AXI4 interface of `Width` bits of data. What differs is said by deriving: other types of
/// pins, as pin_bits knows them, or `absent` for pins that are not there.
template <unsigned Width>
struct axi4_format {
  static_assert(Width == 32 || Width == 64 || Width == 128 || Width == 256 || Width == 512,
                "an AXI4 interface is 32, 64, 128, 256 or 512 bits wide");
  static constexpr unsigned width = Width;  ///< bits of data
  /// @{
  /// Type of the pins of this name: two of the address channels, or of the data and response channels.
  using data = axi_data<Width>;
  using strb = std::conditional_t<(Width <= 256), std::uint32_t, std::uint64_t>;
  using addr = std::uint32_t;
  using id = std::uint32_t;
  using len = std::uint32_t;
  using size = std::uint32_t;
  using burst = std::uint32_t;
  using lock = bool;
  using cache = std::uint32_t;
  using prot = std::uint32_t;
  using last = bool;
  using resp = std::uint32_t;
  /// @}
};

/// The same of an AXI4-Lite interface: one beat of full width a transaction.
template <unsigned Width>
struct axi4_lite_format : axi4_format<Width> {
  static_assert(Width == 32 || Width == 64, "an AXI4-Lite interface is 32 or 64 bits wide");
  /// @{
  /// An AXI4-Lite interface has none.
  using id = absent;
  using len = absent;
  using size = absent;
  using burst = absent;
  using lock = absent;
  using cache = absent;
  using last = absent;
  /// @}
};

/// A pin that goes back from the subordinate, if the format has it.
template <class As, class T>
using optional_backward_pin = std::conditional_t<std::is_same_v<T, absent>, no_pin, backward_pin<As, T>>;

/// Declares the pins; forward is from manager to subordinate.
template <class Format>
struct axi4 {
  /// The pins of one end, of its signals or of who only looks on, by `As`.
  template <class As>
  struct pins {
    template <class T>
    using out = optional_pin<As, T>;  ///< a pin that the format may not have, from the manager
    template <class T>
    using back = optional_backward_pin<As, T>;  ///< the same from the subordinate

    /// `of`: what the pins are named by, see bundle_name; a pin has the name of its member.
    explicit pins(const typename As::names& of)
        : awvalid(of["awvalid"]),
          wvalid(of["wvalid"]),
          arvalid(of["arvalid"]),
          bready(of["bready"]),
          rready(of["rready"]),
          awready(of["awready"]),
          wready(of["wready"]),
          arready(of["arready"]),
          bvalid(of["bvalid"]),
          rvalid(of["rvalid"]),
          awaddr(of["awaddr"]),
          araddr(of["araddr"]),
          awid(of["awid"]),
          arid(of["arid"]),
          awlen(of["awlen"]),
          arlen(of["arlen"]),
          awsize(of["awsize"]),
          arsize(of["arsize"]),
          awburst(of["awburst"]),
          arburst(of["arburst"]),
          awlock(of["awlock"]),
          arlock(of["arlock"]),
          awcache(of["awcache"]),
          arcache(of["arcache"]),
          awprot(of["awprot"]),
          arprot(of["arprot"]),
          wdata(of["wdata"]),
          wstrb(of["wstrb"]),
          wlast(of["wlast"]),
          bid(of["bid"]),
          bresp(of["bresp"]),
          rid(of["rid"]),
          rdata(of["rdata"]),
          rresp(of["rresp"]),
          rlast(of["rlast"]) {}

    /// @{
    /// Valid and ready of a channel: what it shows crosses at an edge at which both are high.
    forward_pin<As, bool> awvalid, wvalid, arvalid, bready, rready;
    backward_pin<As, bool> awready, wready, arready, bvalid, rvalid;
    /// @}
    /// @{
    /// Of the write and the read address channel: AxADDR in bytes, AxLEN the beats less 1, AxSIZE the binary
    /// logarithm of the bytes of a beat, the others as AXI4 has them. tlm_to_axi4 drives AxLOCK, AxCACHE and
    /// AxPROT as 0.
    forward_pin<As, typename Format::addr> awaddr, araddr;
    out<typename Format::id> awid, arid;
    out<typename Format::len> awlen, arlen;
    out<typename Format::size> awsize, arsize;
    out<typename Format::burst> awburst, arburst;
    out<typename Format::lock> awlock, arlock;
    out<typename Format::cache> awcache, arcache;
    out<typename Format::prot> awprot, arprot;
    /// @}
    forward_pin<As, typename Format::data> wdata;   ///< the first byte of the interface's width lowest
    forward_pin<As, typename Format::strb> wstrb;   ///< bit i: byte i of wdata is written
    out<typename Format::last> wlast;               ///< the last beat of its burst
    back<typename Format::id> bid;                  ///< of the write that is answered
    backward_pin<As, typename Format::resp> bresp;  ///< see axi4_resp
    back<typename Format::id> rid;                  ///< of the read that is answered
    backward_pin<As, typename Format::data> rdata;  ///< as wdata
    backward_pin<As, typename Format::resp> rresp;  ///< of this beat, see axi4_resp
    back<typename Format::last> rlast;              ///< the last beat of its burst

    /// Calls `f` with each pin of the bundles, like pins together.
    template <class F, class... B>
    static void each(F&& f, B&... b) {
      f(b.awvalid...), f(b.wvalid...), f(b.arvalid...), f(b.bready...), f(b.rready...);
      f(b.awready...), f(b.wready...), f(b.arready...), f(b.bvalid...), f(b.rvalid...);
      f(b.awaddr...), f(b.araddr...), f(b.awid...), f(b.arid...), f(b.awlen...), f(b.arlen...);
      f(b.awsize...), f(b.arsize...), f(b.awburst...), f(b.arburst...), f(b.awlock...), f(b.arlock...);
      f(b.awcache...), f(b.arcache...), f(b.awprot...), f(b.arprot...);
      f(b.wdata...), f(b.wstrb...), f(b.wlast...), f(b.bid...), f(b.bresp...);
      f(b.rid...), f(b.rdata...), f(b.rresp...), f(b.rlast...);
    }
  };
};

/// Its wires on signals.
template <class Format>
using axi4_signals = bundle<axi4<Format>::template pins, as_signals>;
template <class Format>
using axi4_manager_pins = bundle<axi4<Format>::template pins, as_sender>;  ///< `m_axi`
template <class Format>
using axi4_subordinate_pins = bundle<axi4<Format>::template pins, as_receiver>;  ///< `s_axi`
/// Who only looks on.
template <class Format>
using axi4_watch = bundle<axi4<Format>::template pins, as_watcher>;

/// AxBURST.
enum class axi4_burst : std::uint8_t {
  fixed,     ///< all beats at one address
  incr,      ///< each behind the one before
  wrap,      ///< the same, and from the end of an aligned block to its begin
  reserved,  ///< not allowed
};
/// xRESP, the worst last.
enum class axi4_resp : std::uint8_t {
  okay,    ///< done; of an exclusive access: not exclusively
  exokay,  ///< an exclusive access is done
  slverr,  ///< the subordinate failed
  decerr,  ///< no subordinate at the address
};

/// A burst as AWADDR, AWLEN, AWSIZE and AWBURST say it, or the same of reads.
struct axi4_address {
  std::uint64_t addr = 0;               ///< bytes, of the first beat
  unsigned id = 0;                      ///< AxID
  unsigned beats = 1;                   ///< beats of the burst, 1 to 256
  unsigned bytes = 1;                   ///< bytes of a beat, a power of two
  axi4_burst burst = axi4_burst::incr;  ///< how the addresses of its beats follow
  bool exclusive = false;               ///< AxLOCK

  /// `addr` on the boundary of a beat.
  std::uint64_t aligned() const { return addr & ~std::uint64_t{bytes - 1}; }
  /// Bytes that its beats span, from the first beat's boundary on.
  std::uint64_t span() const { return std::uint64_t{bytes} * beats; }
  /// First address that a wrapping burst touches.
  std::uint64_t wrap_base() const { return addr - addr % span(); }
  /// Address of a beat: of the first one as given, then on the boundaries of beats.
  std::uint64_t beat(unsigned n) const {
    if (burst == axi4_burst::fixed || n == 0) return addr;
    if (burst == axi4_burst::wrap)
      return wrap_base() + (addr - wrap_base() + std::uint64_t{n} * bytes) % span();
    return aligned() + std::uint64_t{n} * bytes;
  }
  /// Bytes of a beat, from its address to its boundary.
  unsigned bytes_of(unsigned n) const { return bytes - static_cast<unsigned>(beat(n) % bytes); }
};

/// Reads an address channel.
template <class Format, class Addr, class Id, class Len, class Size, class Burst, class Lock>
axi4_address get_axi4_address(const Addr& addr, const Id& id, const Len& len, const Size& size,
                              const Burst& burst, const Lock& lock) {
  axi4_address a;
  a.addr = pin_bits<Addr>::get(addr, 0, 64);
  a.id = static_cast<unsigned>(pin_bits<Id>::get(id, 0, 32));
  a.beats = static_cast<unsigned>(pin_bits<Len>::get(len, 0, 8)) + 1;
  a.bytes = std::is_same_v<Size, absent> ? Format::width / 8
                                         : 1u << static_cast<unsigned>(pin_bits<Size>::get(size, 0, 3));
  a.burst = std::is_same_v<Burst, absent> ? axi4_burst::incr
                                          : static_cast<axi4_burst>(pin_bits<Burst>::get(burst, 0, 2));
  a.exclusive = pin_bits<Lock>::get(lock, 0, 1) != 0;
  return a;
}
/// What the write address channel shows.
template <class Format, class Pins>
axi4_address write_address(const Pins& p) {
  return get_axi4_address<Format>(p.awaddr.read(), p.awid.read(), p.awlen.read(), p.awsize.read(),
                                  p.awburst.read(), p.awlock.read());
}
/// What the read address channel shows.
template <class Format, class Pins>
axi4_address read_address(const Pins& p) {
  return get_axi4_address<Format>(p.araddr.read(), p.arid.read(), p.arlen.read(), p.arsize.read(),
                                  p.arburst.read(), p.arlock.read());
}

/// Writes a number to a pin of whatever type.
template <class T, class Pin>
void write_number(Pin& pin, std::uint64_t number) {
  T value{};
  pin_bits<T>::put(value, 0, 64, number);
  pin.write(value);
}

}  // namespace spillway
