#include <algorithm>
#include <spillway/hw/isolation/destination_switch.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/switching/lane_inputs.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <string>

namespace spillway {

using namespace masks;
using detail::checked;
using detail::need;

void destination_switch_config::check() const {
  need(inputs >= 1 && inputs <= 64 && outputs >= 1 && outputs <= 64,
       "a switch has 1 to 64 inputs and outputs, found " + std::to_string(inputs) + " and " +
           std::to_string(outputs));
  need(queues >= 1 && queues <= flit::most_lanes,
       "a link has 1 to 64 lanes, one a queue: expected 1 to 64 queues an input, found " +
           std::to_string(queues));
  need(packet_length >= 1 && depth >= packet_length,
       "a queue must hold a whole packet: it has room for " + std::to_string(depth) +
           " flits, packets have up to " + std::to_string(packet_length));
  const std::uint64_t places = std::uint64_t{inputs} * queues * depth;
  need(places <= 65535, "a switch holds at most 65535 flits, found " + std::to_string(places));
}

destination_switch::destination_switch(const sc_core::sc_module_name& name,
                                       const destination_switch_config& config, unsigned node,
                                       std::shared_ptr<const routing> routes,
                                       const std::vector<link_end>& neighbours)
    : switch_block(name, checked(config).inputs, config.outputs, config.marked),
      config_(config),
      node_(node),
      routes_(std::move(routes)),
      queues_(memory_.array<queue_state>(config.inputs * config.queues)),
      lanes_(memory_.array<lane_state>(config.outputs * config.queues)),
      outputs_(memory_.array<output_state>(config.outputs)),
      ready_(memory_.array<lane_mask>(config.inputs)),
      store_(config.inputs * config.queues, config.inputs * config.queues * config.depth, memory_) {
  need(neighbours.size() == config.outputs, "one neighbour an output expected");
  for (packet_in& i : in) i.lanes().declare(config.queues);
  for (unsigned o = 0; o < config.outputs; ++o) {
    outputs_[o].several = !neighbours[o].terminal && config.queues > 1;
    if (outputs_[o].several) out[o].lanes().declare(config.queues);
  }
  clear();
}

double destination_switch::fullest() const {
  unsigned least = config_.depth;
  for (const queue_state& q : queues_) least = std::min<unsigned>(least, q.free);
  return 1 - static_cast<double>(least) / config_.depth;
}

void destination_switch::clear() {
  store_.clear();
  for (queue_state& q : queues_) q = {static_cast<std::uint16_t>(config_.depth), 0, 0};
  for (lane_state& l : lanes_) l = {};
  for (output_state& o : outputs_) o = {0, 0, 0, o.several, {}};
  for (lane_mask& r : ready_) r = 0;
  showing_ = 0;
  changed_ = low_bits(config_.inputs);
}

void destination_switch::reset() {
  lost_ += store_.used();
  clear();
  for (packet_in& i : in) i.ready.write(0);
  for (packet_out& o : out) o.valid.write(false);
  if (marked()) show_waiting();
}

void destination_switch::tick() {
  send();
  const std::uint64_t accepted = take_flits(*this, in, ready_, config_.packet_length,
                                            [this](unsigned i, const flit& f) { admit(i, f); });
  changed_ |= accepted;
  const bool more_to_send = show();
  offer();
  if (marked()) show_waiting();
  if (more_to_send || accepted || takes_next(in, ready_)) wake_at(cycle() + 1);
}

/// What has crossed leaves its queue.
void destination_switch::send() {
  for (std::uint64_t rest = showing_; rest; rest &= rest - 1) {
    const unsigned o = lowest(rest), queue = outputs_[o].shown;
    if (!(out[o].ready.read() >> (outputs_[o].several ? queue : 0) & 1)) continue;
    lane_state& from = lane(o, queue);
    const unsigned input = from.owner, q = number(input, queue);
    const bool tail = store_.pop(q).tail;
    ++forwarded_;
    --outputs_[o].flits;
    ++queues_[q].free;
    changed_ |= bit(input);
    showing_ &= ~bit(o);
    if (!tail) continue;
    from.owner = none;
    if (!from.requests) outputs_[o].wanted &= ~bit(queue);
    if (!store_.empty(q)) request(input, queue);
  }
}

void destination_switch::admit(unsigned input, const flit& f) {
  const unsigned queue = f.lane, q = number(input, queue);
  queue_state& to = queues_[q];
  if (f.head()) {
    to.output = static_cast<std::uint8_t>(next_output(*routes_, node_, input, f, config_.outputs));
    to.to_come = f.length;
    to.free = static_cast<std::uint16_t>(to.free - f.length);
  }
  --to.to_come;
  ++outputs_[to.output].flits;
  const bool first = store_.empty(q);
  store_.push(q, f, outputs_[to.output].several ? f.lane : std::uint8_t{0}, cycle()).output = to.output;
  // Else it waits for those before it, or its packet is being sent.
  if (first && f.head()) request(input, queue);
}

void destination_switch::request(unsigned input, unsigned queue) {
  const unsigned o = store_.front_note(number(input, queue)).output;
  lane(o, queue).requests |= bit(input);
  outputs_[o].wanted |= bit(queue);
}

/// Whether something that is shown crosses at the next edge, if the pins stay as they are.
bool destination_switch::show() {
  bool more = false;
  for (unsigned o = 0; o < config_.outputs; ++o) {
    const lane_mask ready = out[o].ready.read();
    const bool several = outputs_[o].several;
    const bool shows = outputs_[o].wanted && choose(o, ready);
    if (shows) show_front(o);
    more |= shows && (ready >> (several ? outputs_[o].shown : 0) & 1);
    showing_ = shows ? showing_ | bit(o) : showing_ & ~bit(o);
    out[o].valid.write(shows);
  }
  return more;
}

/// Of output `o`: the queue numbers, of these, with a flit that may be shown.
lane_mask destination_switch::with_flits(unsigned o, lane_mask queues) {
  lane_mask found = 0;
  for (lane_mask rest = queues & outputs_[o].wanted; rest; rest &= rest - 1) {
    const lane_state& l = lane(o, lowest(rest));
    if (l.owner == none || !store_.empty(number(l.owner, lowest(rest)))) found |= bit(lowest(rest));
  }
  return found;
}

/// Which queue number output `o` shows; whether it shows one. A packet goes on while its lane takes it. What
/// is shown and not taken stays unless another lane is; it is shown again then.
bool destination_switch::choose(unsigned o, lane_mask ready) {
  output_state& port = outputs_[o];
  const lane_mask all = with_flits(o, ~lane_mask{0}), taken = all & ready;
  const bool in_packet = lane(o, port.shown).owner != none;
  const bool goes_on = in_packet && (all & bit(port.shown));
  if (goes_on && (!port.several || !taken || (taken & bit(port.shown)))) return true;
  if (!all || (in_packet && !port.several)) return false;
  const unsigned queue = port.turn.pick(taken ? taken : all);
  port.turn.granted(queue);
  port.shown = static_cast<std::uint8_t>(queue);
  lane_state& l = lane(o, queue);
  if (l.owner != none) return true;
  l.owner = static_cast<std::uint8_t>(l.arbiter.pick(l.requests));
  l.arbiter.granted(l.owner);
  l.requests &= ~bit(l.owner);
  // Once a packet: what was shown and refused must not come again with another mark.
  if (marked()) {
    flit& head = store_.front(number(l.owner, queue));
    head = with_marks(o, head);
  }
  return true;
}

void destination_switch::show_front(unsigned o) {
  const unsigned queue = outputs_[o].shown;
  out[o].data.write(store_.front(number(lane(o, queue).owner, queue)));
}

void destination_switch::offer() {
  for (; changed_; changed_ &= changed_ - 1) {
    const unsigned i = lowest(changed_);
    lane_mask lanes = 0;
    for (unsigned queue = 0; queue < config_.queues; ++queue) {
      const queue_state& q = queues_[number(i, queue)];
      if (q.to_come || q.free >= config_.packet_length) lanes |= bit(queue);
    }
    if (lanes != ready_[i]) in[i].ready.write(ready_[i] = lanes);
  }
}

void destination_switch::show_waiting() {
  for (unsigned o = 0; o < config_.outputs; ++o) marking[o].waiting.write(outputs_[o].flits);
}

hardware_size destination_switch::storage() const {
  hardware_size all = store_.storage(false);
  const std::uint64_t inputs = config_.inputs, outputs = config_.outputs, queues = config_.queues;
  if (config_.packet_length > 1)
    all.bits += inputs * queues * (bits_to(config_.packet_length - 1) + bits_below(outputs));
  // Of each lane of an output: the input that sends, and the one whose turn it is; of an output: the lane's
  // turn.
  all.bits += outputs * (queues * (bits_to(inputs) + bits_below(inputs)) + bits_below(queues));
  if (marked()) all.bits += outputs * bits_to(store_.slots());  // what waits for each output
  return all;
}

}  // namespace spillway
