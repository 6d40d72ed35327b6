#include <spillway/hw/nifdy/nifdy_port.hpp>

namespace spillway {

nifdy_port::nifdy_port(const sc_core::sc_module_name& name, const nifdy_config& config)
    : clocked(name),
      in(config.networks, "in"),
      config_(config),
      queues_(config.networks),
      under_way_(config.networks) {}

std::uint64_t nifdy_port::held_flits() const {
  std::uint64_t flits = 0;
  for (const auto& queue : queues_)
    for (const flit& f : queue) flits += !nifdy::is_control(f);
  for (const exit_state& e : exits_) flits += e.showing && !nifdy::is_control(e.data);
  return flits;
}

void nifdy_port::reset() {
  lost_ += held_flits();
  for (auto& queue : queues_) queue.clear();
  exits_ = {};
  turn_ = 0;
  for (packet_in& i : in) i.ready.write(0);
  show();
}

nifdy_port::way nifdy_port::way_of(const flit& f, unsigned network) const {
  if (!f.head()) return under_way_[network];
  if (nifdy::has(f, nifdy::ack_rides)) return way::acks;
  // The empty packet with which a dialog is left has a place in it.
  if (nifdy::is_control(f)) return nifdy::has(f, nifdy::bulk | nifdy::exit) ? way::bulk : way::acks;
  return nifdy::has(f, nifdy::bulk) ? way::bulk : way::scalar;
}

void nifdy_port::tick() {
  receive();
  for (unsigned e = 0; e < ways; ++e) {
    if (!exits_[e].showing || !(pins(e).ready.read() & 1)) continue;
    exits_[e].showing = false;
    wake_at(cycle() + 1);
  }
  sort();
  show();
}

void nifdy_port::receive() {
  for (unsigned n = 0; n < config_.networks; ++n) {
    if (!in[n].crosses()) continue;
    queues_[n].push_back(in[n].data.read());
    wake_at(cycle() + 1);
  }
}

void nifdy_port::sort() {
  bool any = false;
  for (unsigned n = 0; n < config_.networks; ++n) {
    const unsigned network = (turn_ + n) % config_.networks;
    if (queues_[network].empty()) continue;
    const flit& f = queues_[network].front();
    if (!forward(way_of(f, network), network)) continue;
    any = true;
  }
  if (!any) return;
  turn_ = (turn_ + 1) % config_.networks;
  wake_at(cycle() + 1);
}

bool nifdy_port::forward(way to, unsigned network) {
  auto& queue = queues_[network];
  flit& f = queue.front();
  exit_state& e = exits_[static_cast<unsigned>(to)];
  if (to == way::acks) {
    if (f.head()) {
      if (e.showing) return false;
      e.data = f;
      e.data.kind = flit_kind::acknowledge;
      e.data.length = 1;
      e.showing = true;
    }
    if (nifdy::has(f, nifdy::ack_rides)) {
      nifdy::set_header(e.data, {static_cast<std::uint8_t>(nifdy::header_of(f).flags & nifdy::refused)});
      nifdy::clear_flags(f, nifdy::ack_rides | nifdy::refused);
      return true;  // the packet itself goes its way now
    }
    under_way_[network] = to;
    queue.pop_front();
    return true;
  }
  if (e.showing || (e.owner >= 0 && e.owner != static_cast<int>(network))) return false;
  e.owner = f.tail() ? -1 : static_cast<int>(network);
  e.data = f;
  e.showing = true;
  under_way_[network] = to;
  queue.pop_front();
  return true;
}

void nifdy_port::show() {
  for (unsigned e = 0; e < ways; ++e) {
    pins(e).valid.write(exits_[e].showing);
    if (exits_[e].showing) pins(e).data.write(exits_[e].data);
  }
  if (rst.read()) return;
  for (unsigned n = 0; n < config_.networks; ++n) in[n].ready.write(queues_[n].size() < places ? 1 : 0);
}

}  // namespace spillway
