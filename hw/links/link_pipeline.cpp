#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/links/link_pipeline.hpp>

namespace spillway {

namespace {

constexpr lane_mask only(unsigned lane) { return lane_mask{1} << lane; }
unsigned lowest_of(lane_mask mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }

}  // namespace

void link_pipeline_config::check() const {
  detail::need(latency >= 2, "a pipelined link takes at least 2 cycles, found " + std::to_string(latency));
}

link_pipeline::link_pipeline(const sc_core::sc_module_name& name, const link_pipeline_config& config)
    : clocked(name), config_(detail::checked(config)) {
  out.lanes().same_as(in.lanes());
}

std::uint64_t link_pipeline::held_flits() const {
  std::uint64_t held = forward_.size();
  for (const lane_state& lane : lanes_) held += lane.waiting.size();
  return held;
}

void link_pipeline::reset() {
  lost_ += held_flits();
  for (lane_state& lane : lanes_) lane = {};  // as many as before
  forward_.clear();
  credits_.clear();
  opening_.clear();
  opened_ = closed_ = waiting_ = ready_ = 0;
  valid_ = false;
  in.ready.write(0);
  out.valid.write(false);
}

void link_pipeline::tick() {
  open_lanes();  // first: to a flit that leaves now the receiver still shows its ready bit
  bool active = depart();
  active |= accept();
  arrive();
  show();
  in.ready.write(ready_);
  const bool leaves = valid_ && (out.ready.read() & waiting_);
  const bool enters = in.valid.read() && accepts(ready_, in.data.read());
  if (active || leaves || enters || !forward_.empty() || !credits_.empty() || !opening_.empty())
    wake_at(cycle() + 1);
}

/// The receiver takes the flit that is shown, and its credit goes back.
bool link_pipeline::depart() {
  if (!valid_ || !(out.ready.read() & only(shown_))) return false;
  auto& waiting = lanes_[shown_].waiting;
  if (config_.one_packet && waiting.front().tail()) opened_ &= ~only(shown_);
  waiting.pop_front();
  if (waiting.empty()) waiting_ &= ~only(shown_);
  credits_.emplace_back(cycle() + config_.latency - 1, static_cast<std::uint8_t>(shown_));
  valid_ = false;
  return true;
}

/// The sender's flit uses a credit. At the far end it shows `latency` cycles after the sender showed it.
bool link_pipeline::accept() {
  if (!in.crosses()) return false;
  const flit& f = in.data.read();
  if (config_.one_packet && f.tail()) closed_ |= only(f.lane);
  if (--lanes_[f.lane].credits == 0) ready_ &= ~only(f.lane);
  ready_ &= ~closed_;
  forward_.emplace_back(cycle() + config_.latency - 2, f);
  return true;
}

void link_pipeline::open_lanes() {
  const lane_mask fresh = out.ready.read() & ~opened_;
  if (!fresh) return;
  opened_ |= fresh;
  opening_.emplace_back(cycle() + config_.latency - 2, fresh);
}

/// What has come through the stages, either way.
void link_pipeline::arrive() {
  const auto due = [this](const auto& way) { return !way.empty() && way.front().first <= cycle(); };
  for (; due(opening_); opening_.pop_front())
    for (lane_mask rest = opening_.front().second; rest; rest &= rest - 1) {
      const unsigned lane = lowest_of(rest);
      if (lane >= lanes_.size()) lanes_.resize(lane + 1);
      lanes_[lane].credits = config_.places_a_lane();
      closed_ &= ~only(lane);
      ready_ |= only(lane);
    }
  for (; due(credits_); credits_.pop_front()) {
    ++lanes_[credits_.front().second].credits;
    ready_ |= only(credits_.front().second) & ~closed_;
  }
  for (; due(forward_); forward_.pop_front()) {
    const flit& f = forward_.front().second;
    lanes_[f.lane].waiting.push_back(f);
    waiting_ |= only(f.lane);
  }
}

/// A lane that the receiver takes, in turn; while there is none, the flit that was shown stays.
void link_pipeline::show() {
  const lane_mask taken = waiting_ & out.ready.read();
  if (taken)
    shown_ = choose(taken);
  else if (!valid_ && waiting_)
    shown_ = choose(waiting_);
  valid_ = waiting_ != 0;
  out.valid.write(valid_);
  if (valid_) out.data.write(lanes_[shown_].waiting.front());
}

/// The candidate that follows the lane that was shown last.
unsigned link_pipeline::choose(lane_mask candidates) const {
  const lane_mask later = shown_ == 63 ? 0 : candidates & ~(only(shown_ + 1) - 1);
  return lowest_of(later ? later : candidates);
}

}  // namespace spillway
