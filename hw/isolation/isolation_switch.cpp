#include <algorithm>
#include <spillway/hw/isolation/isolation_switch.hpp>
#include <spillway/hw/isolation/isolation_switch_checker.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/hw/switching/packet_length.hpp>
#include <string>
#include <utility>

namespace spillway {

using namespace masks;
using detail::checked;
using detail::need;

void isolation_switch_config::check() const {
  const auto text = [](std::uint64_t n) { return std::to_string(n); };
  need(inputs >= 1 && inputs <= 64 && outputs >= 1 && outputs <= 64,
       "a switch has 1 to 64 inputs and outputs, found " + text(inputs) + " and " + text(outputs));
  need(queues <= 63, "an input has 0 to 63 set-aside queues, found " + text(queues));
  const unsigned least = queues ? std::min(depth, queue_depth) : depth;
  need(packet_length >= 1 && least >= packet_length,
       "every queue must hold a whole packet: the smallest has room for " + text(least) +
           " flits, packets have up to " + text(packet_length));
  need(go < stop && stop <= queue_depth,
       "a tree is stopped with up to as many flits as its queue holds, and may go on with fewer: expected "
       "go < stop <= queue_depth, found " +
           text(go) + ", " + text(stop) + " and " + text(queue_depth));
  const std::uint64_t places = std::uint64_t{inputs} * (depth + std::uint64_t{queues} * queue_depth);
  need(places <= 65535, "a switch holds at most 65535 flits, found " + text(places));
}

isolation_switch::isolation_switch(const sc_core::sc_module_name& name, const isolation_switch_config& config,
                                   unsigned node, std::shared_ptr<const routing> routes,
                                   std::shared_ptr<const output_map> map, std::vector<link_end> neighbours)
    : network_block(name, checked(config).marked ? config.outputs : 0),
      in(config.inputs, "in"),
      in_tree(config.at_terminal ? 0 : config.inputs, "in"),
      out(config.outputs, "out"),
      out_tree(config.outputs, "out"),
      config_(config),
      node_(node),
      routes_(std::move(routes)),
      map_(std::move(map)),
      neighbours_(std::move(neighbours)),
      links_in_(config.inputs),
      links_out_(config.outputs),
      stopped_(config.outputs),
      stops_(config.inputs),
      branches_(config.inputs),
      tokens_(config.outputs),
      queues_(memory_.array<queue_state>(config.inputs * (config.queues + 1))),
      asides_(memory_.array<aside>(queues_.size())),
      older_(memory_.array<std::uint16_t>(queues_.size() * (config.queues + 1))),
      inputs_(memory_.array<input_state>(config.inputs)),
      outputs_(config.outputs),
      store_(static_cast<unsigned>(queues_.size()),
             config.inputs * (config.depth + config.queues * config.queue_depth), memory_) {
  need(neighbours_.size() == config.outputs, "one neighbour an output expected");
  clear();
}

void isolation_switch::connect_input(unsigned port, network_link& l) {
  packet_in& pins = in.at(port);
  links_in_[port] = &l;
  if (config_.at_terminal) return link_cast<packet_link>(l).connect(pins);
  auto& link = link_cast<isolation_link>(l);
  link.connect(pins), link.connect(in_tree[port]);
}

void isolation_switch::connect_output(unsigned port, network_link& l) {
  packet_out& pins = out.at(port);
  links_out_[port] = &l;
  auto& link = link_cast<isolation_link>(l);
  link.connect(pins), link.connect(out_tree[port]);
}

std::vector<std::unique_ptr<clocked>> isolation_switch::make_checkers(const violation_handler& handler) {
  isolation_switch_checker_config config;
  config.watched = name();
  config.inputs = config_.inputs;
  config.at_terminal = config_.at_terminal;
  config.map = map_;
  config.neighbours = neighbours_;
  auto checker = std::make_unique<isolation_switch_checker>(
      ("check_" + std::string(basename()) + "_trees").c_str(), std::move(config), handler);
  for (unsigned i = 0; i < config_.inputs; ++i) {
    if (config_.at_terminal) {
      connected<packet_link>(links_in_[i]).connect(checker->in[i]);
      continue;
    }
    auto& link = connected<isolation_link>(links_in_[i]);
    link.connect(checker->in[i]), link.connect(checker->in_tree[i]);
  }
  for (unsigned o = 0; o < config_.outputs; ++o) {
    auto& link = connected<isolation_link>(links_out_[o]);
    link.connect(checker->out[o]), link.connect(checker->out_tree[o]);
  }
  std::vector<std::unique_ptr<clocked>> all;
  all.push_back(std::move(checker));
  return all;
}

double isolation_switch::fullest() const {
  double most = 0;
  for (unsigned q = 0; q < queues_.size(); ++q) {
    const unsigned places = q % (config_.queues + 1) ? config_.queue_depth : config_.depth;
    most = std::max(most, static_cast<double>(store_.flits(q)) / places);
  }
  return most;
}

void isolation_switch::count(counters& all) const {
  all["isolation.roots"] += static_cast<double>(counted_.roots);
  all["isolation.queues_taken"] += static_cast<double>(counted_.queues);
  all["isolation.flits_set_aside"] += static_cast<double>(counted_.flits);
  all["isolation.no_queue_free"] += static_cast<double>(counted_.refused);
  unsigned used = 0;
  for (unsigned i = 0; i < config_.inputs; ++i) used += set_aside(i);
  all["isolation.queues_in_use"] += used;
}

unsigned isolation_switch::set_aside(unsigned input) const {
  unsigned used = 0;
  for (unsigned k = 1; k <= config_.queues; ++k) used += aside_of(input, k).used;
  return used;
}

void isolation_switch::clear() {
  store_.clear();
  rooted_ = 0;
  for (unsigned q = 0; q < queues_.size(); ++q) {
    const unsigned places = q % (config_.queues + 1) ? config_.queue_depth : config_.depth;
    queues_[q] = {static_cast<std::uint16_t>(places), false};
    asides_[q] = {};
  }
  for (std::uint16_t& n : older_) n = 0;
  for (input_state& i : inputs_) i = {};
  for (output_state& o : outputs_) o = {};
  for (heard_roots& r : stopped_) r.clear();
  for (heard_roots& r : branches_) r.clear();
  for (told_roots& r : stops_) r.clear();
  for (told_roots& r : tokens_) r.clear();
}

void isolation_switch::reset() {
  lost_ += store_.used();
  clear();
  for (packet_in& i : in) i.ready.write(0);
  for (tree_in& i : in_tree) i.stop.write({});
  for (packet_out& o : out) o.valid.write(false);
  for (tree_out& o : out_tree) o.token.write({});
  if (marked()) show_waiting();
}

void isolation_switch::tick() {
  hear();
  bool busy = send();
  busy |= receive();
  busy |= sort();
  busy |= find_roots();
  choose();
  busy |= show();
  busy |= give_up();
  busy |= tell();
  busy |= offer();
  if (marked()) show_waiting();
  if (busy) wake_at(cycle() + 1);
}

void isolation_switch::hear() {
  for (unsigned o = 0; o < config_.outputs; ++o) stopped_[o].hear(out_tree[o].stop.read());
  for (unsigned i = 0; i < in_tree.size(); ++i) branches_[i].hear(in_tree[i].token.read());
}

/// Flits for an output, in the queue of this number, as roots are found and lost by them.
void isolation_switch::count_waiting(unsigned queue, unsigned output, int flits) {
  output_state& port = outputs_[output];
  std::uint16_t* counter = &port.waiting;
  if (queue % (config_.queues + 1)) {
    if (asides_[queue].root != own_root(output)) return;
    counter = &port.set_aside;
  }
  *counter = static_cast<std::uint16_t>(*counter + flits);
}

/// What has crossed leaves its queue.
bool isolation_switch::send() {
  bool sent = false;
  for (unsigned o = 0; o < config_.outputs; ++o) {
    output_state& port = outputs_[o];
    if (!port.shows || !(out[o].ready.read() & 1)) continue;
    const unsigned q = port.queue, input = q / (config_.queues + 1), k = q % (config_.queues + 1);
    const bool tail = store_.pop(q).tail;
    ++forwarded_;
    ++queues_[q].free;
    count_waiting(q, o, -1);
    if (k == 0) inputs_[input].refused = false;
    for (unsigned other = 1; k && other <= config_.queues; ++other)
      if (std::uint16_t& before = older(input, other, k)) --before;
    port.shows = false;
    sent = true;
    if (!tail) continue;
    queues_[q].sending = false;
    port.queue = none;
  }
  return sent;
}

bool isolation_switch::receive() {
  bool accepted = false;
  for (unsigned i = 0; i < config_.inputs; ++i) {
    input_state& from = inputs_[i];
    if (!from.open || !in[i].valid.read()) continue;
    const flit& f = in[i].data.read();
    if (f.lane) continue;
    check_length(*this, i, f, config_.packet_length);
    const unsigned q = number(i, 0);
    if (f.head()) {
      from.output = static_cast<std::uint8_t>(
          config_.at_terminal ? 0 : next_output(*routes_, node_, i, f, config_.outputs));
      from.to_come = f.length;
      queues_[q].free = static_cast<std::uint16_t>(queues_[q].free - f.length);
    }
    --from.to_come;
    store_.push(q, f, 0, cycle()).output = from.output;
    count_waiting(q, from.output, 1);
    accepted = true;
  }
  return accepted;
}

bool isolation_switch::sort() {
  bool moved = false;
  for (unsigned i = 0; config_.queues && i < config_.inputs; ++i) moved |= sort(i);
  return moved;
}

/// Sets aside a flit of the packet at the head of an input's first queue, if it goes through a root.
bool isolation_switch::sort(unsigned input) {
  input_state& from = inputs_[input];
  const unsigned first = number(input, 0);
  from.held = false;
  if (store_.empty(first) || queues_[first].sending) return false;
  if (!from.moving) {
    const flit& head = store_.front(first);
    const unsigned k = place_for(input, head, store_.front_note(first).output);
    if (!k) return false;
    queue_state& to = queues_[number(input, k)];
    from.held = to.free < head.length;
    if (from.held) return false;
    to.free = static_cast<std::uint16_t>(to.free - head.length);
    from.moving = static_cast<std::uint8_t>(k);
  }
  move(input, from.moving);
  from.held = true;  // who is next has not been looked at
  return true;
}

/// The set-aside queue for a packet, of those in use the one whose root is farthest on its way, else a free
/// one if there is a reason to set it aside; 0: none.
unsigned isolation_switch::place_for(unsigned input, const flit& head, unsigned output) {
  const bool here = rooted_ >> output & 1;
  unsigned used = 0;
  for (unsigned k = 1; k <= config_.queues; ++k) used += aside_of(input, k).used;
  if (!used && !here && stopped_[output].empty()) return 0;
  unsigned queue = 0;
  bool reason = false;  // for another queue than that
  std::uint32_t root = 0;
  const auto look = [&](std::uint32_t number) {
    if (stopped_[output].contains(number) || (here && number == own_root(output)))
      reason = true, root = number;
    for (unsigned k = 1; used && k <= config_.queues; ++k) {
      const aside& a = aside_of(input, k);
      if (a.used && a.output == output && a.root == number) queue = k, reason = false;
    }
    return false;
  };
  if (!config_.at_terminal) look(own_root(output));
  map_->each_ahead(neighbours_[output], head, look);
  if (!reason) return queue;
  if (used == config_.queues) {
    counted_.refused += !inputs_[input].refused;
    inputs_[input].refused = true;
    return queue;
  }
  return allocate(input, output, root);
}

unsigned isolation_switch::allocate(unsigned input, unsigned output, std::uint32_t root) {
  unsigned k = 1;
  while (aside_of(input, k).used) ++k;
  aside_of(input, k) = {root, static_cast<std::uint8_t>(output), true};
  ++counted_.queues;
  wait_for_older(input, k);
  if (root != own_root(output)) tokens_[output].say(root, true);
  return k;
}

/// Packets of the new tree that are set aside already, with a root nearer by, go before those of queue k.
void isolation_switch::wait_for_older(unsigned input, unsigned k) {
  const aside& fresh = aside_of(input, k);
  for (unsigned other = 1; other <= config_.queues; ++other) {
    std::uint16_t& before = older(input, k, other) = 0;
    if (other == k || !aside_of(input, other).used || aside_of(input, other).output != fresh.output) continue;
    std::uint16_t position = 0;
    store_.each_flit(number(input, other), [&](const flit& f) {
      ++position;
      map_->each_ahead(neighbours_[fresh.output], f, [&](std::uint32_t number) {
        if (number == fresh.root) before = position;
        return number == fresh.root;
      });
    });
  }
}

/// One flit from the first queue of an input.
void isolation_switch::move(unsigned input, unsigned k) {
  const unsigned first = number(input, 0), to = number(input, k);
  const flit f = store_.front(first);
  const std::uint8_t output = store_.front_note(first).output;
  const bool tail = store_.pop(first).tail;
  inputs_[input].refused = false;
  ++queues_[first].free;
  count_waiting(first, output, -1);
  store_.push(to, f, 0, cycle()).output = output;
  count_waiting(to, output, 1);
  ++counted_.flits;
  if (tail) inputs_[input].moving = 0;
}

/// An output is a root while too much waits for it although the next switch takes it.
bool isolation_switch::find_roots() {
  const port_mask before = rooted_;
  for (unsigned o = 0; config_.threshold && o < config_.outputs; ++o) {
    const output_state& port = outputs_[o];
    if (!(rooted_ & bit(o)) && port.waiting >= config_.threshold && (out[o].ready.read() & 1)) {
      rooted_ |= bit(o);
      ++counted_.roots;
    } else if ((rooted_ & bit(o)) && 2u * (port.waiting + port.set_aside) <= config_.threshold) {
      rooted_ &= ~bit(o);
    }
  }
  return rooted_ != before;
}

bool isolation_switch::stopped(unsigned output, const flit& head) const {
  bool found = false;
  if (!stopped_[output].empty())
    map_->each_ahead(neighbours_[output], head,
                     [&](std::uint32_t number) { return found = stopped_[output].contains(number); });
  return found;
}

/// Whether the head of a queue may be sent, as far as trees are concerned.
bool isolation_switch::may_go(unsigned input, unsigned k, unsigned output) const {
  if (k == 0) {
    if (inputs_[input].held) return false;
  } else {
    const std::size_t row = std::size_t{number(input, k)} * (config_.queues + 1);
    for (unsigned other = 1; other <= config_.queues; ++other)
      if (older_[row + other]) return false;
  }
  return !stopped(output, store_.front(number(input, k)));
}

/// Of all queues whose heads want an output the next in turn.
void isolation_switch::choose() {
  for (unsigned i = 0; i < config_.inputs; ++i)
    for (unsigned k = 0; k <= config_.queues; ++k) {
      const unsigned q = number(i, k);
      if (store_.empty(q) || queues_[q].sending) continue;
      const unsigned o = store_.front_note(q).output;
      if (outputs_[o].queue == none && may_go(i, k, o)) outputs_[o].candidates.insert(i * 64 + k);
    }
  for (unsigned o = 0; o < config_.outputs; ++o) {
    output_state& port = outputs_[o];
    if (port.candidates.empty()) continue;
    const unsigned winner = port.arbiter.pick(port.candidates);
    port.arbiter.granted(winner);
    port.candidates.clear();
    port.queue = static_cast<std::uint16_t>(number(winner / 64, winner % 64));
    queues_[port.queue].sending = true;
    if (marked()) store_.front(port.queue) = with_marks(o, store_.front(port.queue));
  }
}

/// Whether something that is shown crosses at the next edge, if the pins stay as they are.
bool isolation_switch::show() {
  bool more = false;
  for (unsigned o = 0; o < config_.outputs; ++o) {
    output_state& port = outputs_[o];
    port.shows = port.queue != none && !store_.empty(port.queue);
    out[o].valid.write(port.shows);
    if (!port.shows) continue;
    out[o].data.write(store_.front(port.queue));
    more |= (out[o].ready.read() & 1) != 0;
  }
  return more;
}

void isolation_switch::show_waiting() {
  for (unsigned o = 0; o < config_.outputs; ++o)
    marking[o].waiting.write(static_cast<std::uint16_t>(outputs_[o].waiting + outputs_[o].set_aside));
}

/// Queues that are empty, have stopped nobody, and of whose tree the sender has nothing set aside.
bool isolation_switch::give_up() {
  bool some = false;
  for (unsigned i = 0; i < config_.inputs; ++i)
    for (unsigned k = 1; k <= config_.queues; ++k) {
      aside& a = aside_of(i, k);
      const unsigned q = number(i, k);
      if (!a.used || !store_.empty(q) || queues_[q].sending || inputs_[i].moving == k) continue;
      if (branches_[i].contains(a.root) || stops_[i].says(a.root)) continue;
      a.used = false;
      some = true;
      const bool more = std::any_of(asides_.begin(), asides_.end(), [&](const aside& b) {
        return b.used && b.root == a.root && b.output == a.output;
      });
      if (!more) tokens_[a.output].say(a.root, false);
    }
  return some;
}

/// One word a link and cycle, either way.
bool isolation_switch::tell() {
  bool told = false;
  const auto write = [&told](auto& pin, const tree_message& m) {
    pin.write(m);
    told |= m.any();
  };
  for (unsigned i = 0; i < in_tree.size(); ++i) {
    for (const bool full : {false, true})  // of several with one root, the fullest decides
      for (unsigned k = 1; k <= config_.queues; ++k) {
        const aside& a = aside_of(i, k);
        const unsigned flits = store_.flits(number(i, k));
        if (!a.used) continue;
        if (full ? flits >= config_.stop : flits <= config_.go) stops_[i].say(a.root, full);
      }
    write(in_tree[i].stop, stops_[i].next());
  }
  for (unsigned o = 0; o < config_.outputs; ++o) write(out_tree[o].token, tokens_[o].next());
  return told;
}

/// Whether something that is shown is taken at the next edge.
bool isolation_switch::offer() {
  bool more = false;
  for (unsigned i = 0; i < config_.inputs; ++i) {
    input_state& to = inputs_[i];
    const bool room = to.to_come || queues_[number(i, 0)].free >= config_.packet_length;
    if (room != to.open) in[i].ready.write((to.open = room) ? 1 : 0);
    more |= room && in[i].valid.read();
  }
  return more;
}

hardware_size isolation_switch::storage() const {
  const std::uint64_t inputs = config_.inputs, outputs = config_.outputs, several = config_.queues;
  const unsigned output = bits_below(outputs), depth = bits_to(config_.queue_depth);
  hardware_size all{capacity(), 0, 0};
  // Each queue is a ring; a set-aside one has the root of its tree, its output, and what is in use, told and
  // known of it at both ends; of every pair of an input's the flits that go before.
  const hardware_size first{0, 0, bits_below(config_.depth) + bits_to(config_.depth)};
  const hardware_size queue{0, 1, bits_below(config_.queue_depth) + depth + output + 4};
  all += inputs * (first + several * queue);
  all.bits += inputs * several * several * depth;
  if (config_.packet_length > 1) all.bits += inputs * (bits_to(config_.packet_length - 1) + output);
  // Of an input: what takes the packet at the head of the first queue, and whether it is held.
  all.bits += inputs * (bits_to(several) + 1);
  // Of an output: the queue that sends and the turn, flits that wait for it here and set aside, whether it is
  // a root; and of the next switch's trees, as many as that has queues: the root, and whether its token is
  // out.
  const std::uint64_t queues = inputs * (several + 1);
  all.bits += outputs * (bits_to(queues) + bits_below(queues) + 2 * bits_to(capacity()) + 1);
  all += outputs * several * hardware_size{0, 1, 2};
  return all;
}

}  // namespace spillway
