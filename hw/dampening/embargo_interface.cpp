#include <spillway/hw/dampening/embargo_interface.hpp>
#include <stdexcept>
#include <utility>

namespace spillway {

embargo_interface::embargo_interface(const sc_core::sc_module_name& name,
                                     const embargo_interface_config& config, std::unique_ptr<assignment> pool,
                                     bool by_source)
    : clocked(name), config_(config), sender_(store_, std::move(pool), by_source) {
  if (config.depth < 1) throw std::invalid_argument("an interface holds at least 1 message, found 0");
}

void embargo_interface::reset() {
  lost_ += level();
  store_.clear();
  sender_.clear();
  fifo_.clear();
  valid_ = open_ = interdicted_ = false;
  in.ready.write(0);
  out.valid.write(false);
}

void embargo_interface::tick() {
  if (const control_message& m = out.control.read(); m.any()) {
    wake_at(cycle() + 1);
    sender_.hear(m);
  }
  if (const bool on = out.interdict.read(); on != interdicted_) sender_.interdict(interdicted_ = on);
  const bool ready = out.ready.read() & 1;
  if (valid_ && ready) {
    valid_ = false;
    wake_at(cycle() + 1);
  }
  if (open_ && in.valid.read()) {
    take(in.data.read());
    wake_at(cycle() + 1);
  }
  if (!valid_ && ready) send_next();
  const bool was_open = std::exchange(open_, store_.used() < config_.depth);
  if (open_ != was_open) wake_at(cycle() + 1);
  in.ready.write(open_ ? 1 : 0);
  out.valid.write(valid_);
  if (valid_) out.data.write(showing_);
}

void embargo_interface::take(const flit& f) {
  const message_store::id m = store_.add(f);
  store_[m].data.lane = 0;
  if (config_.queue_a_destination || store_.used() == 1)
    sender_.add(m);
  else
    fifo_.push_back(m);
}

void embargo_interface::send_next() {
  const auto m = sender_.choose([](message_store::id) { return true; });
  if (m == message_store::none) return;
  showing_ = store_[m].data;
  valid_ = true;
  sender_.send(m);
  store_.remove(m);
  if (!fifo_.empty()) {
    sender_.add(fifo_.front());
    fifo_.pop_front();
  }
  wake_at(cycle() + 1);
}

}  // namespace spillway
