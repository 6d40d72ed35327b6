#include <algorithm>
#include <spillway/hw/dampening/pool_checker.hpp>
#include <sstream>

namespace spillway {

namespace {

bool among(buffer_span set, unsigned buffer) {
  for (const std::uint16_t b : set)
    if (b == buffer) return true;
  return false;
}

}  // namespace

pool_checker::books::books(checked_pool p)
    : of(std::move(p)),
      limit(of.rule->limit()),
      buffers(of.rule->buffers()),
      bank(of.slots),
      // Whose release is still to be announced has no messages any more.
      processors(3 * (buffers.size() + bank.size())) {
  clear();
}

void pool_checker::books::clear() {
  of.rule->clear();
  std::fill(buffers.begin(), buffers.end(), buffer{});
  std::fill(bank.begin(), bank.end(), slot{});
  processors.clear();
  used = waiting = unannounced = 0;
  free_slots = of.slots;
  unannounced_reported = false;
  left.clear();
  last = shown = {};
  coming.clear();
}

pool_checker::pool_checker(const sc_core::sc_module_name& name, pool_checker_config config,
                           std::vector<checked_pool> pools, violation_handler handler)
    : clocked(name),
      control(pools.size() * config.inputs_a_pool, "control"),
      interdict(control.size(), "interdict"),
      config_(std::move(config)),
      handler_(std::move(handler)),
      wrong_(control.size()) {
  for (checked_pool& p : pools) pools_.emplace_back(std::move(p));
}

template <class... Parts>
void pool_checker::fail_at(const char* rule, unsigned pool, std::uint64_t cycle, const Parts&... parts) {
  ++violations_;
  std::ostringstream os;
  os << "pool " << pool << ": ";
  (os << ... << parts);
  report_violation(handler_, rule, config_.watched, cycle, os.str());
}

template <class... Parts>
void pool_checker::fail(const char* rule, unsigned pool, const Parts&... parts) {
  fail_at(rule, pool, now, parts...);
}

bool pool_checker::hot(const books& p, const processor& it) {
  return it.banked || (p.limit && p.limit < p.buffers.size() && it.held >= p.limit);
}

/// Whether the senders believe something else. Whom modified counting declares a hotspot is not known here,
/// so that an embargo of somebody who has nothing in the bank may be true.
bool pool_checker::stale(const books& p, const processor& it) {
  return hot(p, it) ? !it.announced : it.announced && (p.limit || p.of.rule->most_declared() == 0);
}

template <class F>
void pool_checker::change(books& p, message_key key, F&& f) {
  processor& it = p.processors[key];
  p.unannounced -= stale(p, it);
  f(it);
  p.unannounced += stale(p, it);
  if (!it.held && !it.banked && !it.announced) p.processors.erase(key);
}

/// I2 of rules that have sets.
inline void pool_checker::check_set(books& p, unsigned pool, unsigned number, message_key key) {
  const buffer_span set = p.of.rule->set_of(key);
  if (set.count && !among(set, number))
    fail("I2", pool, "a message of ", key, " gets buffer ", number, ", which is none of its buffers");
}

void pool_checker::take(books& p, unsigned pool, unsigned number, message_key key) {
  buffer& to = p.buffers[number];
  to.key = key;
  to.taken = true;
  ++p.used;
  check_set(p, pool, number, key);
  if (!p.limit) return;
  unsigned held = 0;
  change(p, key, [&held](processor& it) { held = ++it.held; });
  if (held > p.limit)
    fail("I2", pool, key, " gets buffer ", number, " and has ", held, ", of at most ", p.limit);
}

inline void pool_checker::leave(books& p, unsigned number) {
  buffer& from = p.buffers[number];
  if (!from.taken) return;
  if (p.limit) change(p, from.key, [](processor& it) { --it.held; });
  from.taken = false;
  --p.used;
}

void pool_checker::stored(unsigned pool, unsigned number, const flit& f) {
  books& p = pools_[pool];
  if (number >= p.buffers.size()) return;  // the pool itself reports that
  const message_key key = p.of.by_source ? f.source : f.destination;
  if (p.of.places) {
    if (p.of.places->occupied(pool, number))
      fail("I1", pool, f, " is stored in buffer ", number, ", where ", p.of.places->read(pool, number),
           " lies");
    return check_set(p, pool, number, key);
  }
  buffer& to = p.buffers[number];
  if (!to.taken) return take(p, pool, number, key);
  const std::uint16_t from = std::exchange(to.comes_from, none);
  if (from != none) {
    p.bank[from].now = use::free;
    ++p.free_slots;
    if (to.key == key) return;
  }
  fail("I1", pool, f, " is stored in buffer ", number, ", which a message of ", to.key, " has");
  leave(p, number);
  take(p, pool, number, key);
}

/// Its sender has met its key.
void pool_checker::passed(unsigned pool, const flit& f) {
  const books& p = pools_[pool];
  p.of.rule->set_of(p.of.by_source ? f.source : f.destination);
}

void pool_checker::freed(unsigned pool, unsigned number) {
  books& p = pools_[pool];
  if (p.of.places || number >= p.buffers.size()) return;
  if (!p.buffers[number].taken) fail("I1", pool, "a message leaves buffer ", number, ", which is empty");
  if (p.of.waiting) check_list(pool, number);
  leave(p, number);
  if (p.waiting) p.left.push_back(static_cast<std::uint16_t>(number));
}

void pool_checker::banked(unsigned pool, unsigned number, const flit& f) {
  books& p = pools_[pool];
  if (number >= p.bank.size()) return;  // BL1
  const message_key key = p.of.by_source ? f.source : f.destination;
  if (p.bank[number].now == use::free)
    --p.free_slots;
  else
    fail("I1", pool, f, " is spilled to place ", number, ", which a message of ", p.bank[number].key, " has");
  p.bank[number] = {key, use::waits};
  ++p.waiting;
  const buffer_span set = p.of.rule->set_of(key);
  for (const std::uint16_t b : set) ++p.buffers[b].wanted_by;
  check_may_wait(pool, number, set);
  check_lists(pool, number, set);
  change(p, key, [](processor& it) { ++it.banked; });
}

/// I5 of a message that waits.
void pool_checker::check_may_wait(unsigned pool, unsigned number, buffer_span set) {
  books& p = pools_[pool];
  const message_key key = p.bank[number].key;
  for (const std::uint16_t b : set)
    if (!p.buffers[b].taken) {
      fail("I5", pool, key, " has a message at place ", number, " of the bank, and its buffer ", b,
           " is free");
      return;
    }
  if (!p.limit || p.used == p.buffers.size()) return;
  const processor* const it = p.processors.find(key);
  if (const unsigned held = it ? it->held : 0; held < p.limit)
    fail("I5", pool, key, " has a message at place ", number, " of the bank, and ", held, " of its ", p.limit,
         " buffers");
}

/// I4 as the message at a place of the bank sees it.
void pool_checker::check_lists(unsigned pool, unsigned number, buffer_span set) {
  const books& p = pools_[pool];
  if (!p.of.waiting || (set.count == 0 && p.bank[number].now == use::waits)) return;
  std::size_t found = 0;
  bool right = true;
  p.of.waiting->each_wanted(number, [&](unsigned b) {
    ++found;
    right = right && among(set, b);
  });
  if (right && found == set.count) return;
  std::ostringstream lists;
  p.of.waiting->each_wanted(number, [&](unsigned b) { lists << ' ' << b; });
  for (const std::uint16_t b : set) lists << (b == *set.begin() ? ", and not of" : "") << ' ' << b;
  fail("I4", pool, "place ", number, " of the bank, with a message of ", p.bank[number].key,
       ", waits in the lists of", lists.str());
}

/// The same as a buffer sees it.
void pool_checker::check_list(unsigned pool, unsigned number) {
  const books& p = pools_[pool];
  unsigned found = 0;
  p.of.waiting->each_waiting(number, [&](unsigned s) { found += p.bank[s].now == use::waits; });
  const unsigned wanted = p.buffers[number].wanted_by;
  if (found != wanted && (wanted || p.of.rule->set_of(p.buffers[number].key).count))
    fail("I4", pool, "the list of buffer ", number, " has ", found, " messages, of ", wanted,
         " that want it");
}

void pool_checker::stop_waiting(unsigned pool, unsigned number, use next) {
  books& p = pools_[pool];
  slot& from = p.bank[number];
  if (from.now != use::waits) {
    fail("I1", pool, "a message leaves place ", number, " of the bank, where none waits");
    return;
  }
  from.now = next;
  --p.waiting;
  for (const std::uint16_t b : p.of.rule->set_of(from.key)) --p.buffers[b].wanted_by;
  check_lists(pool, number, {});
  change(p, from.key, [](processor& it) { --it.banked; });
}

void pool_checker::assigned(unsigned pool, unsigned number, unsigned to) {
  books& p = pools_[pool];
  if (number >= p.bank.size() || to >= p.buffers.size()) return;
  stop_waiting(pool, number, use::moves);
  if (p.buffers[to].taken)
    fail("I1", pool, "the message at place ", number, " of the bank gets buffer ", to,
         ", which a message of ", p.buffers[to].key, " has");
  leave(p, to);
  take(p, pool, to, p.bank[number].key);
  p.buffers[to].comes_from = static_cast<std::uint16_t>(number);
}

void pool_checker::sent_from_bank(unsigned pool, unsigned number) {
  if (number >= pools_[pool].bank.size()) return;
  stop_waiting(pool, number, use::free);
  ++pools_[pool].free_slots;
}

/// I5 of those who wait for what was left in this cycle.
void pool_checker::check_left(unsigned pool) {
  books& p = pools_[pool];
  for (const std::uint16_t b : p.left)
    if (!p.buffers[b].taken && p.buffers[b].wanted_by)
      fail("I5", pool, "buffer ", b, " stays free, which ", p.buffers[b].wanted_by,
           " messages of the bank want");
  if (p.limit && !p.left.empty() && p.waiting)
    for (unsigned s = 0; s < p.bank.size(); ++s)
      if (p.bank[s].now == use::waits) check_may_wait(pool, s, {});
  p.left.clear();
}

void pool_checker::check_announced(unsigned pool, const control_message& m) {
  books& p = pools_[pool];
  if (m.embargo || m.release) {
    const processor* const known = p.processors.find(m.terminal);
    const processor it = known ? *known : processor{};
    const bool unsure = !p.limit && p.of.rule->most_declared();
    if (m.embargo && !hot(p, it) && !unsure)
      fail("I3", pool, m, " is announced, of which no message is in the bank");
    if (m.release && hot(p, it))
      fail("I3", pool, m, " is announced, of which ", it.banked, " messages are in the bank");
    change(p, m.terminal, [&m](processor& of) { of.announced = m.embargo; });
    p.unannounced_reported = false;
  } else if (p.unannounced && !std::exchange(p.unannounced_reported, true)) {
    fail("I3", pool, "nothing is announced, and the embargo of ", p.unannounced, " processors has changed");
  }
}

void pool_checker::announced(unsigned pool, const control_message& m, bool interdicts) {
  books& p = pools_[pool];
  if (!p.left.empty()) check_left(pool);
  check_announced(pool, m);
  const bool full = p.of.rule->stops_all_when_full() && p.used == p.buffers.size();
  if (interdicts != (full || p.free_slots < p.of.reserve))
    fail("I6", pool, interdicts ? "an" : "no", " interdiction, with ", p.used, " of ", p.buffers.size(),
         " buffers taken, ", p.free_slots, " of ", p.of.slots, " places of the bank free and ", p.of.reserve,
         " needed");
  const answer next{m, interdicts};
  if (next == p.last) return;
  p.last = next;
  const std::uint64_t due = now + config_.latency;
  p.coming.emplace_back(due, next);
  wake_at(due);
}

void pool_checker::check_pins(unsigned pool) {
  books& p = pools_[pool];
  for (; !p.coming.empty() && p.coming.front().first <= cycle(); p.coming.pop_front())
    p.shown = p.coming.front().second;
  for (unsigned i = pool * config_.inputs_a_pool; i < (pool + 1) * config_.inputs_a_pool; ++i) {
    const answer seen{control[i].read(), interdict[i].read()};
    const bool wrong = !(seen == p.shown);
    if (wrong && !wrong_[i])
      fail_at("I7", pool, cycle(), "link ", i, " shows ", seen.control,
              seen.interdict ? " and an interdiction" : "", ", announced was ", p.shown.control,
              p.shown.interdict ? " and an interdiction" : "", ' ', config_.latency, " cycles before");
    wrong_[i] = wrong;
  }
}

void pool_checker::reset() {
  for (books& p : pools_) p.clear();
  std::fill(wrong_.begin(), wrong_.end(), false);
}

void pool_checker::tick() {
  if (config_.inputs_a_pool)
    for (unsigned p = 0; p < pools_.size(); ++p) check_pins(p);
}

}  // namespace spillway
