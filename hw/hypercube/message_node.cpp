#include <algorithm>
#include <array>
#include <spillway/hw/hypercube/message_node.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <string>

namespace spillway {

void message_node_config::check() const {
  using detail::need;
  need(inputs.size() <= 64 && outputs.size() <= 64, "a node has at most 64 inputs and outputs, found " +
                                                        std::to_string(inputs.size()) + " and " +
                                                        std::to_string(outputs.size()));
  need(service.unit >= 1, "a time unit has at least 1 cycle, found 0");
  for (const auto* side : {&inputs, &outputs})
    for (const message_port& port : *side)
      need(port.rate > 0, "a link transmits at a rate above 0, found " + std::to_string(port.rate));
  const auto farthest = std::max_element(hops.begin(), hops.end());
  need(farthest == hops.end() || *farthest <= most_hops,
       "the rules that count hops are for ways of up to " + std::to_string(most_hops) + " links, found " +
           std::to_string(farthest == hops.end() ? 0 : *farthest));
  need(!buffers || rule == buffer_rule::any || farthest == hops.end() || *farthest < buffers,
       "buffers by classes are more than the links of the longest way, found " + std::to_string(buffers) +
           " for " + std::to_string(farthest == hops.end() ? 0 : *farthest) + " links");
}

namespace {

/// Hops are of no interest without a rule that counts them.
message_node_config tidied(message_node_config config) {
  config.check();
  if (!config.buffers || config.rule == buffer_rule::any) config.hops.clear();
  return config;
}

/// Ports to other nodes.
std::vector<unsigned> between_nodes(const std::vector<message_port>& inputs) {
  std::vector<unsigned> ports;
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (!inputs[i].terminal) ports.push_back(i);
  return ports;
}

}  // namespace

message_node::message_node(const sc_core::sc_module_name& name, message_node_config config, unsigned node,
                           std::shared_ptr<const routing> routes, std::uint64_t seed)
    : switch_block(name, static_cast<unsigned>(config.inputs.size()),
                   static_cast<unsigned>(config.outputs.size())),
      config_(tidied(std::move(config))),
      node_(node),
      routes_(std::move(routes)),
      seed_(seed),
      senders_(config_.outputs.size(), empty_sender()),
      receivers_(config_.inputs.size()),
      way_(between_nodes(config_.inputs)),
      waiting_(config_.combining ? config_.combining->records : 0) {
  if (config_.buffers) buffers_.emplace(config_.buffers, config_.rule);
  const auto lanes = [this](const message_port& p) {
    return classes() && !p.terminal ? message_node_config::most_hops : 1;
  };
  for (unsigned i = 0; i < in.size(); ++i) in[i].lanes().declare(lanes(config_.inputs[i]));
  for (unsigned o = 0; o < out.size(); ++o) out[o].lanes().declare(lanes(config_.outputs[o]));
}

std::vector<std::unique_ptr<clocked>> message_node::make_checkers(const violation_handler& handler) {
  std::vector<std::unique_ptr<clocked>> all;
  if (!config_.combining) return all;
  auto checker = std::make_unique<wait_buffer_checker>(("check_" + std::string(basename())).c_str(), name(),
                                                       *config_.combining, handler);
  checker_ = checker.get();
  all.push_back(std::move(checker));
  return all;
}

void message_node::reset() {
  lost_ += level();
  held_ = 0;
  waiting_.clear();
  branches_.clear();
  if (buffers_) buffers_->clear();
  for (std::size_t o = 0; o < senders_.size(); ++o) {
    const std::uint64_t busy = busy_cycles(senders_[o]);
    senders_[o] = empty_sender();
    senders_[o].busy = busy;
    out[o].valid.write(false);
  }
  for (std::size_t i = 0; i < receivers_.size(); ++i) {
    receivers_[i] = {};
    in[i].ready.write(0);
  }
}

void message_node::tick() {
  if (checker_) checker_->now = cycle();
  send();
  receive();
  finish();
  // With a bound they wait for buffers.
  while (!buffers_ && !branches_.empty()) place_branch(class_buffers::none);
  buffers_ ? grant() : listen();
  show();
}

/// Messages that have crossed to the other side: their transmission has begun.
void message_node::send() {
  for (std::size_t o = 0; o < senders_.size(); ++o) {
    sender& s = senders_[o];
    if (!s.showing || s.under_way) continue;
    const lane_mask lane = lane_mask{1} << s.waiting[s.shown].message.lane;
    if (!(out[o].ready.read() & lane)) continue;
    s.showing = s.asked = false;
    s.refused &= ~lane;
    reordered_ += s.shown != 0;
    s.under_way = s.waiting.take(s.shown);
    // What has waited for a buffer is granted one in a cycle.
    const std::uint64_t began = cycle() > s.since + pins() ? cycle() - 1 : s.since;
    s.done_at = config_.outputs[o].terminal ? cycle() : end_of(s.under_way->message, config_.outputs[o]);
    s.busy += s.done_at - began;
    ++forwarded_;
    --held_;
    wake_at(cycle() + 1);
  }
}

void message_node::receive() {
  for (std::size_t i = 0; i < receivers_.size(); ++i) {
    receiver& r = receivers_[i];
    r.taken = false;
    if (!r.open || !in[i].valid.read() || in[i].data.read().lane != r.lane) continue;
    const flit& f = in[i].data.read();
    r.coming.push_back({f, r.buffer});
    if (config_.inputs[i].terminal) config_.service.enter(r.coming.back().message);
    r.done_at.push_back(config_.inputs[i].terminal ? cycle() : end_of(f, config_.inputs[i]));
    r.buffer = class_buffers::none;
    r.taken = true;
    if (buffers_) {
      r.open = false;
      in[i].ready.write(0);
    }
    most_held_ = std::max(most_held_, ++held_);
    wake_at(cycle() + 1);
  }
}

/// When the transmission ends that begins now, and sees to it that the node is called then.
std::uint64_t message_node::end_of(const flit& f, const message_port& port) {
  const std::uint64_t time = config_.service.cycles(f, port.rate, pins()) - pins();
  if (time) wake_at(cycle() + time);
  return cycle() + time;
}

void message_node::finish() {
  for (sender& s : senders_) {
    if (!s.under_way || s.done_at > cycle()) continue;
    free(s.under_way->buffer);
    s.under_way.reset();
    wake_at(cycle() + 1);
  }
  for (unsigned i = 0; i < receivers_.size(); ++i) {
    receiver& r = receivers_[i];
    while (!r.coming.empty() && r.done_at.front() <= cycle()) {
      arrive(r.coming.front(), i);
      r.coming.pop_front();
      r.done_at.pop_front();
      wake_at(cycle() + 1);
    }
  }
}

void message_node::arrive(held arrived, unsigned input) {
  if (config_.combining) note_way(arrived.message, input);
  if (config_.combining && arrived.message.kind == flit_kind::reply && return_way::has_one(arrived.message))
    return turn_back(arrived, input);
  const unsigned output = choose(next_outputs(*routes_, node_, input, arrived.message, senders_.size()));
  const bool combinable = config_.combining && arrived.message.kind == flit_kind::combinable;
  if (combinable && join(arrived, input, output)) return;
  if (combinable && checker_) checker_->passed(arrived.message, input);
  put(arrived, output);
}

/// Requests bear their way, all others none.
void message_node::note_way(flit& f, unsigned input) const {
  if (f.kind == flit_kind::reply) return;
  if (config_.inputs[input].terminal) f.interface_word = 0;
  if (f.kind != flit_kind::combinable) return;
  if (config_.inputs[input].terminal)
    return_way::begin(f);
  else
    way_.add(f, input);
}

void message_node::put(held message, unsigned output) {
  message.message.lane = lane_of(output, message.message);
  if (!config_.outputs[output].terminal) config_.service.leave(message.message, config_.outputs[output].link);
  message.messages = 1;
  senders_[output].waiting.push(message);
}

/// Sends the reply to a combinable request the way that the request came, and replies to what was merged into
/// it after it.
void message_node::turn_back(held arrived, unsigned input) {
  const std::size_t before = branches_.size();
  waiting_.split(arrived.message, branches_);
  for (std::size_t b = before; b < branches_.size(); ++b) {
    reply_branch& branch = branches_[b];
    branch.reply.interface_word = branch.word;
    branch.port = way_back(branch.reply, input);
    if (observer_) observer_->split(cycle(), arrived.message, branch.reply);
    if (checker_) checker_->split(arrived.message, branch.reply, branch.port);
  }
  const unsigned output = way_back(arrived.message, input);
  if (checker_) checker_->turned_back(arrived.message, output);
  put(arrived, output);  // in the buffer that it has
}

/// The next port of that way.
unsigned message_node::way_back(flit& reply, unsigned input) const {
  if (!return_way::is_over(reply)) return way_.take(reply);
  reply.interface_word = 0;
  return static_cast<unsigned>(__builtin_ctzll(next_outputs(*routes_, node_, input, reply, senders_.size())));
}

/// Whether a combinable message becomes part of another at that output.
bool message_node::join(const held& arrived, unsigned input, unsigned output) {
  if (config_.outputs[output].terminal) return false;
  if (waiting_.full()) {
    waiting_.refuse();
    return false;
  }
  sender& s = senders_[output];
  // With any number of buffers what is shown is taken at once; with a bound it waits for a grant.
  const flit* survivor =
      s.waiting.join(arrived.message, s.showing && !buffers_ ? s.shown : combining_queue<held>::none);
  if (!survivor && join_under_way(s, arrived.message)) survivor = &s.under_way->message;
  if (!survivor) return false;
  waiting_.merge(*survivor, arrived.message, input);
  if (checker_) checker_->merged(*survivor, arrived.message, input);
  if (observer_) observer_->combined(cycle(), *survivor, arrived.message);
  free(arrived.buffer);
  --held_;
  return true;
}

bool message_node::join_under_way(sender& s, const flit& f) const {
  if (!config_.combining->in_service || !s.under_way) return false;
  if (!may_join(f, s.under_way->message, s.under_way->messages, *config_.combining)) return false;
  ++s.under_way->messages;
  return true;
}

/// The first of the branches gets its place.
void message_node::place_branch(unsigned buffer) {
  if (buffers_) buffers_->take(buffer);
  const reply_branch branch = branches_.front();
  branches_.pop_front();
  waiting_.leave();
  if (checker_) checker_->placed();
  put({branch.reply, buffer}, branch.port);
  most_held_ = std::max(most_held_, ++held_);
}

/// Hops to go from the node at the other end, where the buffers there ask for them.
std::uint8_t message_node::lane_of(unsigned output, const flit& f) const {
  if (!classes() || config_.outputs[output].terminal) return 0;
  return static_cast<std::uint8_t>(config_.hops[f.destination] - 1);
}

unsigned message_node::choose(port_mask usable) {
  if (config_.choice == output_choice::shortest_queue) {
    std::size_t shortest = ~std::size_t{0};
    port_mask best = 0;
    for (port_mask rest = usable; rest; rest &= rest - 1) {
      const auto o = static_cast<unsigned>(__builtin_ctzll(rest));
      const std::size_t length = senders_[o].waiting.size();
      if (length < shortest) best = 0;
      if (length <= shortest) best |= port_mask{1} << o;
      shortest = std::min(shortest, length);
    }
    usable = best;
  }
  const auto candidates = static_cast<unsigned>(__builtin_popcountll(usable));
  for (std::uint64_t skip = candidates > 1 ? below(candidates) : 0; skip; --skip) usable &= usable - 1;
  return static_cast<unsigned>(__builtin_ctzll(usable));
}

void message_node::free(unsigned buffer) {
  if (buffers_) buffers_->give_back(buffer);
}

/// Whether a message waits at that input for which there is a buffer, and which.
bool message_node::request(unsigned input, unsigned& buffer) const {
  const receiver& r = receivers_[input];
  if (r.open || r.taken || !r.coming.empty() || !in[input].valid.read()) return false;
  const flit& f = in[input].data.read();
  buffer = buffers_->find(hops_to(f), config_.inputs[input].terminal);
  return buffer != class_buffers::none;
}

void message_node::open(unsigned input, unsigned buffer) {
  buffers_->take(buffer);
  receivers_[input].buffer = buffer;
  receivers_[input].open = true;
  receivers_[input].lane = in[input].data.read().lane;
  in[input].ready.write(lane_mask{1} << receivers_[input].lane);
}

/// Without a bound all inputs are open for good.
void message_node::listen() {
  if (receivers_.empty() || receivers_.front().open) return;
  for (std::size_t i = 0; i < receivers_.size(); ++i) {
    receivers_[i].open = true;
    in[i].ready.write(1);
  }
  wake_at(cycle() + 1);
}

/// One grant after the other, each to one drawn from those who could be granted one.
void message_node::grant() {
  for (;; wake_at(cycle() + 1)) {
    port_mask neighbours = 0, hosts = 0;
    std::array<unsigned, 64> buffer{};
    for (unsigned i = 0; i < receivers_.size(); ++i)
      if (request(i, buffer[i])) (config_.inputs[i].terminal ? hosts : neighbours) |= port_mask{1} << i;
    // What is split from a reply competes as if it came from a neighbour, after the last of them.
    unsigned for_branch = class_buffers::none;
    if (!branches_.empty()) for_branch = buffers_->find(hops_to(branches_.front().reply), false);
    bool branch = for_branch != class_buffers::none;
    port_mask wanting = neighbours | hosts;
    if (config_.grants == grant_order::neighbours_first && (neighbours || branch)) wanting = neighbours;
    if (config_.grants == grant_order::host_first && hosts) wanting = hosts, branch = false;
    const auto ports = static_cast<unsigned>(__builtin_popcountll(wanting));
    const unsigned candidates = ports + branch;
    if (!candidates) return;
    const std::uint64_t drawn = candidates > 1 ? below(candidates) : 0;
    if (drawn == ports) {
      place_branch(for_branch);
      continue;
    }
    for (std::uint64_t skip = drawn; skip; --skip) wanting &= wanting - 1;
    const auto winner = static_cast<unsigned>(__builtin_ctzll(wanting));
    open(winner, buffer[winner]);
  }
}

std::size_t message_node::first_of_lane(const sender& s, unsigned lane) const {
  const auto found = std::find_if(s.waiting.begin(), s.waiting.end(),
                                  [lane](const held& h) { return h.message.lane == lane; });
  return static_cast<std::size_t>(found - s.waiting.begin());
}

std::size_t message_node::fewest_hops(const sender& s) const {
  const auto least = std::min_element(s.waiting.begin(), s.waiting.end(), [](const held& a, const held& b) {
    return a.message.lane < b.message.lane;
  });
  return static_cast<std::size_t>(least - s.waiting.begin());
}

/// Which of the waiting messages to show next.
std::size_t message_node::offer(unsigned output) const {
  const sender& s = senders_[output];
  if (!classes() || config_.order == queue_order::fifo || (!s.under_way && !s.asked)) return 0;
  if (s.under_way) return first_of_lane(s, static_cast<unsigned>(__builtin_ctzll(s.refused)));
  const lane_mask granted = out[output].ready.read() & s.refused;
  if (granted) return first_of_lane(s, static_cast<unsigned>(__builtin_ctzll(granted)));
  return cycle() < s.since + pins() ? s.shown : fewest_hops(s);
}

void message_node::show() {
  for (unsigned o = 0; o < senders_.size(); ++o) {
    sender& s = senders_[o];
    const bool shows = !s.waiting.empty() && (!s.under_way || s.refused);
    out[o].valid.write(shows);
    const std::size_t offered = shows ? offer(o) : 0;
    if (shows && (!s.showing || offered != s.shown)) {
      out[o].data.write(s.waiting[offered].message);
      wake_at(cycle() + 1);
    }
    s.shown = offered;
    s.showing = shows;
    if (!shows) continue;
    if (classes()) s.refused |= lane_mask{1} << s.waiting[offered].message.lane;
    if (s.under_way || s.asked) continue;
    s.asked = true;
    s.since = cycle();
    if (classes()) wake_at(cycle() + pins());
  }
}

/// In which it has transmitted so far.
std::uint64_t message_node::busy_cycles(const sender& s) const {
  return s.busy - (s.under_way && s.done_at > cycle() ? s.done_at - cycle() : 0);
}

void message_node::count(counters& all) const {
  if (config_.combining) waiting_.count(all);
  const auto raise = [&all](const std::string& name, double value) {
    double& most = all["node." + name];
    most = std::max(most, value);
  };
  raise("most_held", most_held_);
  all["node.reordered"] += static_cast<double>(reordered_);
  for (std::size_t o = 0; o < senders_.size(); ++o) {
    if (config_.outputs[o].terminal || cycle() == 0) continue;
    const double share = static_cast<double>(busy_cycles(senders_[o])) / static_cast<double>(cycle());
    raise("busiest_link", share);
    raise(config_.outputs[o].local ? "busiest_cluster_link" : "busiest_other_link", share);
  }
}

hardware_size message_node::storage() const {
  const std::uint64_t places = (buffers_ ? buffers_->size() : 0) + waiting_.limit(),
                      outputs = config_.outputs.size();
  const unsigned pointer = bits_below(places);
  // Of a message the next of its queue; of a link its queue and how long what it sends takes; the free
  // buffers.
  hardware_size all{places, 0, places * pointer + outputs * (2 * pointer + bits_to(places) + time_bits)};
  all += waiting_.storage(static_cast<unsigned>(config_.inputs.size()));
  if (buffers_) all.bits += buffers_->size();
  return all;
}

}  // namespace spillway
