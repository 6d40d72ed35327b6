#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace spillway {

/// When a link is taken. A packet may slip in before one that was sent earlier and comes later, if it fits
/// into the gap that was left last; older gaps are given up.
class link_schedule {
public:
  /// Takes the link for a packet that could start at `ready`, from the first cycle at which the link stays
  /// free for long enough, and says when its first flit crosses. The packet holds the link while it waits
  /// for `room`, the first cycle at which what lies behind the link has place for it.
  std::uint64_t take(std::uint64_t ready, std::uint64_t room, std::uint64_t flits) {
    if (ready < gap_end_) {
      const std::uint64_t begin = std::max(ready, gap_begin_), first = std::max(begin, room);
      if (first + flits <= gap_end_) {
        gap_begin_ = first + flits;
        return first;
      }
    }
    const std::uint64_t begin = std::max(ready, free_from_), first = std::max(begin, room);
    if (begin > free_from_) {
      gap_begin_ = free_from_;
      gap_end_ = begin;
    }
    free_from_ = first + flits;
    return first;
  }

private:
  std::uint64_t gap_begin_ = 0, gap_end_ = 0;  // cycles; the end is taken
  std::uint64_t free_from_ = 0;
};

/// When the packets of a queue leave it: in order, and the next one comes in only once there is room.
class queue_schedule {
public:
  /// First cycle at which a packet behind all others may leave.
  std::uint64_t free_from() const { return free_from_; }

  /// First cycle at which no more than `flits` of those that have come are still in the queue, or any before
  /// `since`; `flits` is the same in every call.
  std::uint64_t drained_to(std::uint64_t flits, std::uint64_t since) {
    if (free_from_ <= since || came_ <= flits) return 0;
    const std::uint64_t last = came_ - flits - 1;  // number of the flit that must have gone
    if (last < leaving_.front().number) return empty_at_;
    while (asked_ + 1 < leaving_.size() && leaving_[asked_ + 1].number <= last) ++asked_;
    return leaving_[asked_].cycle + (last - leaving_[asked_].number) + 1;
  }

  /// The last packet will have left before cycle `end`.
  void leave(std::uint64_t end) { free_from_ = end; }

  /// For drained_to(), before leave(): a packet that came until `came` leaves from `cycle` on.
  void remember(std::uint64_t came, std::uint64_t cycle, std::uint64_t flits) {
    if (free_from_ <= came) {
      leaving_.clear();
      asked_ = 0;
      empty_at_ = free_from_;
    } else if (asked_ >= many) {
      leaving_.erase(leaving_.begin(), leaving_.begin() + many);
      asked_ -= many;
    }
    leaving_.push_back({came_, cycle});
    came_ += flits;
  }

private:
  struct departure {
    std::uint64_t number, cycle;  // of the first flit
  };
  static constexpr std::size_t many = 16;

  std::uint64_t came_ = 0, free_from_ = 0;
  std::vector<departure> leaving_;  // of the packets since the queue was last empty
  std::size_t asked_ = 0;           // the departure last asked for; earlier ones do not matter any more
  std::uint64_t empty_at_ = 0;
};

}  // namespace spillway
