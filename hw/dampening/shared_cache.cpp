#include <spillway/hw/dampening/shared_cache.hpp>

namespace spillway {

shared_cache::shared_cache(const sc_core::sc_module_name& name, const cache_config& config,
                           unsigned miss_cycles)
    : clocked(name),
      request(config.threads, "request"),
      reply(config.threads, "reply"),
      lines_(config),
      miss_cycles_(miss_cycles),
      ports_(config.threads) {}

unsigned shared_cache::level() const {
  unsigned held = 0;
  for (const port_state& port : ports_) held += port.now != phase::idle;
  return held;
}

void shared_cache::reset() {
  lost_ += level();
  lines_.clear();
  turn_.clear();
  for (unsigned t = 0; t < ports_.size(); ++t) {
    ports_[t].now = phase::idle;
    ports_[t].open = false;
    request[t].ready.write(0);
    reply[t].valid.write(false);
  }
}

void shared_cache::tick() {
  std::uint64_t asked = 0;
  for (unsigned t = 0; t < ports_.size(); ++t) {
    port_state& port = ports_[t];
    if (port.now == phase::answers && (reply[t].ready.read() & 1)) {
      port.now = phase::idle;
      wake_at(cycle() + 1);
    }
    if (port.now == phase::asked) asked |= std::uint64_t{1} << t;
    if (request[t].crosses()) {
      port.data = request[t].data.read();
      port.now = phase::asked;
      wake_at(cycle() + 1);
    }
  }
  if (asked) {
    const unsigned t = turn_.pick(asked);
    turn_.granted(t);
    look_up(t);
    wake_at(cycle() + 1);
  }
  for (unsigned t = 0; t < ports_.size(); ++t) {
    port_state& port = ports_[t];
    if (port.now == phase::waits && port.ready_at <= cycle()) port.now = phase::answers;
    const bool open = port.now == phase::idle;
    if (!open || !port.open) wake_at(cycle() + 1);
    port.open = open;
    request[t].ready.write(open ? 1 : 0);
    reply[t].valid.write(port.now == phase::answers);
    if (port.now == phase::answers) reply[t].data.write(port.data);
  }
}

void shared_cache::look_up(unsigned t) {
  port_state& port = ports_[t];
  const bool hit = lines_.access(t, port.data.payload);
  ++(hit ? port.hits : port.misses);
  port.data.kind = flit_kind::reply;
  port.data.flags = hit ? 1 : 0;
  port.data.lane = 0;
  port.ready_at = cycle() + (hit ? 0 : miss_cycles_);
  port.now = phase::waits;
}

}  // namespace spillway
