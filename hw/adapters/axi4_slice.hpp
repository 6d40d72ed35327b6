#pragma once
#include <deque>
#include <memory>
#include <spillway/hw/adapters/axi4.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A register slice in one channel, such as axi4_aw<axi4_format<64>>: what the side that shows `valid` sends
/// leaves a cycle later, in order. All pins are registered, so no path leads through it.
template <class Channel>
class axi4_channel_slice : public clocked {
public:
  bundle<Channel::template pins, as_receiver> s{"s_axi"};  ///< toward the manager
  bundle<Channel::template pins, as_sender> m{"m_axi"};    ///< toward the subordinate

  /// `depth`: beats that it holds, 1 or more, else throws std::invalid_argument. One passes a beat every
  /// other cycle, two and more a beat a cycle.
  explicit axi4_channel_slice(const sc_core::sc_module_name& name, unsigned depth = 2)
      : clocked(name), depth_(depth) {
    detail::need(depth >= 1, "a register slice holds at least 1 beat, found 0");
  }

  std::uint64_t beats() const { return passed_; }  ///< that have left so far

private:
  auto& from() {
    if constexpr (Channel::from_manager)
      return s;
    else
      return m;
  }
  auto& to() {
    if constexpr (Channel::from_manager)
      return m;
    else
      return s;
  }

  void reset() override {
    held_.clear();
    ready_ = valid_ = false;
    show();
  }
  void tick() override {
    if (valid_ && Channel::ready(to()).read()) held_.pop_front(), ++passed_;
    if (ready_ && Channel::valid(from()).read()) held_.push_back(beat_of(from()));
    const bool was_ready = ready_;
    ready_ = held_.size() < depth_;
    valid_ = !held_.empty();
    show();
    // A beat that has waited for ready crosses without a change of its pins.
    if (valid_ || ready_ != was_ready) wake_at(cycle() + 1);
  }
  void show() {
    Channel::ready(from()).write(ready_);
    Channel::valid(to()).write(valid_);
    if (valid_) show_beat(to(), held_.front());
  }

  const unsigned depth_;
  std::deque<axi4_beat> held_;
  bool ready_ = false, valid_ = false;
  std::uint64_t passed_ = 0;
};

/// Beats that the register slice of each channel holds; 0: the channel has none.
struct axi4_slice_depths {
  /// @{
  /// Of this channel.
  unsigned aw = 0, w = 0, b = 0, ar = 0, r = 0;
  /// @}
};

/// The wires of an interface with register slices in the channels that are to have one; the others lead
/// straight through and cost no cycle.
template <class Format>
class axi4_slices {
public:
  /// `name`: what its signals and slices are named by.
  axi4_slices(const std::string& name, const axi4_slice_depths& depths)
      : near_(name + "_near"), far_(name + "_far") {
    add(aw_, name + "_aw", depths.aw), add(w_, name + "_w", depths.w), add(b_, name + "_b", depths.b);
    add(ar_, name + "_ar", depths.ar), add(r_, name + "_r", depths.r);
  }

  /// The manager's side, for a manager's end, a checker, or the ports of RTL.
  axi4_signals<Format>& near() { return near_; }
  /// Binds the end of a subordinate, or a checker beside it.
  template <class End>
  void bind_subordinate(End& end) {
    bind_channel(aw_, end), bind_channel(w_, end), bind_channel(b_, end);
    bind_channel(ar_, end), bind_channel(r_, end);
  }
  /// The slices, whose clock and reset are still to be bound.
  const std::vector<clocked*>& blocks() const { return blocks_; }

private:
  template <class Channel>
  using slice = std::unique_ptr<axi4_channel_slice<Channel>>;

  template <class Channel>
  void add(slice<Channel>& one, const std::string& name, unsigned depth) {
    if (!depth) return;
    one = std::make_unique<axi4_channel_slice<Channel>>(name.c_str(), depth);
    one->s.bind(near_), one->m.bind(far_);
    blocks_.push_back(one.get());
  }
  template <class Channel>
  auto& side(const slice<Channel>& one) {
    return static_cast<typename Channel::template pins<as_signals>&>(one ? far_ : near_);
  }
  template <class Channel, class End>
  void bind_channel(const slice<Channel>& one, End& end) {
    Channel::template pins<as_signals>::each([](auto& pin, auto& channel) { pin(channel); }, end, side(one));
  }

  axi4_signals<Format> near_, far_;  // what has no slice is not used of far_
  slice<axi4_aw<Format>> aw_;
  slice<axi4_w<Format>> w_;
  slice<axi4_b<Format>> b_;
  slice<axi4_ar<Format>> ar_;
  slice<axi4_r<Format>> r_;
  std::vector<clocked*> blocks_;
};

}  // namespace spillway
