#include <algorithm>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/hw/switching/packet_length.hpp>
#include <spillway/hw/wormhole/wormhole_router.hpp>

namespace spillway {

using namespace masks;

wormhole_router::wormhole_router(const sc_core::sc_module_name& name, const router_config& config,
                                 unsigned node, std::shared_ptr<const routing> routes)
    : switch_block(name, static_cast<unsigned>(config.inputs.size()),
                   static_cast<unsigned>(config.outputs.size())),
      config_(config),
      map_(config),
      node_(node),
      routes_(std::move(routes)),
      in_order_(routes_->in_order()),
      flit_by_flit_(config.flow == router_flow::wormhole && !config.one_packet),
      channel_allocator_(static_cast<unsigned>(config.inputs.size()) * config.lanes(),
                         static_cast<unsigned>(config.outputs.size()) * config.lanes()),
      link_allocator_(static_cast<unsigned>(config.inputs.size()), map_.links()),
      slots_(config.inputs.size() * config.lanes() * config.depth),
      queues_(config.inputs.size() * config.lanes()),
      links_(map_.links()),
      queue_arbiter_(config.inputs.size()),
      offered_(config.inputs.size()),
      credit_(config.outputs.size()),
      entry_(config.inputs.size() * config.networks) {
  for (unsigned o = 0; o < config.outputs.size(); ++o)
    for (unsigned n = 0; n < config.networks; ++n)
      if (!config.outputs[o].terminal) escape_ |= map_.channels_of(o, n, routes_->escape());
  clear();
}

void wormhole_router::clear() {
  channel_allocator_.clear();
  link_allocator_.clear();
  for (round_robin_arbiter& a : queue_arbiter_) a.clear();
  std::fill(queues_.begin(), queues_.end(), queue{});
  std::fill(offered_.begin(), offered_.end(), 0);
  std::fill(credit_.begin(), credit_.end(), 0);
  std::fill(entry_.begin(), entry_.end(), none);
  occupied_ = full_ = allocated_ = inside_ = loaded_ = owed_ = ready_ = cooling_ = shown_ways_ = busy_ =
      fresh_ = shown_ = 0;
  free_ = map_.usable();
  showing_ = sampled_valid_ = 0;
  touched_ = ~port_mask{0} >> (64 - config_.inputs.size());
  level_ = 0;
}

void wormhole_router::reset() {
  lost_ += level_;
  clear();
  for (packet_in& i : in) i.ready.write(0);
  for (packet_out& o : out) o.valid.write(false);
}

void wormhole_router::tick() {
  retry_ = false;
  send();
  receive();
  if (occupied_ & ~allocated_) allocate_channels();
  cooling_ = 0;
  allocate_links();
  show();
  offer_room();
  if (goes_on()) wake_at(cycle() + 1);
}

inline void wormhole_router::send() {
  lane_mask* credit = credit_.data();
  unsigned o = 0;
  for (const packet_out& pins : out) {
    const lane_mask now = pins.ready.read();
    if (now != *credit) {
      *credit = now;
      ready_ = (ready_ & ~map_.of_port(o)) | map_.channels_ready(o, now);
    }
    ++credit, ++o;
  }
  for (std::uint64_t rest = shown_ways_ & ready_; rest; rest &= rest - 1)
    transfer(map_.link_of(lowest(rest)));
}

inline void wormhole_router::transfer(unsigned link) {
  const unsigned q = links_[link].from;
  queue& from = queues_[q];
  if (front(q).data.tail()) {
    allocated_ &= ~bit(q);
    free_ |= bit(from.way);
    // What the ready pin tells of this channel is from before the tail.
    if (config_.one_packet) cooling_ |= bit(from.way);
    from.wants = 0;
  }
  if (++from.first == config_.depth) from.first = 0;
  if (--from.flits == 0) occupied_ &= ~bit(q);
  full_ &= ~bit(q);
  busy_ &= ~bit(link);
  shown_ &= ~bit(link);
  loaded_ &= ~bit(q);
  owed_ &= ~bit(q);
  touched_ |= bit(map_.input_of(q));
  --level_;
  ++forwarded_;
}

inline void wormhole_router::receive() {
  port_mask valid = 0;
  unsigned port = 0;
  for (const packet_in& pins : in) valid |= std::uint64_t{pins.valid.read()} << port++;
  sampled_valid_ = valid;
  for (port_mask rest = valid; rest; rest &= rest - 1) {
    const unsigned i = lowest(rest);
    const flit& f = in[i].data.read();
    if (accepts(offered_[i], f)) accept(i, f);
  }
}

inline void wormhole_router::accept(unsigned i, const flit& f) {
  const router_port& port = config_.inputs[i];
  if (config_.flow != router_flow::wormhole) check_length(*this, i, f, config_.packet_length);
  unsigned q = i * map_.lanes() + f.lane;
  if (port.terminal) {
    const unsigned network = port.network + f.lane;
    std::uint8_t& entry = entry_[i * config_.networks + network];
    if (entry == none) entry = static_cast<std::uint8_t>(entry_queue(i, network));
    q = entry;
    if (f.tail()) entry = none;
  }
  queue& to = queues_[q];
  const unsigned place = to.first + to.flits;
  slot& s = slots_[std::size_t{q} * config_.depth + (place >= config_.depth ? place - config_.depth : place)];
  s.data = f;
  if (port.terminal) s.data.lane = static_cast<std::uint8_t>(q - i * map_.lanes());
  s.arrived = static_cast<std::uint32_t>(cycle());
  if (++to.flits == config_.depth) full_ |= bit(q);
  occupied_ |= bit(q);
  inside_ = f.tail() ? inside_ & ~bit(q) : inside_ | bit(q);
  touched_ |= bit(i);
  ++level_;
}

inline void wormhole_router::allocate_channels() {
  unsigned open = 0;  // requests that were not granted
  for (std::uint64_t rest = occupied_ & ~allocated_; rest; rest &= rest - 1) {
    const unsigned q = lowest(rest);
    if (!eligible(q)) continue;
    queue& from = queues_[q];
    if (!from.wants) from.wants = wanted_by(q);
    retry_ |= (from.wants & cooling_) != 0;
    std::uint64_t channels = from.wants & free_ & ~cooling_;
    if (config_.one_packet || (channels & ready_)) channels &= ready_;
    if (channels & ~escape_) channels &= ~escape_;
    if (!channels) continue;
    channel_allocator_.request(q, channels);
    ++open;
  }
  if (!open) return;
  channel_allocator_.allocate([&](unsigned q, unsigned channel) {
    queues_[q].way = static_cast<std::uint8_t>(channel);
    queues_[q].link = static_cast<std::uint8_t>(map_.link_of(channel));
    allocated_ |= bit(q);
    free_ &= ~bit(channel);
    --open;
  });
  retry_ |= open != 0;
}

inline bool wormhole_router::eligible(unsigned q) {
  const slot& head = front(q);
  std::uint32_t since = head.arrived;
  if (config_.flow == router_flow::store_and_forward) {
    if (queues_[q].flits < head.data.length) return false;
    const unsigned last = queues_[q].first + head.data.length - 1;
    since = slots_[std::size_t{q} * config_.depth + last % config_.depth].arrived;
  }
  const bool entered = config_.inputs[map_.input_of(q)].terminal;
  const unsigned wait = config_.latency - 1 + (entered ? config_.entry_latency : 0);
  if (static_cast<std::uint32_t>(cycle()) - since >= wait) return true;
  retry_ = true;
  return false;
}

inline std::uint64_t wormhole_router::wanted_by(unsigned q) const {
  const flit& f = front(q).data;
  const unsigned i = map_.input_of(q), network = map_.network_of(q);
  port_mask outputs = routes_->outputs(node_, i, f);
  if (config_.random_output && outputs) outputs = drawn(outputs, f);
  std::uint64_t channels = 0;
  for (; outputs; outputs &= outputs - 1) {
    const unsigned o = lowest(outputs);
    channels |= map_.channels_of(o, network, routes_->channels(node_, i, o, f));
  }
  return channels;
}

/// One of the outputs, by a hash of the packet and the router: no state, and alike on every kernel.
port_mask wormhole_router::drawn(port_mask outputs, const flit& f) const {
  const std::uint64_t hash =
      scatter((std::uint64_t{f.source} << 32 | f.packet) + node_ * std::uint64_t{0x9e3779b97f4a7c15});
  const auto size = static_cast<unsigned>(__builtin_popcountll(outputs));
  for (auto skip = static_cast<unsigned>(hash % size); skip; --skip) outputs &= outputs - 1;
  return outputs & (~outputs + 1);
}

// A flit goes on its link if its channel has room or, on a wide link that is idle, in the hope that it will
// have room by the next edge. From there one whose channel has room displaces it; but what was shown is owed
// to the link, which must stay valid until then (PL1).
inline void wormhole_router::allocate_links() {
  take_back();
  const std::uint64_t wanting = occupied_ & allocated_ & ~loaded_;
  if (!wanting) return;
  std::uint64_t sure = 0, hopeful = 0;
  for (std::uint64_t rest = wanting; rest; rest &= rest - 1) {
    const unsigned q = lowest(rest);
    const std::uint64_t link = bit(queues_[q].link);
    if (ready_ >> queues_[q].way & 1)
      sure |= busy_ & ~map_.wide() & link ? 0 : bit(q);
    else
      hopeful |= map_.wide() & ~busy_ & link ? bit(q) : 0;
  }
  const std::uint64_t served = sure ? load(sure) : 0;
  std::uint64_t left = 0;
  for (std::uint64_t rest = hopeful & ~served; rest; rest &= rest - 1)
    if (!(busy_ >> queues_[lowest(rest)].link & 1)) left |= rest & (~rest + 1);
  if (left) load(left);
  for (std::uint64_t rest = owed_ & ~loaded_; rest; rest &= rest - 1)
    if (const unsigned link = queues_[lowest(rest)].link; !(busy_ >> link & 1)) put_on(link, lowest(rest));
  retry_ |= ((sure | hopeful) & ~loaded_) != 0;
}

// Room that was seen in the cycle of a transfer may have been taken by that very flit.
inline void wormhole_router::take_back() {
  for (std::uint64_t rest = fresh_ & busy_; rest; rest &= rest - 1) {
    const unsigned q = links_[lowest(rest)].from;
    if (ready_ >> queues_[q].way & 1) continue;
    busy_ &= ~bit(lowest(rest));
    loaded_ &= ~bit(q);
  }
  fresh_ = 0;
}

/// Those that share their input or their link with another.
inline std::uint64_t wormhole_router::rivals_among(std::uint64_t candidates) const {
  std::uint64_t links = 0, contested_links = 0, rivals = 0;
  port_mask inputs = 0, contested_inputs = 0;
  for (std::uint64_t rest = candidates; rest; rest &= rest - 1) {
    const port_mask input = bit(map_.input_of(lowest(rest)));
    const std::uint64_t link = bit(queues_[lowest(rest)].link);
    contested_inputs |= inputs & input;
    contested_links |= links & link;
    inputs |= input;
    links |= link;
  }
  if (!contested_inputs && !contested_links) return 0;
  for (std::uint64_t rest = candidates; rest; rest &= rest - 1) {
    const unsigned q = lowest(rest);
    if ((contested_inputs >> map_.input_of(q) & 1) || (contested_links >> queues_[q].link & 1))
      rivals |= bit(q);
  }
  return rivals;
}

/// Returns all queues of the inputs that got a link.
std::uint64_t wormhole_router::load(std::uint64_t candidates) {
  std::uint64_t served = 0;
  const auto give = [&](unsigned i, unsigned q, unsigned link) {
    queue_arbiter_[i].granted(q);
    put_on(link, q);
    served |= map_.of_port(i);
  };
  const bool several = candidates & (candidates - 1);
  const std::uint64_t rivals = several ? rivals_among(candidates) : 0;
  for (std::uint64_t rest = candidates & ~rivals; rest; rest &= rest - 1) {
    const unsigned q = lowest(rest), i = map_.input_of(q), link = queues_[q].link;
    link_allocator_.grant_alone(i, link);
    give(i, q, link);
  }
  if (!rivals) return served;
  for (std::uint64_t rest = rivals; rest;) {
    const unsigned i = map_.input_of(lowest(rest));
    std::uint64_t wanted = 0;
    for (std::uint64_t own = rest & map_.of_port(i); own; own &= own - 1)
      wanted |= bit(queues_[lowest(own)].link);
    rest &= ~map_.of_port(i);
    link_allocator_.request(i, wanted);
  }
  link_allocator_.allocate([&](unsigned i, unsigned link) {
    std::uint64_t fit = 0;
    for (std::uint64_t rest = rivals & map_.of_port(i); rest; rest &= rest - 1)
      if (queues_[lowest(rest)].link == link) fit |= rest & (~rest + 1);
    give(i, queue_arbiter_[i].pick(fit), link);
  });
  return served;
}

inline void wormhole_router::put_on(unsigned link, unsigned q) {
  if (busy_ >> link & 1) {
    loaded_ &= ~bit(links_[link].from);
    owed_ |= bit(links_[link].from);
  }
  links_[link].from = static_cast<std::uint8_t>(q);
  links_[link].due = cycle() + 1;
  busy_ |= bit(link);
  loaded_ |= bit(q);
  shown_ &= ~bit(link);
  if (map_.wide() >> link & 1) return;
  fresh_ |= bit(link);
  const router_port& port = config_.outputs[map_.output_of_link(link)];
  if (!port.time_multiplexed) {
    links_[link].due = cycle() + port.cycles;
    return;
  }
  // The first cycle of the network after this one, and as many of its own as a flit takes.
  const unsigned networks = config_.networks, network = map_.network_of(q);
  const auto now = static_cast<unsigned>((cycle() + 1 + config_.phase) % networks);
  const unsigned wait = (network + networks - now) % networks;
  links_[link].due = cycle() + 1 + wait + std::uint64_t{port.cycles - 1} * networks;
}

inline void wormhole_router::show() {
  const std::uint64_t next = cycle() + 1;
  port_mask now = 0;
  shown_ways_ = 0;
  for (std::uint64_t rest = busy_; rest; rest &= rest - 1) {
    const unsigned link = lowest(rest), o = map_.output_of_link(link);
    if (links_[link].due < next && config_.outputs[o].time_multiplexed) {
      links_[link].due += config_.networks;  // refused against the rule: again in the next turn
      shown_ &= ~bit(link);
    }
    if (links_[link].due > next) {
      retry_ = true;
      continue;
    }
    // If it is refused it must not be shown beyond its turn.
    if (config_.outputs[o].time_multiplexed && !(ready_ >> queues_[links_[link].from].way & 1)) retry_ = true;
    now |= bit(o);
    shown_ways_ |= bit(queues_[links_[link].from].way);
    if (shown_ >> link & 1) continue;
    shown_ |= bit(link);
    const unsigned q = links_[link].from;
    flit& f = front(q).data;
    f.lane = map_.lane_of(queues_[q].way);
    out[o].data.write(f);
    if (!(showing_ >> o & 1)) out[o].valid.write(true);
  }
  for (port_mask rest = showing_ & ~now; rest; rest &= rest - 1) out[lowest(rest)].valid.write(false);
  showing_ = now;
}

inline void wormhole_router::offer_room() {
  for (port_mask rest = touched_; rest; rest &= rest - 1) {
    const unsigned i = lowest(rest);
    const lane_mask offer = room(i);
    if (offer == offered_[i]) continue;
    offered_[i] = offer;
    in[i].ready.write(offer);
  }
  touched_ = 0;
}

inline lane_mask wormhole_router::room(unsigned i) const {
  const router_port& port = config_.inputs[i];
  lane_mask offer = 0;
  if (!port.terminal) {
    if (flit_by_flit_) return (~full_ & map_.of_port(i)) >> (i * map_.lanes());
    for (unsigned c = 0; c < map_.lanes(); ++c)
      if (has_room(i * map_.lanes() + c)) offer |= bit(c);
    return offer;
  }
  for (unsigned network = port.network; network < config_.end_of(port); ++network)
    if (has_room(entry_queue(i, network))) offer |= bit(network - port.network);
  return offer;
}

/// Queue for the flits that come from a terminal: of the packet under way, else the one with most room.
/// Where the network keeps packets in order there is but one.
inline unsigned wormhole_router::entry_queue(unsigned i, unsigned network) const {
  const std::uint8_t entry = entry_[i * config_.networks + network];
  if (entry != none) return entry;
  const unsigned first = i * map_.lanes() + network * config_.virtual_channels;
  unsigned best = first;
  for (unsigned q = first + 1; !in_order_ && q < first + config_.virtual_channels; ++q)
    if (queues_[q].flits < queues_[best].flits) best = q;
  return best;
}

inline bool wormhole_router::has_room(unsigned q) const {
  if (config_.flow != router_flow::wormhole)
    return (inside_ >> q & 1) || (config_.depth - queues_[q].flits >= config_.packet_length &&
                                  (!config_.one_packet || !queues_[q].flits));
  return config_.one_packet && !(inside_ >> q & 1) ? queues_[q].flits == 0 : !(full_ >> q & 1);
}

// Everything else that could change the state comes with a write to an input, which wakes the block.
inline bool wormhole_router::goes_on() const {
  if (retry_ || (shown_ways_ & ready_)) return true;
  for (port_mask rest = sampled_valid_; rest; rest &= rest - 1)
    if (offered_[lowest(rest)]) return true;
  return false;
}

}  // namespace spillway
