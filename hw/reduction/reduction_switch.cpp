#include <algorithm>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/reduction/reduction_switch.hpp>
#include <spillway/hw/switching/masks.hpp>

namespace spillway {

using namespace masks;
using detail::checked;
using detail::need;

void reduction_switch_config::check() const {
  need(inputs >= 1 && inputs <= 64 && outputs >= 1 && outputs <= 64,
       "a switch has 1 to 64 inputs and outputs, found " + std::to_string(inputs) + " and " +
           std::to_string(outputs));
  need(!groups.empty() && groups.size() <= flit::most_lanes,
       "a link has 1 to 64 lanes, one a group: found " + std::to_string(groups.size()) + " groups");
  for (const reduction_place& g : groups) {
    need(inputs == 64 || g.children >> inputs == 0,
         "every child has an input, found " + std::to_string(inputs) + " inputs and others as children");
    need(!g.parent || *g.parent < outputs, "the parent has an output, found " +
                                               std::to_string(g.parent.value_or(0)) + " of " +
                                               std::to_string(outputs));
  }
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
      out_links_(config.outputs),
      return_in_links_(config.outputs),
      return_out_links_(config.inputs) {
  const auto lanes = static_cast<unsigned>(config.groups.size());
  for (packet_in& i : in) i.lanes().declare(lanes);
  for (packet_out& o : out) o.lanes().declare(lanes);
  for (packet_in& i : return_in) i.lanes().declare(lanes);
  for (unsigned i = 0; i < config.inputs; ++i)
    if (!(config.terminals & bit(i))) return_out[i].lanes().declare(lanes);
  for (const reduction_place& place : config.groups) groups_.emplace_back(place, config.rounds, this->name());
  make_lines();
}

/// Who uses which pins.
void reduction_switch::make_lines() {
  for (unsigned g = 0; g < groups_.size(); ++g) {
    const reduction_group& group = groups_[g];
    for (unsigned c = 0; c < group.inputs().size(); ++c) {
      const unsigned port = group.inputs()[c];
      add_user(return_out[port], {g, config_.terminals & bit(port) ? 0 : g, false, c});
      entry& from = entry_at(in[port], false);
      from.child[g] = c;
      from.groups |= bit(g);
    }
    if (!group.parent()) continue;
    add_user(out[*group.parent()], {g, g, true, 0});
    entry_at(return_in[*group.parent()], true).groups |= bit(g);
  }
}

void reduction_switch::add_user(packet_out& pins, const user& u) {
  const auto known =
      std::find_if(lines_.begin(), lines_.end(), [&](const line& l) { return l.pins == &pins; });
  line& l = known != lines_.end() ? *known : lines_.emplace_back();
  l.pins = &pins;
  l.users.push_back(u);
}

reduction_switch::entry& reduction_switch::entry_at(packet_in& pins, bool answers) {
  for (entry& e : entries_)
    if (e.pins == &pins) return e;
  entry& made = entries_.emplace_back();
  made.pins = &pins;
  made.child.resize(groups_.size(), none);
  made.answers = answers;
  return made;
}

void reduction_switch::connect_input(unsigned port, network_link& l) {
  const bool answer = port >= config_.inputs;
  if (answer) port -= config_.inputs;
  link_cast<packet_link>(l).connect(answer ? return_in.at(port) : in[port]);
  (answer ? return_in_links_ : in_links_)[port] = &l;
}

void reduction_switch::connect_output(unsigned port, network_link& l) {
  const bool answer = port >= config_.outputs;
  if (answer) port -= config_.outputs;
  link_cast<packet_link>(l).connect(answer ? return_out.at(port) : out[port]);
  (answer ? return_out_links_ : out_links_)[port] = &l;
}

std::vector<std::unique_ptr<clocked>> reduction_switch::make_checkers(const violation_handler& handler) {
  std::vector<std::unique_ptr<clocked>> all;
  const auto watch = [this](network_link* l, packet_watch& pins) { connected<packet_link>(l).connect(pins); };
  for (unsigned g = 0; g < groups_.size(); ++g) {
    const std::vector<unsigned>& inputs = groups_[g].inputs();
    const std::optional<unsigned>& parent = groups_[g].parent();
    if (inputs.empty()) continue;
    const std::string number = g ? "_" + std::to_string(g) : "";
    reduction_checker_config config{name(), static_cast<unsigned>(inputs.size()), config_.rounds, !parent, g,
                                    {}};
    for (const unsigned port : inputs) config.from_terminal.push_back(config_.terminals >> port & 1);
    auto checker = std::make_unique<reduction_checker>(("check_" + std::string(basename()) + number).c_str(),
                                                       std::move(config), handler);
    for (std::size_t c = 0; c < inputs.size(); ++c) {
      watch(in_links_[inputs[c]], checker->contributions[c]);
      watch(return_out_links_[inputs[c]], checker->results[c]);
    }
    if (parent)
      watch(out_links_[*parent], checker->up[0]), watch(return_in_links_[*parent], checker->answer[0]);
    all.push_back(std::move(checker));
  }
  return all;
}

unsigned reduction_switch::level() const {
  unsigned held = 0;
  for (const reduction_group& g : groups_) held += g.level();
  return held;
}

unsigned reduction_switch::capacity() const {
  unsigned places = 0;
  for (const reduction_group& g : groups_) places += g.capacity();
  return places;
}

void reduction_switch::count(counters& all) const {
  double& most = all["reduction.most_rounds"];
  for (const reduction_group& g : groups_) {
    all["reduction.merged"] += static_cast<double>(g.merged());
    most = std::max(most, static_cast<double>(g.most_rounds()));
  }
}

void reduction_switch::reset() {
  lost_ += level();
  for (reduction_group& g : groups_) g.clear();
  for (line& l : lines_) {
    l.showing = false;
    l.turn = {};
    l.pins->valid.write(false);
  }
  for (entry& e : entries_) e.pins->ready.write(e.ready = 0);
}

void reduction_switch::tick() {
  send();
  receive();
  for (reduction_group& g : groups_) g.fill();
  bool goes_on = false;
  for (line& l : lines_) goes_on |= show(l);
  for (entry& e : entries_) goes_on |= offer(e);
  if (goes_on) wake_at(cycle() + 1);
}

/// What the far sides take.
void reduction_switch::send() {
  for (line& l : lines_) {
    if (!l.showing) continue;
    const user& u = l.users[l.shown];
    if (!(l.pins->ready.read() >> u.lane & 1)) continue;
    u.up ? groups_[u.group].went_up() : groups_[u.group].went_down(u.child);
    l.showing = false;
    ++forwarded_;
  }
  for (reduction_group& g : groups_) g.close();
}

void reduction_switch::receive() {
  for (entry& e : entries_) {
    if (!e.pins->crosses()) continue;
    const flit& f = e.pins->data.read();
    reduction_group& group = groups_[f.lane];
    e.answers ? group.answer(f) : group.contribute(e.child[f.lane], f);
  }
}

std::optional<flit> reduction_switch::next_of(const user& u) const {
  std::optional<flit> next = u.up ? groups_[u.group].upward() : groups_[u.group].downward(u.child);
  if (next) next->lane = static_cast<std::uint8_t>(u.lane);
  return next;
}

/// Says whether something will cross at the next edge if nothing changes. What is shown and not taken stays
/// unless another lane is; it is shown again then.
bool reduction_switch::show(line& l) {
  const lane_mask ready = l.pins->ready.read();
  std::uint64_t all = 0, taken = 0;
  for (unsigned n = 0; n < l.users.size(); ++n)
    if (next_of(l.users[n])) all |= bit(n), taken |= (ready >> l.users[n].lane & 1) << n;
  const bool stays = l.showing && (!taken || (taken & bit(l.shown)));
  if (all && !stays) {
    l.shown = l.turn.pick(taken ? taken : all);
    l.turn.granted(l.shown);
    l.pins->data.write(*next_of(l.users[l.shown]));
  }
  l.pins->valid.write(l.showing = all != 0);
  return l.showing && (ready >> l.users[l.shown].lane & 1);
}

/// The registers that are free; results are always taken.
bool reduction_switch::offer(entry& e) {
  lane_mask ready = e.groups;
  for (lane_mask rest = e.answers ? 0 : e.groups; rest; rest &= rest - 1)
    if (const unsigned g = lowest(rest); !groups_[g].takes(e.child[g])) ready &= ~bit(g);
  if (ready != e.ready) e.pins->ready.write(e.ready = ready);
  return e.pins->valid.read() && accepts(ready, e.pins->data.read());
}

hardware_size reduction_switch::storage() const {
  hardware_size all;
  for (const reduction_group& g : groups_) all += g.storage();
  for (const line& l : lines_) all.bits += bits_below(l.users.size());  // whose turn it is
  return all;
}

}  // namespace spillway
