#pragma once
#include <deque>
#include <memory>
#include <spillway/hw/adapters/axi_stream.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/violation.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <stdexcept>
#include <utility>

namespace spillway {

/// From a stream to a packet link: one cycle from a beat to its first flit, by tlast from the last beat of
/// the frame; a flit a cycle. Null bytes (tkeep 0) are left out: a beat of them alone only ends a frame. A
/// frame that is not as it should be is reported, and counted:
///
/// AF1  tlast stands where the length in tuser says: of one that ends too early the missing flits are made up
///      with payload 0, what comes after the end is dropped up to tlast; one of length 0 is dropped
/// AF2  by tlast: a frame has at most `longest` flits; else all of it is dropped
/// AF3  by tlast: a frame has at least a byte; else it is dropped
/// AF4  tid and tdest are numbers that a terminal can have, below 2^28; else it is dropped
template <class Format>
class axi_to_packet : public clocked {
public:
  axi_stream_in<Format> in{"s_axis"};  ///< registered tready
  packet_out out{"out"};               ///< a flit a word of 64 bits, registered

  /// `routes` and `next` are as a source's: with more than one lane the bridge looks ahead for each packet.
  explicit axi_to_packet(const sc_core::sc_module_name& name, const axi_frames& frames = {},
                         std::shared_ptr<const routing> routes = {}, link_end next = {},
                         violation_handler handler = {})
      : clocked(name),
        frames_(frames),
        routes_(std::move(routes)),
        next_(next),
        handler_(std::move(handler)) {
    if (frames.longest < 1 || frames.longest > 65535)
      throw std::invalid_argument("a frame has 1 to 65535 flits at most, found " +
                                  std::to_string(frames.longest));
    if (!by_tlast() &&
        pin_bits<typename Format::user>::get(all_ones<typename Format::user>(), 0, 16) != 0xffff)
      throw std::invalid_argument("the length of a frame does not fit into tuser: take frames by tlast");
    out.lanes().declare(next.lanes);
  }

  /// Flits that it holds, and those thrown away by resets so far.
  std::uint64_t held_flits() const { return held_.size(); }
  std::uint64_t lost_in_reset() const { return lost_; }  ///< the second of these
  /// Frames that were not as they should be, of which so many gave no packet.
  std::uint64_t broken_frames() const { return broken_; }
  std::uint64_t dropped_frames() const { return dropped_; }  ///< frames that gave no packet
  /// Who hears of them from now on.
  void report_to(violation_handler handler) { handler_ = std::move(handler); }

private:
  static constexpr unsigned words = Format::width >= 64 ? Format::width / 64 : 1;
  static constexpr std::uint64_t numbers = std::uint64_t{1} << 28;  // of terminals
  static constexpr unsigned word_bytes = Format::width >= 64 ? 8 : Format::width / 8;

  template <class User>
  static User all_ones() {
    User user{};
    pin_bits<User>::put(user, 0, 16, 0xffff);
    return user;
  }
  bool by_tlast() const { return frames_.found == axi_frames::length::by_tlast; }
  /// While there is room for the flits of a beat it is ready. By tlast there is room for two of the longest
  /// frames, one that is stored and one that leaves.
  std::size_t depth() const { return by_tlast() ? std::size_t{2} * frames_.longest + words : 2 * words + 1; }

  void reset() override {
    lost_ += held_.size();
    held_.clear();
    ready_ = valid_ = false;
    mode_ = mode::take;
    complete_ = 0;
    start_frame();
    in.tready.write(false);
    out.valid.write(false);
  }

  void tick() override {
    const bool leaves = valid_ && accepts(out.ready.read(), held_.front());
    if (leaves) held_.pop_front(), --complete_;
    const bool arrives = ready_ && in.tvalid.read(), fills = mode_ == mode::fill;
    if (fills)
      fill();
    else if (arrives)
      take_beat();
    valid_ = complete_ != 0;
    out.valid.write(valid_);
    if (valid_) out.data.write(held_.front());
    const bool was_ready = ready_;
    ready_ = mode_ != mode::fill && held_.size() + words <= depth();
    in.tready.write(ready_);
    if (leaves || arrives || fills || ready_ != was_ready) wake_at(cycle() + 1);
  }

  void start_frame() {
    in_frame_ = beyond_ = false;
    index_ = 0;
    bytes_ = 0;
    word_ = 0;
  }

  void take_beat() {
    const bool last = in.tlast.read();
    if (mode_ == mode::drop) {
      if (last) mode_ = mode::take;
      return;
    }
    if (mode_ == mode::end) return await_end(last);
    if (!in_frame_ && !has_terminals()) return refuse(last);
    if (!in_frame_) take_header();
    in_frame_ = true;
    take_words();
    if (by_tlast())
      end_by_tlast(last);
    else
      end_by_length(last);
  }

  void take_header() {
    head_ = flit{};
    if (by_tlast())
      head_.packet = packets_;
    else
      get_header(in.tuser.read(), head_);
    head_.source = static_cast<std::uint32_t>(number(in.tid.read(), frames_.source));
    head_.destination = static_cast<std::uint32_t>(number(in.tdest.read(), frames_.destination));
    if (next_.lanes > 1) head_.lane = lane_ahead(*routes_, next_, head_);
  }

  template <class T>
  static std::uint64_t number(const T& pin, std::uint64_t without) {
    return std::is_same_v<T, absent> ? without : pin_bits<T>::get(pin, 0, 64);
  }
  bool has_terminals() const {
    return number(in.tid.read(), 0) < numbers && number(in.tdest.read(), 0) < numbers;
  }
  void refuse(bool last) {
    ++broken_, ++dropped_;
    report_violation(handler_, "AF4", name(), cycle(),
                     "tid " + std::to_string(number(in.tid.read(), 0)) + " or tdest " +
                         std::to_string(number(in.tdest.read(), 0)) +
                         " is no number that a terminal can have, and the frame is dropped");
    mode_ = last ? mode::take : mode::drop;
  }

  bool full() const { return by_tlast() ? index_ > frames_.longest : index_ == head_.length; }

  void take_words() {
    const auto& data = in.tdata.read();
    const auto& keep = in.tkeep.read();
    using keep_type = typename Format::keep;
    // Without tkeep what is behind the length is no more than the rest of the beat.
    const bool counts_on = !by_tlast() && !std::is_same_v<keep_type, absent>;
    for (unsigned w = 0; w < words && (!full() || counts_on); ++w) {
      const std::uint64_t word = pin_bits<typename Format::data>::get(data, w * 64, word_bytes * 8);
      const std::uint64_t all = (std::uint64_t{1} << word_bytes) - 1;
      const std::uint64_t kept =
          std::is_same_v<keep_type, absent> ? all : pin_bits<keep_type>::get(keep, w * 8, word_bytes);
      if (kept == all && bytes_ % word_bytes == 0) {
        take_bytes(word, word_bytes);
        continue;
      }
      for (unsigned b = 0; b < word_bytes; ++b)
        if (kept >> b & 1) take_bytes(word >> (8 * b) & 0xff, 1);
    }
  }

  void take_bytes(std::uint64_t bytes, unsigned many) {
    if (full()) {
      beyond_ = true;
      return;
    }
    word_ |= bytes << (8 * bytes_);
    bytes_ += many;
    if (bytes_ == 8) put_flit();
  }

  void put_flit() {
    held_.push_back(head_);
    held_.back().index = static_cast<std::uint16_t>(index_++);
    held_.back().payload = word_;
    if (!by_tlast()) ++complete_;
    word_ = 0;
    bytes_ = 0;
  }

  void end_by_length(bool last) {
    if (beyond_ && head_.length) {
      ++broken_;
      return goes_on(last);
    }
    const bool whole = full() && bytes_ == 0;
    if (whole && !last && head_.length && !std::is_same_v<typename Format::keep, absent>) {
      mode_ = mode::end;
      return;
    }
    if (whole == last && head_.length) {
      if (last) start_frame();
      return;
    }
    ++broken_;
    if (!head_.length) ++dropped_;
    if (whole) return goes_on(last);
    report("AF1", "ends after " + std::to_string(index_) + " of the " + std::to_string(head_.length) +
                      " flits that tuser says");
    if (last) mode_ = mode::fill;
  }

  /// The packet is whole. Beats of null bytes may follow, of which the last ends the frame.
  void await_end(bool last) {
    if (keeps_bytes()) {
      ++broken_;
      return goes_on(last);
    }
    if (!last) return;
    start_frame();
    mode_ = mode::take;
  }

  void goes_on(bool last) {
    report("AF1", "goes on after the " + std::to_string(head_.length) + " flits that tuser says");
    start_frame();
    mode_ = last ? mode::take : mode::drop;
  }

  /// Of a stream that has tkeep.
  bool keeps_bytes() const {
    using keep_type = typename Format::keep;
    std::uint64_t kept = 0;
    for (unsigned w = 0; w < words; ++w) kept |= pin_bits<keep_type>::get(in.tkeep.read(), w * 8, word_bytes);
    return kept != 0;
  }

  void end_by_tlast(bool last) {
    if (full()) {
      drop("AF2", "has more than the " + std::to_string(frames_.longest) + " flits that a frame may have");
      if (!last) mode_ = mode::drop;
      return;
    }
    if (!last) return;
    const unsigned missing = bytes_ ? 8 - bytes_ : 0;
    if (bytes_) put_flit();
    if (index_ > frames_.longest)
      return drop("AF2",
                  "has more than the " + std::to_string(frames_.longest) + " flits that a frame may have");
    if (index_ == 0) return drop("AF3", "has no byte");
    for (std::size_t i = held_.size() - index_; i < held_.size(); ++i) {
      held_[i].length = static_cast<std::uint16_t>(index_);
      held_[i].traffic_class = missing;
    }
    complete_ += index_;
    ++packets_;
    start_frame();
  }

  /// Nothing of the frame goes on.
  void drop(const char* rule, const std::string& why) {
    held_.resize(complete_);
    ++broken_, ++dropped_;
    report(rule, why + ", and is dropped");
    start_frame();
  }

  void report(const char* rule, const std::string& what) {
    report_violation(handler_, rule, name(), cycle(),
                     "the frame from terminal " + std::to_string(head_.source) + " to " +
                         std::to_string(head_.destination) + " " + what);
  }

  void fill() {
    if (held_.size() >= depth()) return;
    put_flit();
    if (index_ < head_.length) return;
    start_frame();
    mode_ = mode::take;
  }

  enum class mode : std::uint8_t {
    take,  // beats into flits
    fill,  // the frame ended too early: make the flits that are missing
    end,   // the packet is whole, and the frame has not ended
    drop   // the frame goes on behind its packet's end: until tlast
  };

  const axi_frames frames_;
  const std::shared_ptr<const routing> routes_;
  const link_end next_;
  violation_handler handler_;
  std::deque<flit> held_;
  std::size_t complete_ = 0;  // of these, those that may leave
  bool ready_ = false, valid_ = false;
  mode mode_ = mode::take;
  flit head_;                // of the frame
  bool in_frame_ = false;    // a beat of it has come
  bool beyond_ = false;      // with more bytes than its length
  std::uint32_t index_ = 0;  // of the next flit in its packet, or in a frame that is longer than any packet
  unsigned bytes_ = 0;       // of the word under way
  std::uint64_t word_ = 0;
  std::uint32_t packets_ = 0;
  std::uint64_t lost_ = 0, broken_ = 0, dropped_ = 0;
};

}  // namespace spillway
