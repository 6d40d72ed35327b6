#pragma once
#include <memory>
#include <spillway/hw/kernel/single_threaded.hpp>
#include <spillway/tlm/message.hpp>
#include <vector>

namespace spillway {

/// A network without pins, as its terminals and its reset see it.
class message_network : public sc_core::sc_module {
public:
  ~message_network() override;

  /// What the port of a terminal sends by.
  message_carrier& carrier(unsigned terminal);
  /// What comes for `terminal`, and what it is told, goes to `receiver`. Before the simulation starts.
  void deliver_to(unsigned terminal, message_receiver& receiver);

  /// The block that hears of a reset: it ends all that is under way.
  clocked& reset_input();

protected:
  /// Numbers of `terminals` are below it.
  message_network(const sc_core::sc_module_name& name, unsigned terminals);

  /// Who was named by deliver_to().
  message_receiver& receiver(unsigned terminal) const { return *receivers_[terminal]; }

private:
  class access;
  class reset_watch;

  /// A message of `message.source`; `from`: the earliest time at which it may enter.
  virtual void send(const tlm_message& message, const sc_core::sc_time& from) = 0;
  /// As many requests that wait for room at `terminal` arrive as there is room for.
  virtual void deliver(unsigned terminal) = 0;
  /// In a reset, before the receivers hear of it: nothing is under way.
  virtual void clear() = 0;
  void reset();

  std::vector<std::unique_ptr<access>> accesses_;
  std::unique_ptr<reset_watch> reset_watch_;
  std::vector<message_receiver*> receivers_;
};

}  // namespace spillway
