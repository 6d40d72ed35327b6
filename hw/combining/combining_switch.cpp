#include <algorithm>
#include <array>
#include <spillway/hw/combining/combining_switch.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <sstream>
#include <stdexcept>

namespace spillway {

using namespace masks;
using detail::checked;
using detail::need;

namespace {

/// What waits at an output leaves if the far side takes it. Says whether it did.
template <class Port>
bool send(Port& port, const packet_out& pins) {
  if (!port.showing || !(pins.ready.read() & 1)) return false;
  port.showing = false;
  return true;
}

/// Shows the front of a queue. Says whether it will leave at the next edge if nothing changes.
template <class Port>
bool show_front(Port& port, packet_out& pins) {
  const bool shows = !port.queue.empty();
  if (shows && !port.showing) pins.data.write(port.queue.front().message);
  pins.valid.write(shows);
  port.showing = shows;
  return shows && (pins.ready.read() & 1);
}

}  // namespace

void combining_switch_config::check() const {
  need(inputs >= 1 && inputs <= 64 && outputs >= 1 && outputs <= 64,
       "a switch has 1 to 64 inputs and outputs, found " + std::to_string(inputs) + " and " +
           std::to_string(outputs));
  need(depth >= 1 && return_depth >= 1, "a queue holds at least 1 message, found depths of " +
                                            std::to_string(depth) + " and " + std::to_string(return_depth));
}

combining_switch::combining_switch(const sc_core::sc_module_name& name, const combining_switch_config& config,
                                   unsigned node, std::shared_ptr<const routing> routes)
    : network_block(name),
      in(checked(config).inputs, "in"),
      out(config.outputs, "out"),
      return_in(config.outputs, "return_in"),
      return_out(config.inputs, "return_out"),
      config_(config),
      node_(node),
      routes_(std::move(routes)),
      requests_(config.outputs, request_port{combining_queue<waiting_message>(config.combining), false, {}}),
      replies_(config.inputs),
      arrivals_(config.inputs),
      returned_(config.outputs),
      waiting_(config.combining.records) {}

void combining_switch::connect_input(unsigned port, network_link& l) {
  link_cast<packet_link>(l).connect(port < config_.inputs ? in[port] : return_in.at(port - config_.inputs));
}

void combining_switch::connect_output(unsigned port, network_link& l) {
  link_cast<packet_link>(l).connect(port < config_.outputs ? out[port]
                                                           : return_out.at(port - config_.outputs));
}

std::vector<std::unique_ptr<clocked>> combining_switch::make_checkers(const violation_handler& handler) {
  auto checker = std::make_unique<wait_buffer_checker>(("check_" + std::string(basename())).c_str(), name(),
                                                       config_.combining, handler);
  checker_ = checker.get();
  std::vector<std::unique_ptr<clocked>> all;
  all.push_back(std::move(checker));
  return all;
}

unsigned combining_switch::level() const {
  std::size_t held = waiting_.records();
  for (const request_port& p : requests_) held += p.queue.size();
  for (const reply_port& p : replies_) held += p.queue.size();
  for (const request_register& a : arrivals_) held += a.request.has_value();
  for (const reply_register& r : returned_)  // those split off are in the wait buffer
    held += !r.branches.empty() && !r.branches.front().split;
  return static_cast<unsigned>(held);
}

unsigned combining_switch::queued() const {
  return config_.outputs * (config_.depth + 1) + config_.inputs * (config_.return_depth + 1);
}

unsigned combining_switch::capacity() const {
  return queued() + std::max(waiting_.limit(), waiting_.most_records());
}

void combining_switch::reset() {
  lost_ += level();
  for (request_port& p : requests_) p.queue.clear(), p.showing = false, p.arbiter.clear();
  for (reply_port& p : replies_) p = {};
  for (request_register& a : arrivals_) a = {};
  for (reply_register& r : returned_) r = {};
  waiting_.clear();
  came_by_.clear();
  for (auto* const pins : {&in, &return_in})
    for (packet_in& i : *pins) i.ready.write(0);
  for (auto* const pins : {&out, &return_out})
    for (packet_out& o : *pins) o.valid.write(false);
}

void combining_switch::tick() {
  if (checker_) checker_->now = cycle();
  for (unsigned o = 0; o < config_.outputs; ++o)
    if (send(requests_[o], out[o])) requests_[o].queue.take(), ++forwarded_;
  for (unsigned i = 0; i < config_.inputs; ++i)
    if (send(replies_[i], return_out[i])) replies_[i].queue.pop_front(), ++forwarded_;
  receive();
  place_requests();
  place_replies();
  if (show()) wake_at(cycle() + 1);
}

void combining_switch::receive() {
  for (unsigned i = 0; i < config_.inputs; ++i) {
    if (!in[i].crosses()) continue;
    const flit& f = in[i].data.read();
    arrivals_[i] = {f, next_output(*routes_, node_, i, f, config_.outputs), true, false};
  }
  for (unsigned o = 0; o < config_.outputs; ++o) {
    if (!return_in[o].crosses()) continue;
    turn_back(return_in[o].data.read(), returned_[o].branches);
  }
}

/// The reply to a request that has passed, and replies to what was merged into it here.
void combining_switch::turn_back(const flit& reply, std::deque<reply_branch>& branches) {
  const auto found = came_by_.find(request_key(reply.destination, reply.packet));
  if (found == came_by_.end()) {
    std::ostringstream text;
    text << name() << ": a reply to a request that has not passed: " << reply;
    throw std::logic_error(text.str());
  }
  branches.push_back({reply, found->second, 0, false});
  came_by_.erase(found);
  waiting_.split(reply, branches);
  for (std::size_t b = 1; b < branches.size(); ++b) {
    if (observer_) observer_->split(cycle(), reply, branches[b].reply);
    if (checker_) checker_->split(reply, branches[b].reply, branches[b].port);
  }
  if (checker_) checker_->turned_back(reply, branches.front().port);
}

void combining_switch::place_requests() {
  std::array<std::uint64_t, 64> wanted;  // by output: inputs with a request for it
  std::fill_n(wanted.begin(), config_.outputs, 0);
  for (unsigned i = 0; i < config_.inputs; ++i)
    if (arrivals_[i].request) wanted[arrivals_[i].output] |= bit(i);
  for (unsigned o = 0; o < config_.outputs; ++o) {
    request_port& port = requests_[o];
    for (std::uint64_t rest = wanted[o]; rest;) {
      const unsigned i = port.arbiter.pick(rest);
      rest &= ~bit(i);
      request_register& from = arrivals_[i];
      // Who joins takes no place and no turn.
      if (join(from, i) || port.queue.size() >= config_.depth) continue;
      port.queue.push({*from.request});
      if (checker_) checker_->passed(*from.request, i);
      came_by_[request_key(from.request->source, from.request->packet)] = i;
      from.request.reset();
      port.arbiter.granted(i);
    }
  }
}

bool combining_switch::join(request_register& from, unsigned input) {
  request_port& port = requests_[from.output];
  if (waiting_.full()) {
    const bool first = !from.refused && from.request->kind == flit_kind::combinable;
    if (first) waiting_.refuse();
    from.refused |= first;
    return false;
  }
  const flit* const survivor =
      port.queue.join(*from.request, port.showing ? 0 : combining_queue<waiting_message>::none);
  if (!survivor) return false;
  waiting_.merge(*survivor, *from.request, input);
  if (checker_) checker_->merged(*survivor, *from.request, input);
  if (observer_) observer_->combined(cycle(), *survivor, *from.request);
  from.request.reset();
  return true;
}

void combining_switch::place_replies() {
  // A branch that has found its place uncovers the next one.
  for (bool moved = true; moved;) {
    moved = false;
    for (unsigned port = 0; port < config_.inputs; ++port) moved |= place_reply(port);
  }
}

bool combining_switch::place_reply(unsigned port) {
  reply_port& to = replies_[port];
  if (to.queue.size() >= config_.return_depth) return false;
  std::uint64_t wanted = 0;
  for (unsigned o = 0; o < config_.outputs; ++o)
    if (!returned_[o].branches.empty() && returned_[o].branches.front().port == port) wanted |= bit(o);
  if (!wanted) return false;
  const unsigned o = to.arbiter.pick(wanted);
  to.arbiter.granted(o);
  const reply_branch branch = returned_[o].branches.front();
  returned_[o].branches.pop_front();
  to.queue.push_back({branch.reply});
  if (!branch.split) return true;
  waiting_.leave();
  if (checker_) checker_->placed();
  return true;
}

bool combining_switch::show() {
  bool goes_on = false;
  for (unsigned o = 0; o < config_.outputs; ++o) goes_on |= show_front(requests_[o], out[o]);
  for (unsigned i = 0; i < config_.inputs; ++i) goes_on |= show_front(replies_[i], return_out[i]);
  const auto offer = [&](bool& ready, bool empty, packet_in& pins) {
    if (ready != empty) pins.ready.write((ready = empty) ? 1 : 0);
    goes_on |= ready && pins.valid.read();
  };
  for (unsigned i = 0; i < config_.inputs; ++i) offer(arrivals_[i].ready, !arrivals_[i].request, in[i]);
  for (unsigned o = 0; o < config_.outputs; ++o)
    offer(returned_[o].ready, returned_[o].branches.empty(), return_in[o]);
  return goes_on;
}

hardware_size combining_switch::storage() const {
  const std::uint64_t inputs = config_.inputs, outputs = config_.outputs;
  hardware_size all = hardware_size{queued() + waiting_.limit(), 0, 0} + waiting_.storage(config_.inputs);
  all.bits += outputs * (bits_below(config_.depth) + bits_to(config_.depth) + bits_below(inputs));
  all.bits +=
      inputs * (bits_below(config_.return_depth) + bits_to(config_.return_depth) + bits_below(outputs));
  return all;
}

}  // namespace spillway
