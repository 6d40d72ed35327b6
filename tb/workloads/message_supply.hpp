#pragma once
#include <spillway/hw/endpoints/processor.hpp>
#include <spillway/tb/workloads/message_library.hpp>

namespace spillway {

/// A program that sends messages, packet after packet, each when the terminal is done with the one before.
/// The data of every packet are the number of packets of its message.
class message_supply : public packet_supply, public handler_costs {
public:
  std::uint64_t due(std::uint64_t now, std::size_t backlog) final;
  packet_order take(std::uint64_t now) final;
  bool exhausted() const final { return left_ == 0 && finished(); }
  std::uint64_t handling(const flit&) const final { return library_.placing(); }

protected:
  struct message {
    std::uint32_t destination = 0, packets = 1;
  };
  message_supply(const message_library& library, std::uint16_t packet_length)
      : library_(library), packet_length_(packet_length) {}

  /// As due(), for messages: when the next one is sent, `never` if that takes an arrival or a barrier.
  virtual std::uint64_t next_message(std::uint64_t now) = 0;
  virtual message begin(std::uint64_t now) = 0;
  /// Whether it will send no more messages, unless something arrives.
  virtual bool finished() const = 0;
  const message_library& library() const { return library_; }
  /// All packets of the last message have been made.
  bool between_messages() const { return left_ == 0; }

private:
  const message_library library_;
  const std::uint16_t packet_length_;
  message current_;
  std::uint32_t left_ = 0;  // packets of the current message still to be made
};

}  // namespace spillway
