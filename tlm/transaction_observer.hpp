#pragma once
#include <cstdint>
#include <spillway/tlm/message.hpp>
#include <tlm>

namespace spillway {

/// Who watches the transactions of a network, and changes nothing. A transaction has a number, `id`, among
/// those of the terminal that it was made at; all is told at the time of the simulation at which it happens.
class transaction_observer {
public:
  virtual ~transaction_observer() = default;
  /// The user's initiator at `terminal` has begun it, for the target at `destination`.
  virtual void begun(unsigned terminal, std::uint32_t id, unsigned destination,
                     const tlm::tlm_generic_payload& transaction) = 0;
  /// A packet of a request or a reply is shown by the terminal that sends it; `packet`: its number there.
  virtual void packet_sent(const tlm_message& message, std::uint32_t packet) = 0;
  /// The request, made at `source`, has come to the user's target at `terminal`.
  virtual void arrived(unsigned terminal, unsigned source, std::uint32_t id) = 0;
  /// The target there has answered it.
  virtual void answered(unsigned terminal, unsigned source, std::uint32_t id) = 0;
  /// It has ended, with its response status set; or its process has been killed or reset, and the status is
  /// as it was.
  virtual void ended(unsigned terminal, const tlm::tlm_generic_payload& transaction) = 0;
};

}  // namespace spillway
