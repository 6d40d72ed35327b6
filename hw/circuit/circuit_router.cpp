#include <spillway/hw/circuit/circuit_router.hpp>
#include <spillway/hw/kernel/draw.hpp>

namespace spillway {

circuit_router::circuit_router(const sc_core::sc_module_name& name, const circuit_router_config& config,
                               std::shared_ptr<const routing> routes)
    : network_block(name), config_(config), routes_(std::move(routes)) {}

void circuit_router::reset() {
  inputs_.fill(state::idle);
  answering_ = 0;
  for (unsigned p = 0; p < 4; ++p) {
    outputs_[p].full = false;
    outputs_[p].holder = none;
    out[p].request.write(false);
    in[p].acknowledge.write(false);
    in[p].collision.write(false);
  }
}

void circuit_router::tick() {
  for (unsigned i = 0; i < 4; ++i) {
    if (answering_ >> i & 1) {
      in[i].acknowledge.write(false);
      in[i].collision.write(false);
    }
    if (inputs_[i] == state::closing && !in[i].request.read()) inputs_[i] = state::idle;
  }
  answering_ = 0;
  pass_answers();
  const bool moving = pass_data();
  if (reserve() || moving || answering_) wake_at(cycle() + 1);
}

void circuit_router::pass_answers() {
  for (unsigned o = 0; o < 4; ++o) {
    if (outputs_[o].holder == none) continue;
    const bool acknowledged = out[o].acknowledge.read();
    if (!acknowledged && !out[o].collision.read()) continue;
    answer(outputs_[o].holder, acknowledged);
    release(o);
  }
}

void circuit_router::answer(unsigned input, bool acknowledged) {
  (acknowledged ? in[input].acknowledge : in[input].collision).write(true);
  answering_ |= static_cast<std::uint8_t>(1u << input);
  inputs_[input] = state::closing;
}

void circuit_router::release(unsigned port) {
  outputs_[port].holder = none;
  outputs_[port].full = false;
  out[port].request.write(false);
}

bool circuit_router::pass_data() {
  bool moving = false;
  for (unsigned o = 0; o < 4; ++o) {
    reservation& r = outputs_[o];
    if (r.holder == none) continue;
    if (r.full) {
      out[o].request.write(true);
      out[o].data.write(r.staged);
      ++forwarded_;
      r.full = false;
      moving = true;
    }
    if (r.taken == r.staged.length) continue;
    const flit& next = in[r.holder].data.read();
    if (next.index != r.taken) continue;
    r.staged = next;
    ++r.taken;
    r.full = moving = true;
  }
  return moving;
}

wish circuit_router::wish_of(unsigned input) const {
  const port_mask ports = routes_->outputs(config_.node, input, in[input].data.read());
  if (ports >> port_a & 1) return wish::a;
  if (ports >> port_b & 1) return wish::b;
  return wish::up;
}

bool circuit_router::reserve() {
  wishes wanted;
  for (unsigned i = 0; i < 4; ++i)
    if (inputs_[i] == state::idle && in[i].request.read()) wanted.add(i, wish_of(i));
  if (!wanted.any()) return false;
  unsigned taken = 0;
  for (unsigned o = 0; o < 4; ++o) taken |= static_cast<unsigned>(outputs_[o].holder != none) << o;
  const circuit_grants grants =
      decide(wanted, taken, config_.winner, draw(config_.seed, config_.node, cycle()));
  for (unsigned i = 0; i < 4; ++i) {
    if (wanted.of(i) == wish::nothing) continue;
    if (grants.output[i] == none) {
      ++collisions_;
      collisions_up_ += wanted.of(i) == wish::up;
      answer(i, false);
      continue;
    }
    inputs_[i] = state::open;
    reservation& r = outputs_[grants.output[i]];
    r.staged = in[i].data.read();
    r.taken = 1;
    r.holder = static_cast<std::uint8_t>(i);
    r.full = true;
  }
  return true;
}

void circuit_router::count(counters& all) const {
  const auto collisions = static_cast<double>(collisions_);
  all["circuit.collisions"] += collisions;
  all["circuit.collisions_level_" + std::to_string(config_.level)] += collisions;
  all["circuit.collisions_up"] += static_cast<double>(collisions_up_);
}

}  // namespace spillway
