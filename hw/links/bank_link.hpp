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

struct spill_signals {
  explicit spill_signals(const std::string& name)
      : valid((name + "_valid").c_str()), slot((name + "_slot").c_str()), data((name + "_flit").c_str()) {}
  sc_core::sc_signal<bool> valid;
  sc_core::sc_signal<std::uint16_t> slot;
  sc_core::sc_signal<flit> data;
};

struct spill_wires {
  explicit spill_wires(clock_domain& domain) : valid(domain), slot(domain), data(domain) {}
  wire<bool> valid;
  wire<std::uint16_t> slot;
  wire<flit> data;
};

/// The bank's end; pins `<name>_valid`, `<name>_slot`, `<name>_flit`.
struct spill_in {
  explicit spill_in(const std::string& name)
      : valid(name + "_valid"), slot(name + "_slot"), data(name + "_flit") {}
  input<bool> valid;
  input<std::uint16_t> slot;
  input<flit> data;

  template <class Bundle>
  void bind(Bundle& other) {
    valid(other.valid), slot(other.slot), data(other.data);
  }
};

/// The pool's end.
struct spill_out {
  explicit spill_out(const std::string& name)
      : valid(name + "_valid"), slot(name + "_slot"), data(name + "_flit") {}
  output<bool> valid;
  output<std::uint16_t> slot;
  output<flit> data;

  template <class Bundle>
  void bind(Bundle& other) {
    valid(other.valid), slot(other.slot), data(other.data);
  }
};

struct refill_signals : spill_signals {
  explicit refill_signals(const std::string& name)
      : spill_signals(name), fetch((name + "_fetch").c_str()), wanted((name + "_wanted").c_str()) {}
  sc_core::sc_signal<bool> fetch;
  sc_core::sc_signal<std::uint16_t> wanted;
};

struct refill_wires : spill_wires {
  explicit refill_wires(clock_domain& domain) : spill_wires(domain), fetch(domain), wanted(domain) {}
  wire<bool> fetch;
  wire<std::uint16_t> wanted;
};

/// The pool's end; pins as of spill_in, and `<name>_fetch`, `<name>_wanted`.
struct refill_in : spill_in {
  explicit refill_in(const std::string& name)
      : spill_in(name), fetch(name + "_fetch"), wanted(name + "_wanted") {}
  output<bool> fetch;
  output<std::uint16_t> wanted;

  template <class Bundle>
  void bind(Bundle& other) {
    spill_in::bind(other);
    fetch(other.fetch), wanted(other.wanted);
  }
};

/// The bank's end.
struct refill_out : spill_out {
  explicit refill_out(const std::string& name)
      : spill_out(name), fetch(name + "_fetch"), wanted(name + "_wanted") {}
  input<bool> fetch;
  input<std::uint16_t> wanted;

  template <class Bundle>
  void bind(Bundle& other) {
    spill_out::bind(other);
    fetch(other.fetch), wanted(other.wanted);
  }
};

}  // namespace spillway
