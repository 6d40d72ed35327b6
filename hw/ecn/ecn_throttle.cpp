#include <algorithm>
#include <spillway/hw/ecn/ecn_marks.hpp>
#include <spillway/hw/ecn/ecn_throttle.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/hw/switching/packet_destination.hpp>
#include <spillway/hw/switching/packet_length.hpp>

namespace spillway {

void ecn_throttle_config::check() const {
  detail::need(packet_length >= 1, "packets have at least 1 flit");
  detail::need(pool >= 1 && pool <= 65535,
               "a throttle has room for 1 to 65535 packets, found " + std::to_string(pool));
  delays.check();
}

ecn_throttle::ecn_throttle(const sc_core::sc_module_name& name, const ecn_throttle_config& config,
                           std::shared_ptr<const routing> routes, link_end next)
    : clocked(name),
      config_(detail::checked(config)),
      routes_(std::move(routes)),
      next_(next),
      delays_(config.delays, config.terminals),
      tail_sent_(config.terminals),
      places_(config.pool),
      flits_(std::size_t{config.pool} * config.packet_length) {
  out.lanes().declare(next.lanes);
  clear(0);
}

void ecn_throttle::clear(std::uint64_t now) {
  held_ = 0;
  now_ = now;
  delays_.clear(now_);
  std::fill(tail_sent_.begin(), tail_sent_.end(), now_);
  waiting_.clear();
  free_.clear();
  for (unsigned number = config_.pool; number; --number) free_.push_back(number - 1);
  filling_ = sending_ = none;
  turn_ = 0;
  open_ = showing_ = false;
}

void ecn_throttle::reset() {
  lost_ += held_;
  clear(cycle());
  in.ready.write(0);
  notices.ready.write(0);
  out.valid.write(false);
}

void ecn_throttle::tick() {
  now_ = cycle();
  hear();
  const bool sent = send(), taken = take();
  if (sending_ == none) start();
  show();
  offer_room();
  if (sent || taken) wake_at(cycle() + 1);
}

void ecn_throttle::hear() {
  if (notices.crosses()) {
    delays_.raise(notices.data.read().source, now_);
    ++heard_;
    wake_at(cycle() + 1);  // the next one may look alike
  }
  if (notices.ready.read() != 0) return;
  notices.ready.write(1);
  wake_at(cycle() + 1);
}

bool ecn_throttle::send() {
  if (!showing_ || !out.crosses()) return false;
  --held_;
  place& p = places_[sending_];
  if (++p.sent == p.flits) {
    tail_sent_[p.destination] = now_;
    free_.push_back(sending_);
    sending_ = none;
  }
  return true;
}

bool ecn_throttle::take() {
  if (!open_ || !in.crosses()) return false;
  const flit& f = in.data.read();
  if (f.head()) {
    check_length(*this, 0, f, config_.packet_length);
    check_destination(*this, 0, f, config_.terminals);
    filling_ = free_.back();
    free_.pop_back();
    places_[filling_] = {f.length, 0, f.destination};
  }
  flit_of(filling_, f.index) = f;
  ++held_;
  if (!f.tail()) return true;
  waiting_.push_back(filling_);
  filling_ = none;
  return true;
}

/// If no packet may go, the block is called when one may.
void ecn_throttle::start() {
  if (waiting_.empty()) return;
  const auto chosen = choose();
  if (chosen == waiting_.end()) return;
  sending_ = *chosen;
  waiting_.erase(chosen);
  const unsigned destination = places_[sending_].destination;
  turn_ = destination + 1;
  delayed_ += delays_.at(destination, now_) != 0;
  if (next_.lanes == 1) return;
  const std::uint8_t lane = lane_ahead(*routes_, next_, flit_of(sending_, 0));
  for (unsigned i = 0; i < places_[sending_].flits; ++i) flit_of(sending_, i).lane = lane;
}

std::vector<unsigned>::iterator ecn_throttle::choose() {
  const bool in_turn = config_.choice == ecn_choice::round_robin;
  const auto turns_until = [this](unsigned destination) {
    return (destination + config_.terminals - turn_) % config_.terminals;
  };
  std::uint64_t soonest = delays_.next_expiry(now_);
  auto chosen = waiting_.end();
  for (auto number = waiting_.begin(); number != waiting_.end(); ++number) {
    const unsigned destination = places_[*number].destination;
    const std::uint64_t may_go = may_go_at(destination);
    if (may_go > now_)
      soonest = std::min(soonest, may_go);
    else if (chosen == waiting_.end() || turns_until(destination) < turns_until(places_[*chosen].destination))
      chosen = number;
    if (!in_turn && chosen != waiting_.end()) return chosen;
  }
  if (chosen == waiting_.end()) wake_at(soonest);
  return chosen;
}

void ecn_throttle::show() {
  showing_ = sending_ != none;
  out.valid.write(showing_);
  if (!showing_) return;
  const flit& f = flit_of(sending_, places_[sending_].sent);
  out.data.write(f);
  if (accepts(out.ready.read(), f)) wake_at(cycle() + 1);
}

void ecn_throttle::offer_room() {
  open_ = filling_ != none || !free_.empty();
  in.ready.write(open_ ? 1 : 0);
  if (open_ && in.valid.read()) wake_at(cycle() + 1);
}

void ecn_throttle::count(counters& all) const {
  all["ecn.notifications_heard"] += static_cast<double>(heard_);
  all["ecn.packets_delayed"] += static_cast<double>(delayed_);
}

}  // namespace spillway
