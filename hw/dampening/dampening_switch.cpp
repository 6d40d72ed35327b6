#include <algorithm>
#include <array>
#include <spillway/hw/dampening/bank_checker.hpp>
#include <spillway/hw/dampening/dampening_switch.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <stdexcept>

namespace spillway {

using namespace masks;
using detail::checked;
using detail::need;

unsigned dampening_switch_config::slots(unsigned buffers) const {
  return (emergency ? emergency : buffers) + (extra ? extra : reserve() + inputs_a_pool());
}

void dampening_switch_config::check() const {
  need(inputs >= 1 && inputs <= 64 && outputs >= 1 && outputs <= 64,
       "a switch has 1 to 64 inputs and outputs, found " + std::to_string(inputs) + " and " +
           std::to_string(outputs));
  need(link_latency >= 1, "a link takes at least 1 cycle, found 0");
  need(pool_per_input || flow == flow_control::receiver_calculates,
       "one pool a switch needs the receiver to calculate: no sender knows all of it");
  need(!extra || extra >= reserve(), "expected at least " + std::to_string(reserve()) +
                                         " extra emergency buffers for messages under way, found " +
                                         std::to_string(extra));
}

dampening_switch::dampening_switch(const sc_core::sc_module_name& name, const dampening_switch_config& config,
                                   unsigned node, std::shared_ptr<const routing> routes,
                                   const std::vector<link_end>& neighbours,
                                   const std::shared_ptr<const assignment_plan>& plan)
    : network_block(name),
      in(checked(config).inputs, "in"),
      out(config.outputs, "out"),
      config_(config),
      node_(node),
      routes_(std::move(routes)),
      inputs_(config.inputs),
      outputs_(config.outputs),
      arrived_(config.inputs),
      back_(config.pools()) {
  if (neighbours.size() != config_.outputs) throw std::invalid_argument("one neighbour an output expected");
  for (unsigned i = 0; i < config_.inputs; ++i) inputs_[i].by_source = plan->by_source(node, i);
  for (unsigned o = 0; o < config_.outputs; ++o) {
    const link_end& next = neighbours[o];
    const bool image = sender_calculates() && !next.terminal;
    outputs_[o].sender =
        std::make_unique<embargo_sender>(store_, image ? plan->make(next.node, next.input) : nullptr,
                                         !next.terminal && plan->by_source(next.node, next.input));
  }
  if (sender_calculates()) {
    for (unsigned i = 0; i < config_.inputs; ++i) capacity_ += plan->make(node, i)->buffers();
    return;
  }
  for (unsigned p = 0; p < config_.pools(); ++p) make_bank(p, plan->make(node, p));
}

void dampening_switch::make_bank(unsigned p, std::unique_ptr<assignment> rule) {
  const unsigned slots = config_.slots(rule->buffers());
  capacity_ += rule->buffers() + slots;
  const std::string number = std::to_string(p);
  const unsigned ports = config_.inputs_a_pool();
  pools_.push_back(std::make_unique<dampening_pool>("pool" + number + "_", ports, std::move(rule), slots,
                                                    config_.reserve(), store_));
  banks_.push_back(std::make_unique<emergency_bank>(("bank" + number).c_str(), ports, slots));
  banks_[p]->clk(clk), banks_[p]->rst(rst);
  bank_links& links = links_.emplace_back();
  links.slots = slots;
  for (unsigned i = 0; i < ports; ++i) {
    const std::string end = number + "_" + std::to_string(i);
    links.spill.push_back(std::make_unique<spill_link>(link_place{"spill_" + end}, slots));
    links.refill.push_back(std::make_unique<refill_link>(link_place{"refill_" + end}, slots));
    links.spill[i]->connect(pools_[p]->spill[i]), links.spill[i]->connect(banks_[p]->spill[i]);
    links.refill[i]->connect(pools_[p]->refill[i]), links.refill[i]->connect(banks_[p]->refill[i]);
  }
}

std::vector<network_link*> dampening_switch::links() {
  std::vector<network_link*> all;
  for (const bank_links& bank : links_)
    for (std::size_t i = 0; i < bank.spill.size(); ++i) {
      all.push_back(bank.spill[i].get());
      all.push_back(bank.refill[i].get());
    }
  return all;
}

std::vector<std::unique_ptr<clocked>> dampening_switch::make_checkers(const violation_handler& handler) {
  std::vector<std::unique_ptr<clocked>> all;
  for (std::size_t p = 0; p < links_.size(); ++p) {
    const bank_links& links = links_[p];
    auto checker = std::make_unique<bank_checker>(
        ("check_" + std::string(basename()) + "_bank" + std::to_string(p)).c_str(), config_.inputs_a_pool(),
        links.slots, banks_[p]->name(), handler);
    for (std::size_t i = 0; i < links.spill.size(); ++i) {
      links.spill[i]->connect(checker->spill[i]);
      links.refill[i]->connect(checker->refill[i]);
    }
    all.push_back(std::move(checker));
  }
  return all;
}

unsigned dampening_switch::level() const {
  unsigned flits = store_.used();
  for (const output_state& port : outputs_) flits += port.valid;
  for (const input_state& port : inputs_) flits += static_cast<unsigned>(port.coming.size());
  return flits;
}

void dampening_switch::reset() {
  lost_ += level();
  store_.clear();
  for (input_state& port : inputs_) {
    port.coming.clear();
    port.reports.clear();
  }
  for (output_state& port : outputs_) {
    port.sender->clear();
    port.fetching = message_store::none;
    port.arbiter.clear();
    port.valid = port.ready = port.interdicted = false;
  }
  for (auto& pool : pools_) pool->clear();
  std::fill(back_.begin(), back_.end(), back_path{});
  open_ = false;
  for (embargo_in& port : in) {
    port.ready.write(0);
    port.control.write({});
    port.interdict.write(false);
  }
  for (embargo_out& port : out) port.valid.write(false);
}

void dampening_switch::tick() {
  bool active = !open_;
  active |= hear();
  active |= finish();
  for (auto& pool : pools_) active |= pool->land([this](message_store::id id) { land(id); });
  active |= send_stored();
  active |= receive();
  active |= answer_all();
  drive();
  for (auto& pool : pools_) active |= pool->drive();
  if (active) wake_at(cycle() + 1);
}

bool dampening_switch::hear() {
  bool active = false;
  for (unsigned o = 0; o < config_.outputs; ++o) {
    output_state& port = outputs_[o];
    if (const control_message& m = out[o].control.read(); m.any()) {
      active = true;
      port.sender->hear(m);
    }
    if (const bool on = out[o].interdict.read(); on != port.interdicted) {
      port.interdicted = on;
      port.sender->interdict(on);
    }
    port.ready = out[o].ready.read() & 1;
  }
  return active;
}

bool dampening_switch::finish() {
  bool active = false;
  for (output_state& port : outputs_) {
    if (!port.valid || !port.ready) continue;
    port.valid = false;
    ++forwarded_;
    active = true;
  }
  return active;
}

/// A flit has come from the bank. In its buffer now, it is as any other; else it goes out at once or, if its
/// output has become unable to take it, stays in the bank.
void dampening_switch::land(message_store::id id) {
  const message& m = store_[id];
  output_state& port = outputs_[m.output];
  if (port.fetching == id) port.fetching = message_store::none;
  port.sender->look_again();
  if (m.slot == message::none || !port.free() || !port.sender->may_send(id)) return;
  ++fetched_;
  send(id);
}

bool dampening_switch::usable(message_store::id id) {
  const message& m = store_[id];
  if (m.slot == message::none) return true;
  output_state& port = outputs_[m.output];
  if (m.fetched || port.fetching != message_store::none) return false;
  port.fetching = id;
  pools_[m.pool]->fetch_now(id);
  return false;
}

bool dampening_switch::send_stored() {
  bool active = false;
  for (output_state& port : outputs_) {
    if (!port.free() || !port.sender->waiting()) continue;
    const auto id = port.sender->choose([this](message_store::id m) { return usable(m); });
    if (id == message_store::none) continue;
    send(id);
    active = true;
  }
  return active;
}

void dampening_switch::send(message_store::id id) {
  const message& m = store_[id];
  outputs_[m.output].sender->send(id);
  show(m.output, m.data);
  left(m);
  store_.remove(id);
}

void dampening_switch::show(unsigned o, const flit& f) {
  outputs_[o].showing = f;
  outputs_[o].valid = true;
}

void dampening_switch::left(const message& m) {
  if (sender_calculates())
    inputs_[m.pool].reports.push_back(m.key);
  else
    pools_[m.pool]->leave(m);
}

bool dampening_switch::receive() {
  std::uint64_t arrivals = 0;
  bool active = false;
  for (unsigned i = 0; i < config_.inputs; ++i) {
    input_state& port = inputs_[i];
    const bool crosses = open_ && in[i].valid.read();
    active |= crosses;
    if (config_.link_latency == 1) {
      if (!crosses) continue;
      arrived_[i] = in[i].data.read();
    } else {
      if (crosses) port.coming.emplace_back(cycle() + config_.link_latency - 1, in[i].data.read());
      active |= !port.coming.empty();
      if (port.coming.empty() || port.coming.front().first > cycle()) continue;
      arrived_[i] = port.coming.front().second;
      port.coming.pop_front();
    }
    arrivals |= bit(i);
  }
  if (arrivals) admit(arrivals);
  return active;
}

void dampening_switch::admit(std::uint64_t arrivals) {
  messages_ += static_cast<unsigned>(__builtin_popcountll(arrivals));
  pass_through(arrivals);
  for (; arrivals; arrivals &= arrivals - 1) {
    const unsigned i = lowest(arrivals);
    const flit& f = arrived_[i];
    const message_store::id id = store_.add(f);
    message& m = store_[id];
    m.key = key_at(i, f);
    m.pool = static_cast<std::uint16_t>(config_.pool_per_input ? i : 0);
    m.output = static_cast<std::uint8_t>(lowest(routes_->outputs(node_, i, f)));
    if (!sender_calculates() && !pools_[m.pool]->store(id, config_.pool_per_input ? 0 : i)) {
      ++lost_;
      ++overflows_;
      store_.remove(id);
      continue;
    }
    outputs_[m.output].sender->add(id);
  }
}

/// Messages whose output is idle and takes them go on at once, and no buffer hears of them.
void dampening_switch::pass_through(std::uint64_t& arrivals) {
  std::array<std::uint64_t, 64> candidates;
  std::uint64_t wanted = 0;
  for (std::uint64_t rest = arrivals; rest; rest &= rest - 1) {
    const unsigned i = lowest(rest), o = lowest(routes_->outputs(node_, i, arrived_[i]));
    if (!outputs_[o].free() || !outputs_[o].sender->passes(arrived_[i])) continue;
    if (!(wanted & bit(o))) candidates[o] = 0;
    candidates[o] |= bit(i);
    wanted |= bit(o);
  }
  for (; wanted; wanted &= wanted - 1) {
    const unsigned o = lowest(wanted), i = outputs_[o].arbiter.pick(candidates[o]);
    outputs_[o].arbiter.granted(i);
    outputs_[o].sender->send_past(arrived_[i]);
    show(o, arrived_[i]);
    if (sender_calculates()) inputs_[i].reports.push_back(key_at(i, arrived_[i]));
    arrivals &= ~bit(i);
    ++passed_;
  }
}

bool dampening_switch::answer_all() {
  bool active = false;
  for (unsigned p = 0; p < config_.pools(); ++p) active |= send_back(p, next_answer(p));
  return active;
}

dampening_switch::answer dampening_switch::next_answer(unsigned p) {
  answer a;
  if (sender_calculates()) {
    auto& reports = inputs_[p].reports;
    if (reports.empty()) return a;
    a.control.report = true;
    a.control.terminal = reports.front();
    reports.pop_front();
    ++reports_;
  } else {
    embargo_logic& logic = pools_[p]->logic();
    if (const auto notice = logic.next_notice()) {
      a.control.terminal = notice->key;
      (notice->embargo ? a.control.embargo : a.control.release) = true;
      ++(notice->embargo ? embargoes_ : releases_);
    }
    a.interdict = logic.interdicts();
    most_in_banks_ = std::max<std::uint64_t>(most_in_banks_, logic.slots_in_use());
  }
  a.control.by_source = a.control.any() && inputs_[p].by_source;
  return a;
}

/// Through the register stages of a long link.
bool dampening_switch::send_back(unsigned p, const answer& a) {
  back_path& path = back_[p];
  const bool changes = a != path.last;
  interdictions_ += a.interdict && !path.last.interdict;
  path.last = a;
  if (config_.link_latency == 1) {
    if (changes) show_back(p, a);
    return a.control.any();
  }
  if (changes) path.coming.emplace_back(cycle() + config_.link_latency - 1, a);
  if (!path.coming.empty() && path.coming.front().first <= cycle()) {
    show_back(p, path.coming.front().second);
    path.coming.pop_front();
  }
  return a.control.any() || !path.coming.empty();
}

void dampening_switch::show_back(unsigned p, const answer& a) {
  const unsigned first = config_.pool_per_input ? p : 0;
  for (unsigned i = first; i < first + config_.inputs_a_pool(); ++i) {
    in[i].control.write(a.control);
    in[i].interdict.write(a.interdict);
  }
}

void dampening_switch::drive() {
  if (!open_)
    for (embargo_in& port : in) port.ready.write(1);
  open_ = true;
  for (unsigned o = 0; o < config_.outputs; ++o) {
    out[o].valid.write(outputs_[o].valid);
    if (outputs_[o].valid) out[o].data.write(outputs_[o].showing);
  }
}

void dampening_switch::count(counters& all) const {
  all["dampening.messages"] += static_cast<double>(messages_);
  all["dampening.passed_through"] += static_cast<double>(passed_);
  if (sender_calculates()) {
    all["dampening.reports"] += static_cast<double>(reports_);
    return;
  }
  std::uint64_t spilled = 0, moved = 0, work = 0;
  for (const auto& pool : pools_) {
    spilled += pool->spilled();
    moved += pool->moved();
    work += pool->logic().work();
  }
  all["dampening.embargoes"] += static_cast<double>(embargoes_);
  all["dampening.releases"] += static_cast<double>(releases_);
  all["dampening.interdictions"] += static_cast<double>(interdictions_);
  all["dampening.spilled"] += static_cast<double>(spilled);
  all["dampening.moved"] += static_cast<double>(moved);
  all["dampening.sent_from_bank"] += static_cast<double>(fetched_);
  all["dampening.overflows"] += static_cast<double>(overflows_);
  all["dampening.work"] += static_cast<double>(work);
  double& most = all["dampening.most_in_a_bank"];
  most = std::max(most, static_cast<double>(most_in_banks_));
}

}  // namespace spillway
