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

/// When the packets of a queue leave it: in order, and the next one comes in only once there is room. As
/// large as a line of a cache, of which little more is touched while the queue runs empty now and then.
class alignas(64) queue_schedule {
public:
  /// First cycle at which a packet behind all others may leave.
  std::uint64_t free_from() const { return free_from_; }

  /// First cycle at which no more than `flits` of those that have come are still in the queue, or any before
  /// `since`; `flits` is the same in every call.
  std::uint64_t drained_to(std::uint64_t flits, std::uint64_t since) {
    if (free_from_ <= since) return 0;
    if (entered_ <= flits) return empty_at_;
    const auto last = static_cast<std::uint32_t>(entered_ - flits - 1);  // the flit that must have gone
    while (asked_ < later_.size() && later_[asked_].flit <= last) departure_ = later_[asked_++];
    return departure_.cycle + (last - departure_.flit) + 1;
  }

  /// The last packet will have left before cycle `end`.
  void occupy(std::uint64_t end) { free_from_ = end; }

  /// For drained_to(), before occupy(): a packet that came until `came` leaves from `cycle` on.
  void remember(std::uint64_t came, std::uint64_t cycle, std::uint64_t flits) {
    if (free_from_ <= came) {
      empty_at_ = free_from_;
      entered_ = asked_ = 0;
      departure_ = {cycle, 0};
      later_.clear();
    } else {
      if (asked_ >= many) {
        later_.erase(later_.begin(), later_.begin() + many);
        asked_ -= many;
      }
      later_.push_back({cycle, entered_});
    }
    entered_ += static_cast<std::uint32_t>(flits);
  }

private:
  struct departure {
    std::uint64_t cycle;
    std::uint32_t flit;  // the packet's first, counted from 0 since the queue was empty
  };
  static constexpr std::uint32_t many = 16;

  std::uint64_t free_from_ = 0, empty_at_ = 0;
  departure departure_{};         // the last one asked for, or the first since the queue was empty
  std::uint32_t entered_ = 0;     // flits since the queue was empty
  std::uint32_t asked_ = 0;       // departures in later_ that have been asked for
  std::vector<departure> later_;  // more since the queue was empty
};

}  // namespace spillway
