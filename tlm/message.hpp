#pragma once
#include <cstdint>
#include <spillway/tlm/payload_codec.hpp>
#include <systemc>

namespace spillway {

/// A request (network 0) or a reply (network 1) on its way between two terminals.
struct tlm_message {
  unsigned source = 0;       ///< terminal that sends it
  unsigned destination = 0;  ///< terminal that it is for
  unsigned network = 0;      ///< 0 request, 1 reply
  std::uint32_t id = 0;      ///< of the request at the terminal that made it
  std::uint64_t tag = 0;     ///< what the sender asks to hear sent() by, or 0; does not travel
  message_words words;       ///< what it carries, 64 bits each
};

/// What a carrier tells the port of a terminal. Called from within a process that must not wait.
class message_receiver {
public:
  virtual ~message_receiver() = default;
  /// Whether another message of this network may arrive.
  virtual bool room(unsigned network) const = 0;
  virtual void arrived(const tlm_message& message) = 0;  ///< all of it has come, where there was room for it
  /// The last word of the message with this tag, which this terminal sent, has entered the network.
  virtual void sent(std::uint64_t tag) = 0;
  /// The first flit of a packet of the message is shown; `packet`: its number.
  virtual void packet_sent(const tlm_message& /*message*/, std::uint32_t /*packet*/) {}
  /// Everything under way is gone.
  virtual void network_reset() = 0;
};

/// What carries messages for a terminal: pins and flits, or a model of them.
class message_carrier {
public:
  virtual ~message_carrier() = default;
  /// `from`: the earliest time at which it may enter the network.
  virtual void send(const tlm_message& message, const sc_core::sc_time& from) = 0;
  /// room() has become true.
  virtual void room_opened() = 0;
};

}  // namespace spillway
