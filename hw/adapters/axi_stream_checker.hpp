#pragma once
#include <iomanip>
#include <spillway/hw/adapters/axi_stream.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/violation.hpp>
#include <sstream>
#include <string>
#include <utility>

namespace spillway {

/// What a stream shows at an edge.
template <class Format>
struct axi_beat {
  typename Format::data data{};  ///< tdata
  bool last = false;             ///< tlast
  typename Format::keep keep{};  ///< tkeep
  typename Format::dest dest{};  ///< tdest
  typename Format::id id{};      ///< tid
  typename Format::user user{};  ///< tuser

  /// What the pins of a stream show now.
  template <class Pins>
  static axi_beat of(const Pins& p) {
    return {p.tdata.read(), p.tlast.read(), p.tkeep.read(), p.tdest.read(), p.tid.read(), p.tuser.read()};
  }
  /// All pins are the same.
  bool operator==(const axi_beat& b) const {
    return data == b.data && last == b.last && keep == b.keep && dest == b.dest && id == b.id &&
           user == b.user;
  }
};

namespace detail {

inline void add_value(std::ostream&, const char*, absent) {}
template <class T>
void add_value(std::ostream& os, const char* name, const T& value) {
  os << ' ' << name << ' ';
  if constexpr (std::is_integral_v<T>)
    os << "0x" << std::hex << std::uint64_t{value} << std::dec;
  else
    os << "0x" << std::hex;
  if constexpr (!std::is_integral_v<T>)
    for (int last = (value.length() - 1) / 64, word = last; word >= 0; --word) {
      if (word < last) os << std::setw(16) << std::setfill('0');
      os << pin_bits<T>::get(value, static_cast<unsigned>(word) * 64, 64) << (word ? "_" : "");
    }
  os << std::dec;
}

}  // namespace detail

/// `tdata 0x2a tlast 1 tdest 0x3`: the pins that the stream has.
template <class Format>
std::ostream& operator<<(std::ostream& os, const axi_beat<Format>& b) {
  std::ostringstream text;
  detail::add_value(text, "tdata", b.data);
  text << " tlast " << b.last;
  detail::add_value(text, "tkeep", b.keep);
  detail::add_value(text, "tdest", b.dest);
  detail::add_value(text, "tid", b.id);
  detail::add_value(text, "tuser", b.user);
  return os << text.str().substr(1);
}

/// Watches an AXI4-Stream and drives none of its wires. `rst` is active high.
///
/// AX1  what is shown stays as it is until tready takes it
/// AX2  tvalid is low in reset, from the edge after its first on
/// AX3  tid and tdest stay the same from beat to beat of a frame
/// AX4  tvalid stays high until tready takes what is shown
template <class Format>
class axi_stream_checker : public clocked, public axi_stream_watch<Format> {
public:
  /// `handler`: see violation_handler.
  explicit axi_stream_checker(const sc_core::sc_module_name& name, violation_handler handler = {})
      : clocked(name), axi_stream_watch<Format>(""), handler_(std::move(handler)) {}

  std::uint64_t violations() const { return violations_; }  ///< reported so far
  /// Beats that crossed.
  std::uint64_t transfers() const { return transfers_; }

private:
  using beat = axi_beat<Format>;

  void reset() override {
    if (in_reset_ && this->tvalid.read()) fail("AX2", "tvalid is high in reset", beat::of(*this));
    in_reset_ = true;
    waiting_ = in_frame_ = false;
  }

  void tick() override {
    const bool shown = this->tvalid.read();
    const beat now = beat::of(*this);
    if (in_reset_ && shown) fail("AX2", "tvalid is high at the first edge after reset", now);
    in_reset_ = false;
    if (waiting_ && !shown) fail("AX4", "tvalid fell before the beat was taken", shown_);
    if (waiting_ && shown && !(now == shown_))
      fail("AX1", "a beat became another before it was taken", shown_, &now);
    if (shown && in_frame_ && !(now.dest == frame_.dest && now.id == frame_.id))
      fail("AX3", "tid or tdest changed within a frame", frame_, &now);
    const bool taken = shown && this->tready.read();
    waiting_ = shown && !taken;
    shown_ = now;
    if (taken) {
      ++transfers_;
      in_frame_ = !now.last;
      frame_ = now;
    }
    if (shown) this->wake_at(this->cycle() + 1);
  }

  void fail(const char* rule, const char* what, const beat& one, const beat* other = nullptr) {
    ++violations_;
    std::ostringstream os;
    os << what << ": " << one;
    if (other) os << ", then " << *other;
    report_violation(handler_, rule, this->name(), this->cycle(), os.str());
  }

  const violation_handler handler_;
  bool in_reset_ = false, waiting_ = false, in_frame_ = false;
  beat shown_, frame_;
  std::uint64_t violations_ = 0, transfers_ = 0;
};

}  // namespace spillway
