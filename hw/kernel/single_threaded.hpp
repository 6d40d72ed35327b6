#pragma once
#include <spillway/hw/kernel/clocked.hpp>

namespace spillway {

/// Base of a block that uses SystemC otherwise than by its pins: sockets, events, signals of its own. One
/// thread alone may do that, so one steps all blocks of the clock domain (clock_domain::use_threads).
class single_threaded : public clocked {
protected:
  using clocked::clocked;

  /// Tells the domain. Who overrides it calls it.
  void end_of_elaboration() override {
    clocked::end_of_elaboration();
    const auto [domain, index] = detail::place_of(*this);
    if (domain) domain->reaches_out(index);
  }
};

}  // namespace spillway
