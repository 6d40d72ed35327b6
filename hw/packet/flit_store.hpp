#pragma once
#include <cstdint>
#include <spillway/hw/kernel/hardware_size.hpp>
#include <spillway/hw/kernel/state_memory.hpp>
#include <spillway/hw/links/flit.hpp>

namespace spillway {

/// Storage of a buffer pool: any number of FIFO queues that share `slots` flit buffers through a free
/// list, so a buffer belongs to a queue only while it holds a flit. A plain part, not a block.
///
/// What decisions take lies beside each other, apart from the flits: they are as large as half a cache line.
class flit_store {
public:
  /// What decisions take of a flit.
  struct note {
    std::uint32_t arrived = 0;  ///< low bits of the cycle of arrival, for oldest-first arbitration
    std::uint16_t next = 0;     ///< next in the queue, or in the free list
    std::uint8_t output = 0;    ///< where the flit leaves the switch
    std::uint8_t input = 0;     ///< where it came in
    bool tail = false;          ///< the flit is the last of its packet
  };

  /// At most 65,535 slots, kept in `memory`.
  flit_store(unsigned queues, unsigned slots, state_memory& memory)
      : queues_(memory.array<queue>(queues)),
        notes_(memory.array<note>(slots)),
        flits_(memory.array<flit>(slots)) {
    clear();
  }

  /// Empties all queues.
  void clear() {
    for (queue& q : queues_) q = queue{};
    for (std::size_t s = 0; s < notes_.size(); ++s) notes_[s].next = static_cast<std::uint16_t>(s + 1);
    free_ = 0;
    used_ = 0;
  }

  /// @{
  /// Flits of queue `q`.
  bool empty(unsigned q) const { return queues_[q].flits == 0; }
  unsigned flits(unsigned q) const { return queues_[q].flits; }
  /// @}
  /// Whole packets in the queue: their tails have arrived.
  unsigned packets(unsigned q) const { return queues_[q].tails; }
  unsigned used() const { return used_; }  ///< slots that hold a flit, over all queues
  unsigned slots() const { return static_cast<unsigned>(notes_.size()); }  ///< all that there are
  /// The oldest flit of queue `q`, which is not empty.
  const flit& front(unsigned q) const { return flits_[queues_[q].head]; }
  flit& front(unsigned q) { return flits_[queues_[q].head]; }                   ///< the same, to be marked
  const note& front_note(unsigned q) const { return notes_[queues_[q].head]; }  ///< its note
  /// Calls f with the note of every flit of the queue, from the front on.
  template <class F>
  void each_note(unsigned q, F&& f) const {
    std::uint16_t s = queues_[q].head;
    for (unsigned n = queues_[q].flits; n; --n, s = notes_[s].next) f(notes_[s]);
  }

  /// Calls f with every flit of the queue, from the front on.
  template <class F>
  void each_flit(unsigned q, F&& f) const {
    std::uint16_t s = queues_[q].head;
    for (unsigned n = queues_[q].flits; n; --n, s = notes_[s].next) f(flits_[s]);
  }

  /// The slots with the lists that lead through them; where every queue has slots of its own, its pointers.
  hardware_size storage(bool common_slots) const {
    const std::uint64_t slots = notes_.size(), queues = queues_.size(),
                        share = common_slots ? slots : slots / queues;
    const unsigned pointer = bits_below(share), count = bits_to(share);
    // A list: first, last and length of each queue, the next of each slot, the first that is free. A ring:
    // first and length.
    return {slots, 0,
            common_slots ? queues * (2 * pointer + count) + slots * pointer + pointer
                         : queues * (pointer + count)};
  }

  /// Puts `f` into a queue, for another lane. The caller has checked that a slot is free, and fills in the
  /// rest of the note.
  note& push(unsigned q, const flit& f, std::uint8_t lane, std::uint64_t cycle) {
    const std::uint16_t s = free_;
    note& dst = notes_[s];
    free_ = dst.next;
    flits_[s] = f;
    // A part written over would hold up who reads the whole until both have reached the cache.
    if (lane != f.lane) flits_[s].lane = lane;
    dst.arrived = static_cast<std::uint32_t>(cycle);
    dst.tail = f.tail();
    queue& to = queues_[q];
    if (to.flits++ == 0)
      to.head = s;
    else
      notes_[to.last].next = s;
    to.last = s;
    to.tails = static_cast<std::uint16_t>(to.tails + dst.tail);
    ++used_;
    return dst;
  }

  /// The note on the flit that has left; as it was until the next push.
  const note& pop(unsigned q) {
    queue& from = queues_[q];
    const std::uint16_t s = from.head;
    note& src = notes_[s];
    from.tails = static_cast<std::uint16_t>(from.tails - src.tail);
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
  state_array<note> notes_;
  state_array<flit> flits_;
  std::uint16_t free_ = 0;
  std::uint16_t used_ = 0;
};

}  // namespace spillway
