#include <algorithm>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/srp/srp_messages.hpp>
#include <spillway/hw/srp/srp_sender.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/hw/switching/packet_destination.hpp>
#include <spillway/hw/switching/packet_length.hpp>

namespace spillway {

void srp_sender_config::check() const {
  detail::need(packet_length >= 1, "packets have at least 1 flit");
  detail::need(pool >= 1 && pool <= 65535,
               "a sender has room for 1 to 65535 packets, found " + std::to_string(pool));
  detail::need(smallest >= 1, "a reservation is for at least 1 flit");
  detail::need(largest >= packet_length && largest >= smallest,
               "a reservation must be for a whole packet and for the smallest message: it is for up to " +
                   std::to_string(largest) + " flits, packets have up to " + std::to_string(packet_length) +
                   ", the smallest message has " + std::to_string(smallest));
}

srp_sender::srp_sender(const sc_core::sc_module_name& name, const srp_sender_config& config,
                       std::shared_ptr<const routing> routes, link_end next)
    : clocked(name),
      config_(detail::checked(config)),
      routes_(std::move(routes)),
      next_(next),
      flows_(config.reserve == srp_reserve::last_switch ? config.pool : config.terminals),
      places_(config.pool),
      flits_(std::size_t{config.pool} * config.packet_length) {
  for (packet_out* const o : {&speculative, &reserved, &requests}) o->lanes().declare(next.lanes);
  clear();
}

void srp_sender::clear() {
  held_ = 0;
  std::fill(flows_.begin(), flows_.end(), flow{});
  std::fill(places_.begin(), places_.end(), place{});
  order_.clear();
  free_.clear();
  for (unsigned number = config_.pool; number; --number) free_.push_back(number - 1);
  reservations_.clear();
  asking_ = false;
  waiting_ = 0;
  filling_ = none;
  open_ = false;
  for (outlet* const by : {&speculating_, &sending_}) by->place = none, by->showing = false;
}

void srp_sender::reset() {
  lost_ += held_;
  clear();
  in.ready.write(0);
  answers.ready.write(0);
  for (packet_out* const o : {&speculative, &reserved, &requests}) o->valid.write(false);
}

void srp_sender::tick() {
  now_ = cycle();
  hear();
  const bool spoke = send(speculating_), sent = send(sending_), asked = ask(), taken = take();
  if (waiting_) open_message();
  choose();
  show(speculating_), show(sending_), show_request();
  offer_room();
  if (spoke || sent || asked || taken) wake_at(now_ + 1);
}

void srp_sender::hear() {
  if (answers.crosses()) {
    heed(answers.data.read());
    wake_at(now_ + 1);  // the next one may look alike
  }
  if (answers.ready.read() != 0) return;
  answers.ready.write(1);
  wake_at(now_ + 1);
}

void srp_sender::heed(const flit& answer) {
  const srp::message what = srp::message_of(answer);
  if (what == srp::message::grant) {
    // Who asks for nothing, and a terminal that does not exist, grant nothing.
    if (config_.reserve == srp_reserve::last_switch || answer.source >= config_.terminals) return;
    flow& to = flows_[answer.source];
    to.is = phase::granted;
    to.start = srp::may_leave(answer, now_);
    settle(to);
    return;
  }
  const unsigned number = unanswered(answer);
  if (number == none) return;
  if (what == srp::message::delivered) {
    held_ -= places_[number].flits;
    release(number);
    return;
  }
  flow& to = flow_of(number);
  places_[number].is = state::due;
  ++refused_;
  if (what == srp::message::deferred) {
    to.is = phase::granted;
    to.start = srp::may_leave(answer, now_);
    return;
  }
  if (to.is != phase::speculating) return;
  if (config_.reserve == srp_reserve::after_drop)
    reserve(answer.source);
  else
    to.is = phase::stopped;
}

/// The speculative packet that the answer is about.
unsigned srp_sender::unanswered(const flit& answer) const {
  const auto found = std::find_if(order_.begin(), order_.end(), [&](unsigned number) {
    const flit& head = flits_[std::size_t{number} * config_.packet_length];
    return places_[number].is == state::unanswered &&
           srp::packet_of(head, head.destination) == srp::subject_of(answer, answer.source);
  });
  return found == order_.end() ? none : *found;
}

bool srp_sender::send(outlet& by) {
  if (!by.showing || !by.pins.crosses()) return false;
  place& p = places_[by.place];
  const bool for_good = &by == &sending_;
  held_ -= for_good;
  if (++p.sent < p.flits) return true;
  const unsigned number = by.place;
  p.sent = 0;
  by.place = none;
  if (for_good) release(number);
  return true;
}

bool srp_sender::ask() {
  if (!asking_ || !requests.crosses()) return false;
  flows_[reservations_.front()].is =
      config_.reserve == srp_reserve::after_drop ? phase::stopped : phase::speculating;
  reservations_.pop_front();
  asking_ = false;
  ++asked_;
  return true;
}

bool srp_sender::take() {
  if (!open_ || !in.crosses()) return false;
  const flit& f = in.data.read();
  if (f.head()) {
    check_length(*this, 0, f, config_.packet_length);
    check_destination(*this, 0, f, config_.terminals);
    filling_ = free_.back();
    free_.pop_back();
    places_[filling_] = {f.length, 0, state::filling, f.destination};
  }
  flit_of(filling_, f.index) = f;
  ++held_;
  if (!f.tail()) return true;
  places_[filling_].is = state::waiting;
  order_.push_back(filling_);
  ++waiting_;
  filling_ = none;
  return true;
}

/// The oldest packet that is of no message and may be, and what else waits for its destination.
void srp_sender::open_message() {
  const auto first = std::find_if(order_.begin(), order_.end(), [&](unsigned number) {
    return places_[number].is == state::waiting && flow_of(number).is == phase::idle;
  });
  if (first == order_.end()) return;
  flow& to = flow_of(*first);
  unsigned flits = 0;
  for (auto number = first; number != order_.end(); ++number) {
    place& p = places_[*number];
    if (p.is != state::waiting || &flow_of(*number) != &to) continue;
    if (flits + p.flits > config_.largest) break;
    flits += p.flits;
    p.is = state::due;
    ++to.packets;
    --waiting_;
  }
  to.flits = flits;
  to.reserved = flits >= config_.smallest;
  to.is = to.reserved ? phase::speculating : phase::granted;
  to.start = now_;
  wake_at(now_ + 1);  // for the next one
  if (to.reserved && config_.reserve == srp_reserve::first) reserve(places_[*first].destination);
}

void srp_sender::reserve(std::uint32_t destination) {
  flows_[destination].is = phase::asking;
  reservations_.push_back(destination);
}

/// The oldest packets that may go; if there is none, the block is called when there may be one.
void srp_sender::choose() {
  std::uint64_t soonest = ~std::uint64_t{0};
  for (const unsigned number : order_) {
    const place& p = places_[number];
    if (p.is != state::due || number == speculating_.place || number == sending_.place) continue;
    const flow& to = flow_of(number);
    if (to.is == phase::speculating && speculating_.place == none) {
      start(speculating_, number);
      places_[number].is = state::unanswered;
      ++speculative_;
    } else if (to.is == phase::granted && sending_.place == none) {
      if (to.start > now_) {
        soonest = std::min(soonest, to.start);
        continue;
      }
      start(sending_, number);
      ++(to.reserved ? reserved_ : unreserved_);
    }
    if (speculating_.place != none && sending_.place != none) return;
  }
  if (soonest != ~std::uint64_t{0}) wake_at(soonest);
}

void srp_sender::start(outlet& by, unsigned number) {
  by.place = number;
  aim(flit_of(number, 0));
  for (unsigned i = 1; i < places_[number].flits; ++i) flit_of(number, i).lane = flit_of(number, 0).lane;
}

void srp_sender::aim(flit& f) const {
  if (next_.lanes > 1) f.lane = lane_ahead(*routes_, next_, f);
}

void srp_sender::show(outlet& by) {
  by.showing = by.place != none;
  by.pins.valid.write(by.showing);
  if (!by.showing) return;
  const flit& f = flit_of(by.place, places_[by.place].sent);
  by.pins.data.write(f);
  if (accepts(by.pins.ready.read(), f)) wake_at(now_ + 1);
}

/// Of what is not known to have come by now.
void srp_sender::show_request() {
  const bool stays = asking_;
  asking_ = !reservations_.empty();
  requests.valid.write(asking_);
  if (!asking_) return;
  if (!stays) {
    const std::uint32_t to = reservations_.front();
    flit ask =
        srp::make_message(srp::message::reservation, config_.terminal, {to, 0, false}, flows_[to].flits);
    aim(ask);
    requests.data.write(ask);
  }
  if (requests.ready.read() != 0) wake_at(now_ + 1);
}

void srp_sender::offer_room() {
  open_ = filling_ != none || !free_.empty();
  in.ready.write(open_ ? 1 : 0);
  if (open_ && in.valid.read()) wake_at(now_ + 1);
}

/// The packet is no longer the sender's.
void srp_sender::release(unsigned number) {
  flow& to = flow_of(number);
  places_[number].is = state::free;
  free_.push_back(number);
  order_.erase(std::find(order_.begin(), order_.end(), number));
  --to.packets;
  to.flits -= places_[number].flits;
  settle(to);
}

/// Whether the message is done; then what waits for its destination is the next.
void srp_sender::settle(flow& f) {
  if (f.packets ||
      !(f.is == phase::granted || (config_.reserve != srp_reserve::first && f.is == phase::speculating)))
    return;
  f.is = phase::idle;
  if (waiting_) wake_at(now_ + 1);
}

void srp_sender::count(counters& all) const {
  all["srp.reservations"] += static_cast<double>(asked_);
  all["srp.packets_speculative"] += static_cast<double>(speculative_);
  all["srp.packets_refused"] += static_cast<double>(refused_);
  all["srp.packets_reserved"] += static_cast<double>(reserved_);
  all["srp.packets_unreserved"] += static_cast<double>(unreserved_);
}

}  // namespace spillway
