#pragma once
#include <cstdint>
#include <optional>
#include <spillway/hw/nifdy/nifdy_config.hpp>
#include <spillway/hw/nifdy/nifdy_header.hpp>
#include <spillway/hw/switching/arbiter.hpp>
#include <vector>

namespace spillway {

/// Rank and eligibility unit of a NIFDY's outgoing pool: which packets may be sent (Callahan and Goldstein,
/// section 2.1.1). A plain part.
///
/// A packet's rank is the number of packets for the same destination in front of it, those in the pool and
/// the outstanding one; rank 0 is eligible. (The paper says one plus that number, with which none ever would
/// be.) To the receiver of the unit's bulk dialog outstanding packets do not count until the window is full.
class nifdy_rank {
public:
  /// What is outstanding, as the table shows it, and the packet chosen at the edge before, which it cannot
  /// show yet.
  struct view {
    const nifdy::tags& tags;      ///< destinations of unacknowledged scalar packets
    const nifdy::dialog& dialog;  ///< the dialog that the unit sends in
    /// Destinations that rest: their packet is acknowledged, but a copy of it may still be under way.
    const std::vector<std::uint32_t>& resting;
    const std::optional<flit>& last;  ///< head of the packet chosen at the edge before
  };

  explicit nifdy_rank(const nifdy_config& config);  ///< `config`: of the unit, a valid one

  void clear();                            ///< reset: no packets
  unsigned used() const { return used_; }  ///< buffers with a packet, 0 to B
  /// Takes a free buffer for a packet of which the head is known. The caller has checked that there is one.
  unsigned enter(const flit& head);
  /// All of the packet has come.
  void complete(unsigned slot) { slots_[slot].complete = true; }
  void remove(unsigned slot);  ///< the packet has left

  const flit& head(unsigned slot) const { return slots_[slot].head; }  ///< of the packet in a used slot
  /// Packets in front: in the pool for the same destination, and outstanding or at rest.
  unsigned rank(unsigned slot, const view& v) const;
  bool eligible(unsigned slot, const view& v) const;  ///< a whole packet, which may be sent now
  /// The slot of an eligible packet of that network, if there is one. Counts as the turn of its slot.
  std::optional<unsigned> choose(unsigned network, const view& v);
  /// Header that the packet gets if it is sent now.
  flit header(unsigned slot, const view& v) const;
  /// The dialog can be left with an empty packet: the receiver wants it to end and there is nothing to send.
  bool can_leave(const view& v) const;
  flit leave_header(const view& v) const;  ///< head of that empty packet

private:
  struct slot_state {
    flit head;
    std::uint64_t order = 0;
    bool used = false, complete = false;
  };
  unsigned waiting_in_front(unsigned slot) const;
  /// The packet is one of several, by software's word or by what the pool holds; is the last of them.
  bool is_of_several(unsigned slot) const;
  bool is_last(unsigned slot) const;
  bool another_waits_behind(unsigned slot) const;
  /// A scalar packet for it is outstanding or at rest.
  static bool is_taken(std::uint32_t destination, const view& v);
  bool scalar_may_go(std::uint32_t destination, const view& v) const;
  bool bulk_may_go(const view& v) const;
  bool in_dialog(std::uint32_t destination, const view& v) const;
  std::uint16_t next_sequence(const view& v) const;
  nifdy::header bulk_header(bool last, const view& v) const;
  bool leaving(const view& v) const;

  const nifdy_config config_;
  std::vector<slot_state> slots_;
  std::uint64_t entered_ = 0;
  unsigned used_ = 0;
  round_robin_arbiter turn_;
};

}  // namespace spillway
