#include <algorithm>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/tlm/tlm_channel.hpp>

namespace spillway {

class tlm_channel::access final : public message_carrier {
public:
  access(tlm_channel& channel, unsigned terminal) : channel_(channel), terminal_(terminal) {}
  void send(tlm_message message, const sc_core::sc_time& from) override {
    channel_.send(std::move(message), from);
  }
  void room_opened() override { channel_.deliver(terminal_); }

private:
  tlm_channel& channel_;
  const unsigned terminal_;
};

tlm_channel::tlm_channel(const sc_core::sc_module_name& name, const tlm_channel_config& config,
                         message_path path)
    : sc_module(name),
      config_(config),
      path_(std::move(path)),
      receivers_(config.terminals),
      free_from_(std::size_t{2} * config.links),
      at_door_(config.terminals) {
  for (unsigned t = 0; t < config.terminals; ++t) accesses_.push_back(std::make_unique<access>(*this, t));
  SPILLWAY_HAS_PROCESS(tlm_channel);
  SC_METHOD(advance);
  sensitive << wake_;
  dont_initialize();
}

tlm_channel::~tlm_channel() = default;

message_carrier& tlm_channel::carrier(unsigned terminal) { return *accesses_.at(terminal); }

void tlm_channel::deliver_to(unsigned terminal, message_receiver& receiver) {
  receivers_.at(terminal) = &receiver;
}

sc_core::sc_time tlm_channel::time_of(std::uint64_t cycle) const {
  return config_.period / 2 + config_.period * static_cast<double>(cycle);
}

void tlm_channel::send(tlm_message message, const sc_core::sc_time& from) {
  // The first edge after `from` shows the first flit, the next one moves it.
  const sc_core::sc_time half = config_.period / 2;
  const std::uint64_t shown = from < half ? 0 : (from - half).value() / config_.period.value() + 1;
  const std::uint64_t flits = message.words.size() + 1;
  const std::uint64_t stored =
      config_.store_and_forward ? std::min<std::uint64_t>(flits, config_.packet_length) - 1 : 0;
  links_.clear();
  path_(message.source, message.destination, links_);
  const std::size_t first_link = std::size_t{message.network} * config_.links;
  std::uint64_t cycle = shown + config_.entry, left = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    std::uint64_t& free_from = free_from_[first_link + links_[i]];
    cycle = std::max(cycle + 1 + (i ? stored : 0), free_from);
    free_from = cycle + flits;
    if (i == 0) left = cycle - config_.entry + flits - 1;
  }
  std::uint32_t slot;
  if (idle_.empty()) {
    slot = static_cast<std::uint32_t>(messages_.size());
    messages_.emplace_back();
  } else {
    slot = idle_.back();
    idle_.pop_back();
  }
  messages_[slot] = {std::move(message), 2};
  events_.push({left, events_made_++, true, slot});
  events_.push({cycle + flits - 1, events_made_++, false, slot});
  arm();
}

void tlm_channel::arm() {
  if (events_.empty()) return;
  wake_.notify(time_of(events_.top().cycle) - sc_core::sc_time_stamp());
}

void tlm_channel::advance() {
  const std::uint64_t now = (sc_core::sc_time_stamp() - config_.period / 2).value() / config_.period.value();
  while (!events_.empty() && events_.top().cycle <= now) {
    const event e = events_.top();
    events_.pop();
    const tlm_message& message = messages_[e.message].message;
    if (e.leaves) {
      receivers_[message.source]->left(message.tag);
      release(e.message);
    } else if (message.network == 0) {
      const unsigned terminal = message.destination;
      at_door_[terminal].push_back(e.message);
      deliver(terminal);
    } else {
      const tlm_message arrived = std::move(messages_[e.message].message);
      release(e.message);
      receivers_[arrived.destination]->arrived(arrived);
    }
  }
  arm();
}

void tlm_channel::deliver(unsigned terminal) {
  std::deque<std::uint32_t>& door = at_door_[terminal];
  while (!door.empty() && receivers_[terminal]->room(0)) {
    const std::uint32_t slot = door.front();
    door.pop_front();
    const tlm_message message = std::move(messages_[slot].message);
    release(slot);
    receivers_[terminal]->arrived(message);
  }
}

void tlm_channel::release(std::uint32_t slot) {
  if (--messages_[slot].ends == 0) idle_.push_back(slot);
}

}  // namespace spillway
