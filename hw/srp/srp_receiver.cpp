#include <algorithm>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/srp/srp_messages.hpp>
#include <spillway/hw/srp/srp_receiver.hpp>
#include <spillway/hw/switching/next_output.hpp>

namespace spillway {

void srp_receiver_config::check() const {
  detail::need(overhead >= 1, "a flit takes some time, found an overhead of 0");
}

srp_receiver::srp_receiver(const sc_core::sc_module_name& name, const srp_receiver_config& config,
                           std::shared_ptr<const routing> routes, link_end next)
    : clocked(name),
      config_(detail::checked(config)),
      routes_(std::move(routes)),
      next_(next),
      expected_(config.reserve == srp_reserve::last_switch ? 0 : config.terminals) {
  answers.lanes().declare(next.lanes);
}

void srp_receiver::reset() {
  lost_ += held_flits();
  for (auto* const queue : {&speculative_, &reserved_, &replies_, &receipts_}) queue->clear();
  from_ = telling_ = nullptr;
  showing_ = false;
  free_from_ = 0;
  std::fill(expected_.begin(), expected_.end(), 0);
  for (packet_in* const i : {&speculative, &reserved, &requests}) i->ready.write(0);
  out.valid.write(false);
  answers.valid.write(false);
}

void srp_receiver::tick() {
  bool active = false;
  if (answers.crosses()) {
    telling_->pop_front();
    telling_ = nullptr;
    active = true;
  }
  if (requests.crosses()) {
    answer(requests.data.read());
    active = true;
  }
  active |= take(speculative, speculative_);
  active |= take(reserved, reserved_);
  active |= pass_on();
  show_packet();
  show_answer();
  active |= offer(speculative, speculative_.size() < places);
  active |= offer(reserved, reserved_.size() < places);
  active |= offer(requests, replies_.size() < places);
  if (active) wake_at(cycle() + 1);
}

bool srp_receiver::take(packet_in& pins, std::deque<flit>& queue) {
  if (!pins.crosses()) return false;
  queue.push_back(pins.data.read());
  queue.back().lane = 0;
  return true;
}

void srp_receiver::answer(const flit& request) {
  if (srp::message_of(request) == srp::message::dropped) {
    ++dropped_;
    reserve(config_.control);
    replies_.push_back(
        srp::make_message(srp::message::refused, config_.terminal, srp::subject_of(request, request.source)));
    return;
  }
  const std::uint64_t start = std::max(free_from_, cycle());
  ++grants_;
  waited_ += start - cycle();
  reserve(srp::cycles_of(request.payload, config_.overhead) + config_.control);
  expected_[request.source] += static_cast<std::int64_t>(request.payload);
  replies_.push_back(srp::make_message(srp::message::grant, config_.terminal,
                                       srp::subject_of(request, request.source), start));
}

void srp_receiver::reserve(std::uint64_t cycles) { free_from_ = std::max(free_from_, cycle()) + cycles; }

bool srp_receiver::pass_on() {
  if (!showing_ || !out.crosses()) return false;
  const flit f = from_->front();
  from_->pop_front();
  if (f.tail()) {
    account(f, from_ == &reserved_);
    from_ = nullptr;
  }
  return true;
}

/// What comes without a reservation takes its time too.
void srp_receiver::account(const flit& tail, bool was_reserved) {
  if (!expected_.empty()) {
    std::int64_t& expected = expected_[tail.source];
    if (was_reserved && expected < tail.length) return reserve(tail.length);
    expected = std::max<std::int64_t>(0, expected - tail.length);  // nothing may have been reserved for it
  }
  if (was_reserved) return;
  ++receipts_made_;
  receipts_.push_back(
      srp::make_message(srp::message::delivered, config_.terminal, srp::packet_of(tail, tail.source)));
}

void srp_receiver::show_packet() {
  if (!from_) from_ = !reserved_.empty() ? &reserved_ : !speculative_.empty() ? &speculative_ : nullptr;
  showing_ = from_ && !from_->empty() &&
             !(from_ == &speculative_ && from_->front().tail() && receipts_.size() >= places);
  out.valid.write(showing_);
  if (showing_) out.data.write(from_->front());
}

void srp_receiver::show_answer() {
  if (!telling_) {
    telling_ = !replies_.empty() ? &replies_ : !receipts_.empty() ? &receipts_ : nullptr;
    if (telling_) {
      flit& f = telling_->front();
      if (srp::message_of(f) == srp::message::grant) f.payload = srp::grant_times(f.payload, cycle());
      if (next_.lanes > 1) f.lane = lane_ahead(*routes_, next_, f);
    }
  }
  answers.valid.write(telling_ != nullptr);
  if (telling_) answers.data.write(telling_->front());
}

/// Whether the pin changes.
bool srp_receiver::offer(packet_in& pins, bool room) {
  const lane_mask ready = room ? 1 : 0;
  const bool changes = pins.ready.read() != ready;
  pins.ready.write(ready);
  return changes;
}

void srp_receiver::count(counters& all) const {
  all["srp.grants"] += static_cast<double>(grants_);
  all["srp.grant_wait"] += static_cast<double>(waited_);
  all["srp.acknowledgements"] += static_cast<double>(receipts_made_);
  all["srp.packets_dropped"] += static_cast<double>(dropped_);
}

}  // namespace spillway
