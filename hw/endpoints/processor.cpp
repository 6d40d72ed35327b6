#include <algorithm>
#include <cmath>
#include <spillway/hw/endpoints/processor.hpp>
#include <spillway/hw/kernel/draw.hpp>

namespace spillway {

/// Past the numbers of terminals and links, by which others draw.
constexpr std::uint64_t away_stream = std::uint64_t{1} << 41;

void processor_config::check() const {
  detail::need(away_every == 0 || away_for >= 1,
               "a processor that goes away does so for 1 cycle or more, found 0");
}

processor::processor(const sc_core::sc_module_name& name, unsigned terminal, const processor_config& config,
                     std::unique_ptr<packet_supply> supply, endpoint_observer& observer)
    : clocked(name),
      terminal_(terminal),
      config_(detail::checked(config)),
      maker_(terminal, std::move(supply), observer, 0),
      costs_(dynamic_cast<const handler_costs*>(&maker_.supply())) {}

std::uint64_t processor::held_flits() const {
  return valid_ ? maker_.flits() - showing_.index : maker_.flits();
}

void processor::reset() {
  lost_ += held_flits() + maker_.supply().forget();
  maker_.waiting().clear();
  work_ = work::idle;
  valid_ = open_ = polling_ = transferred_ = false;
  passed_ = reached_ = 0;
  in.ready.write(0);
  out.valid.write(false);
  reached.write(0);
}

void processor::tick() {
  if (passed.read() != passed_) {
    maker_.supply().passed(cycle(), passed_ = passed.read());
    call_at(cycle() + 1);
  }
  send_flit();
  receive_flit();
  const packet_maker::outcome made = maker_.make(cycle());
  if (made.made) call_at(cycle() + 1);
  if (made.next != packet_supply::never) call_at(made.next);
  if (work_ != work::idle && transferred_) {
    if (cycle() >= free_at_)
      work_ = work::idle;
    else
      call_at(free_at_);
  }
  if (work_ == work::idle) choose();
  // Who still has a packet to send has not come to the barrier; its tail leaves in the last cycle of the
  // overhead.
  if (maker_.waiting().empty()) reached_ = maker_.supply().barriers();
  reached.write(reached_);
  in.ready.write(open_ ? 1 : 0);
  out.valid.write(valid_);
  if (valid_) out.data.write(showing_);
}

void processor::call_at(std::uint64_t at) {
  if (at > cycle()) wake_at(at);
}

void processor::send_flit() {
  if (work_ != work::sending || transferred_) return;
  if (!valid_) {
    if (cycle() < shows_at_) {
      call_at(shows_at_);
      return;
    }
    // What was free at the time of the choice may have been the end of the packet before.
    valid_ = (out.ready.read() & 1) != 0;
    if (!valid_) work_ = work::idle;
    call_at(cycle() + 1);
    return;
  }
  if (!(out.ready.read() & 1)) return;
  call_at(cycle() + 1);
  if (showing_.head()) maker_.observer().injected(cycle(), showing_);
  if (!showing_.tail()) {
    ++showing_.index;
    showing_.payload = check_value(showing_);
    return;
  }
  maker_.waiting().pop_front();
  ++sent_;
  valid_ = false;
  transferred_ = true;
}

void processor::receive_flit() {
  if (!in.crosses()) return;
  call_at(cycle() + 1);
  const flit& f = in.data.read();
  maker_.observer().delivered(cycle(), terminal_, f);
  maker_.supply().arrived(cycle(), f);
  if (f.tail()) {
    ++received_;
    open_ = false;
    transferred_ = true;
    free_at_ = std::max(free_at_, cycle() + 1);  // the pin still shows this flit
  }
}

/// What to do next.
void processor::choose() {
  if (away() || !at_a_poll()) return;
  if (comes()) {
    work_ = work::receiving;
    open_ = true;
    free_at_ = cycle() + config_.receive + (costs_ ? costs_->handling(in.data.read()) : 0);
  } else if (!maker_.waiting().empty() && (out.ready.read() & 1)) {
    work_ = work::sending;
    showing_ = maker_.waiting().front();
    free_at_ = cycle() + config_.poll + config_.send;
    shows_at_ =
        std::max(cycle() + config_.poll, free_at_ - std::min<std::uint64_t>(showing_.length, free_at_));
  } else {
    if (!polling_) polled_at_ = cycle();
    polling_ = true;
    call_when_away();
    return;
  }
  polling_ = transferred_ = false;
  call_at(cycle() + 1);
}

/// Polls follow each other as long as they find nothing.
bool processor::at_a_poll() {
  if (!polling_ || config_.poll < 2) return true;
  const std::uint64_t into = (cycle() - polled_at_) % config_.poll;
  if (into == 0) return true;
  const bool something = comes() || (!maker_.waiting().empty() && (out.ready.read() & 1));
  if (something) call_at(cycle() + config_.poll - into);
  return false;
}

bool processor::away() {
  std::uint64_t until = 0;
  for (const pause_interval& p : config_.pauses)
    if (cycle() >= p.from && cycle() < p.until) until = p.until;
  while (config_.away_every && cycle() >= away_until_) {
    const double u =
        static_cast<double>(draw(config_.seed, away_stream + terminal_, times_away_++) >> 11) * 0x1p-53;
    away_from_ = away_until_ + 1 +
                 static_cast<std::uint64_t>(-std::log1p(-u) * static_cast<double>(config_.away_every));
    away_until_ = away_from_ + config_.away_for;
  }
  if (config_.away_every && cycle() >= away_from_) until = std::max(until, away_until_);
  if (!until) return false;
  polling_ = false;
  if (until != packet_supply::never) call_at(until);
  return true;
}

/// A time away interrupts the row of polls, also where nothing else happens.
void processor::call_when_away() {
  if (config_.away_every) call_at(away_from_);
  for (const pause_interval& p : config_.pauses) call_at(p.from);
}

void processor::count(counters& all) const {
  all["processor.sent"] += static_cast<double>(sent_);
  all["processor.received"] += static_cast<double>(received_);
}

void phase_barrier::reset() {
  shown_ = coming_ = 0;
  due_ = 0;
  passed.write(0);
}

void phase_barrier::tick() {
  std::uint32_t least = ~std::uint32_t{0};
  for (const auto& r : reached) least = std::min(least, r.read());
  if (least != coming_) {
    coming_ = least;
    due_ = cycle() + latency_ - 1;
  }
  if (coming_ == shown_) return;
  if (cycle() < due_) return wake_at(due_);
  passed.write(shown_ = coming_);
  wake_at(cycle() + 1);
}

}  // namespace spillway
