#pragma once
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <spillway/tlm/calendar.hpp>
#include <spillway/tlm/link_schedule.hpp>
#include <spillway/tlm/message_network.hpp>
#include <vector>

namespace spillway {

/// A queue, and the link that leads out of it.
struct message_hop {
  std::uint32_t queue = 0;  ///< number of the queue, below message_paths::queues
  std::uint32_t link = 0;   ///< number of the link, below message_paths::links
};

/// The ways of messages through one network; requests and replies have a network each.
struct message_paths {
  std::uint32_t queues = 0;  ///< queues of the network
  std::uint32_t links = 0;   ///< links of the network
  /// Appends the hops from terminal to terminal, in order: the first queue is the source's own.
  std::function<void(unsigned source, unsigned destination, std::vector<message_hop>& hops)> find;
};

/// Size and timing of the network that a tlm_channel stands for.
struct tlm_channel_config {
  unsigned terminals = 0;          ///< of the platform
  unsigned packet_length = 1;      ///< flits of the longest packet, at least 1
  unsigned entry = 0;              ///< cycles that a flit spends in the interface, before the first link
  unsigned depth = 0;              ///< flits a queue of a switch, or 0: no end to them
  bool store_and_forward = false;  ///< a packet goes on when its tail has come, else its head
  sc_core::sc_time period{1, sc_core::SC_NS};        ///< of the clock
  sc_core::sc_time first_edge{500, sc_core::SC_PS};  ///< time of the clock's first rising edge
};

/// The networks of a platform as one module without pins (level: transaction). A message on an idle
/// network takes exactly the cycles that it takes over pins. The whole way of a message is laid out when
/// it is sent: a link carries one packet at a time; a queue passes its packets on in order and takes a
/// packet only when it has room for the longest, while the packet holds the link before it. So full queues
/// hold back who sends into them, up to the source. What differs from pins: queues that compete for a link
/// have it in the order of the sending rather than in turns.
class tlm_channel final : public message_network {
public:
  /// `paths`: of requests, and of replies, which have queues and links of their own.
  tlm_channel(const sc_core::sc_module_name& name, const tlm_channel_config& config, message_paths paths);

  /// Flits of messages that a reset ended.
  std::uint64_t lost_in_reset() const { return lost_; }

private:
  struct in_flight {
    tlm_message message;
    unsigned ends = 0;  // events still to come, or 0 of an idle slot
  };
  struct passage {  // of a message through the network
    std::uint64_t left, arrived;
  };

  void send(const tlm_message& message, const sc_core::sc_time& from) override;
  void deliver(unsigned terminal) override;
  void clear() override;
  struct path {  // in hops_
    std::uint32_t first = 0, count = 0;
  };

  passage schedule(const path& way, const tlm_message& message, std::uint64_t shown);
  passage lay_out_packet(const path& way, unsigned network, std::uint64_t shown, std::uint64_t flits);
  path find_path(unsigned source, unsigned destination);
  void prefetch_way(const path& way, unsigned network) const;
  std::uint32_t new_slot();
  void advance();
  void hand_over(std::uint32_t slot);
  void release(std::uint32_t slot);
  void wake_at(std::uint64_t cycle);
  sc_core::sc_time time_of(std::uint64_t cycle) const;

  const tlm_channel_config config_;
  const message_paths paths_;
  const std::uint64_t room_for_others_;                // flits in a queue with which it takes another packet
  const std::uint64_t piece_;                          // flits of a message whose way is laid out at once
  std::array<std::vector<link_schedule>, 2> links_;    // by network
  std::array<std::vector<queue_schedule>, 2> queues_;  // by network
  std::vector<path> known_paths_;                      // by source and destination, of small networks
  std::vector<message_hop> hops_;                      // of those paths, or of the one under way
  std::vector<std::unique_ptr<in_flight>> messages_;   // by slot
  std::vector<std::uint32_t> idle_;
  std::vector<std::deque<std::uint32_t>> waiting_for_room_;  // requests that wait for room, by terminal
  basic_calendar<64> arrivals_, departures_;  // slots of messages whose last flit comes or has left
  std::uint64_t now_ = 0;                     // cycle of the last events
  std::uint64_t wakes_at_ = calendar::never;
  std::uint64_t lost_ = 0;
  sc_core::sc_event wake_{"wake"};
};

}  // namespace spillway
