#include <spillway/hw/kernel/draw.hpp>
#include <spillway/tlm/circuit_transactions.hpp>

namespace spillway {

circuit_transactions::circuit_transactions(const circuit_network_config& config, const supply_maker& supplies,
                                           endpoint_observer& observer)
    : config_(config),
      observer_(observer),
      terminals_(config.shape.terminals()),
      routers_(config.shape.routers()),
      collisions_(config.shape.height) {
  supplies_.reserve(terminals_.size());
  for (std::uint32_t t = 0; t < terminals_.size(); ++t) {
    supplies_.push_back(supplies(t));
    terminals_[t].alarm = 0;
    asks_.add(0, t);
  }
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

std::uint32_t circuit_transactions::router_of(std::uint32_t t) const {
  const terminal& s = terminals_[t];
  const unsigned level = level_of(s);
  const std::uint32_t under = s.at <= s.turn ? t : s.sending.destination;
  const std::uint32_t node = static_cast<std::uint32_t>(std::uint64_t{under} >> (level + 1));
  return config_.shape.number({level, node, s.choices & ((std::uint32_t{1} << level) - 1)});
}

unsigned circuit_transactions::input_of(std::uint32_t t) const {
  const terminal& s = terminals_[t];
  const unsigned level = level_of(s);
  if (s.at <= s.turn) return t >> level & 1 ? port_b : port_a;
  return s.choices >> level & 1 ? port_d : port_c;
}

unsigned circuit_transactions::output_of(const terminal& s) const {
  const unsigned level = level_of(s);
  if (s.at < s.turn) return s.choices >> level & 1 ? port_d : port_c;
  return s.sending.destination >> level & 1 ? port_b : port_a;
}

wish circuit_transactions::wish_of(const terminal& s) const {
  if (s.at < s.turn) return wish::up;
  return s.sending.destination >> level_of(s) & 1 ? wish::b : wish::a;
}

void circuit_transactions::advance_heads() {
  batch_.clear();
  for (const std::uint32_t t : heads_.take(cycle_)) {
    const arrival a{t, router_of(t), static_cast<std::uint8_t>(input_of(t)), circuit_grants::none};
    routers_[a.router].wanted.add(a.input, wish_of(terminals_[t]));
    batch_.push_back(a);
  }
  // All decide on what was taken before this cycle.
  for (arrival& a : batch_) {
    const cell& router = routers_[a.router];
    const std::uint64_t random = draw(config_.seed, a.router, cycle_);
    a.granted = decide(router.wanted, router.taken, config_.winner, random).output[a.input];
  }
  for (const arrival& a : batch_) {
    cell& router = routers_[a.router];
    router.wanted.clear();
    if (a.granted == circuit_grants::none) {
      reject(a.terminal);
    } else {
      router.taken |= static_cast<std::uint8_t>(1u << a.granted);
      move_on(a.terminal, a.granted);
    }
  }
}

void circuit_transactions::move_on(std::uint32_t t, unsigned granted) {
  terminal& s = terminals_[t];
  if (s.at < s.turn) s.choices |= static_cast<std::uint32_t>(granted == port_d) << s.at;
  forwarded_ += s.sending.length;
  if (s.at == 2 * s.turn) {
    arrivals_.add(cycle_ + 2, t);
  } else {
    ++s.at;
    heads_.add(cycle_ + 2, t);
  }
}

void circuit_transactions::reject(std::uint32_t t) {
  terminal& s = terminals_[t];
  ++collisions_[level_of(s)];
  collisions_up_ += s.at < s.turn;
  s.acknowledged = false;
  give_way(t);
}

/// The answer leaves router `at`, or the terminal behind the last one, for the one before it.
void circuit_transactions::give_way(std::uint32_t t) {
  terminal& s = terminals_[t];
  if (s.at == 0) {
    senses_.add(cycle_ + 1, t);
  } else {
    --s.at;
    backs_.add(cycle_ + 1, t);
  }
}

void circuit_transactions::release_routers() {
  for (const std::uint32_t t : backs_.take(cycle_)) {
    routers_[router_of(t)].taken &= static_cast<std::uint8_t>(~(1u << output_of(terminals_[t])));
    give_way(t);
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
  terminals_[t].acknowledged = true;
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
  f.flags = m.flags;
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
      waiting_.emplace_back();
    }
    const std::uint32_t place = free_;
    free_ = waiting_[place].next;
    waiting_[place] = {order.destination, s.packets++,   none,       order.length,
                       order.kind,        order.network, order.flags};
    (s.queued++ ? waiting_[s.last].next : s.first) = place;
    s.last = place;
    held_ += order.length;
    observer_.created(cycle_, flit_of(t, waiting_[place], 0));
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
  s.turn = static_cast<std::uint8_t>(fat_tree::turn(t, s.sending.destination));
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
  terminal& s = terminals_[t];
  s.at = 0;
  s.choices = 0;
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
    if (s.acknowledged) {
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
  look_at_ = settled_at_ = cycle_ + 2;
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
