#include <algorithm>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/reduction/contribution.hpp>
#include <spillway/hw/reduction/reduction_switch.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <sstream>
#include <stdexcept>

namespace spillway {

using namespace masks;
using detail::checked;
using detail::need;

void reduction_switch_config::check() const {
  need(inputs >= 1 && inputs <= 64 && outputs >= 1 && outputs <= 64,
       "a switch has 1 to 64 inputs and outputs, found " + std::to_string(inputs) + " and " +
           std::to_string(outputs));
  need(inputs == 64 || children >> inputs == 0,
       "every child has an input, found " + std::to_string(inputs) + " inputs and others as children");
  need(!parent || *parent < outputs, "the parent has an output, found " + std::to_string(parent.value_or(0)) +
                                         " of " + std::to_string(outputs));
  need(rounds >= 1, "a switch has places for at least 1 round, found 0");
}

reduction_switch::reduction_switch(const sc_core::sc_module_name& name, const reduction_switch_config& config)
    : network_block(name),
      in(checked(config).inputs, "in"),
      out(config.outputs, "out"),
      return_in(config.outputs, "return_in"),
      return_out(config.inputs, "return_out"),
      config_(config),
      in_links_(config.inputs),
      return_out_links_(config.inputs) {
  for (port_mask rest = config.children; rest; rest &= rest - 1) {
    child c;
    c.port = lowest(rest);
    children_.push_back(c);
  }
  table_.resize(config.rounds);
  for (round_state& r : table_) r.contributions.resize(children_.size());
}

void reduction_switch::connect_input(unsigned port, network_link& l) {
  const bool answer = port >= config_.inputs;
  if (answer) port -= config_.inputs;
  link_cast<packet_link>(l).connect(answer ? return_in[port] : in[port]);
  if (!answer)
    in_links_[port] = &l;
  else if (config_.parent == port)
    answer_link_ = &l;
}

void reduction_switch::connect_output(unsigned port, network_link& l) {
  const bool answer = port >= config_.outputs;
  if (answer) port -= config_.outputs;
  link_cast<packet_link>(l).connect(answer ? return_out[port] : out[port]);
  if (answer)
    return_out_links_[port] = &l;
  else if (config_.parent == port)
    up_link_ = &l;
}

std::vector<std::unique_ptr<clocked>> reduction_switch::make_checkers(const violation_handler& handler) {
  std::vector<std::unique_ptr<clocked>> all;
  if (children_.empty()) return all;
  auto checker = std::make_unique<reduction_checker>(
      ("check_" + std::string(basename())).c_str(),
      reduction_checker_config{name(), static_cast<unsigned>(children_.size()), config_.rounds,
                               !config_.parent},
      handler);
  const auto watch = [](network_link* l, packet_watch& pins) { link_cast<packet_link>(*l).connect(pins); };
  for (std::size_t c = 0; c < children_.size(); ++c) {
    watch(in_links_[children_[c].port], checker->contributions[c]);
    watch(return_out_links_[children_[c].port], checker->results[c]);
  }
  if (config_.parent) watch(up_link_, checker->up[0]), watch(answer_link_, checker->answer[0]);
  all.push_back(std::move(checker));
  return all;
}

unsigned reduction_switch::level() const {
  unsigned held = 0;
  for (std::uint64_t round = first_; round < first_ + open_; ++round) {
    const round_state& r = table_[round % table_.size()];
    held += r.came - r.served - (r.sent && !r.answered);
  }
  for (const child& c : children_) held += c.waiting.has_value();
  return held;
}

unsigned reduction_switch::capacity() const {
  return static_cast<unsigned>(children_.size()) * (config_.rounds + 1);
}

void reduction_switch::count(counters& all) const {
  all["reduction.merged"] += static_cast<double>(merged_);
  double& most = all["reduction.most_rounds"];
  most = std::max(most, static_cast<double>(most_rounds_));
}

void reduction_switch::fail(const char* what, const flit& f) const {
  std::ostringstream text;
  text << name() << ": " << what << ": " << f << " of round " << round_of(f);
  throw std::logic_error(text.str());
}

void reduction_switch::reset() {
  lost_ += level();
  first_ = open_ = up_ = answered_ = 0;
  showing_up_ = listening_ = false;
  for (child& c : children_) {
    const unsigned port = c.port;
    c = {};
    c.port = port;
    in[port].ready.write(0);
    return_out[port].valid.write(false);
  }
  if (!config_.parent) return;
  out[*config_.parent].valid.write(false);
  return_in[*config_.parent].ready.write(0);
}

void reduction_switch::tick() {
  send();
  receive();
  for (child& c : children_)
    if (c.waiting) place(c);
  most_rounds_ = std::max(most_rounds_, open_);
  if (show()) wake_at(cycle() + 1);
}

/// What the far sides take.
void reduction_switch::send() {
  if (showing_up_ && (out[*config_.parent].ready.read() & 1)) {
    find(up_)->sent = true;
    showing_up_ = false;
    ++up_, ++forwarded_;
  }
  for (child& c : children_) {
    if (!c.showing || !(return_out[c.port].ready.read() & 1)) continue;
    ++find(c.next)->served;
    c.showing = false;
    ++c.next, ++forwarded_;
  }
  for (; open_ && place_of(first_).served == children_.size(); --open_) ++first_;
}

void reduction_switch::receive() {
  for (child& c : children_)
    if (in[c.port].crosses()) c.waiting = in[c.port].data.read();
  if (!config_.parent || !return_in[*config_.parent].crosses()) return;
  const flit& result = return_in[*config_.parent].data.read();
  round_state* const r = find(answered_);
  if (!r || !r->sent || round_of(result) != answered_) fail("a result that nobody waits for", result);
  r->answered = true;
  r->data = data_of(result);
  ++answered_;
}

/// From the register into the table, if that has a place.
void reduction_switch::place(child& from) {
  const flit f = *from.waiting;
  const std::uint64_t round = round_of(f);
  if (round < first_) fail("a contribution to a round that is over", f);
  if (round - first_ >= config_.rounds) return;
  while (open_ <= round - first_) open_round();
  round_state& r = *find(round);
  std::optional<flit>& mine = r.contributions[static_cast<std::size_t>(&from - children_.data())];
  if (mine) fail("a second contribution to a round", f);
  r.data = r.came ? reduced(reduction_of(f), r.data, data_of(f)) : data_of(f);
  mine = f;
  from.waiting.reset();
  if (++r.came < children_.size()) return;
  merged_ += r.came - 1;
  if (!config_.parent) r.answered = true;
}

/// The next round has a place.
void reduction_switch::open_round() {
  round_state& r = place_of(first_ + open_++);
  std::fill(r.contributions.begin(), r.contributions.end(), std::nullopt);
  r.came = r.served = 0;
  r.sent = r.answered = false;
}

/// Drives the pins. Says whether something will cross at the next edge if nothing changes.
bool reduction_switch::show() {
  bool goes_on = false;
  for (child& c : children_) {
    goes_on |= show_down(c);
    if (c.ready != !c.waiting) in[c.port].ready.write((c.ready = !c.waiting) ? 1 : 0);
    goes_on |= c.ready && in[c.port].valid.read();
  }
  if (!config_.parent) return goes_on;
  packet_out& up = out[*config_.parent];
  packet_in& answer = return_in[*config_.parent];
  const round_state* const r = find(up_);
  if (!showing_up_ && r && r->came == children_.size()) {
    up.data.write(with_data(*r->contributions.front(), r->data));
    showing_up_ = true;
  }
  up.valid.write(showing_up_);
  if (!listening_) answer.ready.write((listening_ = true) ? 1 : 0);
  return goes_on || (showing_up_ && (up.ready.read() & 1)) || answer.valid.read();
}

bool reduction_switch::show_down(child& to) {
  const round_state* const r = find(to.next);
  if (!to.showing && r && r->answered) {
    return_out[to.port].data.write(
        with_data(*r->contributions[static_cast<std::size_t>(&to - children_.data())], r->data));
    to.showing = true;
  }
  return_out[to.port].valid.write(to.showing);
  return to.showing && (return_out[to.port].ready.read() & 1);
}

hardware_size reduction_switch::storage() const {
  const std::uint64_t children = children_.size(), rounds = config_.rounds;
  // Of a round: who has come and been served, whether it is sent and answered, and its data; of each child
  // its next.
  return {capacity(), 0, rounds * (2 * children + 2 + 32) + (children + 4) * bits_below(rounds)};
}

}  // namespace spillway
