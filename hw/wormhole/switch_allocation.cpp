#include <spillway/hw/wormhole/wormhole_router.hpp>

// Which flits get the links of a router in the next cycle.

namespace spillway {

using masks::bit;
using masks::lowest;

// A flit goes on its link if its channel has credit or, on a wide link that is idle, in the hope that it will
// have credit by the next edge. From there one whose channel has credit displaces it; but what was shown is
// owed to the link, which must stay valid until then (PL1).
template <class Set>
void basic_wormhole_router<Set>::allocate_switch() {
  take_back();
  if (requesting_.empty()) return;
  Set certain, hopeful;
  requesting_.each([&](unsigned channel) {
    const unsigned link = inputs_[channel].link;
    const bool wide = map_.wide().contains(link), idle = !busy_.contains(link);
    if (credit_.contains(inputs_[channel].output)) {
      if (wide || idle) certain.insert(channel);
    } else if (wide && idle) {
      hopeful.insert(channel);
    }
  });
  const port_mask served = certain.empty() ? 0 : grant_in_turn(certain);
  Set left;
  hopeful.each([&](unsigned channel) {
    if (!(served >> map_.port_of(channel) & 1) && !busy_.contains(inputs_[channel].link))
      left.insert(channel);
  });
  if (!left.empty()) grant_links(left);
  (refused_ & requesting_).each([this](unsigned channel) {
    if (const unsigned link = inputs_[channel].link; !busy_.contains(link)) put_on(link, channel);
  });
  certain |= hopeful;
  retry_ |= !(certain & requesting_).empty();
}

// Credit that was seen in the cycle of a transfer may have been taken by that very flit.
template <class Set>
inline void basic_wormhole_router<Set>::take_back() {
  (speculative_ & busy_).each([this](unsigned link) {
    const unsigned channel = links_[link].from;
    if (credit_.contains(inputs_[channel].output)) return;
    busy_.erase(link);
    requesting_.insert(channel);
  });
  speculative_.clear();
}

/// Those that share their input or their link with another.
template <class Set>
inline Set basic_wormhole_router<Set>::rivals_among(const Set& requests) const {
  Set links, contested_links, rivals;
  port_mask inputs = 0, contested_inputs = 0;
  requests.each([&](unsigned channel) {
    const port_mask input = bit(map_.port_of(channel));
    const unsigned link = inputs_[channel].link;
    contested_inputs |= inputs & input;
    inputs |= input;
    if (links.contains(link)) contested_links.insert(link);
    links.insert(link);
  });
  if (!contested_inputs && contested_links.empty()) return rivals;
  requests.each([&](unsigned channel) {
    if ((contested_inputs >> map_.port_of(channel) & 1) || contested_links.contains(inputs_[channel].link))
      rivals.insert(channel);
  });
  return rivals;
}

/// Returns the inputs that got a link: with priorities, of those that are left by higher networks.
template <class Set>
inline port_mask basic_wormhole_router<Set>::grant_in_turn(const Set& requests) {
  if (!config_.priority) return grant_links(requests);
  port_mask served = 0;
  Set taken;  // links
  for (unsigned n = config_.networks; n--;) {
    Set own;
    requests.each([&](unsigned channel) {
      const input_channel& from = inputs_[channel];
      if (from.network == n && !(served >> map_.port_of(channel) & 1) && !taken.contains(from.link))
        own.insert(channel);
    });
    if (own.empty()) continue;
    served |= grant_links(own);
    own.each([&](unsigned channel) {
      if (!requesting_.contains(channel)) taken.insert(inputs_[channel].link);
    });
  }
  return served;
}

/// Returns the inputs that got a link.
template <class Set>
inline port_mask basic_wormhole_router<Set>::grant_links(const Set& requests) {
  port_mask served = 0;
  const auto grant = [&](unsigned i, unsigned channel, unsigned link) {
    channel_arbiter_[i].granted(map_.lane(channel));
    put_on(link, channel);
    served |= bit(i);
  };
  const Set rivals = requests.several() ? rivals_among(requests) : Set();
  (requests - rivals).each([&](unsigned channel) {
    const unsigned i = map_.port_of(channel), link = inputs_[channel].link;
    link_allocator_.grant_alone(i, link);
    grant(i, channel, link);
  });
  if (rivals.empty()) return served;
  port_mask inputs = 0;
  rivals.each([&](unsigned channel) { inputs |= bit(map_.port_of(channel)); });
  for (; inputs; inputs &= inputs - 1) {
    Set wanted;
    for (std::uint64_t own = map_.at_port(rivals, lowest(inputs)); own; own &= own - 1)
      wanted.insert(inputs_[map_.number(lowest(inputs), lowest(own))].link);
    link_allocator_.request(lowest(inputs), wanted);
  }
  link_allocator_.allocate([&](unsigned i, unsigned link) {
    std::uint64_t fit = 0;
    for (std::uint64_t own = map_.at_port(rivals, i); own; own &= own - 1)
      if (inputs_[map_.number(i, lowest(own))].link == link) fit |= bit(lowest(own));
    grant(i, map_.number(i, channel_arbiter_[i].pick(fit)), link);
  });
  return served;
}

template <class Set>
inline void basic_wormhole_router<Set>::put_on(unsigned link, unsigned channel) {
  output_link& to = links_[link];
  if (busy_.contains(link)) {
    requesting_.insert(to.from);
    refused_.insert(to.from);
  }
  to.from = static_cast<index>(channel);
  front(channel).lane = map_.lane_of(inputs_[channel].output);  // long before the flit is read whole
  busy_.insert(link);
  requesting_.erase(channel);
  shown_.erase(link);
  if (map_.wide().contains(link)) return;
  speculative_.insert(link);
  to.due = due_on(link, channel);
}

/// Edge at which a flit that is put on this link, which is not wide, can cross.
template <class Set>
inline std::uint64_t basic_wormhole_router<Set>::due_on(unsigned link, unsigned channel) const {
  const router_port& port = config_.outputs[map_.output_of_link(link)];
  if (!port.time_multiplexed) return cycle() + port.cycles;
  // The first cycle of the network after this one, and as many of its own as a flit takes.
  const unsigned networks = config_.networks, network = inputs_[channel].network;
  const auto now = static_cast<unsigned>((cycle() + 1 + config_.phase) % networks);
  const unsigned wait = (network + networks - now) % networks;
  return cycle() + 1 + wait + std::uint64_t{port.cycles - 1} * networks;
}

template void basic_wormhole_router<word_set>::allocate_switch();
template void basic_wormhole_router<two_level_set>::allocate_switch();

}  // namespace spillway
