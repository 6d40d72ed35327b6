#pragma once
#include <cstdint>
#include <spillway/hw/links/flit.hpp>
#include <vector>

namespace spillway {

/// A single-flit message that a switch or interface holds, and where.
struct message {
  static constexpr std::uint16_t none = 0xffff;

  flit data;
  std::uint32_t next = 0;       ///< in its output queue, or in the free list
  std::uint32_t key = 0;        ///< by which its pool tells it apart
  std::uint16_t pool = 0;       ///< of the switch
  std::uint16_t buffer = none;  ///< ordinary buffer that it has or moves to
  std::uint16_t slot = none;    ///< place in the emergency bank
  std::uint8_t output = 0;
  bool fetched = false;  ///< asked for from the bank
};

/// Messages by number; a number is used again once its message is gone. A plain part, not a block.
class message_store {
public:
  using id = std::uint32_t;
  static constexpr id none = ~id{0};

  message& operator[](id m) { return messages_[m]; }
  const message& operator[](id m) const { return messages_[m]; }
  unsigned used() const { return used_; }

  id add(const flit& f) {
    id m = free_;
    if (m == none) {
      m = static_cast<id>(messages_.size());
      messages_.emplace_back();
    } else {
      free_ = messages_[m].next;
    }
    messages_[m] = message{};
    messages_[m].data = f;
    ++used_;
    return m;
  }
  void remove(id m) {
    messages_[m].next = free_;
    free_ = m;
    --used_;
  }
  void clear() {
    messages_.clear();
    free_ = none;
    used_ = 0;
  }

private:
  std::vector<message> messages_;
  id free_ = none;
  unsigned used_ = 0;
};

}  // namespace spillway
