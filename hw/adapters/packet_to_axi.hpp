#pragma once
#include <deque>
#include <spillway/hw/adapters/axi_stream.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/violation.hpp>
#include <utility>

namespace spillway {

/// From a packet link of one lane to a stream; one cycle from flit to beat, from the last of a beat of
/// several; a beat a cycle.
///
/// AF4  a number of a terminal fits into the pin that it goes to, tdest or tid
template <class Format>
class packet_to_axi : public clocked {
public:
  packet_in in{"in"};                    ///< lane 0, registered ready
  axi_stream_out<Format> out{"m_axis"};  ///< beats, registered

  /// `frames`: as the stream's other end has them. `handler`: see violation_handler.
  explicit packet_to_axi(const sc_core::sc_module_name& name, const axi_frames& frames = {},
                         violation_handler handler = {})
      : clocked(name), frames_(frames), handler_(std::move(handler)) {}

  /// Flits that it holds, and those thrown away by resets so far.
  std::uint64_t held_flits() const { return held_.size(); }
  std::uint64_t lost_in_reset() const { return lost_; }  ///< the second of these
  /// Who hears of violations from now on.
  void report_to(violation_handler handler) { handler_ = std::move(handler); }

private:
  static constexpr unsigned beat_bytes = Format::width / 8;
  static constexpr unsigned words = Format::width >= 64 ? Format::width / 64 : 1;      // in a full beat
  static constexpr unsigned word_bytes = Format::width >= 64 ? 8 : Format::width / 8;  // of a word in a beat
  static constexpr std::size_t depth = 2 * words + 2;

  void reset() override {
    lost_ += held_.size();
    held_.clear();
    ready_ = valid_ = false;
    offset_ = 0;
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
    for (unsigned w = 0; w < held_.size() && w < words; ++w)
      if (w + 1 == words || held_[w].tail()) return w + 1;
    return 0;
  }

  void show_beat() {
    shown_words_ = words_ready();
    if (!shown_words_) return;
    valid_ = true;
    const flit& first = held_.front();
    const flit& last = held_[shown_words_ - 1];
    typename Format::data data{};
    typename Format::keep keep{};
    for (unsigned w = 0; w < shown_words_; ++w) {
      pin_bits<typename Format::data>::put(data, w * 64, word_bytes * 8, held_[w].payload >> (offset_ * 8));
      const unsigned bytes = std::min(bytes_of(held_[w], frames_) - offset_, word_bytes);
      pin_bits<typename Format::keep>::put(keep, w * 8, word_bytes, (std::uint64_t{1} << bytes) - 1);
    }
    out.tdata.write(data);
    out.tkeep.write(keep);
    typename Format::user user{};
    if (frames_.found == axi_frames::length::in_tuser) put_header(user, first);
    out.tuser.write(user);
    write_number(out.tid, typename Format::id{}, first.source, "tid");
    write_number(out.tdest, typename Format::dest{}, first.destination, "tdest");
    shown_ends_word_ = offset_ + word_bytes >= bytes_of(last, frames_);
    out.tlast.write(last.tail() && shown_ends_word_);
  }

  template <class Pin, class T>
  void write_number(Pin& pin, T value, std::uint32_t number, const char* what) {
    pin_bits<T>::put(value, 0, 28, number);
    pin.write(value);
    const bool fits = pin_bits<T>::get(value, 0, 28) == number;
    if (std::is_same_v<T, absent> || fits) return;
    report_violation(handler_, "AF4", name(), cycle(),
                     "terminal " + std::to_string(number) + " does not fit into " + what);
  }

  void finish_beat() {
    valid_ = false;
    offset_ = shown_ends_word_ ? 0 : offset_ + word_bytes;
    if (shown_ends_word_) held_.erase(held_.begin(), held_.begin() + shown_words_);
  }

  const axi_frames frames_;
  violation_handler handler_;
  std::deque<flit> held_;
  bool ready_ = false, valid_ = false;  // what the pins show
  unsigned offset_ = 0;                 // in the word, on a narrow stream
  unsigned shown_words_ = 0;
  bool shown_ends_word_ = false;
  std::uint64_t lost_ = 0;
};

}  // namespace spillway
