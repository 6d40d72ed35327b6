#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/kernel/prefetch.hpp>
#include <spillway/tlm/circuit/circuit_transactions.hpp>

namespace spillway {

circuit_transactions::circuit_transactions(const circuit_network_config& config,
                                           std::vector<std::unique_ptr<packet_supply>> supplies,
                                           endpoint_observer& observer)
    : config_(config),
      observer_(observer),
      supplies_(std::move(supplies)),
      terminals_(config.shape.terminals()),
      positions_(config.shape.terminals()),
      routers_(config.shape.routers()),
      collisions_(config.shape.height) {
  ask_all_at(0);
}

void circuit_transactions::ask_all_at(std::uint64_t cycle) {
  for (std::uint32_t t = 0; t < terminals_.size(); ++t) asks_.add(terminals_[t].alarm = cycle, t);
}

void circuit_transactions::reset(std::uint64_t cycle) {
  cycle_ = cycle;
  lost_ += held_;
  for (const auto& supply : supplies_) lost_ += supply->forget();
  held_ = 0;
  for (terminal& t : terminals_) {
    const std::uint32_t packets = t.packets;
    t = {};
    t.packets = packets;
  }
  routers_.assign(routers_.size(), {});
  waiting_.clear();
  free_ = none;
  for (calendar* c : {&asks_, &injects_, &fills_, &launches_, &heads_, &arrivals_, &deliveries_, &tails_,
                      &backs_, &senses_})
    c->clear(cycle);
  waits_.clear();
  holds_.clear();
  sends_ = 0;
  released_ = rounds_;
  started_ = ended_ = false;
  look_at_ = never;
  input_visible_at_ = cycle + 2;
  ask_all_at(cycle + 1);
}

std::uint64_t circuit_transactions::next() const {
  std::uint64_t first = started_ || ended_ ? cycle_ + 1 : look_at_;
  for (const calendar* c : {&asks_, &injects_, &fills_, &launches_, &heads_, &arrivals_, &deliveries_,
                            &tails_, &backs_, &senses_})
    first = std::min(first, c->next());
  return first;
}

void circuit_transactions::step(std::uint64_t cycle) {
  cycle_ = cycle;
  // What was said at the last edge is heard before anything new is said, releases come before
  // reservations, and answers before new messages.
  act_on_barrier();
  run_barrier();
  release_routers();
  advance_heads();
  arrive();
  deliver();
  for (const std::uint32_t t : tails_.take(cycle_)) received(t);
  sense();
  for (const std::uint32_t t : launches_.take(cycle_)) launch(t);
  inject();
  for (const std::uint32_t t : fills_.take(cycle_)) begin(t);
  for (const std::uint32_t t : asks_.take(cycle_))
    if (terminals_[t].alarm == cycle_) ask_source(t);
}

// --- the path of a message: router `at` of 2 turn + 1, up to level `turn` and down again

unsigned circuit_transactions::position::input(std::uint32_t source) const {
  if (at <= turn) return source >> level() & 1 ? port_b : port_a;
  return choices >> level() & 1 ? port_d : port_c;
}

unsigned circuit_transactions::position::output() const {
  if (up()) return choices >> level() & 1 ? port_d : port_c;
  return destination >> level() & 1 ? port_b : port_a;
}

wish circuit_transactions::position::wanted() const {
  if (up()) return wish::up;
  return destination >> level() & 1 ? wish::b : wish::a;
}

std::uint32_t circuit_transactions::router_of(std::uint32_t source) const {
  const position& p = positions_[source];
  const unsigned level = p.level();
  const std::uint64_t under = p.at <= p.turn ? source : p.destination;
  const auto node = static_cast<std::uint32_t>(under >> (level + 1));
  return config_.shape.number({level, node, p.choices & ((std::uint32_t{1} << level) - 1)});
}

void circuit_transactions::visit_routers(const std::vector<std::uint32_t>& sources) {
  batch_.clear();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (i + ahead < sources.size()) prefetch(&positions_[sources[i + ahead]]);
    batch_.push_back({sources[i], router_of(sources[i]), 0, circuit_grants::none});
  }
}

/// What the visits touch lies far apart, and a batch is larger than a cache: asks for a few at a time.
void circuit_transactions::fetch_after(const visit& v) const {
  const auto index = static_cast<std::size_t>(&v - batch_.data());
  if (index + ahead >= batch_.size()) return;
  prefetch(&routers_[batch_[index + ahead].router]);
  prefetch(&positions_[batch_[index + ahead].source]);
}

void circuit_transactions::advance_heads() {
  visit_routers(heads_.take(cycle_));
  for (visit& v : batch_) {
    fetch_after(v);
    const position& p = positions_[v.source];
    v.input = static_cast<std::uint8_t>(p.input(v.source));
    routers_[v.router].wanted.add(v.input, p.wanted());
  }
  // All decide on what was taken before this cycle.
  for (visit& v : batch_) {
    fetch_after(v);
    const cell& router = routers_[v.router];
    const std::uint64_t random = draw(config_.seed, v.router, cycle_);
    v.granted = decide(router.wanted, router.taken, config_.winner, random).output[v.input];
  }
  for (const visit& v : batch_) {
    fetch_after(v);
    cell& router = routers_[v.router];
    router.wanted.clear();
    if (v.granted == circuit_grants::none) {
      reject(v.source);
    } else {
      router.taken |= static_cast<std::uint8_t>(1u << v.granted);
      move_on(v.source, v.granted);
    }
  }
}

void circuit_transactions::move_on(std::uint32_t t, unsigned granted) {
  position& p = positions_[t];
  if (p.up()) p.choices |= static_cast<std::uint32_t>(granted == port_d) << p.at;
  if (p.at == 2 * p.turn) {
    arrivals_.add(cycle_ + 2, t);
  } else {
    ++p.at;
    heads_.add(cycle_ + 2, t);
  }
}

void circuit_transactions::reject(std::uint32_t t) {
  position& p = positions_[t];
  ++collisions_[p.level()];
  collisions_up_ += p.up();
  p.acknowledged = false;
  give_way(t);
}

/// The answer leaves router `at` for the one before it.
void circuit_transactions::give_way(std::uint32_t t) {
  position& p = positions_[t];
  if (p.at == 0) {
    senses_.add(cycle_ + 1, t);
  } else {
    --p.at;
    backs_.add(cycle_ + 1, t);
  }
}

void circuit_transactions::release_routers() {
  visit_routers(backs_.take(cycle_));
  for (const visit& v : batch_) {
    fetch_after(v);
    const position& p = positions_[v.source];
    // The head left one cycle after its grant, and a flit a cycle follows until the release.
    forwarded_ += p.length == 1 ? 1
                                : std::min<std::uint64_t>(
                                      p.length, cycle_ - (terminals_[v.source].start + 2u * p.at) - 1);
    routers_[v.router].taken &= static_cast<std::uint8_t>(~(1u << p.output()));
    give_way(v.source);
  }
}

// --- the receiving terminal

void circuit_transactions::arrive() {
  for (const std::uint32_t t : arrivals_.take(cycle_)) {
    terminal& s = terminals_[t];
    s.delivered = 0;
    deliveries_.add(cycle_ + 1, t);
    if (s.sending.length == 1)
      received(t);
    else
      tails_.add(cycle_ + s.sending.length - 1, t);
  }
}

void circuit_transactions::deliver() {
  for (const std::uint32_t t : deliveries_.take(cycle_)) {
    terminal& s = terminals_[t];
    const std::uint32_t to = s.sending.destination;
    const flit f = flit_of(t, s.sending, s.delivered++);
    observer_.delivered(cycle_, to, f);
    if (supplies_[to]->listens()) {
      supplies_[to]->arrived(cycle_, f);
      if (terminals_[to].alarm > cycle_ + 1) asks_.add(terminals_[to].alarm = cycle_ + 1, to);
    }
    if (s.delivered < s.sending.length) deliveries_.add(cycle_ + 1, t);
  }
}

/// The tail is there.
void circuit_transactions::received(std::uint32_t t) {
  positions_[t].acknowledged = true;
  if (config_.policy.strategy == retry::held_rounds) {
    holds_.push_back(t);
    barrier_input_changed();
  } else {
    backs_.add(cycle_ + 1, t);
  }
}

// --- the sending terminal

flit circuit_transactions::flit_of(std::uint32_t source, const message& m, unsigned index) const {
  flit f;
  f.source = source;
  f.destination = m.destination;
  f.packet = m.packet;
  f.index = static_cast<std::uint16_t>(index);
  f.length = m.length;
  f.kind = m.kind;
  f.network = m.network;
  f.traffic_class = m.traffic_class;
  f.interface_word = m.interface_word;
  f.payload = m.data;
  f.payload = check_value(f);
  return f;
}

void circuit_transactions::ask_source(std::uint32_t t) {
  terminal& s = terminals_[t];
  packet_supply& supply = *supplies_[t];
  s.alarm = never;
  while (!config_.source_queue || s.queued < config_.source_queue) {
    const std::uint64_t due = supply.due(cycle_, s.queued);
    if (due > cycle_) {
      if (due != never) asks_.add(s.alarm = due, t);
      break;
    }
    const packet_order order = supply.take(cycle_);
    if (free_ == none) {
      free_ = static_cast<std::uint32_t>(waiting_.size());
      waiting_.emplace_back().next = none;
    }
    const std::uint32_t place = free_;
    free_ = waiting_[place].next;
    const std::uint32_t number = order.kind == flit_kind::reply ? order.answers : s.packets++;
    message& m = waiting_[place];
    m.interface_word = order.interface_word;
    m.length = order.length;
    m.network = order.network;
    m.destination = order.destination;
    m.packet = number;
    m.data = order.data;
    m.next = none;
    m.kind = order.kind;
    m.traffic_class = order.traffic_class;
    (s.queued++ ? waiting_[s.last].next : s.first) = place;
    s.last = place;
    held_ += order.length;
    observer_.created(cycle_, flit_of(t, m, 0));
  }
  if (s.shows || s.queued == 0) return;
  s.shows = true;
  if (s.open) injects_.add(cycle_ + 1, t);
}

void circuit_transactions::inject() {
  for (const std::uint32_t t : injects_.take(cycle_)) {
    const message& head = waiting_[terminals_[t].first];
    observer_.injected(cycle_, flit_of(t, head, 0));
    if (head.length == 1)
      begin(t);
    else
      fills_.add(cycle_ + head.length - 1, t);
  }
}

/// The interface has the whole message.
void circuit_transactions::begin(std::uint32_t t) {
  terminal& s = terminals_[t];
  const std::uint32_t place = s.first;
  s.sending = waiting_[place];
  s.first = s.sending.next;
  --s.queued;
  waiting_[place].next = free_;
  free_ = place;
  positions_[t].destination = s.sending.destination;
  positions_[t].length = s.sending.length;
  positions_[t].turn = static_cast<std::uint8_t>(fat_tree::turn(t, s.sending.destination));
  s.failures = 0;
  s.open = s.shows = false;
  ask_source(t);
  if (config_.policy.in_rounds()) {
    waits_.push_back(t);
    barrier_input_changed();
  } else {
    launch(t);
  }
}

void circuit_transactions::launch(std::uint32_t t) {
  positions_[t].at = 0;
  positions_[t].choices = 0;
  terminals_[t].start = cycle_ + 1;
  ++transmissions_;
  first_request_ = std::min(first_request_, cycle_ + 1);
  heads_.add(cycle_ + 1, t);
}

void circuit_transactions::sense() {
  for (const std::uint32_t t : senses_.take(cycle_)) {
    terminal& s = terminals_[t];
    const bool rounds = config_.policy.in_rounds();
    if (rounds) {
      --sends_;
      barrier_input_changed();
    }
    if (positions_[t].acknowledged) {
      ++acknowledged_;
      held_ -= s.sending.length;
      last_release_ = cycle_ - 1;
      s.open = true;
      if (s.shows) injects_.add(cycle_ + 1, t);
      continue;
    }
    ++rejected_;
    if (rounds)
      waits_.push_back(t);
    else
      launches_.add(cycle_ + 1 + config_.policy.delay(t, ++s.failures, cycle_), t);
  }
}

// --- the barrier

/// As round_barrier: sees what the terminals said up to the last edge.
void circuit_transactions::run_barrier() {
  if (cycle_ != look_at_) return;
  look_at_ = never;
  if (sends_ == 0 && !waits_.empty()) {
    ++rounds_;
    started_ = true;
  } else if (!holds_.empty() && sends_ == holds_.size() && released_ != rounds_) {
    released_ = rounds_;
    ended_ = true;
  } else {
    return;
  }
  look_at_ = input_visible_at_ = cycle_ + 2;
}

void circuit_transactions::act_on_barrier() {
  if (started_) {
    started_ = false;
    sends_ = static_cast<std::uint32_t>(waits_.size());
    for (const std::uint32_t t : waits_) launch(t);
    waits_.clear();
    barrier_input_changed();
  }
  if (ended_) {
    ended_ = false;
    for (const std::uint32_t t : holds_) backs_.add(cycle_ + 1, t);
    holds_.clear();
    barrier_input_changed();
  }
}

void circuit_transactions::count(counters& all) const {
  double collisions = 0;
  for (std::size_t level = 0; level < collisions_.size(); ++level) {
    const auto here = static_cast<double>(collisions_[level]);
    all["circuit.collisions_level_" + std::to_string(level)] += here;
    collisions += here;
  }
  all["circuit.collisions"] += collisions;
  all["circuit.collisions_up"] += static_cast<double>(collisions_up_);
  all["circuit.transmissions"] += static_cast<double>(transmissions_);
  all["circuit.acknowledged"] += static_cast<double>(acknowledged_);
  all["circuit.rejected"] += static_cast<double>(rejected_);
  all["circuit.refused"] += 0;
  if (config_.policy.in_rounds()) all["circuit.rounds"] += rounds_;
  if (transmissions_ == 0) return;
  all["circuit.first_request"] = static_cast<double>(first_request_);
  all["circuit.last_release"] = static_cast<double>(last_release_);
}

}  // namespace spillway
