#include <algorithm>
#include <spillway/hw/flow_pause/flow_pause_checker.hpp>
#include <spillway/hw/flow_pause/flow_pause_switch.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/switching/lane_inputs.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <string>

namespace spillway {

using namespace masks;
using detail::checked;
using detail::need;

void flow_pause_config::check() const {
  need(inputs >= 1 && inputs <= 64 && outputs >= 1 && outputs <= 64,
       "a switch has 1 to 64 inputs and outputs, found " + std::to_string(inputs) + " and " +
           std::to_string(outputs));
  need(queues >= 1 && queues <= flit::most_lanes && lanes >= 1 && lanes <= flit::most_lanes,
       "a link has 1 to 64 lanes, one a queue: found " + std::to_string(queues) +
           " queues an output and links of " + std::to_string(lanes) + " lanes");
  need(packet_length >= 1 && places >= packet_length,
       "an input must hold a whole packet: it has places for " + std::to_string(places) +
           " flits, packets have up to " + std::to_string(packet_length));
  const std::uint64_t all = std::uint64_t{inputs} * places;
  need(all <= 65535, "a switch holds at most 65535 flits, found " + std::to_string(all));
  need(flows >= 1 && flows <= 65536, "an output knows 1 to 65536 flows, found " + std::to_string(flows));
}

flow_pause_switch::flow_pause_switch(const sc_core::sc_module_name& name, const flow_pause_config& config,
                                     unsigned node, std::shared_ptr<const routing> routes,
                                     const std::vector<link_end>& neighbours)
    : switch_block(name, checked(config).inputs, config.outputs, config.marked),
      config_(config),
      node_(node),
      routes_(std::move(routes)),
      links_in_(config.inputs),
      links_out_(config.outputs),
      packets_(memory_.array<packet>(config.inputs * config.places)),
      lanes_(memory_.array<lane_state>(config.inputs * config.lanes)),
      queues_(memory_.array<queue_state>(config.outputs * config.queues)),
      outputs_(memory_.array<output_state>(config.outputs)),
      free_(memory_.array<std::uint16_t>(config.inputs)),
      ready_(memory_.array<lane_mask>(config.inputs)),
      flows_(config.outputs, config.flows, config.key, memory_),
      store_(config.inputs * config.places, config.inputs * config.places, memory_) {
  need(neighbours.size() == config.outputs, "one neighbour an output expected");
  for (packet_in& i : in) i.lanes().declare(config.lanes);
  for (unsigned o = 0; o < config.outputs; ++o) {
    outputs_[o].several = !neighbours[o].terminal && config.queues > 1;
    if (outputs_[o].several) out[o].lanes().declare(config.queues);
  }
  clear();
}

void flow_pause_switch::connect_input(unsigned port, network_link& l) {
  switch_block::connect_input(port, l);
  links_in_[port] = &l;
}

void flow_pause_switch::connect_output(unsigned port, network_link& l) {
  switch_block::connect_output(port, l);
  links_out_[port] = &l;
}

std::vector<std::unique_ptr<clocked>> flow_pause_switch::make_checkers(const violation_handler& handler) {
  flow_pause_checker_config config;
  config.watched = name();
  config.inputs = config_.inputs;
  config.outputs = config_.outputs;
  config.lanes = config_.lanes;
  config.places = config_.places;
  config.packet_length = config_.packet_length;
  auto checker = std::make_unique<flow_pause_checker>(("check_" + std::string(basename()) + "_flows").c_str(),
                                                      std::move(config), handler);
  for (unsigned i = 0; i < config_.inputs; ++i) connected<packet_link>(links_in_[i]).connect(checker->in[i]);
  for (unsigned o = 0; o < config_.outputs; ++o)
    connected<packet_link>(links_out_[o]).connect(checker->out[o]);
  std::vector<std::unique_ptr<clocked>> all;
  all.push_back(std::move(checker));
  return all;
}

double flow_pause_switch::fullest() const {
  const unsigned least = *std::min_element(free_.begin(), free_.end());
  return 1 - static_cast<double>(least) / config_.places;
}

void flow_pause_switch::count(counters& all) const {
  all["flow_pause.pauses"] += static_cast<double>(counted_.pauses);
  all["flow_pause.no_queue_free"] += static_cast<double>(counted_.shared);
}

void flow_pause_switch::clear() {
  store_.clear();
  flows_.clear();
  for (unsigned p = 0; p < packets_.size(); ++p) {
    packets_[p] = {};
    packets_[p].next = static_cast<std::uint16_t>(p + 1);
  }
  unused_ = 0;
  for (lane_state& l : lanes_) l = {};
  for (queue_state& q : queues_) q = {};
  for (output_state& o : outputs_) o = {0, 0, 0, o.several, false, {}};
  for (std::uint16_t& f : free_) f = static_cast<std::uint16_t>(config_.places);
  for (lane_mask& r : ready_) r = 0;
  showing_ = 0;
  changed_ = low_bits(config_.inputs);
}

void flow_pause_switch::reset() {
  lost_ += store_.used();
  clear();
  for (packet_in& i : in) i.ready.write(0);
  for (packet_out& o : out) o.valid.write(false);
  if (marked()) show_waiting();
}

void flow_pause_switch::tick() {
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
void flow_pause_switch::send() {
  for (std::uint64_t rest = showing_; rest; rest &= rest - 1) {
    const unsigned o = lowest(rest);
    output_state& port = outputs_[o];
    if (!(out[o].ready.read() >> (port.several ? port.shown : 0) & 1)) continue;
    queue_state& from = queue(o, port.shown);
    const unsigned number = from.first;
    const bool tail = store_.pop(number).tail;
    ++forwarded_;
    ++from.gone;
    --port.flits;
    ++free_[packets_[number].input];
    changed_ |= bit(packets_[number].input);
    showing_ &= ~bit(o);
    port.in_packet = !tail;
    if (tail) leave(number);
    release(o, from);
  }
}

/// The first packet of its queue has left.
void flow_pause_switch::leave(unsigned number) {
  packet& p = packets_[number];
  queue_state& from = queue(p.output, p.queue);
  if (from.first == from.last) {
    from.first = from.last = none;
    outputs_[p.output].wanted &= ~bit(p.queue);
  } else {
    from.first = p.next;
  }
  --flows_.at(p.output, p.line).packets;
  p.next = unused_;
  unused_ = static_cast<std::uint16_t>(number);
}

/// Packets that have come to the front part of the queue keep nobody paused any more.
void flow_pause_switch::release(unsigned output, queue_state& from) {
  while (from.marked != none) {
    packet& p = packets_[from.marked];
    if (p.marked) {
      if (static_cast<std::uint16_t>(p.position - from.gone) >= limit(output)) return;
      p.marked = false;
      lanes_[p.input * config_.lanes + p.lane].paused = false;
      changed_ |= bit(p.input);
    }
    from.marked = from.marked == from.last ? none : p.next;
  }
}

void flow_pause_switch::admit(unsigned input, const flit& f) {
  lane_state& lane = lanes_[input * config_.lanes + f.lane];
  if (f.head()) lane.packet = static_cast<std::uint16_t>(enter(input, f));
  const unsigned number = lane.packet;
  packet& p = packets_[number];
  if (--p.to_come == 0) lane.packet = none;
  ++outputs_[p.output].flits;
  store_.push(number, f, outputs_[p.output].several ? p.queue : std::uint8_t{0}, cycle());
}

/// The head's packet joins a queue of its output; its number.
unsigned flow_pause_switch::enter(unsigned input, const flit& head) {
  const unsigned o = next_output(*routes_, node_, input, head, config_.outputs), line = flows_.line_of(head);
  const unsigned q = assigned(o, line);
  ++flows_.at(o, line).packets;
  queue_state& to = queue(o, q);
  free_[input] = static_cast<std::uint16_t>(free_[input] - head.length);
  const unsigned number = unused_;
  packet& p = packets_[number];
  unused_ = p.next;
  p = {none,
       static_cast<std::uint16_t>(line),
       head.length,
       to.promised,
       static_cast<std::uint8_t>(input),
       head.lane,
       static_cast<std::uint8_t>(o),
       static_cast<std::uint8_t>(q),
       false,
       false};
  to.promised = static_cast<std::uint16_t>(to.promised + head.length);
  if (config_.threshold && config_.lanes > 1 &&
      static_cast<std::uint16_t>(p.position - to.gone) >= limit(o)) {
    p.marked = true;
    ++counted_.pauses;
    lanes_[input * config_.lanes + head.lane].paused = true;
    if (to.marked == none) to.marked = static_cast<std::uint16_t>(number);
  }
  if (to.first == none)
    to.first = static_cast<std::uint16_t>(number);
  else
    packets_[to.last].next = static_cast<std::uint16_t>(number);
  to.last = static_cast<std::uint16_t>(number);
  outputs_[o].wanted |= bit(q);
  return number;
}

/// The queue of a flow's line: where its packets are, else an empty one, else the one of its hash.
unsigned flow_pause_switch::assigned(unsigned output, unsigned line) {
  flow_table::line& flow = flows_.at(output, line);
  if (flow.packets) return flow.queue;
  const lane_mask empty = ~outputs_[output].wanted & low_bits(config_.queues);
  if (!empty) ++counted_.shared;
  return flow.queue = static_cast<std::uint8_t>(empty ? lowest(empty) : line % config_.queues);
}

/// Flits before a packet in a queue of this output with which it keeps its lane paused: a share of the
/// threshold for each queue that sends.
unsigned flow_pause_switch::limit(unsigned output) const {
  const lane_mask ready = out[output].ready.read();
  const lane_mask open = outputs_[output].several ? ready : (ready & 1 ? ~lane_mask{0} : 0);
  const auto active = static_cast<unsigned>(__builtin_popcountll(outputs_[output].wanted & open));
  return std::max(1u, config_.threshold / std::max(1u, active));
}

/// Whether something that is shown crosses at the next edge, if the pins stay as they are.
bool flow_pause_switch::show() {
  bool more = false;
  for (unsigned o = 0; o < config_.outputs; ++o) {
    output_state& port = outputs_[o];
    const lane_mask ready = out[o].ready.read();
    const bool shows = port.wanted && choose(o, ready);
    if (shows) out[o].data.write(store_.front(queue(o, port.shown).first));
    more |= shows && (ready >> (port.several ? port.shown : 0) & 1);
    showing_ = shows ? showing_ | bit(o) : showing_ & ~bit(o);
    out[o].valid.write(shows);
  }
  return more;
}

/// Which queue output `o` shows a flit of; whether it shows one. A packet goes on to its end. A head that is
/// shown and not taken stays unless another lane is taken; it is shown again then.
bool flow_pause_switch::choose(unsigned o, lane_mask ready) {
  output_state& port = outputs_[o];
  if (port.in_packet) return !store_.empty(queue(o, port.shown).first);
  const lane_mask taken = port.several ? port.wanted & ready : 0;
  if ((showing_ & bit(o)) && (!taken || (taken & bit(port.shown)))) return true;
  const unsigned q = port.turn.pick(taken ? taken : port.wanted);
  port.turn.granted(q);
  port.shown = static_cast<std::uint8_t>(q);
  if (marked()) mark(o, queue(o, q).first);
  return true;
}

/// Once a packet: what was shown and refused must not come again with another mark.
void flow_pause_switch::mark(unsigned o, unsigned number) {
  packet& p = packets_[number];
  if (!p.shown) store_.front(number) = with_marks(o, store_.front(number));
  p.shown = true;
}

void flow_pause_switch::offer() {
  for (; changed_; changed_ &= changed_ - 1) {
    const unsigned i = lowest(changed_);
    lane_mask open = 0;
    for (unsigned l = 0; l < config_.lanes; ++l) {
      const lane_state& lane = lanes_[i * config_.lanes + l];
      if (lane.packet != none || (!lane.paused && free_[i] >= config_.packet_length)) open |= bit(l);
    }
    if (open != ready_[i]) in[i].ready.write(ready_[i] = open);
  }
}

void flow_pause_switch::show_waiting() {
  for (unsigned o = 0; o < config_.outputs; ++o) marking[o].waiting.write(outputs_[o].flits);
}

hardware_size flow_pause_switch::storage() const {
  const std::uint64_t places = store_.slots(), inputs = config_.inputs, outputs = config_.outputs;
  const unsigned number = bits_to(places), count = bits_to(places), queue = bits_below(config_.queues);
  hardware_size all = store_.storage(true);
  // Of a packet: the next of its queue, its line, position, lane, output, queue, and whether it keeps its
  // lane paused.
  all.bits += packets_.size() * (number + bits_below(config_.flows) + count + bits_below(config_.lanes) +
                                 bits_below(inputs) + bits_below(outputs) + queue + 1 +
                                 (config_.packet_length > 1 ? bits_to(config_.packet_length - 1) : 0));
  all.bits += inputs * (count + config_.lanes * (number + 1));
  // Of a queue: first, last and first marked packet, flits that have joined and left. Of an output: the queue
  // that is shown and the turn, and a line a flow: its packets and their queue.
  all.bits += outputs * config_.queues * (3 * number + 2 * count);
  all.bits += outputs * (2 * queue + 1 + std::uint64_t{config_.flows} * (count + queue));
  // What waits for each output, and whether a packet has its marks.
  if (marked()) all.bits += outputs * count + packets_.size();
  return all;
}

}  // namespace spillway
