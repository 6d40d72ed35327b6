#include <spillway/hw/isolation/destination_gate.hpp>
#include <spillway/hw/isolation/destination_switch.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <string>

namespace spillway {

using namespace masks;

void destination_gate_config::check() const {
  detail::need(lanes >= 1 && lanes <= flit::most_lanes,
               "a link has 1 to 64 lanes, found " + std::to_string(lanes));
  detail::need(depth >= 1 && depth <= 65535, "a gate holds 1 to 65535 flits, found " + std::to_string(depth));
}

destination_gate::destination_gate(const sc_core::sc_module_name& name, const destination_gate_config& config)
    : clocked(name),
      config_(detail::checked(config)),
      store_(config.by_destination ? config.lanes : 1, config.depth, memory_) {
  out.lanes().declare(config.lanes);
}

void destination_gate::reset() {
  lost_ += store_.used();
  store_.clear();
  waiting_ = 0;
  turn_.clear();
  shown_ = 0;
  valid_ = open_ = in_packet_ = false;
  in.ready.write(0);
  out.valid.write(false);
}

void destination_gate::tick() {
  const lane_mask ready = out.ready.read();
  const bool leaves = valid_ && accepts(ready, store_.front(shown_));
  const bool arrives = in.crosses();
  if (leaves) {
    in_packet_ = !store_.pop(shown_).tail;
    if (store_.empty(shown_)) waiting_ &= ~bit(shown_);
    valid_ = false;
  }
  if (arrives) {
    const flit& f = in.data.read();
    const std::uint8_t lane = destination_queue(f, config_.lanes);
    const unsigned queue = config_.by_destination ? lane : 0;
    store_.push(queue, f, lane, cycle());
    waiting_ |= bit(queue);
  }
  valid_ = choose(ready);
  out.valid.write(valid_);
  if (valid_) out.data.write(store_.front(shown_));
  const bool was_open = open_;
  open_ = store_.used() < store_.slots();
  if (open_ != was_open) in.ready.write(open_ ? 1 : 0);
  if (leaves || arrives || (valid_ && accepts(ready, store_.front(shown_))) || open_ != was_open)
    wake_at(cycle() + 1);
}

/// Which queue is shown; whether one is. A packet goes on while its lane takes it; a flit that is shown and
/// not taken stays unless another lane is.
bool destination_gate::choose(lane_mask ready) {
  std::uint64_t taken = 0;
  for (std::uint64_t rest = waiting_; rest; rest &= rest - 1)
    if (accepts(ready, store_.front(lowest(rest)))) taken |= bit(lowest(rest));
  const bool stays = (waiting_ & bit(shown_)) && (valid_ || in_packet_);
  if (stays && (!taken || (in_packet_ && (taken & bit(shown_))))) return true;
  if (!waiting_) return false;
  shown_ = turn_.pick(taken ? taken : waiting_);
  turn_.granted(shown_);
  return true;
}

hardware_size destination_gate::storage() const {
  hardware_size all = store_.storage(config_.by_destination);
  if (config_.by_destination)
    all.bits += 2 * bits_below(config_.lanes) + 1;  // the turn, and who is in a packet
  return all;
}

}  // namespace spillway
