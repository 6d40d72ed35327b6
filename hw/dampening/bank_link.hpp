#pragma once
#include <cstdint>
#include <spillway/hw/kernel/pins.hpp>
#include <spillway/hw/links/flit.hpp>
#include <string>

namespace spillway {

// The links between a pool and its emergency bank. A spill link brings flits to the bank: while `valid` is
// high, `flit` goes to place `slot`. A refill link fetches them: while `fetch` is high, the flit at place
// `wanted` is asked for, and two edges later the pool samples `valid`, `slot` and `flit`. Nothing ever waits
// on them, since the pool keeps account of the places.

/// The wires of one spill link, for a design in plain SystemC.
struct spill_signals {
  explicit spill_signals(const std::string& name)
      : valid((name + "_valid").c_str()), slot((name + "_slot").c_str()), data((name + "_flit").c_str()) {}
  sc_core::sc_signal<bool> valid;
  sc_core::sc_signal<std::uint16_t> slot;
  sc_core::sc_signal<flit> data;
};

/// The wires of one spill link on the fast kernel.
struct spill_wires {
  explicit spill_wires(clock_domain& domain) : valid(domain), slot(domain), data(domain) {}
  wire<bool> valid;
  wire<std::uint16_t> slot;
  wire<flit> data;
};

/// One end of a spill link; pins `<name>_valid`, `<name>_slot`, `<name>_flit`. `Pin`: input or output.
template <template <class> class Pin>
struct spill_end {
  explicit spill_end(const std::string& name)
      : valid(name + "_valid"), slot(name + "_slot"), data(name + "_flit") {}
  Pin<bool> valid;
  Pin<std::uint16_t> slot;
  Pin<flit> data;

  template <class Bundle>
  void bind(Bundle& other) {
    valid(other.valid), slot(other.slot), data(other.data);
  }
};

using spill_in = spill_end<input>;    ///< the bank's end
using spill_out = spill_end<output>;  ///< the pool's end

/// The wires of one refill link, for a design in plain SystemC.
struct refill_signals : spill_signals {
  explicit refill_signals(const std::string& name)
      : spill_signals(name), fetch((name + "_fetch").c_str()), wanted((name + "_wanted").c_str()) {}
  sc_core::sc_signal<bool> fetch;
  sc_core::sc_signal<std::uint16_t> wanted;
};

/// The wires of one refill link on the fast kernel.
struct refill_wires : spill_wires {
  explicit refill_wires(clock_domain& domain) : spill_wires(domain), fetch(domain), wanted(domain) {}
  wire<bool> fetch;
  wire<std::uint16_t> wanted;
};

/// One end of a refill link; pins as of spill_end, and `<name>_fetch`, `<name>_wanted`. `Forward`: what the
/// pins are that go with the flits; `Backward`: those that ask for them.
template <template <class> class Forward, template <class> class Backward>
struct refill_end : spill_end<Forward> {
  explicit refill_end(const std::string& name)
      : spill_end<Forward>(name), fetch(name + "_fetch"), wanted(name + "_wanted") {}
  Backward<bool> fetch;
  Backward<std::uint16_t> wanted;

  template <class Bundle>
  void bind(Bundle& other) {
    spill_end<Forward>::bind(other);
    fetch(other.fetch), wanted(other.wanted);
  }
};

using refill_in = refill_end<input, output>;   ///< the pool's end
using refill_out = refill_end<output, input>;  ///< the bank's end

}  // namespace spillway
