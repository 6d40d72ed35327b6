#pragma once
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <spillway/hw/kernel/single_threaded.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/tlm/message.hpp>

namespace spillway {

/// Carries the messages of one terminal as packets over its pins: requests leave by out0 and come in by
/// in0, replies by out1 and in1. A message is cut into packets of at most `packet_length` flits, eight
/// bytes a flit after a first word with its number; the networks must keep the order of the packets
/// between two terminals. What was sent before an edge may be shown at that edge.
class tlm_terminal : public single_threaded, public message_carrier {
public:
  row<packet_in> in{2, "in"};     ///< in0 requests, in1 replies; lane 0, registered ready
  row<packet_out> out{2, "out"};  ///< out0 requests, out1 replies; registered

  /// `packet_length`: flits of the longest packet, 1 to 65535, else throws std::invalid_argument. `routes`
  /// and `next` are as a source's.
  tlm_terminal(const sc_core::sc_module_name& name, unsigned terminal, unsigned packet_length,
               std::shared_ptr<const routing> routes, link_end next);

  /// Before the simulation starts.
  void deliver_to(message_receiver& receiver) { receiver_ = &receiver; }

  void send(const tlm_message& message, const sc_core::sc_time& from) override;
  void room_opened() override { wake_at(cycle()); }

  /// Flits that wait to be sent, or that have come and are part of a message still incomplete.
  std::uint64_t held_flits() const;
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits thrown away by resets so far

private:
  struct sending {
    tlm_message message;
    sc_core::sc_time from;
    std::size_t sent = 0;  // words, the number of the message included
  };
  struct channel {
    std::deque<sending> waiting;
    flit showing;
    bool valid = false;                         // what the out pin shows
    bool ready = false;                         // what the in pin shows
    std::map<unsigned, message_words> partial;  // by source
  };

  void reset() override;
  void tick() override;
  void send_on(unsigned network);
  void show(unsigned network);
  void receive_on(unsigned network);

  const unsigned terminal_, packet_length_;
  const std::shared_ptr<const routing> routes_;
  const link_end next_;
  message_receiver* receiver_ = nullptr;
  std::array<channel, 2> channels_;
  std::uint32_t packets_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace spillway
