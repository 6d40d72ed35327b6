#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/kernel/clock_domain.hpp>
#include <spillway/hw/kernel/clock_scope.hpp>
#include <spillway/hw/kernel/hardware_size.hpp>
#include <spillway/hw/kernel/pins.hpp>
#include <spillway/hw/kernel/stepped.hpp>

/// Cycle-accurate models of interconnection networks: hardware blocks with pins, the same networks by
/// transactions, platforms made of them, and testbenches.
namespace spillway {

namespace detail {

/// A pin without a port, which its block tells what a port would be told.
class portless_pin {
public:
  virtual void join() = 0;        ///< at the end of the elaboration
  virtual void take_place() = 0;  ///< of its value, at the start of the simulation

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
class clocked : public sc_core::sc_module, public stepped {
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

  /// Rising edges before the current one.
  std::uint64_t cycle() const { return part_ ? part_->cycle() : edges_; }

  /// Takes the block into the clock domain that `clk` is bound to, if it is one. Idempotent.
  clock_domain* join_domain();
  const char* full_name() const override { return name(); }

  /// What a circuit of it keeps from one edge to the next, beside the registers of its output pins: nothing
  /// that only counts for results, or only saves a simulator work.
  virtual hardware_size storage() const { return {}; }

protected:
  explicit clocked(const sc_core::sc_module_name& name) : sc_module(name) {}  ///< `name` of the module

  /// Joins the domain, or makes the SC_METHOD. Who overrides it calls it.
  void end_of_elaboration() override;

private:
  friend class detail::portless_pin;
  friend clocked* detail::block_in_domain();

  void step_slowly() override;
  void on_signal_edge() {
    step();
    ++edges_;
  }

  std::uint64_t edges_ = 0;  // outside of a domain
};

}  // namespace spillway
