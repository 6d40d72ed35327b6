#include <algorithm>
#include <spillway/hw/dampening/dampening_pool.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

dampening_pool::dampening_pool(const bank_ports& ports, std::unique_ptr<assignment> rule, unsigned slots,
                               unsigned reserve, message_table& messages)
    : ports_(ports),
      logic_(std::move(rule), slots, reserve),
      messages_(messages),
      in_slot_(slots, message_table::none) {}

bool dampening_pool::store(message_table::id id, unsigned i, const flit& f) {
  message& m = messages_[id];
  const embargo_logic::place to = logic_.arrive(m.key);
  m.buffer = to.buffer;
  m.slot = to.slot;
  if (to.slot == embargo_logic::none) return to.buffer != embargo_logic::none;
  if (in_slot_[to.slot] != message_table::none)
    throw std::logic_error("place " + std::to_string(to.slot) + " of the bank is given to two messages");
  ++spilled_;
  in_slot_[to.slot] = id;
  spills_ |= std::uint64_t{1} << i;
  ports_.spill[i].slot.write(to.slot);
  ports_.spill[i].data.write(f);
  return true;
}

std::optional<embargo_logic::move> dampening_pool::release(const message& m) {
  if (m.buffer == message::none) {
    in_slot_[m.slot] = message_table::none;
    logic_.leave_slot(m.slot);
    return std::nullopt;
  }
  const auto move = logic_.leave_buffer(m.buffer);
  if (!move) return move;
  ++moved_;
  message& moving = messages_[in_slot_[move->slot]];
  moving.buffer = move->buffer;
  if (!moving.fetched) fetches_.push_back(move->slot);
  moving.fetched = true;
  return move;
}

void dampening_pool::fetch_now(message_table::id id) {
  messages_[id].fetched = true;
  fetches_.push_front(messages_[id].slot);
}

bool dampening_pool::drive() {
  bool more = spills_ != 0;
  for (unsigned i = ports_.first; i < ports_.first + ports_.inputs; ++i) {
    ports_.spill[i].valid.write((spills_ >> i & 1) != 0);
    refill_in& port = ports_.refill[i];
    port.fetch.write(!fetches_.empty());
    if (fetches_.empty()) continue;
    port.wanted.write(fetches_.front());
    fetches_.pop_front();
    more = true;
  }
  spills_ = 0;
  return more;
}

void dampening_pool::clear() {
  logic_.clear();
  fetches_.clear();
  spills_ = 0;
  std::fill(in_slot_.begin(), in_slot_.end(), message_table::none);
  for (unsigned i = ports_.first; i < ports_.first + ports_.inputs; ++i) {
    ports_.spill[i].valid.write(false);
    ports_.refill[i].fetch.write(false);
  }
}

}  // namespace spillway
