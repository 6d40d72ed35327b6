#include <spillway/hw/dampening/dampening_pool.hpp>

namespace spillway {

dampening_pool::dampening_pool(const std::string& name, unsigned inputs, std::unique_ptr<assignment> rule,
                               unsigned slots, unsigned reserve, message_store& store)
    : spill(inputs, name + "spill"),
      refill(inputs, name + "refill"),
      logic_(std::move(rule), slots, reserve),
      store_(store),
      in_slot_(slots, message_store::none),
      spills_(inputs) {}

bool dampening_pool::store(message_store::id id, unsigned port) {
  message& m = store_[id];
  const embargo_logic::place to = logic_.arrive(m.key);
  m.buffer = to.buffer;
  m.slot = to.slot;
  if (to.slot == embargo_logic::none) return to.buffer != embargo_logic::none;
  ++spilled_;
  in_slot_[to.slot] = id;
  spills_[port] = {true, to.slot, m.data};
  return true;
}

void dampening_pool::leave(const message& m) {
  if (m.buffer == message::none) {
    logic_.leave_slot(m.slot);
    return;
  }
  const auto move = logic_.leave_buffer(m.buffer);
  if (!move) return;
  ++moved_;
  message& moving = store_[in_slot_[move->slot]];
  moving.buffer = move->buffer;
  if (!moving.fetched) fetches_.push_back(move->slot);
  moving.fetched = true;
}

void dampening_pool::fetch_now(message_store::id id) {
  store_[id].fetched = true;
  fetches_.push_front(store_[id].slot);
}

bool dampening_pool::drive() {
  bool more = false;
  for (std::size_t i = 0; i < spills_.size(); ++i) {
    spill[i].valid.write(spills_[i].valid);
    if (!spills_[i].valid) continue;
    spill[i].slot.write(spills_[i].slot);
    spill[i].data.write(spills_[i].data);
    spills_[i].valid = false;
    more = true;
  }
  for (refill_in& port : refill) {
    port.fetch.write(!fetches_.empty());
    if (fetches_.empty()) continue;
    port.wanted.write(fetches_.front());
    fetches_.pop_front();
    more = true;
  }
  return more;
}

void dampening_pool::clear() {
  logic_.clear();
  fetches_.clear();
  for (spilling& s : spills_) s.valid = false;
  for (spill_out& port : spill) port.valid.write(false);
  for (refill_in& port : refill) port.fetch.write(false);
}

}  // namespace spillway
