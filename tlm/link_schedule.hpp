#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace spillway {

/// When a link is taken, as stretches of cycles: a packet may slip in before one that was sent earlier and
/// comes later.
class link_schedule {
public:
  /// Takes the link for a packet that could start at `ready`, from the first cycle at which the link stays
  /// free for long enough, and says when its first flit crosses. The packet holds the link while it waits
  /// for `room`, the first cycle at which what lies behind the link has place for it. Nothing is sent
  /// before `now` any more.
  std::uint64_t take(std::uint64_t ready, std::uint64_t room, std::uint64_t flits, std::uint64_t now) {
    auto at = taken_.begin();
    while (at != taken_.end() && at->end <= now) ++at;
    at = taken_.erase(taken_.begin(), at);
    std::uint64_t begin = ready;
    for (; at != taken_.end() && at->begin < std::max(begin, room) + flits; ++at)
      begin = std::max(begin, at->end);
    const std::uint64_t first = std::max(begin, room), end = first + flits;
    const bool joins_next = at != taken_.end() && at->begin == end;
    if (at != taken_.begin() && std::prev(at)->end == begin) {
      std::prev(at)->end = joins_next ? at->end : end;
      if (joins_next) taken_.erase(at);
    } else if (joins_next) {
      at->begin = begin;
    } else {
      taken_.insert(at, {begin, end});
    }
    return first;
  }

  void clear() { taken_.clear(); }

private:
  struct stretch {
    std::uint64_t begin, end;  // cycles; the end is free
  };
  std::vector<stretch> taken_;  // in order, with free cycles between them
};

/// When the packets of a queue leave it: in order, and the next one comes in only once there is room.
class queue_schedule {
public:
  /// First cycle at which a packet behind all others may leave.
  std::uint64_t free_from() const { return free_from_; }

  /// First cycle at which no more than `flits` of those that have come are still in the queue.
  std::uint64_t drained_to(std::uint64_t flits) {
    if (came_ <= flits) return 0;
    const std::uint64_t last = came_ - flits - 1;  // number of the flit that must have gone
    auto packet = leaving_.begin();
    while (packet + 1 != leaving_.end() && (packet + 1)->number <= last) ++packet;
    packet = leaving_.erase(leaving_.begin(), packet);
    return packet->cycle + (last - packet->number) + 1;
  }

  /// A packet comes, whose first flit leaves at `cycle`.
  void pass(std::uint64_t cycle, std::uint64_t flits, bool limited) {
    if (limited) leaving_.push_back({came_, cycle});
    came_ += flits;
    free_from_ = cycle + flits;
  }

  void clear() { *this = {}; }

private:
  struct departure {
    std::uint64_t number, cycle;  // of the first flit
  };
  std::uint64_t came_ = 0, free_from_ = 0;
  std::vector<departure> leaving_;  // from the last one asked for on
};

}  // namespace spillway
