#pragma once
#include <deque>
#include <spillway/hw/adapters/pin_bits.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>

namespace spillway {

// A packet is a frame: tdest is its destination, tid its source, tlast its last beat. The payload words of
// its flits, 64 bits each, fill tdata from below: a word takes 64/Width beats on narrow streams, Width/64
// words share a beat on wide ones, and the last beat may be partly filled. tuser, the same in every beat:
// length in flits (bits 0-15), number of the packet (16-47), kind (48-51), traffic class (52-55), marks
// (56-59), network (60-61), interface word (64-103), route (104-115). A tuser of 64 bits does where
// interfaces and routing write no header; NIFDY does.
//
// As AXI4-Stream has it: tvalid does not wait for tready, what is shown stays until it is taken, and
// tvalid is low in reset. The bridges' reset is active high: an RTL block's ARESETn is its inverse.

/// Types of the pins. With Verilator's default ports they are as given here; Data and User may be any
/// type that pin_bits knows, such as sc_bv<Width> (`--pins-bv`) or sc_biguint<Width>.
template <unsigned Width>
using axi_data =
    std::conditional_t<(Width <= 32), std::uint32_t,
                       std::conditional_t<(Width <= 64), std::uint64_t, sc_dt::sc_bv<int{Width}>>>;

/// Declares the pins of a stream.
template <class Data, class Id, class User>
struct axi_stream {
  template <class As>
  struct pins {
    explicit pins(const typename As::names& of)
        : tvalid(of["tvalid"]),
          tready(of["tready"]),
          tdata(of["tdata"]),
          tlast(of["tlast"]),
          tdest(of["tdest"]),
          tid(of["tid"]),
          tuser(of["tuser"]) {}
    forward_pin<As, bool> tvalid;
    backward_pin<As, bool> tready;
    forward_pin<As, Data> tdata;
    forward_pin<As, bool> tlast;
    forward_pin<As, Id> tdest, tid;
    forward_pin<As, User> tuser;

    template <class F, class... Bundles>
    static void each(F&& f, Bundles&... b) {
      f(b.tvalid...), f(b.tready...), f(b.tdata...), f(b.tlast...);
      f(b.tdest...), f(b.tid...), f(b.tuser...);
    }
  };
};

/// The signals of a stream.
template <class Data, class Id = std::uint32_t, class User = sc_dt::sc_bv<128>>
using axi_stream_signals = bundle<axi_stream<Data, Id, User>::template pins, as_signals>;

/// The sending end, `m_axis`.
template <class Data, class Id = std::uint32_t, class User = sc_dt::sc_bv<128>>
using axi_stream_out = bundle<axi_stream<Data, Id, User>::template pins, as_sender>;

/// The receiving end, `s_axis`.
template <class Data, class Id = std::uint32_t, class User = sc_dt::sc_bv<128>>
using axi_stream_in = bundle<axi_stream<Data, Id, User>::template pins, as_receiver>;

/// What packs payload words into beats, and back.
template <unsigned Width>
struct axi_beats {
  static_assert(Width == 32 || Width == 64 || Width == 128 || Width == 256 || Width == 512,
                "a stream is 32, 64, 128, 256 or 512 bits wide");
  static constexpr unsigned words = Width >= 64 ? Width / 64 : 1;  ///< in a full beat
  static constexpr unsigned beats = Width >= 64 ? 1 : 64 / Width;  ///< that a word takes
  static constexpr unsigned bits = Width >= 64 ? 64 : Width;       ///< of a word in a beat
};

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

/// From a packet link of one lane to a stream; two cycles from flit to beat at the least, a beat a cycle.
template <unsigned Width, class Data = axi_data<Width>, class Id = std::uint32_t,
          class User = sc_dt::sc_bv<128>>
class packet_to_axi : public clocked {
public:
  packet_in in{"in"};
  axi_stream_out<Data, Id, User> out{"m_axis"};

  explicit packet_to_axi(const sc_core::sc_module_name& name) : clocked(name) {}
  /// Flits thrown away by resets so far.
  std::uint64_t lost_in_reset() const { return lost_; }

private:
  using shape = axi_beats<Width>;
  static constexpr std::size_t depth = 2 * shape::words + 2;

  void reset() override {
    lost_ += held_.size();
    held_.clear();
    ready_ = valid_ = false;
    part_ = 0;
    in.ready.write(0);
    out.tvalid.write(false);
  }

  void tick() override {
    const bool taken = valid_ && out.tready.read();
    if (taken) finish_beat();
    const bool arrives = in.crosses();
    if (arrives) held_.push_back(in.data.read());
    if (!valid_) show_beat();
    out.tvalid.write(valid_);
    const bool was_ready = ready_;
    ready_ = held_.size() + 1 < depth;
    in.ready.write(ready_ ? 1 : 0);
    if (taken || arrives || ready_ != was_ready) wake_at(cycle() + 1);
  }

  /// Words of the next beat: as many as fit, or fewer if the packet ends; 0 while they are still to come.
  unsigned words_ready() const {
    for (unsigned w = 0; w < held_.size() && w < shape::words; ++w)
      if (w + 1 == shape::words || held_[w].tail()) return w + 1;
    return 0;
  }

  void show_beat() {
    const unsigned words = words_ready();
    if (!words) return;
    Data data{};
    for (unsigned w = 0; w < words; ++w)
      pin_bits<Data>::put(data, w * shape::bits, shape::bits,
                          held_[w].payload >> (part_ * (shape::bits % 64)));
    User user{};
    put_header(user, held_.front());
    valid_ = true;
    shown_words_ = words;
    out.tdata.write(data);
    out.tuser.write(user);
    out.tid.write(static_cast<Id>(held_.front().source));
    out.tdest.write(static_cast<Id>(held_.front().destination));
    out.tlast.write(held_[words - 1].tail() && part_ + 1 == shape::beats);
  }

  void finish_beat() {
    valid_ = false;
    part_ = (part_ + 1) % shape::beats;
    if (part_ == 0) held_.erase(held_.begin(), held_.begin() + shown_words_);
  }

  std::deque<flit> held_;
  bool ready_ = false, valid_ = false;  // what the pins show
  unsigned part_ = 0;                   // of the word, on a narrow stream
  unsigned shown_words_ = 0;
  std::uint64_t lost_ = 0;
};

/// From a stream to a packet link; flits leave in lane 0. The header is that of a frame's first beat. A frame
/// whose tlast does not stand where its length says is counted as broken, and yet leaves as a packet of that
/// length: flits that are missing are filled in with payload 0, what is too much is dropped.
template <unsigned Width, class Data = axi_data<Width>, class Id = std::uint32_t,
          class User = sc_dt::sc_bv<128>>
class axi_to_packet : public clocked {
public:
  axi_stream_in<Data, Id, User> in{"s_axis"};
  packet_out out{"out"};

  explicit axi_to_packet(const sc_core::sc_module_name& name) : clocked(name) {}
  std::uint64_t lost_in_reset() const { return lost_; }
  /// Frames that were longer or shorter than they said.
  std::uint64_t broken_frames() const { return broken_; }

private:
  using shape = axi_beats<Width>;
  static constexpr std::size_t depth = 2 * shape::words + 1;

  void reset() override {
    lost_ += held_.size();
    held_.clear();
    ready_ = valid_ = false;
    mode_ = mode::take;
    index_ = 0;
    part_ = 0;
    word_ = 0;
    in.tready.write(false);
    out.valid.write(false);
  }

  void tick() override {
    const bool leaves = valid_ && (out.ready.read() & 1);
    if (leaves) held_.pop_front();
    const bool arrives = ready_ && in.tvalid.read(), fills = mode_ == mode::fill;
    if (fills)
      fill();
    else if (arrives)
      take_beat();
    valid_ = !held_.empty();
    out.valid.write(valid_);
    if (valid_) out.data.write(held_.front());
    const bool was_ready = ready_;
    ready_ = mode_ != mode::fill && held_.size() + shape::words <= depth;
    in.tready.write(ready_);
    if (leaves || arrives || fills || ready_ != was_ready) wake_at(cycle() + 1);
  }

  void take_beat() {
    const bool last = in.tlast.read();
    if (mode_ == mode::drop) {
      if (last) mode_ = mode::take;
      return;
    }
    if (index_ == 0 && part_ == 0) take_header();
    for (unsigned w = 0; w < shape::words && index_ < head_.length; ++w) {
      word_ |= pin_bits<Data>::get(in.tdata.read(), w * shape::bits, shape::bits)
               << (part_ * (shape::bits % 64));
      part_ = (part_ + 1) % shape::beats;
      if (part_ == 0) put_flit();
    }
    const bool whole = index_ == head_.length && part_ == 0;
    if (whole != last || head_.length == 0) ++broken_;
    if (whole) index_ = 0;
    if (whole != last) mode_ = whole ? mode::drop : mode::fill;
  }

  void take_header() {
    get_header(in.tuser.read(), head_);
    head_.source = static_cast<std::uint32_t>(pin_bits<Id>::get(in.tid.read(), 0, 32));
    head_.destination = static_cast<std::uint32_t>(pin_bits<Id>::get(in.tdest.read(), 0, 32));
  }

  void put_flit() {
    held_.push_back(head_);
    held_.back().index = index_++;
    held_.back().payload = word_;
    word_ = 0;
  }

  void fill() {
    if (held_.size() == depth) return;
    part_ = 0;
    put_flit();
    if (index_ < head_.length) return;
    index_ = 0;
    mode_ = mode::take;
  }

  enum class mode : std::uint8_t {
    take,  // beats into flits
    fill,  // the frame ended too early: make the flits that are missing
    drop   // the frame goes on behind its packet's end: until tlast
  };

  std::deque<flit> held_;
  bool ready_ = false, valid_ = false;
  mode mode_ = mode::take;
  flit head_;                // of the frame
  std::uint16_t index_ = 0;  // of the next flit in its packet
  unsigned part_ = 0;
  std::uint64_t word_ = 0;  // as far as it has come
  std::uint64_t lost_ = 0, broken_ = 0;
};

}  // namespace spillway
