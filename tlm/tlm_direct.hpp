#pragma once
#include <deque>
#include <functional>
#include <queue>
#include <spillway/tlm/message_network.hpp>
#include <vector>

namespace spillway {

/// A network without time (level: functional): a message arrives in the next delta cycle after the time at
/// which it may enter.
class tlm_direct final : public message_network {
public:
  /// Numbers of `terminals` are below it.
  tlm_direct(const sc_core::sc_module_name& name, unsigned terminals);

private:
  struct in_flight {
    sc_core::sc_time due;
    std::uint64_t number;  // in the order of the sending
    tlm_message message;
    bool operator>(const in_flight& o) const { return due != o.due ? due > o.due : number > o.number; }
  };

  void send(const tlm_message& message, const sc_core::sc_time& from) override;
  void deliver(unsigned terminal) override;
  void clear() override;
  void advance();

  std::vector<std::deque<tlm_message>> at_door_;  // requests that wait for room, by terminal
  std::priority_queue<in_flight, std::vector<in_flight>, std::greater<in_flight>> messages_;
  std::uint64_t sent_ = 0;
  sc_core::sc_event wake_{"wake"};
};

}  // namespace spillway
