#include <spillway/hw/circuit/circuit_checker.hpp>
#include <utility>

namespace spillway {

namespace {

bool follows(const flit& last, const flit& f) {
  return f.source == last.source && f.destination == last.destination && f.packet == last.packet &&
         f.length == last.length && f.index == last.index + 1;
}

}  // namespace

std::unique_ptr<clocked> circuit_link::make_checker(const violation_handler& handler) {
  circuit_checker_config config;
  config.link = path();
  auto checker = std::make_unique<circuit_checker>(checker_name().c_str(), std::move(config), handler);
  connect(*checker);
  return checker;
}

circuit_checker::circuit_checker(const sc_core::sc_module_name& name, circuit_checker_config config,
                                 violation_handler handler)
    : clocked(name), circuit_watch(""), config_(std::move(config)), handler_(std::move(handler)) {}

void circuit_checker::reset() {
  // At the first edge of a reset the sender has not seen it yet.
  if (in_reset_ && request.read() && !reset_reported_) {
    reset_reported_ = true;
    if (config_.known) fail("CL7", "request is high during reset");
  }
  in_reset_ = true;
  phase_ = phase::idle;
}

void circuit_checker::tick() {
  if (in_reset_) {
    if (request.read() && !reset_reported_ && config_.known)
      fail("CL7", "request is high at the first edge after reset");
    if (request.read()) phase_ = phase::lost;
    in_reset_ = reset_reported_ = false;
  }
  const bool whole = phase_ == phase::open && shown_.tail();
  if (!request.read()) {
    if (phase_ == phase::open && config_.stays)
      fail("CL1", text(shown_) + " was withdrawn before its answer");
    phase_ = phase::idle;
  } else if (phase_ == phase::answered) {
    if (config_.releases) fail("CL2", "the request of " + text(shown_) + " stays after its answer");
    phase_ = phase::lost;
  } else if (phase_ == phase::idle) {
    begin();
  } else if (phase_ == phase::open) {
    follow_message();
  }
  if (acknowledge.read() || collision.read()) check_answer(whole);
  if (config_.patience && phase_ == phase::open) check_patience();
  if (phase_ == phase::answered || (phase_ == phase::open && !shown_.tail())) wake_at(cycle() + 1);
}

void circuit_checker::begin() {
  phase_ = phase::open;
  shown_ = data.read();
  since_ = cycle();
  late_ = false;
  if (!valid_fields(shown_)) return;
  if (shown_.head()) return;
  if (config_.contiguous) fail("CL4", text(shown_) + " is requested, where a head is due");
  phase_ = phase::lost;
}

void circuit_checker::follow_message() {
  const flit& f = data.read();
  if (!valid_fields(f)) return;
  const bool right = shown_.tail() ? f == shown_ : follows(shown_, f);
  if (!right) {
    if (config_.contiguous)
      fail("CL4", text(f) + " is shown after " + text(shown_) + (shown_.tail() ? ", which is to stay" : ""));
    phase_ = phase::lost;
  }
  shown_ = f;
}

void circuit_checker::check_answer(bool whole) {
  if (acknowledge.read() && collision.read()) {
    if (config_.answers) fail("CL3", "acknowledge and collision at once");
  } else if (!request.read()) {
    if (config_.answers) fail("CL3", "an answer to no request");
  } else if (phase_ == phase::open) {
    ++(acknowledge.read() ? acknowledged_ : rejected_);
    if (acknowledge.read())
      flits_ += shown_.index + 1u;
    else
      wasted_ += cycle() - since_ + 1;
    if (acknowledge.read() && !whole && config_.complete)
      fail("CL5", text(shown_) + " is acknowledged before its tail has been seen");
  }
  // After a request that goes on, CL2 has spoken.
  if (phase_ == phase::open) phase_ = phase::answered;
}

bool circuit_checker::valid_fields(const flit& f) {
  if (f.length >= 1 && f.index < f.length) return true;
  if (config_.known) fail("CL7", text(f) + ": the index is not below the length");
  phase_ = phase::lost;
  return false;
}

void circuit_checker::check_patience() {
  const std::uint64_t held = cycle() - since_;
  if (held < config_.patience) {
    if (held == 0 && config_.patience < ~since_) wake_at(since_ + config_.patience);
  } else if (!late_) {
    late_ = true;
    fail("CL6", text(shown_) + " has held the link for " + std::to_string(held) + " cycles");
  }
}

void circuit_checker::fail(const char* rule, const std::string& what) {
  ++violations_;
  report_violation(handler_, rule, config_.link.empty() ? name() : config_.link, cycle(), what);
}

}  // namespace spillway
