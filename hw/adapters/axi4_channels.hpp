#pragma once
#include <array>
#include <cstdint>
#include <spillway/hw/adapters/axi_stream.hpp>
#include <stdexcept>

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
  using qos = absent;
  using region = absent;
  using last = bool;
  using resp = std::uint32_t;
  /// @}
  /// @{
  /// Type of the user pins of a channel, of up to 256 bits.
  using awuser = absent;
  using wuser = absent;
  using buser = absent;
  using aruser = absent;
  using ruser = absent;
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

// Each channel of an interface declares its pins; forward is from manager to subordinate. `each_value` calls
// its function with the name of each pin but valid and ready, as rules have it, and the pins of the bundles.

/// The write address channel.
template <class Format>
struct axi4_aw {
  static constexpr const char* rule = "AXI4_ERRM_AW";  ///< what the names of its rules begin with
  static constexpr const char* ready_rule = "AXI4_RECS_AWREADY_MAX_WAIT";  ///< of who keeps it waiting
  static constexpr bool from_manager = true;                               ///< who shows `valid`
  /// The pins of one end, of its signals or of who only looks on, by `As`.
  template <class As>
  struct pins {
    template <class T>
    using out = optional_pin<As, T>;  ///< a pin that the format may not have

    /// `of`: what the pins are named by, see bundle_name; a pin has the name of its member.
    explicit pins(const typename As::names& of)
        : awvalid(of["awvalid"]),
          awready(of["awready"]),
          awaddr(of["awaddr"]),
          awid(of["awid"]),
          awlen(of["awlen"]),
          awsize(of["awsize"]),
          awburst(of["awburst"]),
          awlock(of["awlock"]),
          awcache(of["awcache"]),
          awprot(of["awprot"]),
          awqos(of["awqos"]),
          awregion(of["awregion"]),
          awuser(of["awuser"]) {}

    forward_pin<As, bool> awvalid;                  ///< an address is shown
    backward_pin<As, bool> awready;                 ///< it crosses at an edge at which both are high
    forward_pin<As, typename Format::addr> awaddr;  ///< of the first beat, bytes
    out<typename Format::id> awid;                  ///< of the burst
    out<typename Format::len> awlen;                ///< its beats less 1
    out<typename Format::size> awsize;              ///< binary logarithm of the bytes of a beat
    out<typename Format::burst> awburst;            ///< see axi4_burst
    out<typename Format::lock> awlock;              ///< an exclusive access
    out<typename Format::cache> awcache;            ///< as AXI4 has it
    out<typename Format::prot> awprot;              ///< as AXI4 has it
    out<typename Format::qos> awqos;                ///< as AXI4 has it
    out<typename Format::region> awregion;          ///< as AXI4 has it
    out<typename Format::awuser> awuser;            ///< anybody's; bridges do not carry it

    /// Calls `f` with the value pins of the bundles, like pins together.
    template <class F, class... B>
    static void each_value(F&& f, B&... b) {
      f("ADDR", b.awaddr...), f("ID", b.awid...), f("LEN", b.awlen...), f("SIZE", b.awsize...);
      f("BURST", b.awburst...), f("LOCK", b.awlock...), f("CACHE", b.awcache...);
      f("PROT", b.awprot...), f("QOS", b.awqos...), f("REGION", b.awregion...);
      f("USER", b.awuser...);
    }
    /// The same with all pins, without names.
    template <class F, class... B>
    static void each(F&& f, B&... b) {
      f(b.awvalid...), f(b.awready...);
      each_value([&f](const char*, auto&... pin) { f(pin...); }, b...);
    }
  };
  /// @{
  /// The pin of a bundle that has the channel.
  template <class B>
  static auto& valid(B& b) {
    return b.awvalid;
  }
  template <class B>
  static auto& ready(B& b) {
    return b.awready;
  }
  /// @}
};

/// The write data channel.
template <class Format>
struct axi4_w {
  static constexpr const char* rule = "AXI4_ERRM_W";  ///< what the names of its rules begin with
  static constexpr const char* ready_rule = "AXI4_RECS_WREADY_MAX_WAIT";  ///< of who keeps it waiting
  static constexpr bool from_manager = true;                              ///< who shows `valid`
  /// The pins of one end, of its signals or of who only looks on, by `As`.
  template <class As>
  struct pins {
    template <class T>
    using value = optional_pin<As, T>;  ///< a pin that the format may not have

    /// `of`: what the pins are named by, see bundle_name; a pin has the name of its member.
    explicit pins(const typename As::names& of)
        : wvalid(of["wvalid"]),
          wready(of["wready"]),
          wdata(of["wdata"]),
          wstrb(of["wstrb"]),
          wlast(of["wlast"]),
          wuser(of["wuser"]) {}

    forward_pin<As, bool> wvalid;         ///< a beat is shown
    backward_pin<As, bool> wready;        ///< it crosses at an edge at which both are high
    value<typename Format::data> wdata;   ///< the first byte of the interface's width lowest
    value<typename Format::strb> wstrb;   ///< bit i: byte i of wdata is written
    value<typename Format::last> wlast;   ///< the last beat of its burst
    value<typename Format::wuser> wuser;  ///< anybody's; bridges do not carry it

    /// Calls `f` with the value pins of the bundles, like pins together.
    template <class F, class... B>
    static void each_value(F&& f, B&... b) {
      f("DATA", b.wdata...), f("STRB", b.wstrb...), f("LAST", b.wlast...), f("USER", b.wuser...);
    }
    /// The same with all pins, without names.
    template <class F, class... B>
    static void each(F&& f, B&... b) {
      f(b.wvalid...), f(b.wready...);
      each_value([&f](const char*, auto&... pin) { f(pin...); }, b...);
    }
  };
  /// @{
  /// The pin of a bundle that has the channel.
  template <class B>
  static auto& valid(B& b) {
    return b.wvalid;
  }
  template <class B>
  static auto& ready(B& b) {
    return b.wready;
  }
  /// @}
};

/// The write response channel.
template <class Format>
struct axi4_b {
  static constexpr const char* rule = "AXI4_ERRS_B";  ///< what the names of its rules begin with
  static constexpr const char* ready_rule = "AXI4_RECM_BREADY_MAX_WAIT";  ///< of who keeps it waiting
  static constexpr bool from_manager = false;                             ///< who shows `valid`
  /// The pins of one end, of its signals or of who only looks on, by `As`.
  template <class As>
  struct pins {
    template <class T>
    using value = optional_backward_pin<As, T>;  ///< a pin that the format may not have

    /// `of`: what the pins are named by, see bundle_name; a pin has the name of its member.
    explicit pins(const typename As::names& of)
        : bvalid(of["bvalid"]),
          bready(of["bready"]),
          bid(of["bid"]),
          bresp(of["bresp"]),
          buser(of["buser"]) {}

    backward_pin<As, bool> bvalid;        ///< a beat is shown
    forward_pin<As, bool> bready;         ///< it crosses at an edge at which both are high
    value<typename Format::id> bid;       ///< of the write that is answered
    value<typename Format::resp> bresp;   ///< see axi4_resp
    value<typename Format::buser> buser;  ///< anybody's; bridges do not carry it

    /// Calls `f` with the value pins of the bundles, like pins together.
    template <class F, class... B>
    static void each_value(F&& f, B&... b) {
      f("ID", b.bid...), f("RESP", b.bresp...), f("USER", b.buser...);
    }
    /// The same with all pins, without names.
    template <class F, class... B>
    static void each(F&& f, B&... b) {
      f(b.bvalid...), f(b.bready...);
      each_value([&f](const char*, auto&... pin) { f(pin...); }, b...);
    }
  };
  /// @{
  /// The pin of a bundle that has the channel.
  template <class B>
  static auto& valid(B& b) {
    return b.bvalid;
  }
  template <class B>
  static auto& ready(B& b) {
    return b.bready;
  }
  /// @}
};

/// The read address channel.
template <class Format>
struct axi4_ar {
  static constexpr const char* rule = "AXI4_ERRM_AR";  ///< what the names of its rules begin with
  static constexpr const char* ready_rule = "AXI4_RECS_ARREADY_MAX_WAIT";  ///< of who keeps it waiting
  static constexpr bool from_manager = true;                               ///< who shows `valid`
  /// The pins of one end, of its signals or of who only looks on, by `As`.
  template <class As>
  struct pins {
    template <class T>
    using out = optional_pin<As, T>;  ///< a pin that the format may not have

    /// `of`: what the pins are named by, see bundle_name; a pin has the name of its member.
    explicit pins(const typename As::names& of)
        : arvalid(of["arvalid"]),
          arready(of["arready"]),
          araddr(of["araddr"]),
          arid(of["arid"]),
          arlen(of["arlen"]),
          arsize(of["arsize"]),
          arburst(of["arburst"]),
          arlock(of["arlock"]),
          arcache(of["arcache"]),
          arprot(of["arprot"]),
          arqos(of["arqos"]),
          arregion(of["arregion"]),
          aruser(of["aruser"]) {}

    forward_pin<As, bool> arvalid;                  ///< an address is shown
    backward_pin<As, bool> arready;                 ///< it crosses at an edge at which both are high
    forward_pin<As, typename Format::addr> araddr;  ///< of the first beat, bytes
    out<typename Format::id> arid;                  ///< of the burst
    out<typename Format::len> arlen;                ///< its beats less 1
    out<typename Format::size> arsize;              ///< binary logarithm of the bytes of a beat
    out<typename Format::burst> arburst;            ///< see axi4_burst
    out<typename Format::lock> arlock;              ///< an exclusive access
    out<typename Format::cache> arcache;            ///< as AXI4 has it
    out<typename Format::prot> arprot;              ///< as AXI4 has it
    out<typename Format::qos> arqos;                ///< as AXI4 has it
    out<typename Format::region> arregion;          ///< as AXI4 has it
    out<typename Format::aruser> aruser;            ///< anybody's; bridges do not carry it

    /// Calls `f` with the value pins of the bundles, like pins together.
    template <class F, class... B>
    static void each_value(F&& f, B&... b) {
      f("ADDR", b.araddr...), f("ID", b.arid...), f("LEN", b.arlen...), f("SIZE", b.arsize...);
      f("BURST", b.arburst...), f("LOCK", b.arlock...), f("CACHE", b.arcache...);
      f("PROT", b.arprot...), f("QOS", b.arqos...), f("REGION", b.arregion...);
      f("USER", b.aruser...);
    }
    /// The same with all pins, without names.
    template <class F, class... B>
    static void each(F&& f, B&... b) {
      f(b.arvalid...), f(b.arready...);
      each_value([&f](const char*, auto&... pin) { f(pin...); }, b...);
    }
  };
  /// @{
  /// The pin of a bundle that has the channel.
  template <class B>
  static auto& valid(B& b) {
    return b.arvalid;
  }
  template <class B>
  static auto& ready(B& b) {
    return b.arready;
  }
  /// @}
};

/// The read data channel.
template <class Format>
struct axi4_r {
  static constexpr const char* rule = "AXI4_ERRS_R";  ///< what the names of its rules begin with
  static constexpr const char* ready_rule = "AXI4_RECM_RREADY_MAX_WAIT";  ///< of who keeps it waiting
  static constexpr bool from_manager = false;                             ///< who shows `valid`
  /// The pins of one end, of its signals or of who only looks on, by `As`.
  template <class As>
  struct pins {
    template <class T>
    using value = optional_backward_pin<As, T>;  ///< a pin that the format may not have

    /// `of`: what the pins are named by, see bundle_name; a pin has the name of its member.
    explicit pins(const typename As::names& of)
        : rvalid(of["rvalid"]),
          rready(of["rready"]),
          rdata(of["rdata"]),
          rid(of["rid"]),
          rresp(of["rresp"]),
          rlast(of["rlast"]),
          ruser(of["ruser"]) {}

    backward_pin<As, bool> rvalid;        ///< a beat is shown
    forward_pin<As, bool> rready;         ///< it crosses at an edge at which both are high
    value<typename Format::data> rdata;   ///< as wdata
    value<typename Format::id> rid;       ///< of the read that is answered
    value<typename Format::resp> rresp;   ///< of this beat, see axi4_resp
    value<typename Format::last> rlast;   ///< the last beat of its burst
    value<typename Format::ruser> ruser;  ///< anybody's; bridges do not carry it

    /// Calls `f` with the value pins of the bundles, like pins together.
    template <class F, class... B>
    static void each_value(F&& f, B&... b) {
      f("DATA", b.rdata...), f("ID", b.rid...), f("RESP", b.rresp...), f("LAST", b.rlast...),
          f("USER", b.ruser...);
    }
    /// The same with all pins, without names.
    template <class F, class... B>
    static void each(F&& f, B&... b) {
      f(b.rvalid...), f(b.rready...);
      each_value([&f](const char*, auto&... pin) { f(pin...); }, b...);
    }
  };
  /// @{
  /// The pin of a bundle that has the channel.
  template <class B>
  static auto& valid(B& b) {
    return b.rvalid;
  }
  template <class B>
  static auto& ready(B& b) {
    return b.rready;
  }
  /// @}
};

/// What a channel shows: the values of its pins in words of 64 bits, in the order of `each_value`.
struct axi4_beat {
  std::array<std::uint64_t, 16> words{};  ///< unused ones are 0

  /// All pins are the same.
  friend bool operator==(const axi4_beat& a, const axi4_beat& b) { return a.words == b.words; }
};

namespace detail {
/// Words that the value of a pin takes.
template <class T>
std::size_t words_in(const T& value) {
  if constexpr (std::is_same_v<T, absent>)
    return 0;
  else if constexpr (std::is_integral_v<T>)
    return 1;
  else
    return (static_cast<std::size_t>(value.length()) + 63) / 64;
}
}  // namespace detail

/// Calls `f` with the name of each pin of the channel, its first word and the number of its words.
/// Throws std::invalid_argument if they are too many for an axi4_beat.
template <class Pins, class F>
void each_beat_word(const Pins& pins, F&& f) {
  std::size_t at = 0;
  Pins::each_value(
      [&](const char* name, const auto& pin) {
        const std::size_t words = detail::words_in(pin.read());
        if (at + words > axi4_beat{}.words.size())
          throw std::invalid_argument("the pins of an AXI4 channel have more bits than 16 words");
        f(name, pin, at, words);
        at += words;
      },
      pins);
}

/// What the channel shows.
template <class Pins>
axi4_beat beat_of(const Pins& pins) {
  axi4_beat beat;
  each_beat_word(pins, [&](const char*, const auto& pin, std::size_t at, std::size_t words) {
    using type = std::decay_t<decltype(pin.read())>;
    for (std::size_t n = 0; n < words; ++n)
      beat.words[at + n] = pin_bits<type>::get(pin.read(), static_cast<unsigned>(64 * n), 64);
  });
  return beat;
}

/// Shows it on a channel of the same format.
template <class Pins>
void show_beat(Pins& pins, const axi4_beat& beat) {
  std::size_t at = 0;
  Pins::each_value(
      [&](const char*, auto& pin) {
        using type = std::decay_t<decltype(pin.read())>;
        type value{};
        const std::size_t words = detail::words_in(value);
        for (std::size_t n = 0; n < words; ++n)
          pin_bits<type>::put(value, static_cast<unsigned>(64 * n), 64, beat.words[at + n]);
        pin.write(value);
        at += words;
      },
      pins);
}

}  // namespace spillway
