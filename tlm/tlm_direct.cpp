#include <spillway/hw/kernel/process.hpp>
#include <spillway/tlm/tlm_direct.hpp>

namespace spillway {

tlm_direct::tlm_direct(const sc_core::sc_module_name& name, unsigned terminals)
    : message_network(name, terminals), at_door_(terminals) {
  SPILLWAY_HAS_PROCESS(tlm_direct);
  SC_METHOD(advance);
  sensitive << wake_;
  dont_initialize();
}

void tlm_direct::send(const tlm_message& message, const sc_core::sc_time& from) {
  messages_.push({from, sent_++, message});
  wake_.notify(messages_.top().due - sc_core::sc_time_stamp());
}

void tlm_direct::advance() {
  while (!messages_.empty() && messages_.top().due <= sc_core::sc_time_stamp()) {
    const tlm_message message = messages_.top().message;
    messages_.pop();
    if (message.tag) receiver(message.source).sent(message.tag);
    if (message.network == 1) {
      receiver(message.destination).arrived(message);
    } else {
      at_door_[message.destination].push_back(message);
      deliver(message.destination);
    }
  }
  if (!messages_.empty()) wake_.notify(messages_.top().due - sc_core::sc_time_stamp());
}

void tlm_direct::deliver(unsigned terminal) {
  std::deque<tlm_message>& door = at_door_[terminal];
  while (!door.empty() && receiver(terminal).room(0)) {
    const tlm_message message = door.front();
    door.pop_front();
    receiver(terminal).arrived(message);
  }
}

void tlm_direct::clear() {
  messages_ = {};
  for (auto& door : at_door_) door.clear();
}

}  // namespace spillway
