#pragma once
#include <systemc>

namespace spillway {

class clock_domain;

/// Says which clock domain steps the blocks made within it: a module that is one speaks for all that is made
/// in its constructor, at whatever depth; the innermost counts. Blocks lie in the memory of that domain, and
/// links are its wires, so the domain must outlive what is made within.
class clock_scope {
public:
  /// nullptr: none, so links are sc_signals and blocks run on whatever their `clk` is bound to.
  virtual clock_domain* domain() const = 0;

protected:
  ~clock_scope() = default;
};

/// The same without a module: for as long as it lives, it speaks for what is made at the top level of the
/// hierarchy. At most one at a time, made at the top level; an SC_REPORT_ERROR otherwise.
class top_level_scope final : public sc_core::sc_object, public clock_scope {
public:
  explicit top_level_scope(clock_domain* domain);  ///< `domain`: nullptr for links and blocks on signals
  clock_domain* domain() const override { return domain_; }
  const char* kind() const override { return "top_level_scope"; }  ///< for SystemC's list of objects

private:
  clock_domain* const domain_;
};

/// What the scope around the module under construction says; nullptr without one.
clock_domain* domain_here();

}  // namespace spillway
