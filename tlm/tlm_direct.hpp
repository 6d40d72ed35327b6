#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/tlm/message.hpp>
#include <vector>

namespace spillway {

/// A network without time (level: functional): a message arrives in the next delta cycle after the time at
/// which it may enter.
class tlm_direct : public sc_core::sc_module {
public:
  /// Numbers of `terminals` are below it.
  tlm_direct(const sc_core::sc_module_name& name, unsigned terminals);
  ~tlm_direct() override;

  /// What the port of a terminal sends by.
  message_carrier& carrier(unsigned terminal);
  /// What comes for `terminal`, and what it is told, goes to `receiver`. Before the simulation starts.
  void deliver_to(unsigned terminal, message_receiver& receiver);

  /// The block that hears of a reset: it ends all that is under way.
  clocked& reset_input();

private:
  class access;
  class reset_watch;
  struct in_flight {
    sc_core::sc_time due;
    std::uint64_t number;  // in the order of the sending
    tlm_message message;
    bool operator>(const in_flight& o) const { return due != o.due ? due > o.due : number > o.number; }
  };

  void send(const tlm_message& message, const sc_core::sc_time& from);
  void advance();
  void deliver(unsigned terminal);
  void reset();

  std::vector<std::unique_ptr<access>> accesses_;
  std::unique_ptr<reset_watch> reset_watch_;
  std::vector<message_receiver*> receivers_;
  std::vector<std::deque<tlm_message>> at_door_;  // requests that wait for room, by terminal
  std::priority_queue<in_flight, std::vector<in_flight>, std::greater<in_flight>> messages_;
  std::uint64_t sent_ = 0;
  sc_core::sc_event wake_{"wake"};
};

}  // namespace spillway
