#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <spillway/hw/kernel/clock_domain.hpp>
#include <spillway/hw/kernel/clock_scope.hpp>
#include <spillway/hw/kernel/hardware_size.hpp>
#include <spillway/hw/kernel/pins.hpp>

/// Cycle-accurate models of interconnection networks: hardware blocks with pins, the same networks by
/// transactions, platforms made of them, and testbenches.
namespace spillway {

namespace detail {

/// A pin without a port, which its block tells what a port would be told.
class portless_pin {
public:
  virtual void join() = 0;    ///< at the end of the elaboration
  virtual void settle() = 0;  ///< at the start of the simulation

protected:
  explicit portless_pin(clocked& block);  ///< that it is a pin of
  ~portless_pin() = default;

private:
  friend class spillway::clocked;
  portless_pin* next_ = nullptr;  // of the block
};

/// The block that is being made, if that is where a clock domain is named.
clocked* block_in_domain();

}  // namespace detail

/// Base of every block: a synchronous state machine with a clock and a reset.
///
/// Derive, declare pins (`input`, `output` or a bundle of them), and write reset() and tick(). Which
/// kernel runs the block is decided by what `clk` is bound to: a `clock_domain` steps it, anything
/// else (an sc_clock, an sc_signal<bool>, a gated clock) gets one SC_METHOD on the rising edge. Within a
/// clock_scope that names a domain it must be that one, else there is an SC_REPORT_ERROR at the end of the
/// elaboration.
class clocked : public sc_core::sc_module {
  struct clock_pin : sc_core::sc_in<bool> {
    using sc_in::sc_in;
    void end_of_elaboration() override;
    void start_of_simulation() override;
    clock_domain* expected = domain_here();
    detail::portless_pin *first = nullptr, *last = nullptr;  // of the block
  };
  // Away from what a cycle touches, as the ports of the pins.
  const std::unique_ptr<clock_pin> clk_ = std::make_unique<clock_pin>("clk");

public:
  sc_core::sc_in<bool>& clk = *clk_;  ///< rising edge
  input<bool> rst{"rst"};             ///< synchronous, active high

  /// In the memory of the domain that will step it, between those made before and after it.
  static void* operator new(std::size_t size);
  static void* operator new(std::size_t size, std::align_val_t) = delete;  // as the heap aligns, not more
  /// Frees what is not the domain's; that is freed with the domain.
  static void operator delete(void* block);

  /// Rising edges before the current one.
  std::uint64_t cycle() const { return part_ ? part_->cycle() : edges_; }

  /// Takes the block into the clock domain that `clk` is bound to, if it is one. Idempotent.
  clock_domain* join_domain();
  /// Number in its domain; clock_domain::nobody outside of one.
  std::uint32_t domain_index() const { return index_; }

  /// What a circuit of it keeps from one edge to the next, beside the registers of its output pins: nothing
  /// that only counts for results, or only saves a simulator work.
  virtual hardware_size storage() const { return {}; }

protected:
  explicit clocked(const sc_core::sc_module_name& name) : sc_module(name) {}  ///< `name` of the module

  /// Back to the initial state; drives the outputs as after construction.
  virtual void reset() = 0;
  /// One clock cycle: old pins -> state -> registered pins. The block then sleeps until an input is written
  /// with a new value; for anything else that it has to do it asks to be called.
  virtual void tick() = 0;

  /// Has the block called at edge `cycle`, or at the next one if that is past. From within tick() and reset()
  /// the next one is cycle() + 1, from outside, between two edges, cycle(). One call too many changes nothing
  /// but the time.
  void wake_at(std::uint64_t cycle) {
    if (part_) part_->wake_at(cycle, index_);
  }

  /// Joins the domain, or makes the SC_METHOD. Who overrides it calls it.
  void end_of_elaboration() override;

private:
  friend class clock_domain;
  friend class domain_part;
  friend class detail::portless_pin;
  friend clocked* detail::block_in_domain();

  void edge() {
    if (!rst.read()) return tick();
    reset();
    wake_at(cycle() + 1);
  }
  void on_signal_edge() {
    edge();
    ++edges_;
  }

  domain_part* part_ = nullptr;  // that steps it
  std::uint64_t edges_ = 0;
  std::uint32_t index_ = clock_domain::nobody;
};

}  // namespace spillway
