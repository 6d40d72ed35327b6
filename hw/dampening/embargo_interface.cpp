#include <spillway/hw/dampening/embargo_interface.hpp>
#include <stdexcept>
#include <utility>

namespace spillway {

embargo_interface::embargo_interface(const sc_core::sc_module_name& name,
                                     const embargo_interface_config& config, std::unique_ptr<assignment> pool,
                                     bool by_source)
    : clocked(name),
      config_(config),
      by_source_(by_source),
      messages_(config.depth, memory_),
      flits_(memory_.array<flit>(config.depth)),
      sender_(messages_, std::move(pool), config.embargoes) {
  if (config.depth < 1) throw std::invalid_argument("an interface holds at least 1 message, found 0");
}

void embargo_interface::reset() {
  lost_ += level();
  messages_.clear();
  sender_.clear();
  fifo_.clear();
  valid_ = open_ = interdicted_ = false;
  in.ready.write(0);
  out.valid.write(false);
}

void embargo_interface::tick() {
  if (const control_message& m = out.control.read(); m.any()) {
    wake_at(cycle() + 1);
    receive_control(sender_, m, *this, 0);
  }
  if (const bool on = out.interdict.read(); on != interdicted_) sender_.interdict(interdicted_ = on);
  const bool ready = out.ready.read() & 1;
  if (valid_ && ready) {
    valid_ = false;
    wake_at(cycle() + 1);
  }
  if (in.crosses()) {
    take(in.data.read());
    wake_at(cycle() + 1);
  }
  if (!valid_ && ready) send_next();
  const bool was_open = std::exchange(open_, messages_.used() < config_.depth);
  if (open_ != was_open) wake_at(cycle() + 1);
  in.ready.write(open_ ? 1 : 0);
  out.valid.write(valid_);
  if (!valid_) return;
  out.data.write(showing_);
  out.place.write(place_);
}

void embargo_interface::take(const flit& f) {
  const message_table::id m = messages_.add();  // it was open, so there is one
  messages_[m].key_ahead = by_source_ ? f.source : f.destination;
  flits_[m] = f;
  flits_[m].lane = 0;
  if (config_.queue_a_destination || messages_.used() == 1)
    sender_.add(m);
  else
    fifo_.push_back(m);
}

void embargo_interface::send_next() {
  const auto m = sender_.choose([](message_table::id) { return true; });
  if (m == message_table::none) return;
  showing_ = flits_[m];
  valid_ = true;
  place_ = sender_.send(m);
  messages_.remove(m);
  if (!fifo_.empty()) {
    sender_.add(fifo_.front());
    fifo_.pop_front();
  }
  wake_at(cycle() + 1);
}

}  // namespace spillway
