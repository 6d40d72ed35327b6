#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <spillway/hw/links/bundle.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/pin_bits.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace spillway {

// Links as RTL sees them: every pin as a number of bits, of the type that a Verilated or hand-written block
// has for it, without a bridge and without a cycle. The layout of a flit is that of to_bits(); that of other
// types is what their each_bit_field() says, the first field lowest.
//
//   packet_bits link("link");
//   source.out.bind(link);                              // a block of ours
//   router.in_valid(link.valid);                        // bool
//   router.in_data(link.data.as<sc_dt::sc_bv<256>>());  // Verilator's type of 256 bits
//   router.in_ready(link.ready.as<bool>());             // of a link of one lane; sc_uint<4> or uint32_t of
//   four

/// What a pin shows as words of 64 bits, the first lowest; and how many of the bits it has.
template <class T, class = void>
struct bit_form {  // of types with each_bit_field(value, f), which calls f(field, bits) for every field
  static constexpr unsigned words = 4;  ///< of 64 bits; fields of more than 256 bits in all do not fit
  /// @{
  /// From a value to its bits, and back.
  static std::array<std::uint64_t, words> get(const T& value) {
    std::array<std::uint64_t, words> bits{};
    unsigned at = 0;
    T copy = value;
    each_bit_field(copy, [&](auto& field, unsigned width) {
      for (unsigned b = 0; b < width; ++b, ++at)
        bits[at / 64] |= (static_cast<std::uint64_t>(field) >> b & 1) << at % 64;
    });
    return bits;
  }
  static T value(const std::array<std::uint64_t, words>& bits) {
    T made{};
    unsigned at = 0;
    each_bit_field(made, [&](auto& field, unsigned width) {
      std::uint64_t word = 0;
      for (unsigned b = 0; b < width; ++b, ++at) word |= (bits[at / 64] >> at % 64 & 1) << b;
      field = static_cast<std::decay_t<decltype(field)>>(word);
    });
    return made;
  }
  /// @}
};
/// The same of bool and the integers: one word.
template <class T>
struct bit_form<T, std::enable_if_t<std::is_integral_v<T>>> {
  static constexpr unsigned words = 1;  ///< of 64 bits
  /// @{
  /// From a value to its bits, and back.
  static std::array<std::uint64_t, 1> get(T value) { return {static_cast<std::uint64_t>(value)}; }
  static T value(const std::array<std::uint64_t, 1>& bits) {
    T made{};
    pin_bits<T>::put(made, 0, 64, bits[0]);
    return made;
  }
  /// @}
};
/// The same of a flit: to_bits() and from_bits().
template <>
struct bit_form<flit> {
  static constexpr unsigned words = 4;  ///< of 64 bits
  /// @{
  /// From a flit to its bits, and back.
  static flit_words get(const flit& f) { return to_bits(f); }
  static flit value(const flit_words& bits) { return from_bits(bits); }
  /// @}
};

namespace detail {

/// The part of a view that pins of bool have beside.
template <class Bits>
class view_base : public sc_core::sc_signal_inout_if<Bits> {};
template <>
class view_base<bool> : public sc_core::sc_signal_inout_if<bool> {
public:
  const sc_core::sc_event& posedge_event() const override { return refuse(); }
  const sc_core::sc_event& negedge_event() const override { return refuse(); }
  bool posedge() const override { return event() && read(); }
  bool negedge() const override { return event() && !read(); }

private:
  const sc_core::sc_event& refuse() const {
    SC_REPORT_ERROR("spillway/bit_pins", "bits of another signal have no events of their edges");
    return value_changed_event();
  }
};

}  // namespace detail

/// A channel seen as bits: for ports of RTL on an sc_signal of ours.
template <class Bits, class T>
class bit_view final : public detail::view_base<Bits> {
public:
  /// `channel` must outlive the view.
  explicit bit_view(sc_core::sc_signal_inout_if<T>& channel) : channel_(channel) {}

  /// The channel's value as bits; those that `Bits` has beyond it are 0.
  const Bits& read() const override {
    const auto words = bit_form<T>::get(channel_.read());
    shown_ = Bits{};
    for (unsigned w = 0; w < words.size(); ++w) pin_bits<Bits>::put(shown_, 64 * w, 64, words[w]);
    return shown_;
  }
  /// Writes what the bits stand for; bits of the channel's value beyond `Bits` become 0.
  void write(const Bits& value) override {
    auto words = bit_form<T>::get(T{});
    for (unsigned w = 0; w < words.size(); ++w) words[w] = pin_bits<Bits>::get(value, 64 * w, 64);
    channel_.write(bit_form<T>::value(words));
  }
  /// @{
  /// As those of the channel.
  const Bits& get_data_ref() const override { return read(); }
  const sc_core::sc_event& default_event() const override { return channel_.default_event(); }
  const sc_core::sc_event& value_changed_event() const override { return channel_.value_changed_event(); }
  bool event() const override { return channel_.event(); }
  /// @}

private:
  sc_core::sc_signal_inout_if<T>& channel_;
  mutable Bits shown_{};
};

/// Views of the channels of a link, for as long as the link: what a module with ports of bits keeps.
class bit_views {
public:
  /// A view of `channel`, which must outlive this object and stay where it is.
  template <class Bits, class T>
  sc_core::sc_signal_inout_if<Bits>& of(sc_core::sc_signal_inout_if<T>& channel) {
    auto made = std::make_shared<bit_view<Bits, T>>(channel);
    views_.push_back(made);
    return *made;
  }

private:
  std::vector<std::shared_ptr<void>> views_;
};

/// An sc_signal that RTL may be bound to as bits.
template <class T>
class bit_signal : public sc_core::sc_signal<T> {
public:
  using sc_core::sc_signal<T>::sc_signal;
  /// The signal as `Bits`, a type that pin_bits knows; good for as long as the signal.
  template <class Bits>
  sc_core::sc_signal_inout_if<Bits>& as() {
    return views_.of<Bits, T>(*this);
  }

private:
  bit_views views_;
};

/// sc_signals with bits, beside those of bundle.hpp.
struct as_bits {
  /// @{
  /// As in as_signals.
  static constexpr link_lanes::role role = link_lanes::role::wires;
  using names = bundle_name;
  template <class T>
  using forward = bit_signal<T>;
  template <class T>
  using backward = bit_signal<T>;
  /// @}
};

using packet_bits = bundle<packet_pins, as_bits>;  ///< `packet_bits link("link");`

}  // namespace spillway
