#include <spillway/hw/kernel/process.hpp>
#include <spillway/tlm/tlm_direct.hpp>

namespace spillway {

class tlm_direct::access final : public message_carrier {
public:
  access(tlm_direct& network, unsigned terminal) : network_(network), terminal_(terminal) {}
  void send(const tlm_message& message, const sc_core::sc_time& from) override {
    network_.send(message, from);
  }
  void room_opened() override { network_.deliver(terminal_); }

private:
  tlm_direct& network_;
  const unsigned terminal_;
};

class tlm_direct::reset_watch final : public clocked {
public:
  explicit reset_watch(tlm_direct& network) : clocked("reset_watch"), network_(network) {}

private:
  void reset() override { network_.reset(); }
  void tick() override {}

  tlm_direct& network_;
};

tlm_direct::tlm_direct(const sc_core::sc_module_name& name, unsigned terminals)
    : sc_module(name),
      reset_watch_(std::make_unique<reset_watch>(*this)),
      receivers_(terminals),
      at_door_(terminals) {
  for (unsigned t = 0; t < terminals; ++t) accesses_.push_back(std::make_unique<access>(*this, t));
  SPILLWAY_HAS_PROCESS(tlm_direct);
  SC_METHOD(advance);
  sensitive << wake_;
  dont_initialize();
}

tlm_direct::~tlm_direct() = default;

message_carrier& tlm_direct::carrier(unsigned terminal) { return *accesses_.at(terminal); }

void tlm_direct::deliver_to(unsigned terminal, message_receiver& receiver) {
  receivers_.at(terminal) = &receiver;
}

clocked& tlm_direct::reset_input() { return *reset_watch_; }

void tlm_direct::send(const tlm_message& message, const sc_core::sc_time& from) {
  messages_.push({from, sent_++, message});
  wake_.notify(messages_.top().due - sc_core::sc_time_stamp());
}

void tlm_direct::advance() {
  while (!messages_.empty() && messages_.top().due <= sc_core::sc_time_stamp()) {
    const tlm_message message = messages_.top().message;
    messages_.pop();
    if (message.tag) receivers_[message.source]->sent(message.tag);
    if (message.network == 1) {
      receivers_[message.destination]->arrived(message);
    } else {
      at_door_[message.destination].push_back(message);
      deliver(message.destination);
    }
  }
  if (!messages_.empty()) wake_.notify(messages_.top().due - sc_core::sc_time_stamp());
}

void tlm_direct::deliver(unsigned terminal) {
  std::deque<tlm_message>& door = at_door_[terminal];
  while (!door.empty() && receivers_[terminal]->room(0)) {
    const tlm_message message = door.front();
    door.pop_front();
    receivers_[terminal]->arrived(message);
  }
}

void tlm_direct::reset() {
  messages_ = {};
  for (auto& door : at_door_) door.clear();
  for (message_receiver* const r : receivers_) r->network_reset();
}

}  // namespace spillway
