#pragma once
#include <cstdint>
#include <spillway/hw/kernel/state_memory.hpp>
#include <spillway/hw/links/flit.hpp>

namespace spillway {

/// Storage of a buffer pool: any number of FIFO queues that share `slots` flit buffers through a free
/// list, so a buffer belongs to a queue only while it holds a flit. A plain part, not a block.
class flit_store {
public:
  struct slot {
    flit data;
    std::uint32_t arrived = 0;  ///< low bits of the cycle of arrival, for oldest-first arbitration
    std::uint16_t next = 0;     ///< next in the queue, or in the free list
    std::uint8_t output = 0;    ///< where the flit leaves the switch
    std::uint8_t input = 0;     ///< where it came in
  };

  /// At most 65,535 slots, kept in `memory`.
  flit_store(unsigned queues, unsigned slots, state_memory& memory)
      : queues_(memory.array<queue>(queues)), slots_(memory.array<slot>(slots)) {
    clear();
  }

  void clear() {
    for (queue& q : queues_) q = queue{};
    for (std::size_t s = 0; s < slots_.size(); ++s) slots_[s].next = static_cast<std::uint16_t>(s + 1);
    free_ = 0;
    used_ = 0;
  }

  bool empty(unsigned q) const { return queues_[q].flits == 0; }
  unsigned flits(unsigned q) const { return queues_[q].flits; }
  /// Whole packets in the queue: their tails have arrived.
  unsigned packets(unsigned q) const { return queues_[q].tails; }
  unsigned used() const { return used_; }
  unsigned slots() const { return static_cast<unsigned>(slots_.size()); }
  const slot& front(unsigned q) const { return slots_[queues_[q].head]; }

  /// The caller has checked that a slot is free, and may still change what is put there.
  slot& push(unsigned q, const flit& f, std::uint64_t cycle) {
    const std::uint16_t s = free_;
    slot& dst = slots_[s];
    free_ = dst.next;
    dst.data = f;
    dst.arrived = static_cast<std::uint32_t>(cycle);
    queue& to = queues_[q];
    if (to.flits++ == 0)
      to.head = s;
    else
      slots_[to.last].next = s;
    to.last = s;
    to.tails = static_cast<std::uint16_t>(to.tails + f.tail());
    ++used_;
    return dst;
  }

  /// The slot that the flit has left; as it was until the next push.
  const slot& pop(unsigned q) {
    queue& from = queues_[q];
    const std::uint16_t s = from.head;
    slot& src = slots_[s];
    from.tails = static_cast<std::uint16_t>(from.tails - src.data.tail());
    from.head = src.next;
    --from.flits;
    src.next = free_;
    free_ = s;
    --used_;
    return src;
  }

private:
  struct queue {
    std::uint16_t head = 0, tails = 0, last = 0, flits = 0;
  };
  state_array<queue> queues_;
  state_array<slot> slots_;
  std::uint16_t free_ = 0;
  std::uint16_t used_ = 0;
};

}  // namespace spillway
