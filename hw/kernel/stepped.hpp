#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <spillway/hw/kernel/domain_part.hpp>

namespace spillway {

/// What a clock domain steps: a synchronous state machine with a reset. A block is one that is also a module
/// (clocked); who only looks at wires of the domain needs no module (wire_watcher). What an edge touches of
/// it begins here, with the table of functions.
class stepped {
public:
  virtual ~stepped() = default;
  stepped(const stepped&) = delete;
  stepped& operator=(const stepped&) = delete;

  /// In the memory of the domain that will step it, between those made before and after it.
  static void* operator new(std::size_t size);
  static void* operator new(std::size_t size, std::align_val_t) = delete;  // as the heap aligns, not more
  /// Frees what is not the domain's; that is freed with the domain.
  static void operator delete(void* block);

  /// What messages call it: hierarchical.
  virtual const char* full_name() const = 0;
  /// Number in its domain; domain_part::no_block outside of one.
  std::uint32_t domain_index() const { return index_; }

protected:
  stepped() = default;

  /// Back to the initial state; drives the outputs as after construction.
  virtual void reset() = 0;
  /// One clock cycle: old pins -> state -> registered pins. It then sleeps until an input is written with a
  /// new value; for anything else that it has to do it asks to be called.
  virtual void tick() = 0;

  /// Has it called at edge `cycle`, or at the next one if that is past. From within tick() and reset() the
  /// next one is cycle() + 1, from outside, between two edges, cycle(). One call too many changes nothing but
  /// the time.
  void wake_at(std::uint64_t cycle) {
    if (part_) part_->wake_at(cycle, index_);
  }

private:
  friend class clock_domain;
  friend class clocked;
  friend class domain_part;
  friend class wire_watcher;

  /// An edge where it is not known where the value of the reset is, or where it is high.
  virtual void step_slowly() = 0;
  void step() { reset_ && !*reset_ ? tick() : step_slowly(); }

  domain_part* part_ = nullptr;  // that steps it
  const bool* reset_ = nullptr;  // value of the reset, once it is known where that is
  std::uint32_t index_ = domain_part::no_block;
};

}  // namespace spillway
