#include <algorithm>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/hw/wormhole/wormhole_router.hpp>

// What a router drops instead of letting it wait.

namespace spillway {

using masks::bit;

/// Of a packet of which no flit has left or has been shown; what remains of a dropped one stays.
template <class Set>
bool basic_wormhole_router<Set>::may_be_dropped(unsigned channel) const {
  if (!config_.drops || inputs_[channel].network != map_.network_of(channel)) return false;
  const flit& first = front(channel);
  return first.head() && !refused_.contains(channel) && life(channel) != drop_rule::never;
}

template <class Set>
std::uint64_t basic_wormhole_router<Set>::life(unsigned channel) const {
  return config_.drops->life(inputs_[channel].network, front(channel), place_of(channel));
}

template <class Set>
drop_place basic_wormhole_router<Set>::place_of(unsigned channel) const {
  if (!watches_terminals_) return {};
  const unsigned output = bound_[front_slot(channel)];
  return output == none_bound ? drop_place{} : drop_place{true, output, backlog_[output]};
}

/// Output by which alone the packet can go on, if that leads to a terminal; see none_bound.
template <class Set>
std::uint8_t basic_wormhole_router<Set>::terminal_ahead(unsigned i, const flit& head) const {
  const port_mask outputs = next_outputs(*routes_, node_, i, head, config_.outputs.size());
  const unsigned o = masks::lowest(outputs);
  return outputs == bit(o) && config_.outputs[o].terminal ? static_cast<std::uint8_t>(o) : none_bound;
}

template <class Set>
void basic_wormhole_router<Set>::count_bound(std::size_t slot, unsigned output) {
  bound_[slot] = static_cast<std::uint8_t>(output);
  if (output != none_bound) ++backlog_[output];
}

template <class Set>
void basic_wormhole_router<Set>::count_gone(std::size_t slot) {
  if (bound_[slot] != none_bound) --backlog_[bound_[slot]];
}

template <class Set>
std::uint64_t basic_wormhole_router<Set>::life_left(unsigned channel) const {
  const std::uint64_t most = life(channel);
  const std::uint32_t waited = static_cast<std::uint32_t>(cycle()) - arrived_[front_slot(channel)];
  if (most >= drop_rule::lasting) return most;
  return waited > most ? 0 : most - waited + 1;
}

/// Packets of which no flit is on a link.
template <class Set>
inline Set basic_wormhole_router<Set>::mortals() const {
  Set found;
  const auto look_at = [&](unsigned channel) {
    if (may_be_dropped(channel)) found.insert(channel);
  };
  waiting_.each(look_at);
  (active_ & requesting_).each(look_at);
  return found;
}

template <class Set>
void basic_wormhole_router<Set>::drop_expired() {
  mortals().each([this](unsigned channel) {
    if (life_left(channel) == 0) drop(channel);
  });
}

/// Has the block called when the next packet is to be dropped, of those that have not got a link.
template <class Set>
void basic_wormhole_router<Set>::await_expiry() {
  std::uint64_t soonest = drop_rule::never;
  mortals().each([&](unsigned channel) { soonest = std::min(soonest, life_left(channel)); });
  if (soonest < drop_rule::lasting) wake_at(cycle() + soonest);
}

/// What remains takes the place of the packet's last flit here, and has its route computed at the next edge;
/// what is still to come is discarded.
template <class Set>
void basic_wormhole_router<Set>::drop(unsigned channel) {
  input_channel& from = inputs_[channel];
  if (active_.contains(channel)) {
    free_.insert(from.output);
    active_.erase(channel);
    requesting_.erase(channel);
  }
  const flit& first = front(channel);
  const std::uint32_t arrived = arrived_[front_slot(channel)];
  const drop_place place = place_of(channel);
  const dropped_remains left = config_.drops->remains(first, place, cycle());
  const unsigned length = first.length, here = std::min<unsigned>(from.flits, length), gone = here - 1;
  for (unsigned n = 0; watches_terminals_ && n < here; ++n)
    count_gone(number_of_slot(channel, (from.first + n) % config_.depth));
  from.first = static_cast<std::uint16_t>((from.first + gone) % config_.depth);
  from.flits = static_cast<std::uint16_t>(from.flits - gone);
  from.network = static_cast<std::uint8_t>(left.network);
  if (left.returns) from.port = static_cast<std::uint8_t>(config_.outputs[place.output].entry);
  front(channel) = left.data;
  if (watches_terminals_) count_bound(front_slot(channel), terminal_ahead(from.port, left.data));
  arrived_[front_slot(channel)] = arrived;
  level_ -= gone;
  if (here < length) discarding_.insert(channel);
  if (gone) full_.erase(channel);
  touched_ |= bit(map_.port_of(channel));
  waiting_.erase(channel);
  routing_.insert(channel);
  retry_ = true;
  ++dropped_;
}

template std::uint8_t basic_wormhole_router<word_set>::terminal_ahead(unsigned, const flit&) const;
template void basic_wormhole_router<word_set>::count_bound(std::size_t, unsigned);
template void basic_wormhole_router<word_set>::count_gone(std::size_t);
template std::uint8_t basic_wormhole_router<two_level_set>::terminal_ahead(unsigned, const flit&) const;
template void basic_wormhole_router<two_level_set>::count_bound(std::size_t, unsigned);
template void basic_wormhole_router<two_level_set>::count_gone(std::size_t);
template bool basic_wormhole_router<word_set>::may_be_dropped(unsigned) const;
template bool basic_wormhole_router<two_level_set>::may_be_dropped(unsigned) const;
template void basic_wormhole_router<word_set>::drop_expired();
template void basic_wormhole_router<two_level_set>::drop_expired();
template void basic_wormhole_router<word_set>::await_expiry();
template void basic_wormhole_router<two_level_set>::await_expiry();

}  // namespace spillway
