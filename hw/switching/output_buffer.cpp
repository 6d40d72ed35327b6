#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/hw/switching/output_buffer.hpp>

namespace spillway {

namespace {

/// The lane of a set that follows the last one.
unsigned next_of(lane_mask lanes, unsigned last) {
  const lane_mask later = lanes & ~masks::low_bits(last + 1);
  return masks::lowest(later ? later : lanes);
}

}  // namespace

void output_buffer_config::check() const {
  detail::need(depth >= 1 && depth <= 4096,
               "an output buffer has 1 to 4096 flits a lane, found " + std::to_string(depth));
  detail::need(cycles >= 1 && cycles <= 64,
               "a flit is on a link for 1 to 64 cycles, found " + std::to_string(cycles));
}

output_buffer::output_buffer(const sc_core::sc_module_name& name, const output_buffer_config& config)
    : clocked(name), config_(detail::checked(config)) {
  out.lanes().same_as(in.lanes());
}

std::uint64_t output_buffer::held_flits() const {
  std::uint64_t held = 0;
  for (const lane_state& lane : lanes_) held += lane.flits;
  return held;
}

void output_buffer::reset() {
  lost_ += held_flits();
  lanes_.clear();
  places_.clear();
  open_ = full_ = closed_ = left_ = waiting_ = arrived_ = 0;
  chosen_ = shown_ = 0;
  busy_ = false;
  in.ready.write(0);
  out.valid.write(false);
}

void output_buffer::tick() {
  open_lanes();  // first: to a flit that leaves now the receiver still shows its ready bit
  depart();
  if (in.crosses()) accept();
  choose();
  show();
  const lane_mask ready = open_ & ~full_ & ~closed_;
  in.ready.write(ready);
  // A change of a pin wakes the block; a flit that waits and crosses now changes none.
  if (in.valid.read() && accepts(ready, in.data.read())) wake_at(cycle() + 1);
}

void output_buffer::open_lanes() {
  closed_ &= ~(left_ & out.ready.read());
  left_ &= closed_;
  const lane_mask fresh = out.ready.read() & ~open_;
  if (!fresh) return;
  open_ |= fresh;
  lanes_.resize(64u - static_cast<unsigned>(__builtin_clzll(open_)));
  places_.resize(lanes_.size() * config_.depth);
}

/// The receiver has taken the flit that was shown.
void output_buffer::depart() {
  if (!(arrived_ & out.ready.read() & masks::bit(shown_))) return;
  lane_state& lane = lanes_[shown_];
  if (config_.one_packet && place(shown_, lane.first).tail()) {
    left_ |= masks::bit(shown_);
    wake_at(cycle() + 1);
  }
  lane.first = (lane.first + 1) % config_.depth;
  arrived_ &= ~masks::bit(shown_);
  full_ &= ~masks::bit(shown_);
  if (--lane.flits == 0) waiting_ &= ~masks::bit(shown_);
}

void output_buffer::accept() {
  const flit& f = in.data.read();
  lane_state& lane = lanes_[f.lane];
  place(f.lane, lane.first + lane.flits) = f;
  waiting_ |= masks::bit(f.lane);
  if (config_.one_packet && f.tail()) closed_ |= masks::bit(f.lane);
  if (++lane.flits == config_.depth) full_ |= masks::bit(f.lane);
}

/// Gives the link, when it is free, to the next lane that the receiver takes. If it takes none, to any,
/// which then is seen to wait.
void output_buffer::choose() {
  if (busy_ && cycle() < due_) return;
  const lane_mask candidates = waiting_ & ~arrived_, taken = candidates & out.ready.read();
  busy_ = candidates != 0;
  if (!busy_) return;
  chosen_ = next_of(taken ? taken : candidates, chosen_);
  due_ = cycle() + config_.cycles;
}

/// A flit that has been on the link for its time can cross. One that is refused nevertheless stays there, and
/// gives way to those of other lanes.
void output_buffer::show() {
  const bool comes = busy_ && cycle() + 1 >= due_;
  if (comes) arrived_ |= masks::bit(chosen_);
  if (busy_) wake_at(comes ? due_ : due_ - 1);
  out.valid.write(arrived_ != 0);
  if (!arrived_) return;
  const lane_mask taken = arrived_ & out.ready.read();
  if (taken || !(arrived_ & masks::bit(shown_))) shown_ = next_of(taken ? taken : arrived_, shown_);
  out.data.write(place(shown_, lanes_[shown_].first));
  if (taken) wake_at(cycle() + 1);
}

}  // namespace spillway
