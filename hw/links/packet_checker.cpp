#include <algorithm>
#include <spillway/hw/links/packet_checker.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace spillway {

namespace {

bool same_packet(const flit& a, const flit& b) {
  return a.source == b.source && a.destination == b.destination && a.packet == b.packet &&
         a.length == b.length && a.lane == b.lane;
}

std::string with_lane(const flit& f) {
  std::ostringstream os;
  os << f << " lane " << unsigned{f.lane};
  return os.str();
}

}  // namespace

std::unique_ptr<clocked> packet_link::make_checker(const violation_handler& handler) {
  packet_checker_config config;
  config.link = path();
  auto checker = std::make_unique<packet_checker>(checker_name().c_str(), std::move(config), handler);
  connect(*checker);
  return checker;
}

packet_checker::packet_checker(const sc_core::sc_module_name& name, packet_checker_config config,
                               violation_handler handler)
    : clocked(name), packet_watch(""), config_(std::move(config)), handler_(std::move(handler)) {
  if (config_.lanes < 1 || config_.lanes > 64)
    throw std::invalid_argument("a packet link has 1 to 64 lanes, found " + std::to_string(config_.lanes));
}

void packet_checker::end_of_elaboration() {
  clocked::end_of_elaboration();
  lanes_ = std::min(config_.lanes, lanes().count());
}

void packet_checker::reset() {
  // At the first edge of a reset the sender has not seen it yet.
  if (in_reset_ && valid.read() && !reset_reported_) {
    reset_reported_ = true;
    if (config_.known) fail("PL5", "valid is high during reset");
  }
  in_reset_ = true;
  count_blocked(false);
  first_ = {};
  others_.clear();
  waiting_ = 0;
  alarm_ = never;
  no_such_lane_ = false;
}

void packet_checker::tick() {
  if (in_reset_) {
    if (valid.read() && !reset_reported_ && config_.known)
      fail("PL5", "valid is high at the first edge after reset");
    in_reset_ = reset_reported_ = false;
  }
  crossed_ = false;
  watch();
  count_blocked(!crossed_ && valid.read());
  if (config_.patience) check_patience();
  // After a transfer the next flit may look the same, and then no wire wakes us.
  if (crossed_) wake_at(cycle() + 1);
}

/// Between two calls the wires stay as they are, so only changes count.
void packet_checker::count_blocked(bool now) {
  if (now == blocked_) return;
  blocked_ = now;
  if (now)
    blocked_since_ = cycle();
  else
    blocked_cycles_ += cycle() - blocked_since_;
}

packet_checker::lane_state& packet_checker::lane_of(unsigned number) {
  if (number == 0) return first_;
  if (number > others_.size()) others_.resize(number);
  return others_[number - 1];
}

void packet_checker::watch() {
  if (!valid.read()) {
    no_such_lane_ = false;
    if (waiting_) withdraw();
    return;
  }
  const flit& f = data.read();
  if (f.lane >= lanes_) {
    if (!no_such_lane_ && config_.known)
      fail("PL5", with_lane(f) + " is shown, the link has " + std::to_string(lanes_) +
                      (lanes_ == 1 ? " lane" : " lanes"));
    no_such_lane_ = true;
    return;
  }
  no_such_lane_ = false;
  lane_state& lane = lane_of(f.lane);
  if (!lane.waiting)
    show(lane, f);
  else if (f != lane.shown)
    change(lane, f);
  if (accepts(ready.read(), f)) accept(lane);
}

void packet_checker::show(lane_state& lane, const flit& f) {
  const bool judge = config_.contiguous && !lane.resync;
  lane.resync = false;
  check_fields(lane, f);
  if (judge && !lane.resync) {
    if (!lane.open && !f.head())
      fail("PL3", with_lane(f) + " is shown where a head is due");
    else if (lane.open && (!same_packet(lane.shown, f) || f.index != lane.shown.index + 1))
      fail("PL3", with_lane(f) + " is shown after " + with_lane(lane.shown));
  }
  lane.shown = f;
  lane.since = cycle();
  lane.waiting = true;
  lane.late = false;
  ++waiting_;
}

void packet_checker::change(lane_state& lane, const flit& f) {
  if (same_packet(lane.shown, f) && f.index == lane.shown.index + 1) {
    if (config_.needs_ready)
      fail("PL2", with_lane(lane.shown) + " moved on to " + with_lane(f) + " without its ready bit");
  } else if (config_.stable) {
    fail("PL1", with_lane(lane.shown) + " became " + with_lane(f) + " before it was accepted");
  }
  check_fields(lane, f);
  lane.shown = f;
  lane.since = cycle();
  lane.late = false;
}

void packet_checker::withdraw() {
  for_each_lane([this](lane_state& lane) {
    if (!lane.waiting) return;
    lane.waiting = false;
    lane.resync = true;
    if (config_.stable) fail("PL1", with_lane(lane.shown) + " was withdrawn before it was accepted");
  });
  waiting_ = 0;
}

void packet_checker::accept(lane_state& lane) {
  lane.waiting = false;
  lane.open = !lane.shown.tail();
  --waiting_;
  ++transfers_;
  crossed_ = true;
  if (listener_ && lane.shown.head()) listener_->head_crosses(cycle(), link_number_, lane.shown);
}

void packet_checker::check_fields(lane_state& lane, const flit& f) {
  if (f.length >= 1 && f.index < f.length) return;
  lane.resync = true;
  if (config_.known) fail("PL5", with_lane(f) + ": the index is not below the length");
}

void packet_checker::check_patience() {
  if (cycle() >= alarm_) {
    alarm_ = never;
    for_each_lane([this](lane_state& lane) {
      if (!lane.waiting || lane.late) return;
      const std::uint64_t deadline = lane.since + config_.patience;
      if (cycle() < deadline) {
        alarm_ = std::min(alarm_, deadline);
        return;
      }
      lane.late = true;
      fail("PL4",
           with_lane(lane.shown) + " has waited for " + std::to_string(cycle() - lane.since) + " cycles");
    });
    if (alarm_ != never) wake_at(alarm_);
  }
  // One alarm at a time: a flit that came later is due later, and is looked at again then.
  if (waiting_ && alarm_ == never) wake_at(alarm_ = cycle() + config_.patience);
}

void packet_checker::fail(const char* rule, const std::string& what) {
  ++violations_;
  std::ostringstream os;
  os << what << ", ready 0x" << std::hex << ready.read();
  report_violation(handler_, rule, config_.link.empty() ? name() : config_.link, cycle(), os.str());
}

}  // namespace spillway
