#include <algorithm>
#include <spillway/hw/circuit/circuit_interface.hpp>

namespace spillway {

circuit_interface::circuit_interface(const sc_core::sc_module_name& name,
                                     const circuit_interface_config& config)
    : clocked(name), config_(config) {
  if (config_.policy.in_rounds()) barrier.emplace();
}

void circuit_interface::reset() {
  lost_ += held_flits();
  message_.clear();
  arrived_.clear();
  tx_ = sending::filling;
  rx_ = receiving::idle;
  open_ = answering_ = false;
  in.ready.write(0);
  out.valid.write(false);
  send.request.write(false);
  receive.acknowledge.write(false);
  receive.collision.write(false);
  if (barrier) {
    round_ = barrier->round.read();
    released_ = barrier->released.read();
    barrier->state.write(0);
  }
}

void circuit_interface::tick() {
  if (answering_) {
    receive.acknowledge.write(false);
    receive.collision.write(false);
    answering_ = false;
    wake_at(cycle() + 1);
  }
  transmit();
  fill();
  finish_delivery();
  take();
  if (open_ != (tx_ == sending::filling)) wake_at(cycle() + 1);
  open_ = tx_ == sending::filling;
  in.ready.write(open_ ? 1 : 0);
  out.valid.write(!arrived_.empty());
  if (!arrived_.empty()) out.data.write(arrived_.front());
  if (barrier) show_round_state();
}

void circuit_interface::transmit() {
  if (tx_ == sending::waiting) {
    if (may_start()) launch();
    return;
  }
  if (tx_ != sending::under_way) return;
  const bool acknowledged = send.acknowledge.read();
  if (acknowledged || send.collision.read()) {
    finish(acknowledged);
    return;
  }
  if (sent_ == message_.size()) return;
  send.data.write(message_[sent_++]);
  wake_at(cycle() + 1);
}

bool circuit_interface::may_start() const {
  return barrier ? barrier->round.read() != round_ : cycle() >= start_at_;
}

void circuit_interface::launch() {
  tx_ = sending::under_way;
  sent_ = 1;
  send.request.write(true);
  send.data.write(message_.front());
  wake_at(cycle() + 1);
  if (transmissions_++ == 0) first_request_ = cycle() + 1;
}

void circuit_interface::finish(bool acknowledged) {
  send.request.write(false);
  wake_at(cycle() + 1);
  if (acknowledged) {
    ++acknowledged_;
    last_release_ = cycle() - 1;
    message_.clear();
    tx_ = sending::filling;
    return;
  }
  ++rejected_;
  ++failures_;
  tx_ = sending::waiting;
  start_at_ = cycle() + 1 + config_.policy.delay(config_.terminal, failures_, cycle());
  wake_at(start_at_);
}

void circuit_interface::fill() {
  if (!open_ || !in.valid.read() || in.data.read().lane != 0) return;
  message_.push_back(in.data.read());
  wake_at(cycle() + 1);
  if (!message_.back().tail()) return;
  failures_ = 0;
  start_at_ = cycle();
  tx_ = sending::waiting;
  if (!barrier) launch();
}

void circuit_interface::finish_delivery() {
  if (!out.valid.read() || !(out.ready.read() & 1)) return;
  arrived_.pop_front();
  wake_at(cycle() + 1);
}

void circuit_interface::take() {
  if (rx_ == receiving::closing && !receive.request.read()) rx_ = receiving::idle;
  if (rx_ == receiving::idle && receive.request.read()) {
    if (!arrived_.empty()) {
      ++refused_;
      answer(false);
      return;
    }
    rx_ = receiving::taking;
    taken_ = 0;
  }
  if (rx_ == receiving::holding && barrier->released.read() != released_) {
    answer(true);
    return;
  }
  const flit& next = receive.data.read();
  if (rx_ != receiving::taking || next.index != taken_) return;
  ++taken_;
  wake_at(cycle() + 1);
  arrived_.push_back(next);
  arrived_.back().lane = 0;
  if (!next.tail()) return;
  if (config_.policy.strategy == retry::held_rounds)
    rx_ = receiving::holding;
  else
    answer(true);
}

void circuit_interface::answer(bool acknowledged) {
  (acknowledged ? receive.acknowledge : receive.collision).write(true);
  answering_ = true;
  rx_ = receiving::closing;
  wake_at(cycle() + 1);
}

void circuit_interface::show_round_state() {
  round_ = barrier->round.read();
  released_ = barrier->released.read();
  const unsigned state = (tx_ == sending::waiting ? round_waiting : 0u) |
                         (tx_ == sending::under_way ? round_sending : 0u) |
                         (rx_ == receiving::holding ? round_holding : 0u);
  barrier->state.write(static_cast<round_state>(state));
}

void circuit_interface::count(counters& all) const {
  all["circuit.transmissions"] += static_cast<double>(transmissions_);
  all["circuit.acknowledged"] += static_cast<double>(acknowledged_);
  all["circuit.rejected"] += static_cast<double>(rejected_);
  all["circuit.refused"] += static_cast<double>(refused_);
  if (!transmissions_) return;
  const auto first = static_cast<double>(first_request_), last = static_cast<double>(last_release_);
  const auto [earliest, is_new] = all.try_emplace("circuit.first_request", first);
  earliest->second = std::min(earliest->second, first);
  double& latest = all["circuit.last_release"];
  latest = std::max(latest, last);
}

}  // namespace spillway
