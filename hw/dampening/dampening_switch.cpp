#include <algorithm>
#include <array>
#include <numeric>
#include <spillway/hw/dampening/dampening_switch.hpp>
#include <spillway/hw/dampening/pool_checker.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/hw/switching/next_output.hpp>
#include <spillway/hw/switching/packet_length.hpp>
#include <stdexcept>

namespace spillway {

using namespace masks;
using detail::checked;
using detail::need;

namespace {

[[noreturn]] void fail(const sc_core::sc_object& pool, const std::string& what) {
  SC_REPORT_ERROR("spillway/pool", (std::string(pool.name()) + ": " + what).c_str());
  sc_core::sc_abort();  // only if errors have been told not to throw
}

}  // namespace

unsigned dampening_switch_config::slots(unsigned buffers) const {
  return (emergency ? emergency : buffers) + (extra ? extra : reserve() + inputs_a_pool());
}

void dampening_switch_config::check() const {
  need(inputs >= 1 && inputs <= 64 && outputs >= 1 && outputs <= 64,
       "a switch has 1 to 64 inputs and outputs, found " + std::to_string(inputs) + " and " +
           std::to_string(outputs));
  need(link_latency >= 1 && link_latency <= 65535,
       "a link takes 1 to 65535 cycles, found " + std::to_string(link_latency));
  need(pool_per_input || flow == flow_control::receiver_calculates,
       "one pool a switch needs the receiver to calculate: no sender knows all of it");
  need(!extra || extra >= reserve(), "expected at least " + std::to_string(reserve()) +
                                         " extra emergency buffers for messages under way, found " +
                                         std::to_string(extra));
}

std::size_t dampening_switch_config::embargoes(const assignment& rule) const {
  if (flow == flow_control::sender_calculates) return 0;
  dampening_switch_config other = *this;
  other.inputs = std::max(inputs, widest);
  return embargo_logic::most_embargoed(rule, other.slots(rule.buffers()));
}

dampening_switch::pool_shape dampening_switch::shape_of(const dampening_switch_config& config, unsigned node,
                                                        const assignment_plan& plan) {
  pool_shape shape;
  for (unsigned p = 0; p < config.pools(); ++p) {
    const unsigned buffers = plan.make(node, p)->buffers();
    shape.buffers.push_back(buffers);
    shape.slots.push_back(config.flow == flow_control::sender_calculates ? 0 : config.slots(buffers));
  }
  return shape;
}

namespace {

const assignment_plan& given(const std::shared_ptr<const assignment_plan>& plan) {
  need(plan != nullptr, "a dampening switch needs a plan of its buffers, found none");
  return *plan;
}

}  // namespace

dampening_switch::dampening_switch(const sc_core::sc_module_name& name, const dampening_switch_config& config,
                                   unsigned node, std::shared_ptr<const routing> routes,
                                   const std::vector<link_end>& neighbours,
                                   const std::shared_ptr<const assignment_plan>& plan,
                                   std::unique_ptr<flit_memory> memory)
    : network_block(name),
      in(checked(config).inputs, "in"),
      out(config.outputs, "out"),
      spill(config.flow == flow_control::sender_calculates ? 0 : config.inputs, "spill"),
      refill(spill.size(), "refill"),
      config_(config),
      node_(node),
      routes_(std::move(routes)),
      shape_(shape_of(config, node, given(plan))),
      places_(*this, shape_.buffers, memory_, std::move(memory)),
      messages_(places_.size() + std::accumulate(shape_.slots.begin(), shape_.slots.end(), 0u), memory_),
      reports_(memory_.array<report>(sender_calculates() ? places_.size() : 0)),
      inputs_(config.inputs),
      outputs_(config.outputs),
      arrived_(config.inputs),
      back_(config.pools()),
      plan_(plan),
      links_in_(config.inputs) {
  need(routes_ != nullptr, "a dampening switch needs routes, found none");
  if (neighbours.size() != config_.outputs) throw std::invalid_argument("one neighbour an output expected");
  for (unsigned i = 0; i < config_.inputs; ++i) inputs_[i].by_source = plan->by_source(node, i);
  for (unsigned o = 0; o < config_.outputs; ++o) make_sender(o, neighbours[o], *plan);
  if (sender_calculates()) return;
  for (unsigned p = 0; p < config_.pools(); ++p)
    pools_.push_back(std::make_unique<dampening_pool>(
        dampening_pool::bank_ports{spill, refill, p * config_.inputs_a_pool(), config_.inputs_a_pool()},
        plan->make(node, p), shape_.slots[p], config_.reserve(), messages_));
}

void dampening_switch::make_sender(unsigned o, const link_end& next, const assignment_plan& plan) {
  std::unique_ptr<assignment> rule = next.terminal ? nullptr : plan.make(next.node, next.input);
  outputs_[o].by_source = rule && plan.by_source(next.node, next.input);
  const std::size_t embargoes = rule ? config_.embargoes(*rule) : 0;
  if (!sender_calculates()) rule = nullptr;
  outputs_[o].sender = std::make_unique<embargo_sender>(messages_, std::move(rule), embargoes);
}

std::vector<std::unique_ptr<clocked>> dampening_switch::make_checkers(const violation_handler& handler) {
  const bool linked =
      std::all_of(links_in_.begin(), links_in_.end(), [](const embargo_link* l) { return l != nullptr; });
  pool_checker_config config;
  config.watched = name();
  config.inputs_a_pool = sender_calculates() || !linked ? 0 : config_.inputs_a_pool();
  config.latency = config_.link_latency;
  std::vector<checked_pool> pools(config_.pools());
  for (unsigned p = 0; p < pools.size(); ++p) {
    pools[p].rule = plan_->make(node_, p);
    pools[p].by_source = inputs_[p].by_source;
    if (sender_calculates() && !pools[p].rule->limit()) pools[p].places = &places_;
    if (sender_calculates()) continue;
    pools[p].slots = shape_.slots[p];
    pools[p].reserve = config_.reserve();
    pools[p].waiting = &pools_[p]->logic().waiting();
  }
  auto checker = std::make_unique<pool_checker>(("check_" + std::string(basename()) + "_pools").c_str(),
                                                config, std::move(pools), handler);
  for (unsigned i = 0; i < checker->control.size(); ++i)
    links_in_[i]->with([&](auto& wires) { checker->bind(i, wires); });
  observer_ = checker.get();
  if (!sender_calculates()) announced_to_ = checker.get();
  std::vector<std::unique_ptr<clocked>> all;
  all.push_back(std::move(checker));
  return all;
}

unsigned dampening_switch::stored() const { return messages_.used(); }

unsigned dampening_switch::level() const {
  unsigned flits = stored();
  for (const output_state& port : outputs_) flits += port.valid;
  for (const input_state& port : inputs_) flits += static_cast<unsigned>(port.coming.size());
  return flits;
}

unsigned dampening_switch::capacity() const { return messages_.places(); }

void dampening_switch::reset() {
  lost_ += level();
  messages_.clear();
  places_.clear();
  for (input_state& port : inputs_) {
    port.coming.clear();
    port.first_report = port.reports = 0;
  }
  for (output_state& port : outputs_) {
    port.sender->clear();
    port.fetching = message_table::none;
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
  if (observer_) observer_->now = cycle();
  active |= receive_controls();
  active |= finish();
  for (auto& pool : pools_)
    active |= pool->take_refills([this](message_table::id id, const flit& f) { take_refill(id, f); });
  active |= send_stored();
  active |= receive();
  active |= answer_all();
  drive();
  for (auto& pool : pools_) active |= pool->drive();
  if (active) wake_at(cycle() + 1);
}

bool dampening_switch::receive_controls() {
  bool active = false;
  for (unsigned o = 0; o < config_.outputs; ++o) {
    output_state& port = outputs_[o];
    if (const control_message& m = out[o].control.read(); m.any()) {
      active = true;
      spillway::receive_control(*port.sender, m, *this, o);
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

/// A flit has come from the bank. In its place now, it is as any other; else it goes out at once or, if its
/// output has become unable to take it, stays in the bank.
void dampening_switch::take_refill(message_table::id id, const flit& f) {
  const message& m = messages_[id];
  output_state& port = outputs_[m.output];
  if (port.fetching == id) port.fetching = message_table::none;
  port.sender->choose_again();
  if (m.slot == message::none) {
    put(m, f);
  } else if (port.free() && port.sender->may_send(id)) {
    ++fetched_;
    send(id, f);
  }
}

bool dampening_switch::usable(message_table::id id) {
  const message& m = messages_[id];
  if (m.slot == message::none) return true;
  output_state& port = outputs_[m.output];
  if (m.fetched || port.fetching != message_table::none) return false;
  port.fetching = id;
  pools_[m.partition]->fetch_now(id);
  return false;
}

bool dampening_switch::send_stored() {
  bool active = false;
  for (output_state& port : outputs_) {
    if (!port.free() || !port.sender->waiting()) continue;
    const auto id = port.sender->choose([this](message_table::id m) { return usable(m); });
    if (id == message_table::none) continue;
    const message& m = messages_[id];
    send(id, places_.read(m.partition, m.buffer));
    active = true;
  }
  return active;
}

/// `f`: its flit, from its place or from the bank.
void dampening_switch::send(message_table::id id, const flit& f) {
  const message& m = messages_[id];
  show(m.output, f, outputs_[m.output].sender->send(id));
  if (m.slot == message::none) {
    if (pool_observer* const o = watch(m.partition)) o->freed(m.partition, m.buffer);
    places_.free(m.partition, m.buffer);
  }
  if (sender_calculates())
    to_report(m.partition, {m.key, m.buffer});
  else
    release(m);
  messages_.remove(id);
}

/// The pool's books, where the receiver calculates.
void dampening_switch::release(const message& m) {
  const bool banked = m.buffer == message::none;
  const auto moves = pools_[m.partition]->release(m);
  pool_observer* const o = watch(m.partition);
  if (o && banked) o->sent_from_bank(m.partition, m.slot);
  if (o && moves) o->assigned(m.partition, moves->slot, moves->buffer);
}

void dampening_switch::show(unsigned o, const flit& f, std::uint16_t place) {
  outputs_[o].showing = f;
  outputs_[o].place = place;
  outputs_[o].valid = true;
}

void dampening_switch::to_report(unsigned input, const report& r) {
  input_state& port = inputs_[input];
  const unsigned places = places_.size(input);
  if (port.reports == places)
    fail(*this, "more messages have left partition " + std::to_string(input) + " than it has places");
  const unsigned at = port.first_report + port.reports++;
  reports_[places_.first(input) + (at < places ? at : at - places)] = r;
}

bool dampening_switch::receive() {
  std::uint64_t arrivals = 0;
  bool active = false;
  for (unsigned i = 0; i < config_.inputs; ++i) {
    input_state& port = inputs_[i];
    const bool crosses = in[i].crosses();
    active |= crosses;
    if (crosses) {
      arrived_[i] = {in[i].data.read(), in[i].place.read()};
      check_length(*this, i, arrived_[i].data, 1);
    }
    if (config_.link_latency > 1) {
      if (crosses) port.coming.emplace_back(cycle() + config_.link_latency - 1, arrived_[i]);
      active |= !port.coming.empty();
      if (port.coming.empty() || port.coming.front().first > cycle()) continue;
      arrived_[i] = port.coming.front().second;
      port.coming.pop_front();
    } else if (!crosses) {
      continue;
    }
    arrivals |= bit(i);
  }
  if (arrivals) admit(arrivals);
  return active;
}

void dampening_switch::admit(std::uint64_t arrivals) {
  taken_ += static_cast<unsigned>(__builtin_popcountll(arrivals));
  pass_through(arrivals);
  for (; arrivals; arrivals &= arrivals - 1) keep(lowest(arrivals));
}

void dampening_switch::keep(unsigned i) {
  const auto& [f, place] = arrived_[i];
  const message_table::id id = messages_.add();
  if (id == message_table::none)
    fail(*this, "all places are taken and a message comes in at input " + std::to_string(i));
  message& m = messages_[id];
  m.key = key_of(f, inputs_[i].by_source);
  m.partition = static_cast<std::uint16_t>(pool_of(i));
  m.output = static_cast<std::uint8_t>(next_output(*routes_, node_, i, f, config_.outputs));
  m.key_ahead = key_of(f, outputs_[m.output].by_source);
  if (sender_calculates())
    m.buffer = place;
  else if (!pools_[m.partition]->store(id, i, f))
    fail(*this, "pool and bank are full and a message comes in at input " + std::to_string(i));
  if (m.slot == message::none)
    put(m, f);
  else if (pool_observer* const o = watch(m.partition))
    o->banked(m.partition, m.slot, f);
  outputs_[m.output].sender->add(id);
}

/// Messages whose output is idle and takes them go on at once, and no place hears of them.
void dampening_switch::pass_through(std::uint64_t& arrivals) {
  std::array<std::uint64_t, 64> candidates;
  std::uint64_t wanted = 0;
  for (std::uint64_t rest = arrivals; rest; rest &= rest - 1) {
    const unsigned i = lowest(rest), o = next_output(*routes_, node_, i, arrived_[i].data, config_.outputs);
    const output_state& port = outputs_[o];
    if (!port.free() || !port.sender->passes(key_of(arrived_[i].data, port.by_source))) continue;
    if (!(wanted & bit(o))) candidates[o] = 0;
    candidates[o] |= bit(i);
    wanted |= bit(o);
  }
  for (; wanted; wanted &= wanted - 1) {
    const unsigned o = lowest(wanted), i = outputs_[o].arbiter.pick(candidates[o]);
    const auto& [f, place] = arrived_[i];
    outputs_[o].arbiter.granted(i);
    show(o, f, outputs_[o].sender->send_past(key_of(f, outputs_[o].by_source)));
    if (sender_calculates()) {
      places_.expect_empty(i, place);
      if (observer_) observer_->passed(i, f);
      to_report(i, {key_of(f, inputs_[i].by_source), place});
    }
    arrivals &= ~bit(i);
    ++passed_;
  }
}

bool dampening_switch::answer_all() {
  bool active = false;
  for (unsigned p = 0; p < config_.pools(); ++p) active |= send_back(p, next_answer(p));
  watched_ = 0;
  return active;
}

dampening_switch::answer dampening_switch::next_answer(unsigned p) {
  answer a;
  if (sender_calculates()) {
    input_state& port = inputs_[p];
    if (!port.reports) return a;
    const report& r = reports_[places_.first(p) + port.first_report];
    a.control.report = true;
    a.control.terminal = r.key;
    a.control.place = r.place;
    if (++port.first_report == places_.size(p)) port.first_report = 0;
    --port.reports;
    ++reported_;
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
  if (announced_to_ && (watched_ & bit(p) || changes || a.control.any()))
    announced_to_->announced(p, a.control, a.interdict);
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
    if (!outputs_[o].valid) continue;
    out[o].data.write(outputs_[o].showing);
    out[o].place.write(outputs_[o].place);
  }
}

void dampening_switch::count(counters& all) const {
  all["dampening.messages"] += static_cast<double>(taken_);
  all["dampening.passed_through"] += static_cast<double>(passed_);
  if (sender_calculates()) {
    all["dampening.reports"] += static_cast<double>(reported_);
    return;
  }
  std::uint64_t spilled = 0, moved = 0, work = 0, impact_steps = 0;
  for (const auto& pool : pools_) {
    spilled += pool->spilled();
    moved += pool->moved();
    work += pool->logic().work();
    impact_steps += pool->logic().impact_steps();
  }
  all["dampening.embargoes"] += static_cast<double>(embargoes_);
  all["dampening.releases"] += static_cast<double>(releases_);
  all["dampening.interdictions"] += static_cast<double>(interdictions_);
  all["dampening.spilled"] += static_cast<double>(spilled);
  all["dampening.moved"] += static_cast<double>(moved);
  all["dampening.sent_from_bank"] += static_cast<double>(fetched_);
  all["dampening.work"] += static_cast<double>(work);
  all["dampening.impact_steps"] += static_cast<double>(impact_steps);
  double& most = all["dampening.most_in_a_bank"];
  most = std::max(most, static_cast<double>(most_in_banks_));
}

hardware_size dampening_switch::storage() const {
  const std::uint64_t inputs = config_.inputs;
  hardware_size all{capacity(), 0, 0};
  // Of a message: the next of its queue, its output, and whether it is there or asked for from the bank.
  all.bits +=
      messages_.places() * (std::uint64_t{bits_to(messages_.places())} + bits_below(config_.outputs) + 2);
  for (const auto& pool : pools_) all += pool->storage();
  for (const output_state& o : outputs_) {
    all += o.sender->storage();
    all.bits += bits_below(inputs);
  }
  all += reports_.size() * hardware_size{0, 1, bits_below(places_.size())};
  all.flits += inputs * (config_.link_latency - 1);  // register stages
  return all;
}

}  // namespace spillway
