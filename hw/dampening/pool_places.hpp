#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/kernel/state_memory.hpp>
#include <spillway/hw/links/flit.hpp>
#include <systemc>
#include <vector>

namespace spillway {

/// Memory for flits, written and read by number: what lies behind the places of a pool. A plain part, not a
/// block; a testbench may put one of its own there.
class flit_memory {
public:
  virtual ~flit_memory() = default;
  virtual void write(unsigned place, const flit& f) = 0;  ///< puts `f` there
  /// What was written there last; valid until the next call.
  virtual const flit& read(unsigned place) const = 0;
};

/// The places of a pool, in numbered partitions of numbered places: one flit each, written and read by
/// number. A place that is written while it is occupied, read or freed while it is empty, or that does not
/// exist, is an SC_REPORT_ERROR with the name of the pool. A plain part, not a block.
class pool_places {
public:
  /// `pool`: the block in whose name it reports. `sizes`: places of each partition. `behind`: where the flits
  /// lie, nullptr: in `memory`.
  pool_places(const sc_core::sc_object& pool, const std::vector<unsigned>& sizes, state_memory& memory,
              std::unique_ptr<flit_memory> behind);

  /// Places of a partition.
  unsigned size(unsigned partition) const { return starts_[partition + 1] - starts_[partition]; }
  unsigned size() const { return starts_.back(); }  ///< places of all partitions
  /// Number of a partition's first place, counted over all partitions.
  unsigned first(unsigned partition) const { return starts_[partition]; }
  /// The place exists and holds a flit.
  bool occupied(unsigned partition, unsigned place) const {
    return place < size(partition) && occupied_[starts_[partition] + place] != 0;
  }

  /// Reports a place that is occupied or does not exist.
  void expect_empty(unsigned partition, unsigned place) const {
    if (occupied_[number(partition, place)]) fail(partition, place, "is written while it is occupied");
  }
  /// Puts a flit into an empty place.
  void write(unsigned partition, unsigned place, const flit& f) {
    expect_empty(partition, place);
    const unsigned at = number(partition, place);
    occupied_[at] = 1;
    ++used_;
    memory_->write(at, f);
  }
  /// The flit of an occupied place.
  const flit& read(unsigned partition, unsigned place) const {
    const unsigned at = number(partition, place);
    if (!occupied_[at]) fail(partition, place, "is read while it is empty");
    return memory_->read(at);
  }
  /// Empties an occupied place.
  void free(unsigned partition, unsigned place) {
    const unsigned at = number(partition, place);
    if (!occupied_[at]) fail(partition, place, "is freed while it is empty");
    occupied_[at] = 0;
    --used_;
  }
  unsigned used() const { return used_; }  ///< occupied places of all partitions
  void clear();                            ///< reset: empties all

private:
  unsigned number(unsigned partition, unsigned place) const {
    if (place >= size(partition)) fail(partition, place, "does not exist");
    return starts_[partition] + place;
  }
  [[noreturn]] void fail(unsigned partition, unsigned place, const char* what) const;

  const sc_core::sc_object& pool_;
  std::vector<unsigned> starts_;  // by partition, and the end
  state_array<std::uint8_t> occupied_;
  std::unique_ptr<flit_memory> memory_;
  unsigned used_ = 0;
};

}  // namespace spillway
