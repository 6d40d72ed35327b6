#include <spillway/hw/nifdy/nifdy_arrivals.hpp>

namespace spillway {

namespace {
constexpr std::size_t most_acknowledgements = 2;
}

nifdy_arrivals::nifdy_arrivals(const sc_core::sc_module_name& name, const nifdy_config& config)
    : clocked(name), config_(config) {}

std::uint64_t nifdy_arrivals::held_flits() const {
  std::uint64_t flits = 0;
  for (const entry& e : packets_) flits += e.flits.size();
  return flits;
}

void nifdy_arrivals::reset() {
  lost_ += held_flits();
  packets_.clear();
  inside_ = {};
  dropping_ = showing_ = false;
  acknowledgements_.clear();
  sources_.clear();
  turn_ = 0;
  scalar.ready.write(0);
  bulk.ready.write(0);
  out.valid.write(false);
  accepted.valid.write(false);
}

bool nifdy_arrivals::to_be_acknowledged(const flit& f) const {
  return config_.protocol && !nifdy::has(f, nifdy::bulk) && !nifdy::has(f, nifdy::bypass);
}

void nifdy_arrivals::tick() {
  if (!acknowledgements_.empty() && accepted.valid.read() && (accepted.ready.read() & 1)) {
    acknowledgements_.pop_front();
    wake_at(cycle() + 1);
  }
  deliver();
  take(0);
  take(1);
  show();
  offer_room();
}

void nifdy_arrivals::deliver() {
  if (!showing_ || !(out.ready.read() & 1)) return;
  entry& front = packets_.front();
  const flit f = front.flits.front();
  front.flits.pop_front();
  if (f.head() && config_.ack_when == nifdy_ack::accepted && to_be_acknowledged(f)) {
    if (config_.lossy()) sources_[f.source].acknowledged = true;
    acknowledge(f);
  }
  if (f.tail()) packets_.pop_front();
  showing_ = false;
  wake_at(cycle() + 1);
}

void nifdy_arrivals::acknowledge(const flit& head) {
  acknowledgements_.push_back(head);
  acknowledgements_.back().length = 1;
}

void nifdy_arrivals::take(unsigned input) {
  packet_in& from = pins(input);
  if (!from.crosses()) return;
  wake_at(cycle() + 1);
  const flit& f = from.data.read();
  inside_[input] = !f.tail();
  if (input == 0 && (f.head() ? !take_scalar_head(f) : dropping_)) {
    dropping_ = !f.tail();
    return;
  }
  if (f.head()) {
    packets_.push_back({{}, f.length, input});
    turn_ = 1 - input;
  }
  for (entry& e : packets_) {
    if (e.input != input || !e.to_come) continue;
    --e.to_come;
    e.flits.push_back(f);
    break;
  }
}

/// Whether the packet is new, rather than one that has been here before.
bool nifdy_arrivals::take_scalar_head(const flit& f) {
  if (!to_be_acknowledged(f)) return true;
  if (config_.lossy()) {
    seen& from = sources_[f.source];
    if (from.toggle == nifdy::has(f, nifdy::toggle)) {
      ++duplicates_;
      // Its acknowledgement may be lost; one that has not been accepted yet is acknowledged in its time.
      if (from.acknowledged) acknowledge(f);
      return false;
    }
    from.toggle = !from.toggle;
    from.acknowledged = config_.ack_when == nifdy_ack::inserted;
  }
  if (config_.ack_when == nifdy_ack::inserted) acknowledge(f);
  return true;
}

void nifdy_arrivals::show() {
  if (!showing_ && !packets_.empty() && !packets_.front().flits.empty()) {
    const flit& f = packets_.front().flits.front();
    // An accepted head is told at once.
    showing_ = !f.head() || !to_be_acknowledged(f) || acknowledgements_.size() < most_acknowledgements;
    if (showing_) wake_at(cycle() + 1);
  }
  out.valid.write(showing_);
  if (showing_) out.data.write(packets_.front().flits.front());
  accepted.valid.write(!acknowledgements_.empty());
  if (!acknowledgements_.empty()) accepted.data.write(acknowledgements_.front());
}

void nifdy_arrivals::offer_room() {
  const std::size_t free = packets_.size() < config_.arrivals ? config_.arrivals - packets_.size() : 0;
  // Both inputs may take a head at one edge; with one buffer left, those that show one come first, in turn.
  const bool wanted[] = {scalar.valid.read() && !inside_[0], bulk.valid.read() && !inside_[1]};
  const unsigned first = wanted[turn_] || !wanted[1 - turn_] ? turn_ : 1 - turn_;
  for (unsigned input = 0; input < 2; ++input) {
    const bool room = free >= 2 || (free == 1 && (input == first || inside_[1 - input]));
    const bool ack_room = input == 1 || acknowledgements_.size() < most_acknowledgements;
    const lane_mask ready = inside_[input] || (room && ack_room) ? 1 : 0;
    if (ready != pins(input).ready.read()) wake_at(cycle() + 1);
    pins(input).ready.write(ready);
  }
}

void nifdy_arrivals::count(counters& all) const {
  all["nifdy.duplicates_dropped"] += static_cast<double>(duplicates_);
}

}  // namespace spillway
