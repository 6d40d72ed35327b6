#pragma once
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/packet/flit_store.hpp>
#include <string>

namespace spillway {

/// A FIFO of flits between two packet links of one lane. One cycle from input to output; full rate
/// needs a depth of at least 2, because `ready` is registered.
class fifo_queue : public clocked {
public:
  packet_in in{"in"};     ///< registered `ready`: bit 0 while there is a free place
  packet_out out{"out"};  ///< the oldest flit, registered

  /// `depth`: flits, 1 to 65,535, else std::invalid_argument. Flits leave with lane 0.
  fifo_queue(const sc_core::sc_module_name& name, unsigned depth)
      : clocked(name), store_(1, checked(depth), memory_) {}

  unsigned level() const { return store_.used(); }  ///< flits in it
  hardware_size storage() const override { return store_.storage(false); }
  /// Flits thrown away by resets so far.
  std::uint64_t lost_in_reset() const { return lost_; }

private:
  static unsigned checked(unsigned depth) {
    detail::need(depth >= 1 && depth <= 65535,
                 "a queue has 1 to 65535 flits, found " + std::to_string(depth));
    return depth;
  }
  void reset() override {
    lost_ += store_.used();
    store_.clear();
    open_ = false;
    in.ready.write(0);
    out.valid.write(false);
  }

  void tick() override {
    const bool leaves = !store_.empty(0) && (out.ready.read() & 1);
    const bool arrives = open_ && in.valid.read() && in.data.read().lane == 0;
    if (leaves) store_.pop(0);
    if (arrives) {
      flit f = in.data.read();
      f.lane = 0;
      store_.push(0, f, f.lane, cycle());
    }
    drive();
    if (leaves || arrives) wake_at(cycle() + 1);
  }

  void drive() {
    const bool was_open = open_;
    open_ = store_.used() < store_.slots();
    in.ready.write(open_ ? 1 : 0);
    out.valid.write(!store_.empty(0));
    if (!store_.empty(0)) out.data.write(store_.front(0));
    if (open_ != was_open) wake_at(cycle() + 1);
  }

  state_memory memory_;
  flit_store store_;
  bool open_ = false;  // what in.ready shows
  std::uint64_t lost_ = 0;
};

}  // namespace spillway
