#include <algorithm>
#include <array>
#include <spillway/hw/switching/drawn_output.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/hw/switching/packet_length.hpp>
#include <spillway/hw/wormhole/wormhole_router.hpp>

namespace spillway {

using masks::bit;
using masks::lowest;

namespace {

/// A network that has the links to itself takes no turns.
router_config without_needless_turns(router_config config) {
  for (router_port& port : config.outputs) port.time_multiplexed &= config.networks > 1;
  return config;
}

}  // namespace

template <class Set>
basic_wormhole_router<Set>::basic_wormhole_router(const sc_core::sc_module_name& name,
                                                  const router_config& config, unsigned node,
                                                  std::shared_ptr<const routing> routes)
    : switch_block(name, static_cast<unsigned>(config.inputs.size()),
                   static_cast<unsigned>(config.outputs.size()), config.marked),
      config_(without_needless_turns(config)),
      map_(config_),
      node_(node),
      routes_(std::move(routes)),
      in_order_(routes_->in_order()),
      writes_route_(routes_->entry_routes() != 0),
      watches_terminals_(config.drops && config.drops->watches_terminals()),
      flit_by_flit_(config.flow == router_flow::wormhole && !config.one_packet),
      route_(map_.channels()),
      channel_allocator_(map_.channels(), map_.channels(), memory_),
      link_allocator_(static_cast<unsigned>(config.inputs.size()), map_.links(), memory_),
      credits_seen_(memory_.array<lane_mask>(config.outputs.size())),
      credits_given_(memory_.array<lane_mask>(config.inputs.size())),
      inputs_(memory_.array<input_channel>(map_.channels())),
      links_(memory_.array<output_link>(map_.links())),
      channel_arbiter_(memory_.array<round_robin_arbiter>(config.inputs.size())),
      entry_(memory_.array<index>(config.inputs.size() * config.networks)),
      arrived_(memory_.array<std::uint32_t>(config.inputs.size() * config.lanes() * config.depth)),
      bound_(memory_.array<std::uint8_t>(watches_terminals_ ? arrived_.size() : 0)),
      backlog_(memory_.array<unsigned>(watches_terminals_ ? config.outputs.size() : 0)),
      flits_(memory_.array<flit>(arrived_.size())) {
  for (unsigned i = 0; i < config.inputs.size(); ++i) {
    in[i].lanes().declare(config_.lanes_of(config.inputs[i]));
    if (config.inputs[i].terminal || !flit_by_flit_) watched_ |= bit(i);
  }
  for (unsigned o = 0; o < config.outputs.size(); ++o)
    out[o].lanes().declare(config_.lanes_of(config.outputs[o]));
  for (unsigned o = 0; o < config.outputs.size(); ++o)
    for (unsigned n = 0; n < config.networks; ++n)
      if (!config.outputs[o].terminal) map_.add_port(escape_, o, map_.of_network(o, n, routes_->escape()));
  clear();
}

template <class Set>
void basic_wormhole_router<Set>::clear() {
  channel_allocator_.clear();
  link_allocator_.clear();
  for (round_robin_arbiter& a : channel_arbiter_) a.clear();
  std::fill(inputs_.begin(), inputs_.end(), input_channel{});
  for (unsigned c = 0; c < map_.channels(); ++c) {
    inputs_[c].network = static_cast<std::uint8_t>(map_.network_of(c));
    inputs_[c].port = static_cast<std::uint8_t>(map_.port_of(c));
  }
  std::fill(backlog_.begin(), backlog_.end(), 0);
  if (config_.drops) config_.drops->clear();
  std::fill(credits_given_.begin(), credits_given_.end(), 0);
  std::fill(credits_seen_.begin(), credits_seen_.end(), 0);
  std::fill(entry_.begin(), entry_.end(), none);
  for (Set* set : {&routing_, &waiting_, &active_, &requesting_, &refused_, &full_, &receiving_, &discarding_,
                   &credit_, &draining_, &offered_, &busy_, &speculative_, &shown_})
    set->clear();
  free_ = map_.usable();
  showing_ = sampled_valid_ = 0;
  touched_ = masks::low_bits(static_cast<unsigned>(config_.inputs.size()));
  level_ = 0;
}

template <class Set>
void basic_wormhole_router<Set>::reset() {
  lost_ += level_;
  clear();
  for (packet_in& i : in) i.ready.write(0);
  for (packet_out& o : out) o.valid.write(false);
  if (marked()) show_waiting();
}

template <class Set>
channel_state basic_wormhole_router<Set>::state(unsigned input, unsigned channel) const {
  const unsigned c = map_.number(input, channel);
  if (active_.contains(c)) return channel_state::active;
  if (waiting_.contains(c)) return channel_state::waiting;
  return routing_.contains(c) ? channel_state::routing : channel_state::idle;
}

template <class Set>
void basic_wormhole_router<Set>::count(counters& all) const {
  if (config_.drops) all["switches.packets_dropped"] += static_cast<double>(dropped_);
}

template <class Set>
void basic_wormhole_router<Set>::tick() {
  retry_ = false;
  read_credits();
  depart();
  write_buffers();
  compute_routes();
  if (config_.drops) drop_expired();
  allocate_channels();
  if (!requesting_.empty() || !speculative_.empty()) allocate_switch();
  if (config_.drops) await_expiry();
  traverse_switch();
  return_credits();
  if (marked()) show_waiting();
  if (goes_on()) wake_at(cycle() + 1);
}

template <class Set>
inline void basic_wormhole_router<Set>::read_credits() {
  lane_mask* seen = credits_seen_.begin();
  for (const packet_out& pins : out) {
    const lane_mask now = pins.ready.read();
    if (now != *seen) {
      *seen = now;
      const auto o = static_cast<unsigned>(seen - credits_seen_.begin());
      map_.assign_port(credit_, o, map_.with_credit(o, now));
    }
    ++seen;
  }
}

/// The flits that were shown and had credit have crossed their links.
template <class Set>
inline void basic_wormhole_router<Set>::depart() {
  (offered_ & credit_).each([this](unsigned output_channel) {
    const unsigned link = map_.link_of(output_channel);
    busy_.erase(link);
    shown_.erase(link);
    free_slot(links_[link].from, links_[link].tail);
    ++forwarded_;
  });
}

template <class Set>
inline void basic_wormhole_router<Set>::free_slot(unsigned channel, bool tail) {
  input_channel& from = inputs_[channel];
  if (watches_terminals_) count_gone(front_slot(channel));
  if (tail) {
    active_.erase(channel);
    if (config_.drops) {
      from.network = static_cast<std::uint8_t>(map_.network_of(channel));
      from.port = static_cast<std::uint8_t>(map_.port_of(channel));
    }
    // Where a packet must find the channel empty: the ready pin still tells of the time before the tail.
    (config_.one_packet ? draining_ : free_).insert(from.output);
  }
  if (++from.first == config_.depth) from.first = 0;
  if (--from.flits) (tail ? routing_ : requesting_).insert(channel);
  refused_.erase(channel);
  const port_mask input = bit(map_.port_of(channel));
  touched_ |= full_.contains(channel) ? input : input & watched_;
  full_.erase(channel);
  --level_;
}

template <class Set>
inline void basic_wormhole_router<Set>::write_buffers() {
  port_mask valid = 0;
  for (const packet_in* pins = in.end(); pins != in.begin();) valid = valid << 1 | (--pins)->valid.read();
  sampled_valid_ = valid;
  for (port_mask rest = valid; rest; rest &= rest - 1) {
    const unsigned i = lowest(rest);
    const flit& f = in[i].data.read();
    if (accepts(credits_given_[i], f)) accept(i, f);
  }
}

template <class Set>
inline void basic_wormhole_router<Set>::accept(unsigned i, const flit& f) {
  const router_port& port = config_.inputs[i];
  if (config_.flow != router_flow::wormhole) check_length(*this, i, f, config_.packet_length);
  unsigned channel = map_.number(i, f.lane);
  if (port.terminal) {
    const unsigned network = port.network + f.lane;
    index& entry = entry_[i * config_.networks + network];
    if (entry == none) entry = static_cast<index>(entry_channel(i, network));
    channel = entry;
    if (f.tail()) entry = none;
  }
  if (discarding_.contains(channel)) {
    if (f.tail()) discarding_.erase(channel), receiving_.erase(channel);
    touched_ |= bit(i);
    return;
  }
  input_channel& to = inputs_[channel];
  const unsigned place = to.first + to.flits;
  const std::size_t slot = number_of_slot(channel, place >= config_.depth ? place - config_.depth : place);
  flits_[slot] = f;
  if (port.terminal) flits_[slot].lane = static_cast<std::uint8_t>(map_.lane(channel));
  arrived_[slot] = static_cast<std::uint32_t>(cycle());
  if (watches_terminals_) {
    if (f.head()) to.bound = terminal_ahead(i, f);
    count_bound(slot, to.bound);
  }
  if (to.flits == 0) (active_.contains(channel) ? requesting_ : routing_).insert(channel);
  touched_ |= bit(i) & watched_;
  if (++to.flits == config_.depth) {
    full_.insert(channel);
    touched_ |= bit(i);
  }
  if (f.tail())
    receiving_.erase(channel);
  else
    receiving_.insert(channel);
  ++level_;
}

template <class Set>
inline void basic_wormhole_router<Set>::compute_routes() {
  routing_.each([this](unsigned channel) {
    if (!is_due(channel)) return;
    routing_.erase(channel);
    if (writes_route_) write_route(channel);
    route_[channel] = route_of(channel);
    waiting_.insert(channel);
  });
}

/// Whether the head, or the whole packet where it is stored first, has been here as long as it takes.
template <class Set>
inline bool basic_wormhole_router<Set>::is_due(unsigned channel) {
  const input_channel& from = inputs_[channel];
  const flit& head = front(channel);
  std::uint32_t since = arrived_[front_slot(channel)];
  if (config_.flow == router_flow::store_and_forward) {
    if (from.flits < head.length) return false;
    const unsigned tail = (from.first + head.length - 1u) % config_.depth;
    since = arrived_[number_of_slot(channel, tail)];
  }
  const bool entered = config_.inputs[map_.port_of(channel)].terminal;
  const unsigned wait = config_.latency - 1 + (entered ? config_.entry_latency : 0);
  if (static_cast<std::uint32_t>(cycle()) - since >= wait) return true;
  retry_ = true;
  return false;
}

/// Flits of the packet at the front, none if it lies on this router without any.
template <class Set>
unsigned basic_wormhole_router<Set>::of_first_packet(unsigned channel) const {
  const unsigned flits = inputs_[channel].flits;
  if (flits == 0) return 0;
  const flit& first = front(channel);
  return std::min<unsigned>(flits, first.length - first.index);
}

/// What the router knows of its outputs, for packets of one logical network.
template <class Set>
class basic_wormhole_router<Set>::load_of_outputs final : public output_load {
public:
  load_of_outputs(const basic_wormhole_router& router, unsigned network)
      : router_(router), network_(network) {}

  unsigned credits(unsigned output) const override {
    const auto& map = router_.map_;
    const std::uint64_t channels = map.of_network(output, network_, ~std::uint64_t{0});
    return static_cast<unsigned>(__builtin_popcountll(channels & map.at_port(router_.credit_, output)));
  }
  unsigned waiting(unsigned output) const override {
    unsigned flits = 0;
    router_.active_.each([&](unsigned channel) {
      if (router_.map_.output_of_link(router_.inputs_[channel].link) == output)
        flits += router_.of_first_packet(channel);
    });
    router_.waiting_.each([&](unsigned channel) {
      if (router_.map_.at_port(router_.route_[channel] & router_.map_.usable(), output))
        flits += router_.of_first_packet(channel);
    });
    return flits;
  }

private:
  const basic_wormhole_router& router_;
  const unsigned network_;
};

/// Of all logical networks: a packet has chosen an output once it has one of its channels.
template <class Set>
void basic_wormhole_router<Set>::show_waiting() {
  std::array<std::uint16_t, 64> flits{};
  active_.each([&](unsigned channel) {
    const input_channel& from = inputs_[channel];
    std::uint16_t& of_output = flits[map_.output_of_link(from.link)];
    of_output = static_cast<std::uint16_t>(std::min(of_output + from.flits, 0xffff));
  });
  for (unsigned o = 0; o < out.size(); ++o) marking[o].waiting.write(flits[o]);
}

/// The routing may write the route part of a head that comes from a terminal, or where it decides again.
template <class Set>
void basic_wormhole_router<Set>::write_route(unsigned channel) {
  const unsigned i = inputs_[channel].port;
  flit& head = front(channel);
  if (!config_.inputs[i].terminal && !routes_->decides_again(node_, i, head)) return;
  head.route = routes_->at_entry(node_, i, head, load_of_outputs(*this, inputs_[channel].network));
}

template <class Set>
inline Set basic_wormhole_router<Set>::route_of(unsigned channel) const {
  const flit& head = front(channel);
  const unsigned i = inputs_[channel].port, network = inputs_[channel].network;
  port_mask outputs = next_outputs(*routes_, node_, i, head, config_.outputs.size());
  // Where one is drawn, the way out of the escape network stays open beside it: see routing::escape().
  const port_mask drawn =
      config_.random_output ? drawn_output(outputs, config_.seed, node_, head) : ~port_mask{0};
  if (!routes_->escape()) outputs &= drawn;
  Set route;
  for (; outputs; outputs &= outputs - 1) {
    const unsigned o = lowest(outputs);
    std::uint64_t channels = routes_->channels(node_, i, o, head);
    if (!(drawn >> o & 1)) channels &= routes_->escape();
    map_.add_port(route, o, map_.of_network(o, network, channels));
  }
  return route;
}

template <class Set>
inline void basic_wormhole_router<Set>::allocate_channels() {
  unsigned open = 0;  // requests that were not granted
  waiting_.each([&](unsigned channel) {
    const Set candidates = candidates_of(channel);
    if (candidates.empty()) return;
    channel_allocator_.request(channel, candidates);
    ++open;
  });
  if (open)
    channel_allocator_.allocate([&](unsigned channel, unsigned output_channel) {
      inputs_[channel].output = static_cast<index>(output_channel);
      inputs_[channel].link = static_cast<index>(map_.link_of(output_channel));
      waiting_.erase(channel);
      active_.insert(channel);
      requesting_.insert(channel);
      free_.erase(output_channel);
      // Once a packet: what was shown and refused must not come again with another mark.
      if (marked()) front(channel) = with_marks(map_.output_of_link(inputs_[channel].link), front(channel));
      --open;
    });
  retry_ |= open != 0;
  free_ |= draining_;
  draining_.clear();
}

/// Free output channels for a packet: with credit if there are such, and of the escape network only if there
/// are no others.
template <class Set>
inline Set basic_wormhole_router<Set>::candidates_of(unsigned channel) {
  const auto& route = route_[channel];
  Set candidates = route & free_;
  const Set ready = candidates & credit_;
  if (config_.one_packet) retry_ |= !(route & draining_).empty();
  // What has an output channel and waits for room behind it holds that up, and cannot be dropped once shown.
  if (config_.one_packet || !ready.empty() || may_be_dropped(channel)) candidates = ready;
  const Set adaptive = candidates - escape_;
  return adaptive.empty() ? candidates : adaptive;
}

template <class Set>
inline void basic_wormhole_router<Set>::traverse_switch() {
  port_mask now = 0;
  offered_.clear();
  busy_.each([&](unsigned link) {
    if (!is_shown(link)) return;
    const unsigned o = map_.output_of_link(link), channel = links_[link].from;
    now |= bit(o);
    offered_.insert(inputs_[channel].output);
    if (shown_.contains(link)) return;
    shown_.insert(link);
    const flit& f = front(channel);
    links_[link].tail = f.tail();
    out[o].data.write(f);
    if (!(showing_ >> o & 1)) out[o].valid.write(true);
  });
  for (port_mask rest = showing_ & ~now; rest; rest &= rest - 1) out[lowest(rest)].valid.write(false);
  showing_ = now;
}

/// Whether the pins are to show the flit on the link from this edge on.
template <class Set>
inline bool basic_wormhole_router<Set>::is_shown(unsigned link) {
  if (map_.wide().contains(link)) return true;
  output_link& l = links_[link];
  const std::uint64_t next = cycle() + 1;
  const bool turns = config_.outputs[map_.output_of_link(link)].time_multiplexed;
  if (turns && l.due < next) {
    l.due += config_.networks;  // refused against the rule: again in the next turn
    shown_.erase(link);
  }
  // A flit that is refused must not be shown beyond its turn.
  if (l.due > next || (turns && !credit_.contains(inputs_[l.from].output))) retry_ = true;
  return l.due <= next;
}

template <class Set>
inline void basic_wormhole_router<Set>::return_credits() {
  for (port_mask rest = touched_; rest; rest &= rest - 1) {
    const unsigned i = lowest(rest);
    const lane_mask offer = room(i);
    if (offer == credits_given_[i]) continue;
    credits_given_[i] = offer;
    in[i].ready.write(offer);
  }
  touched_ = 0;
}

template <class Set>
inline lane_mask basic_wormhole_router<Set>::room(unsigned i) const {
  const router_port& port = config_.inputs[i];
  lane_mask offer = 0;
  if (!port.terminal) {
    if (flit_by_flit_) return map_.all() & ~map_.at_port(full_, i);
    for (unsigned c = 0; c < map_.lanes(); ++c)
      if (has_room(map_.number(i, c))) offer |= bit(c);
    return offer;
  }
  for (unsigned network = port.network; network < config_.end_of(port); ++network)
    if (has_room(entry_channel(i, network))) offer |= bit(network - port.network);
  return offer;
}

/// Channel for the flits that come from a terminal: of the packet under way, else the one with most room.
/// Where the network keeps packets in order there is but one.
template <class Set>
inline unsigned basic_wormhole_router<Set>::entry_channel(unsigned i, unsigned network) const {
  const index entry = entry_[i * config_.networks + network];
  if (entry != none) return entry;
  const unsigned first = map_.number(i, network * config_.virtual_channels);
  unsigned best = first;
  for (unsigned c = first + 1; !in_order_ && c < first + config_.virtual_channels; ++c)
    if (inputs_[c].flits < inputs_[best].flits) best = c;
  return best;
}

template <class Set>
inline bool basic_wormhole_router<Set>::has_room(unsigned channel) const {
  const unsigned flits = inputs_[channel].flits;
  const bool receiving = receiving_.contains(channel);
  if (config_.flow != router_flow::wormhole)
    return receiving || (config_.depth - flits >= config_.packet_length && (!config_.one_packet || !flits));
  return config_.one_packet && !receiving ? flits == 0 : !full_.contains(channel);
}

// Everything else that could change the state comes with a write to an input, which wakes the block.
template <class Set>
inline bool basic_wormhole_router<Set>::goes_on() const {
  if (retry_ || !(offered_ & credit_).empty()) return true;
  for (port_mask rest = sampled_valid_; rest; rest &= rest - 1)
    if (credits_given_[lowest(rest)]) return true;
  return false;
}

// What others call, and no more: the compiler can then put the stages into tick().
template basic_wormhole_router<word_set>::basic_wormhole_router(const sc_core::sc_module_name&,
                                                                const router_config&, unsigned,
                                                                std::shared_ptr<const routing>);
template basic_wormhole_router<two_level_set>::basic_wormhole_router(const sc_core::sc_module_name&,
                                                                     const router_config&, unsigned,
                                                                     std::shared_ptr<const routing>);
template void basic_wormhole_router<word_set>::count(counters&) const;
template void basic_wormhole_router<two_level_set>::count(counters&) const;
template channel_state basic_wormhole_router<word_set>::state(unsigned, unsigned) const;
template channel_state basic_wormhole_router<two_level_set>::state(unsigned, unsigned) const;
template void basic_wormhole_router<word_set>::reset();
template void basic_wormhole_router<two_level_set>::reset();
template void basic_wormhole_router<word_set>::tick();
template void basic_wormhole_router<two_level_set>::tick();

}  // namespace spillway
