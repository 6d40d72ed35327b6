#include <algorithm>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/links/packet_rules.hpp>
#include <sstream>
#include <utility>

namespace spillway {

namespace {

bool same_packet(const flit& a, const flit& b) {
  return a.source == b.source && a.destination == b.destination && a.packet == b.packet &&
         a.length == b.length && a.lane == b.lane;
}

bool follows(const flit& last, const flit& f) { return same_packet(last, f) && f.index == last.index + 1; }

std::string with_lane(const flit& f) {
  std::ostringstream os;
  os << f << " lane " << unsigned{f.lane};
  return os.str();
}

}  // namespace

void packet_checker_config::check() const {
  detail::need(lanes >= 1 && lanes <= 64, "a packet link has 1 to 64 lanes, found " + std::to_string(lanes));
}

packet_rules::packet_rules(packet_checker_config config, violation_handler handler)
    : stable_(detail::checked(config).stable),
      needs_ready_(config.needs_ready),
      contiguous_(config.contiguous),
      known_(config.known),
      lanes_(config.lanes),
      patience_(std::min(config.patience, never / 2)),  // no cycle and it are more than `never`
      link_(std::move(config.link)),
      handler_(std::move(handler)) {}

void packet_rules::limit_lanes(unsigned lanes) { lanes_ = std::min(lanes_, lanes); }

void packet_rules::reset(const packet_seen& now) {
  // At the first edge of a reset the sender has not seen it yet.
  if (in_reset_ && now.valid && !reset_reported_) {
    reset_reported_ = true;
    if (known_) fail("PL5", "valid is high during reset", now);
  }
  in_reset_ = true;
  count_blocked(false, now.cycle);
  first_ = {};
  others_.clear();
  waiting_ = 0;
  alarm_ = never;
  no_such_lane_ = false;
}

bool packet_rules::tick(const packet_seen& now) {
  if (in_reset_) leave_reset(now);
  const bool crossed = watch(now);
  count_blocked(now.valid && !crossed, now.cycle);
  if (patience_) check_patience(now);
  return crossed;
}

void packet_rules::leave_reset(const packet_seen& now) {
  if (now.valid && !reset_reported_ && known_)
    fail("PL5", "valid is high at the first edge after reset", now);
  in_reset_ = reset_reported_ = false;
}

/// Between two calls the wires stay as they are, so only changes count.
inline void packet_rules::count_blocked(bool blocked, std::uint64_t cycle) {
  if (blocked == blocked_) return;
  blocked_ = blocked;
  if (blocked)
    blocked_since_ = cycle;
  else
    blocked_cycles_ += cycle - blocked_since_;
}

packet_rules::lane_state& packet_rules::other_lane(unsigned number) {
  if (number > others_.size()) others_.resize(number);
  return others_[number - 1];
}

inline bool packet_rules::watch(const packet_seen& now) {
  if (!now.valid) {
    no_such_lane_ = false;
    if (waiting_) withdraw(now);
    return false;
  }
  if (now.data.lane >= lanes_) {
    see_no_such_lane(now);
    return false;
  }
  no_such_lane_ = false;
  lane_state& lane = lane_of(now.data.lane);
  if (!lane.waiting)
    show(lane, now);
  else if (now.data != lane.shown)
    change(lane, now);
  if (!accepts(now.ready, now.data)) return false;
  accept(lane, now.cycle);
  return true;
}

void packet_rules::see_no_such_lane(const packet_seen& now) {
  if (!no_such_lane_ && known_)
    fail("PL5",
         with_lane(now.data) + " is shown, the link has " + std::to_string(lanes_) +
             (lanes_ == 1 ? " lane" : " lanes"),
         now);
  no_such_lane_ = true;
}

inline void packet_rules::show(lane_state& lane, const packet_seen& now) {
  const flit& f = now.data;
  const bool judge = contiguous_ && !lane.resync;
  lane.resync = false;
  if (f.index >= f.length)
    see_bad_fields(lane, now);
  else if (judge && !(lane.open ? follows(lane.shown, f) : f.head()))
    see_out_of_order(lane, now);
  lane.shown = f;
  lane.since = now.cycle;
  lane.waiting = true;
  lane.late = false;
  ++waiting_;
}

void packet_rules::see_out_of_order(const lane_state& lane, const packet_seen& now) {
  if (lane.open)
    fail("PL3", with_lane(now.data) + " is shown after " + with_lane(lane.shown), now);
  else
    fail("PL3", with_lane(now.data) + " is shown where a head is due", now);
}

void packet_rules::see_bad_fields(lane_state& lane, const packet_seen& now) {
  lane.resync = true;
  if (known_) fail("PL5", with_lane(now.data) + ": the index is not below the length", now);
}

void packet_rules::change(lane_state& lane, const packet_seen& now) {
  const flit& f = now.data;
  if (follows(lane.shown, f)) {
    if (needs_ready_)
      fail("PL2", with_lane(lane.shown) + " moved on to " + with_lane(f) + " without its ready bit", now);
  } else if (stable_) {
    fail("PL1", with_lane(lane.shown) + " became " + with_lane(f) + " before it was accepted", now);
  }
  if (f.index >= f.length) see_bad_fields(lane, now);
  lane.shown = f;
  lane.since = now.cycle;
  lane.late = false;
}

void packet_rules::withdraw(const packet_seen& now) {
  for_each_lane([&](lane_state& lane) {
    if (!lane.waiting) return;
    lane.waiting = false;
    lane.resync = true;
    if (stable_) fail("PL1", with_lane(lane.shown) + " was withdrawn before it was accepted", now);
  });
  waiting_ = 0;
}

inline void packet_rules::accept(lane_state& lane, std::uint64_t cycle) {
  lane.waiting = false;
  lane.open = !lane.shown.tail();
  --waiting_;
  ++transfers_;
  if (listener_ && lane.shown.head()) listener_->head_crosses(cycle, link_number_, lane.shown);
}

void packet_rules::check_patience(const packet_seen& now) {
  const std::uint64_t before = alarm_;
  if (now.cycle >= alarm_) {
    alarm_ = never;
    for_each_lane([&](lane_state& lane) {
      if (!lane.waiting || lane.late) return;
      const std::uint64_t deadline = lane.since + patience_;
      if (now.cycle < deadline) {
        alarm_ = std::min(alarm_, deadline);
        return;
      }
      lane.late = true;
      fail("PL4",
           with_lane(lane.shown) + " has waited for " + std::to_string(now.cycle - lane.since) + " cycles",
           now);
    });
  }
  // One alarm at a time: a flit that came later is due later, and is looked at again then.
  if (waiting_ && alarm_ == never) alarm_ = now.cycle + patience_;
  new_alarm_ = alarm_ == before ? never : alarm_;
}

void packet_rules::fail(const char* rule, const std::string& what, const packet_seen& now) {
  ++violations_;
  std::ostringstream os;
  os << what << ", ready 0x" << std::hex << now.ready;
  report_violation(handler_, rule, link_, now.cycle, os.str());
}

}  // namespace spillway
