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
  for (const auto& queue : lanes_) held += queue.size();
  return held;
}

void output_buffer::reset() {
  lost_ += held_flits();
  lanes_.clear();
  open_ = full_ = waiting_ = arrived_ = 0;
  chosen_ = shown_ = 0;
  busy_ = false;
  in.ready.write(0);
  out.valid.write(false);
}

void output_buffer::tick() {
  depart();
  if (in.crosses()) accept();
  for (lane_mask fresh = out.ready.read() & ~open_; fresh; fresh &= fresh - 1) {
    open_ |= masks::bit(masks::lowest(fresh));
    if (masks::lowest(fresh) >= lanes_.size()) lanes_.resize(masks::lowest(fresh) + 1);
  }
  choose();
  show();
  const lane_mask ready = open_ & ~full_;
  in.ready.write(ready);
  // A change of a pin wakes the block; a flit that waits and crosses now changes none.
  if (in.valid.read() && accepts(ready, in.data.read())) wake_at(cycle() + 1);
}

/// The receiver has taken the flit that was shown.
void output_buffer::depart() {
  if (!(arrived_ & out.ready.read() & masks::bit(shown_))) return;
  auto& queue = lanes_[shown_];
  queue.pop_front();
  arrived_ &= ~masks::bit(shown_);
  full_ &= ~masks::bit(shown_);
  if (queue.empty()) waiting_ &= ~masks::bit(shown_);
}

void output_buffer::accept() {
  const flit& f = in.data.read();
  lanes_[f.lane].push_back(f);
  waiting_ |= masks::bit(f.lane);
  if (lanes_[f.lane].size() == config_.depth) full_ |= masks::bit(f.lane);
}

/// Gives the link, when it is free, to the next lane that the receiver takes. If it takes none, to any: a
/// receiver may wait to see a flit.
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
  out.data.write(lanes_[shown_].front());
  if (taken) wake_at(cycle() + 1);
}

}  // namespace spillway
