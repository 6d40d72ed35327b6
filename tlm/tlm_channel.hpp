#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <spillway/tlm/message.hpp>
#include <vector>

namespace spillway {

/// The links that a message crosses, in order; the first leaves the source, the last enters the destination.
/// Requests and replies have links of their own.
using message_path =
    std::function<void(unsigned source, unsigned destination, std::vector<std::uint32_t>& links)>;

struct tlm_channel_config {
  unsigned terminals = 0;
  std::uint32_t links = 0;     ///< of one network
  unsigned packet_length = 1;  ///< flits
  unsigned entry = 0;          ///< cycles that a flit spends in the interface, before the first link
  bool store_and_forward = false;
  sc_core::sc_time period{1, sc_core::SC_NS};  ///< first edge at half of it
};

/// The networks of a platform as one module without pins (level: transaction). A message on an idle
/// network takes exactly the cycles that it takes over pins. Every link is taken by one message at
/// a time, for as many cycles as it has flits and in the order of the sending; there are no buffers that
/// could fill up, so a hot spot delays whoever uses its links, and nobody else.
class tlm_channel : public sc_core::sc_module {
public:
  tlm_channel(const sc_core::sc_module_name& name, const tlm_channel_config& config, message_path path);
  ~tlm_channel() override;

  /// What the port of a terminal sends by.
  message_carrier& carrier(unsigned terminal);
  void deliver_to(unsigned terminal, message_receiver& receiver);

private:
  class access;
  struct event {
    std::uint64_t cycle, number;  // the number keeps the order within a cycle
    bool leaves;                  // else it arrives
    std::uint32_t message;
    bool operator>(const event& e) const { return cycle != e.cycle ? cycle > e.cycle : number > e.number; }
  };
  struct in_flight {
    tlm_message message;
    unsigned ends = 0;  // events still to come
  };

  void send(tlm_message message, const sc_core::sc_time& from);
  void advance();
  void deliver(unsigned terminal);
  void release(std::uint32_t slot);
  void arm();
  sc_core::sc_time time_of(std::uint64_t cycle) const;

  const tlm_channel_config config_;
  const message_path path_;
  std::vector<std::unique_ptr<access>> accesses_;
  std::vector<message_receiver*> receivers_;
  std::vector<std::uint64_t> free_from_;  // first cycle in which the link is free; network after network
  std::vector<std::uint32_t> links_;      // of the path under way
  std::vector<in_flight> messages_;
  std::vector<std::uint32_t> idle_;
  std::vector<std::deque<std::uint32_t>> at_door_;  // requests that wait for room, by terminal
  std::priority_queue<event, std::vector<event>, std::greater<event>> events_;
  std::uint64_t events_made_ = 0;
  sc_core::sc_event wake_{"wake"};
};

}  // namespace spillway
