#pragma once
#include <cstdint>
#include <spillway/hw/dampening/key_table.hpp>
#include <vector>

namespace spillway {

/// The processor impact array of the modified counter method (Kuszmaul and Kuszmaul, section IV): the
/// processors that hold buffers, most buffers first, kept in order in O(1) a change. The paper has one index
/// array and says to decrement it; an increment needs the first entry of a value and a decrement the last,
/// so both ends are kept. A plain part, not a block.
class impact_array {
public:
  /// One position of the array.
  struct entry {
    std::uint32_t processor;  ///< its number
    std::uint32_t value;      ///< buffers that it holds
  };

  /// `most`: processors that may hold buffers at a time.
  explicit impact_array(std::size_t most) : position_(most) {}

  std::size_t size() const { return entries_.size(); }  ///< processors that hold buffers
  /// Position 0: who holds most.
  const entry& operator[](std::size_t position) const { return entries_[position]; }
  /// Buffers that the processor holds.
  std::uint32_t value(std::uint32_t processor) const {
    const std::uint32_t* const at = position_.find(processor);
    return at ? entries_[*at].value : 0;
  }
  /// Whether the processor is at one of the first `count` positions.
  bool is_among_first(std::uint32_t processor, unsigned count) const {
    const std::uint32_t* const at = position_.find(processor);
    return at && *at < count;
  }

  /// Entries written and exchanged so far, in O(1) an increment or decrement.
  std::uint64_t work() const { return work_; }

  void increment(std::uint32_t processor);  ///< the processor gets one more buffer
  /// The processor holds at least one buffer.
  void decrement(std::uint32_t processor);
  void clear();  ///< nobody holds a buffer

private:
  struct run {  // entries of one value: positions first..last, none when last < first
    std::int64_t first = 0, last = -1;
    bool empty() const { return last < first; }
  };

  void swap(std::uint32_t a, std::uint32_t b);
  run& run_of(std::uint32_t value);

  std::vector<entry> entries_;
  key_table<std::uint32_t> position_;
  std::vector<run> runs_;  // by value
  std::uint64_t work_ = 0;
};

}  // namespace spillway
