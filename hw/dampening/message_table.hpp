#pragma once
#include <cstdint>
#include <spillway/hw/kernel/state_memory.hpp>

namespace spillway {

/// What a switch or interface knows of a single-flit message that it holds. The flit lies at its place.
struct message {
  static constexpr std::uint16_t none = 0xffff;  ///< no buffer, no place of the bank

  std::uint32_t next = 0;       ///< in its output queue, or in the free list
  std::uint32_t key = 0;        ///< by which its pool tells it apart
  std::uint32_t key_ahead = 0;  ///< by which the pool does that it leads to
  std::uint16_t partition = 0;  ///< of the pool
  std::uint16_t buffer = none;  ///< place in the pool that it has or moves to
  std::uint16_t slot = none;    ///< place in the emergency bank
  std::uint8_t output = 0;      ///< of the switch, by which it leaves
  bool fetched = false;         ///< asked for from the bank
};

/// The messages of a switch or interface by number, as many as it has places for; a number is used again once
/// its message is gone. A plain part, not a block.
class message_table {
public:
  using id = std::uint32_t;           ///< number of a message
  static constexpr id none = ~id{0};  ///< no message

  /// `places`: messages that there can be.
  message_table(unsigned places, state_memory& memory) : messages_(memory.array<message>(places)) { clear(); }

  /// @{
  /// The message with this number.
  message& operator[](id m) { return messages_[m]; }
  const message& operator[](id m) const { return messages_[m]; }
  /// @}
  unsigned used() const { return used_; }                                      ///< messages that there are
  unsigned places() const { return static_cast<unsigned>(messages_.size()); }  ///< messages that there can be

  /// The number of a new message, or none when all are in use.
  id add() {
    const id m = free_;
    if (m == none) return none;
    free_ = messages_[m].next;
    messages_[m] = message{};
    ++used_;
    return m;
  }
  /// The message is gone; its number is free.
  void remove(id m) {
    messages_[m].next = free_;
    free_ = m;
    --used_;
  }
  /// All messages are gone.
  void clear() {
    for (id m = 0; m < messages_.size(); ++m) messages_[m].next = m + 1 < messages_.size() ? m + 1 : none;
    free_ = messages_.size() ? 0 : none;
    used_ = 0;
  }

private:
  state_array<message> messages_;
  id free_ = none;
  unsigned used_ = 0;
};

}  // namespace spillway
