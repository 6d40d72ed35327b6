#include <algorithm>
#include <optional>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/packet/buffer_pool.hpp>
#include <spillway/hw/switching/drawn_output.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/hw/switching/packet_length.hpp>
#include <stdexcept>

namespace spillway {

using namespace masks;
using detail::checked;
using detail::need;

unsigned buffer_pool_config::queues() const {
  switch (organisation) {
    case buffering::fifo:
      return inputs;
    case buffering::voq:
      return inputs * outputs;
    case buffering::damq:
      return damq_step() * outputs;
    default:
      return outputs;
  }
}

unsigned buffer_pool_config::damq_step() const {
  unsigned step = 1;
  while (step < inputs) step *= 2;
  return step;
}

unsigned buffer_pool_config::spaces() const {
  if (organisation == buffering::damq) return inputs;
  return shares_pool() ? 1 : queues();
}

unsigned buffer_pool_config::places() const {
  return organisation == buffering::shared && assignment == buffer_assignment::partition ? depth / outputs
                                                                                         : depth;
}

bool buffer_pool_config::offers_to_some() const {
  if (!common_queues()) return false;
  unsigned room = places();
  if (admission) room = std::min(room, admission->allowed({depth, depth, outputs, packet_length}, 0, 0));
  if (memory_depth) room = std::min(room, memory_depth);
  return packet_length > 1 || room < inputs;
}

void buffer_pool_config::check() const {
  need(inputs >= 1 && inputs <= 64 && outputs >= 1 && outputs <= 64,
       "a switch has 1 to 64 inputs and outputs, found " + std::to_string(inputs) + " and " +
           std::to_string(outputs));
  need(packet_length >= 1, "packets have at least 1 flit");
  need(places() >= packet_length, "a queue must hold a whole packet: it has room for " +
                                      std::to_string(places()) + " flits, packets have up to " +
                                      std::to_string(packet_length));
  need(std::uint64_t{spaces()} * places() <= 65535,
       "a pool holds at most 65535 flits, found " + std::to_string(std::uint64_t{spaces()} * places()));
  need(!admission || shares_pool(), "an admission needs a pool that the queues of all outputs share");
  if (admission) {
    const unsigned first = std::min(depth, admission->allowed({depth, depth, outputs, packet_length}, 0, 0));
    need(first >= packet_length,
         "an admission must let a queue take a whole packet into an empty pool: it lets it take " +
             std::to_string(first) + " flits, packets have up to " + std::to_string(packet_length));
  }
  if (!memory_depth) return;
  need(organisation == buffering::output, "a memory depth needs a queue an output");
  need(memory_depth >= packet_length && std::uint64_t{memory_depth} * outputs <= 65535,
       "a memory queue holds a whole packet, and the memory queues of a switch at most 65535 flits: found a "
       "depth of " +
           std::to_string(memory_depth));
}

buffer_pool::buffer_pool(const sc_core::sc_module_name& name, const buffer_pool_config& config, unsigned node,
                         std::shared_ptr<const routing> routes, std::vector<link_end> neighbours)
    : switch_block(name, config.inputs, config.outputs, config.marked),
      rarely_(new rarely_used{checked(config), std::move(neighbours), {}}),
      node_(node),
      routes_(std::move(routes)),
      queue_step_in_(config.common_queues() ? 0 : 1),
      queue_step_out_(static_cast<std::uint16_t>(config.organisation == buffering::fifo   ? 0
                                                 : config.organisation == buffering::voq  ? config.inputs
                                                 : config.organisation == buffering::damq ? config.damq_step()
                                                                                          : 1)),
      space_mask_(static_cast<std::uint16_t>(config.organisation == buffering::damq ? config.damq_step() - 1
                                             : config.spaces() == 1                 ? 0
                                                                                    : 0xffff)),
      packet_length_(config.packet_length),
      organisation_(config.organisation),
      cut_through_(config.mode == switching::cut_through),
      looks_ahead_(config.lanes()),
      writes_route_(routes_->entry_routes() != 0),
      round_robin_(!config.arbiter),
      inputs_(memory_.array<input_state>(config.inputs)),
      outputs_(memory_.array<output_state>(config.outputs)),
      queues_(memory_.array<queue_state>(config.queues())),
      spaces_(memory_.array<space>(config.spaces())),
      last_in_(memory_.array<std::uint8_t>(common_queues() ? config.queues() : 0)),
      store_(config.queues(), all_places(), memory_) {
  for (packet_in& i : in) i.lanes().declare(config.lanes() ? config.outputs : 1);
  for (unsigned o = 0; o < config.outputs; ++o) out[o].lanes().declare(rarely_->neighbours[o].lanes);
  if (rarely_->config.arbiter)
    for (unsigned o = 0; o < config.outputs; ++o) {
      rarely_->arbiters.push_back(rarely_->config.arbiter(config.inputs));
      need(rarely_->arbiters.back() != nullptr, "expected an arbiter for each output, found none");
    }
  clear();
}

unsigned buffer_pool::places(unsigned s) const {
  const bool memory = rarely_->config.memory_depth && rarely_->neighbours[s].terminal;
  return memory ? rarely_->config.memory_depth : rarely_->config.places();
}

unsigned buffer_pool::all_places() const {
  if (rarely_->neighbours.size() != rarely_->config.outputs)
    throw std::invalid_argument("one neighbour an output expected");
  unsigned sum = 0;
  for (unsigned s = 0; s < rarely_->config.spaces(); ++s) sum += places(s);
  return sum;
}

double buffer_pool::fullest() const {
  double most = 0;
  for (unsigned s = 0; s < spaces_.size(); ++s)
    most = std::max(most, 1 - static_cast<double>(spaces_[s].free) / places(s));
  return most;
}

void buffer_pool::clear() {
  store_.clear();
  open_ = showing_ = busy_ = requested_ = 0;
  changed_ = low_bits(rarely_->config.inputs);
  std::fill(inputs_.begin(), inputs_.end(), input_state{});
  for (unsigned o = 0; o < rarely_->config.outputs; ++o) {
    outputs_[o] = {};
    outputs_[o].looks_ahead = rarely_->neighbours[o].lanes > 1;
  }
  for (const auto& one : rarely_->arbiters) one->clear();
  std::fill(queues_.begin(), queues_.end(), queue_state{});
  last_in_pool_ = static_cast<std::uint8_t>(rarely_->config.inputs - 1);
  std::fill(last_in_.begin(), last_in_.end(), last_in_pool_);
  for (unsigned s = 0; s < spaces_.size(); ++s) {
    spaces_[s] = {};
    spaces_[s].free = static_cast<std::uint16_t>(places(s));
  }
}

void buffer_pool::reset() {
  lost_ += store_.used();
  clear();
  for (packet_in& i : in) i.ready.write(0);
  for (packet_out& o : out) o.valid.write(false);
  if (marked()) show_waiting();
}

void buffer_pool::tick() {
  const std::uint64_t shown = shown_inputs();
  const std::uint64_t sent = send();
  const std::uint64_t accepted = receive(shown & open_);
  arbitrate();
  const std::uint64_t stays = showing_ & ~sent;
  const bool more_to_send = show(sent);
  offer_room(shown & ~accepted);
  if (marked()) {
    mark_heads(showing_ & ~stays);
    show_waiting();
  }
  // Everything else that could change the state comes with a write to an input, which wakes the block.
  if (more_to_send || accepted || (shown & open_)) wake_at(cycle() + 1);
}

inline std::uint64_t buffer_pool::shown_inputs() const {
  std::uint64_t shown = 0;
  unsigned i = 0;
  for (const packet_in& pins : in) shown |= std::uint64_t{pins.valid.read()} << i++;
  return shown;
}

inline std::uint64_t buffer_pool::send() {
  std::uint64_t sent = 0;
  for (std::uint64_t rest = showing_; rest; rest &= rest - 1) {
    const unsigned o = lowest(rest);
    const output_state& port = outputs_[o];
    if (!(out[o].ready.read() >> port.lane & 1)) continue;
    const unsigned q = port.queue;
    const flit_store::note& gone = store_.pop(q);
    ++forwarded_;
    sent |= bit(o);
    changed_ |= bit(gone.input);
    ++space_of(q).free;
    if (!gone.tail) continue;
    queues_[q].sending = false;
    busy_ &= ~bit(o);
    if (sendable(q)) request(store_.front_note(q).output, store_.front_note(q).input);
  }
  return sent;
}

[[gnu::always_inline]] inline std::uint64_t buffer_pool::receive(std::uint64_t shown) {
  std::uint64_t accepted = 0;
  for (; shown; shown &= shown - 1) {
    const unsigned i = lowest(shown);
    const flit& f = in[i].data.read();
    if (!accepts(inputs_[i].ready, f)) continue;
    check_length(*this, i, f, packet_length_);
    std::optional<flit> entering;
    if (writes_route_ && f.head() && writes_route_of(i, f)) entering = entered(i, f);
    admit(i, entering ? *entering : f);
    accepted |= bit(i);
  }
  return accepted;
}

inline void buffer_pool::admit(unsigned i, const flit& f) {
  input_state& from = inputs_[i];
  if (f.head()) route(from, i, f);
  const unsigned o = from.output, q = queue_of(i, o);
  if (f.head()) space_of(q).free = static_cast<std::uint16_t>(space_of(q).free - f.length);
  --from.to_come;
  if (common_queues()) {
    if (f.head()) last_in_[q] = last_in_pool_ = static_cast<std::uint8_t>(i);
    queues_[q].writer = from.to_come ? static_cast<std::uint8_t>(i) : none;
  }
  changed_ |= bit(i);
  const bool had_one = sendable(q);
  flit_store::note& note = store_.push(q, f, from.lane_ahead, cycle());
  note.output = from.output;
  note.input = static_cast<std::uint8_t>(i);
  // Then the packet is the first of its queue.
  if (!had_one && !queues_[q].sending && sendable(q)) request(o, i);
}

inline void buffer_pool::route(input_state& from, unsigned i, const flit& head) const {
  from.output = static_cast<std::uint8_t>(output_of(i, head));
  from.lane_ahead = 0;
  if (outputs_[from.output].looks_ahead) {
    const link_end& next = rarely_->neighbours[from.output];
    from.lane_ahead = lane_ahead(*routes_, next, head);
  }
  from.to_come = head.length;
}

inline unsigned buffer_pool::output_of(unsigned i, const flit& head) const {
  if (lanes()) return head.lane;
  if (organisation_ == buffering::fifo) return next_output(*routes_, node_, i, head, out.size());
  const port_mask allowed = next_outputs(*routes_, node_, i, head, out.size());
  return lowest(drawn_output(allowed, rarely_->config.seed, node_, head));
}

/// Only in queues that packets for all outputs share are they looked at one by one.
template <class F>
void buffer_pool::each_waiting(F&& f) const {
  for (unsigned q = 0; q < queues_.size(); ++q) {
    if (store_.empty(q)) continue;
    if (organisation_ == buffering::fifo)
      store_.each_note(q, [&](const flit_store::note& n) { f(n.output, 1u); });
    else
      f(store_.front_note(q).output, store_.flits(q));
  }
}

/// What the switch knows of its outputs.
class buffer_pool::load_of_outputs final : public output_load {
public:
  explicit load_of_outputs(const buffer_pool& pool) : pool_(pool) {}

  unsigned credits(unsigned output) const override { return pool_.out[output].ready.read() != 0; }
  unsigned waiting(unsigned output) const override {
    unsigned flits = 0;
    pool_.each_waiting([&](unsigned o, unsigned n) { flits += o == output ? n : 0; });
    return flits;
  }

private:
  const buffer_pool& pool_;
};

bool buffer_pool::writes_route_of(unsigned i, const flit& head) const {
  return (rarely_->config.terminal_inputs & bit(i)) || routes_->decides_again(node_, i, head);
}

flit buffer_pool::entered(unsigned i, flit head) const {
  head.route = routes_->at_entry(node_, i, head, load_of_outputs(*this));
  return head;
}

inline void buffer_pool::request(unsigned o, unsigned i) {
  outputs_[o].requests |= bit(rival(i));
  requested_ |= bit(o);
}

inline void buffer_pool::arbitrate() {
  for (std::uint64_t rest = requested_ & ~busy_; rest; rest &= rest - 1) choose(lowest(rest));
}

inline void buffer_pool::choose(unsigned o) {
  output_state& port = outputs_[o];
  const unsigned winner = round_robin_ ? port.arbiter.pick(port.requests) : arbitrated(o);
  port.arbiter.granted(winner);
  port.queue = static_cast<std::uint16_t>(queue_of(winner, o));
  queues_[port.queue].sending = true;
  busy_ |= bit(o);
  port.requests &= ~bit(winner);
  if (!port.requests) requested_ &= ~bit(o);
}

/// The packets for an output.
class buffer_pool::rivals final : public contenders {
public:
  rivals(const buffer_pool& pool, unsigned output) : pool_(pool), output_(output) {}

  const flit& front(unsigned requester) const override { return pool_.store_.front(queue(requester)); }
  std::uint32_t arrived(unsigned requester) const override {
    return pool_.store_.front_note(queue(requester)).arrived;
  }

private:
  unsigned queue(unsigned requester) const { return pool_.queue_of(requester, output_); }
  const buffer_pool& pool_;
  const unsigned output_;
};

unsigned buffer_pool::arbitrated(unsigned o) {
  const std::uint64_t requests = outputs_[o].requests;
  const unsigned winner = rarely_->arbiters[o]->grant(requests, rivals(*this, o));
  if (winner < 64 && (requests & bit(winner))) return winner;
  const std::string what = std::string(name()) + ": the arbiter of output " + std::to_string(o) +
                           " has chosen requester " + std::to_string(winner) + ", which has no packet for it";
  SC_REPORT_ERROR("spillway/arbiter", what.c_str());
  sc_core::sc_abort();  // only if errors have been told not to throw
}

[[gnu::always_inline]] inline bool buffer_pool::show(std::uint64_t sent) {
  bool more_to_send = false;
  const std::uint64_t stays = showing_ & ~sent;  // the pins show the flit already
  for (std::uint64_t rest = busy_ | showing_; rest; rest &= rest - 1) {
    const unsigned o = lowest(rest);
    output_state& port = outputs_[o];
    if (!(stays & bit(o))) {
      const bool shows = (busy_ & bit(o)) && !store_.empty(port.queue);
      if (shows != ((showing_ & bit(o)) != 0)) {
        showing_ ^= bit(o);
        out[o].valid.write(shows);
      }
      if (!shows) continue;
      const flit& f = store_.front(port.queue);
      port.lane = f.lane;
      out[o].data.write(f);
    }
    more_to_send |= (out[o].ready.read() >> port.lane & 1) != 0;
  }
  return more_to_send;
}

/// Of the outputs that have come to show a flit.
void buffer_pool::mark_heads(std::uint64_t shown) {
  for (; shown; shown &= shown - 1) {
    const unsigned o = lowest(shown);
    out[o].data.write(with_marks(o, store_.front(outputs_[o].queue)));
  }
}

void buffer_pool::show_waiting() {
  std::array<std::uint16_t, 64> flits{};
  each_waiting([&](unsigned o, unsigned n) { flits[o] = static_cast<std::uint16_t>(flits[o] + n); });
  for (unsigned o = 0; o < rarely_->config.outputs; ++o) marking[o].waiting.write(flits[o]);
}

inline void buffer_pool::offer_room(std::uint64_t waiting) {
  if (common_queues())
    offer_common_room(waiting);
  else
    for (std::uint64_t rest = changed_; rest; rest &= rest - 1)
      offer(lowest(rest), own_queues_with_room(lowest(rest)));
  changed_ = 0;
}

void buffer_pool::offer_common_room(std::uint64_t waiting) {
  std::array<lane_mask, 64> lanes;
  offer_common_queues(waiting, lanes);
  for (unsigned i = 0; i < rarely_->config.inputs; ++i) offer(i, lanes[i]);
}

inline void buffer_pool::offer(unsigned i, lane_mask lanes) {
  if (inputs_[i].ready == lanes) return;
  inputs_[i].ready = lanes;
  in[i].ready.write(lanes);
  open_ = lanes ? open_ | bit(i) : open_ & ~bit(i);
}

inline lane_mask buffer_pool::own_queues_with_room(unsigned i) const {
  const input_state& from = inputs_[i];
  if (from.to_come) return lanes() ? bit(from.output) : 1;
  if (!lanes()) return spaces_[i].free >= packet_length_;
  lane_mask lanes = 0;
  for (unsigned o = 0; o < rarely_->config.outputs; ++o)
    if (spaces_[queue_of(i, o)].free >= packet_length_) lanes |= bit(o);
  return lanes;
}

void buffer_pool::offer_common_queues(std::uint64_t waiting, std::array<lane_mask, 64>& offer) {
  // An input in the middle of a packet has its room already and wants no other.
  std::uint64_t between_packets = 0;
  std::array<std::uint64_t, 64> wanted_by;  // per output: inputs that show a head for it
  std::fill_n(wanted_by.begin(), rarely_->config.outputs, 0);
  for (unsigned i = 0; i < rarely_->config.inputs; ++i) {
    offer[i] = inputs_[i].to_come ? bit(inputs_[i].output) : 0;
    if (inputs_[i].to_come) continue;
    between_packets |= bit(i);
    if (waiting & bit(i)) wanted_by[in[i].data.read().lane % rarely_->config.outputs] |= bit(i);
  }
  if (rarely_->config.admission)  // who is refused has no claim
    for (unsigned o = 0; o < rarely_->config.outputs; ++o)
      if (open_places(o) < packet_length_) wanted_by[o] = 0;
  const bool long_packets = packet_length_ > 1;
  if (spaces_.size() == 1) {
    std::uint64_t wanted = 0;
    for (unsigned o = 0; o < rarely_->config.outputs; ++o) wanted |= wanted_by[o];
    between_packets = first_claims(last_in_pool_, between_packets, wanted, spaces_[0].free / packet_length_);
  }
  for (unsigned o = 0; o < rarely_->config.outputs; ++o) {
    if (queues_[o].writer != none) continue;
    const unsigned places = open_places(o) / packet_length_;
    const std::uint64_t winners = first_claims(last_in_[o], between_packets, wanted_by[o],
                                               long_packets ? std::min(places, 1u) : places);
    for (std::uint64_t rest = winners; rest; rest &= rest - 1) offer[lowest(rest)] |= bit(o);
  }
}

/// Places that packets for the queue may take now.
inline unsigned buffer_pool::open_places(unsigned queue) {
  const unsigned free = space_of(queue).free;
  if (!rarely_->config.admission) return free;
  const pool_view pool{rarely_->config.depth, free, rarely_->config.outputs, packet_length_};
  return std::min(free, rarely_->config.admission->allowed(pool, queue, store_.flits(queue)));
}

std::uint64_t buffer_pool::first_claims(unsigned last, std::uint64_t inputs, std::uint64_t wanted_by,
                                        unsigned places) const {
  if (places >= static_cast<unsigned>(__builtin_popcountll(inputs))) return inputs;
  std::uint64_t winners = 0;
  // Those from there on, then those before.
  const auto serve = [&](std::uint64_t group, std::uint64_t before) {
    for (std::uint64_t turn : {group & ~before, group & before})
      for (; turn && places; turn &= turn - 1, --places) winners |= bit(lowest(turn));
  };
  serve(inputs & wanted_by, low_bits(last + 1u));
  const unsigned last_of_room = spaces_.size() == 1 ? last_in_pool_ : last;
  serve(inputs & ~wanted_by, packet_length_ > 1 ? low_bits(last) : low_bits(last_of_room + 1u));
  return winners;
}

hardware_size buffer_pool::storage() const {
  const buffer_pool_config& config = rarely_->config;
  hardware_size all = store_.storage(config.spaces() < config.queues());
  const std::uint64_t queues = config.queues(), inputs = config.inputs, outputs = config.outputs;
  if (config.packet_length > 1) {
    // Of a packet that is coming: flits still to come, and its output; of a queue that all write: its writer.
    all.bits += inputs * (bits_to(config.packet_length - 1) + bits_below(outputs));
    if (common_queues()) all.bits += queues * bits_to(inputs);
    if (!cut_through_) all.bits += queues * bits_to(config.places());  // whole packets
  }
  // Which input got a place last, of a queue and of a pool; and whose packet an output sends and serves next.
  if (common_queues())
    all.bits +=
        (config.packet_length > 1 || config.admission ? queues + config.shares_pool() : config.spaces()) *
        bits_below(inputs);
  all.bits += outputs * (bits_to(queues) + (common_queues() ? 0 : bits_below(inputs)));
  return all;
}

}  // namespace spillway
