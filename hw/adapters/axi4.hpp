#pragma once
#include <algorithm>
#include <cstdint>
#include <spillway/hw/adapters/axi4_channels.hpp>

namespace spillway {

/// Declares the pins of an interface: those of its five channels.
template <class Format>
struct axi4 {
  /// @{
  /// The pins of a channel.
  template <class As>
  using aw = typename axi4_aw<Format>::template pins<As>;
  template <class As>
  using w = typename axi4_w<Format>::template pins<As>;
  template <class As>
  using b = typename axi4_b<Format>::template pins<As>;
  template <class As>
  using ar = typename axi4_ar<Format>::template pins<As>;
  template <class As>
  using r = typename axi4_r<Format>::template pins<As>;
  /// @}

  /// The pins of one end, of its signals or of who only looks on, by `As`.
  template <class As>
  struct pins : aw<As>, w<As>, b<As>, ar<As>, r<As> {
    /// `of`: what the pins are named by, see bundle_name; a pin has the name of its member.
    explicit pins(const typename As::names& of) : aw<As>(of), w<As>(of), b<As>(of), ar<As>(of), r<As>(of) {}

    /// Calls `f` with each pin of the bundles, like pins together.
    template <class F, class... B>
    static void each(F&& f, B&... bundles) {
      aw<As>::each(f, bundles...), w<As>::each(f, bundles...), b<As>::each(f, bundles...);
      ar<As>::each(f, bundles...), r<As>::each(f, bundles...);
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

/// A burst as AWADDR, AWLEN, AWSIZE, AWBURST and so on say it, or the same of reads.
struct axi4_address {
  std::uint64_t addr = 0;               ///< bytes, of the first beat
  unsigned id = 0;                      ///< AxID
  unsigned beats = 1;                   ///< beats of the burst, 1 to 256
  unsigned bytes = 1;                   ///< bytes of a beat, a power of two
  axi4_burst burst = axi4_burst::incr;  ///< how the addresses of its beats follow
  bool exclusive = false;               ///< AxLOCK
  unsigned cache = 0;                   ///< AxCACHE
  unsigned prot = 0;                    ///< AxPROT
  unsigned qos = 0;                     ///< AxQOS
  unsigned region = 0;                  ///< AxREGION

  /// `addr` on the boundary of a beat.
  std::uint64_t aligned() const { return addr & ~std::uint64_t{bytes - 1}; }
  /// Bytes that its beats span, from the first beat's boundary on.
  std::uint64_t span() const { return std::uint64_t{bytes} * beats; }
  /// First address that a wrapping burst touches.
  std::uint64_t wrap_base() const { return addr - addr % span(); }
  /// First address that the burst touches.
  std::uint64_t base() const { return burst == axi4_burst::wrap ? wrap_base() : addr; }
  /// Address of a beat: of the first one as given, then on the boundaries of beats.
  std::uint64_t beat(unsigned n) const {
    if (burst == axi4_burst::fixed || n == 0) return addr;
    if (burst == axi4_burst::wrap)
      return wrap_base() + (addr - wrap_base() + std::uint64_t{n} * bytes) % span();
    return aligned() + std::uint64_t{n} * bytes;
  }
  /// Bytes of a beat, from its address to its boundary.
  unsigned bytes_of(unsigned n) const { return bytes - static_cast<unsigned>(beat(n) % bytes); }
  /// Bytes of all beats.
  std::uint64_t length() const {
    if (burst == axi4_burst::fixed) return std::uint64_t{bytes_of(0)} * beats;
    return burst == axi4_burst::wrap ? span() : span() - (addr - aligned());
  }
  /// Where the first byte of a beat stands among them: by address, those of a fixed burst by beat.
  std::uint64_t place(unsigned n) const {
    return burst == axi4_burst::fixed ? std::uint64_t{n} * bytes_of(0) : beat(n) - base();
  }
  /// Whether AXI4 allows an exclusive access of this kind: up to 16 beats, up to 128 bytes, a power of two of
  /// them, aligned to as many.
  bool may_be_exclusive() const {
    return beats <= 16 && span() <= 128 && (span() & (span() - 1)) == 0 && addr % span() == 0;
  }
};

namespace detail {
template <class Pin>
unsigned field(const Pin& pin, unsigned width) {
  using type = std::decay_t<decltype(pin.read())>;
  return static_cast<unsigned>(pin_bits<type>::get(pin.read(), 0, width));
}
/// Reads an address channel.
template <class Format, class Addr, class Id, class Len, class Size, class Burst, class Lock, class Cache,
          class Prot, class Qos, class Region>
axi4_address get_axi4_address(const Addr& addr, const Id& id, const Len& len, const Size& size,
                              const Burst& burst, const Lock& lock, const Cache& cache, const Prot& prot,
                              const Qos& qos, const Region& region) {
  axi4_address a;
  a.addr = pin_bits<typename Format::addr>::get(addr.read(), 0, 64);
  a.id = field(id, 32);
  a.beats = field(len, 8) + 1;
  a.bytes = std::is_same_v<typename Format::size, absent> ? Format::width / 8 : 1u << field(size, 3);
  a.burst = std::is_same_v<typename Format::burst, absent> ? axi4_burst::incr
                                                           : static_cast<axi4_burst>(field(burst, 2));
  a.exclusive = field(lock, 1) != 0;
  a.cache = field(cache, 4), a.prot = field(prot, 3);
  a.qos = field(qos, 4), a.region = field(region, 4);
  return a;
}
}  // namespace detail

/// What the write address channel shows.
template <class Format, class Pins>
axi4_address write_address(const Pins& p) {
  return detail::get_axi4_address<Format>(p.awaddr, p.awid, p.awlen, p.awsize, p.awburst, p.awlock, p.awcache,
                                          p.awprot, p.awqos, p.awregion);
}
/// What the read address channel shows.
template <class Format, class Pins>
axi4_address read_address(const Pins& p) {
  return detail::get_axi4_address<Format>(p.araddr, p.arid, p.arlen, p.arsize, p.arburst, p.arlock, p.arcache,
                                          p.arprot, p.arqos, p.arregion);
}

/// Writes a number to a pin of whatever type; to one that is not there, nothing.
template <class Pin>
void write_number(Pin& pin, std::uint64_t number) {
  using type = std::decay_t<decltype(pin.read())>;
  type value{};
  pin_bits<type>::put(value, 0, 64, number);
  pin.write(value);
}

/// The greatest number that a pin of the type holds, of 64 bits at most; 0 if there is no such pin.
template <class T>
std::uint64_t greatest_number() {
  T value{};
  pin_bits<T>::put(value, 0, 64, ~std::uint64_t{0});
  return pin_bits<T>::get(value, 0, 64);
}

namespace detail {
/// Shows a burst on an address channel.
template <class Addr, class Id, class Len, class Size, class Burst, class Lock, class Cache, class Prot,
          class Qos, class Region>
void put_axi4_address(const axi4_address& a, Addr& addr, Id& id, Len& len, Size& size, Burst& burst,
                      Lock& lock, Cache& cache, Prot& prot, Qos& qos, Region& region) {
  unsigned log = 0;
  while (1u << log < a.bytes) ++log;
  write_number(addr, a.addr), write_number(id, a.id);
  write_number(len, a.beats - 1), write_number(size, log);
  write_number(burst, static_cast<unsigned>(a.burst)), write_number(lock, a.exclusive);
  write_number(cache, a.cache), write_number(prot, a.prot);
  write_number(qos, a.qos), write_number(region, a.region);
}
}  // namespace detail

/// Shows a burst on the write address channel.
template <class Pins>
void show_write_address(Pins& p, const axi4_address& a) {
  detail::put_axi4_address(a, p.awaddr, p.awid, p.awlen, p.awsize, p.awburst, p.awlock, p.awcache, p.awprot,
                           p.awqos, p.awregion);
}
/// Shows a burst on the read address channel.
template <class Pins>
void show_read_address(Pins& p, const axi4_address& a) {
  detail::put_axi4_address(a, p.araddr, p.arid, p.arlen, p.arsize, p.arburst, p.arlock, p.arcache, p.arprot,
                           p.arqos, p.arregion);
}

}  // namespace spillway
