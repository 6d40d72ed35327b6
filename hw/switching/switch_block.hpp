#pragma once
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/marking_link.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace spillway {

class endpoint_observer;

/// A switch of a platform, whatever its links are: what a platform binds and a testbench may ask.
class network_block : public clocked {
public:
  row<marking_out> marking;  ///< out0, ..., if it is made to be marked at

  /// Bind the pins of a port. Throw std::logic_error if the link is of another kind than the pins,
  /// std::out_of_range if there is no such port.
  virtual void connect_input(unsigned port, network_link& l) = 0;
  virtual void connect_output(unsigned port, network_link& l) = 0;  ///< of output `port`

  /// Binds the pins to what marks packets at an output. Throws std::logic_error if it has none.
  void connect_marking(unsigned port, marking_link& l) {
    if (port >= marking.size()) throw std::logic_error(l.name() + ": the switch has no pins for marks");
    l.connect(marking[port]);
  }

  /// Links between its own blocks, for checkers and waveforms.
  virtual std::vector<network_link*> links() { return {}; }
  /// Checkers of rules that look at several of its links, which are all connected, or hear what it does: it
  /// calls those in each cycle, so they must outlive its last. Clock and reset are left to the caller. Throws
  /// std::logic_error if a port that they look at is not connected.
  virtual std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler&) { return {}; }

  /// Who is to hear of messages that it combines and splits.
  virtual void observe(endpoint_observer&) {}

  /// Flits that it holds now, those in registers on their way in and out included.
  virtual unsigned level() const = 0;
  virtual unsigned stored() const { return level(); }  ///< those of them that take up a place
  virtual unsigned capacity() const = 0;               ///< places for flits that it has
  /// Its places, and what the mechanism keeps beside them.
  hardware_size storage() const override { return {capacity(), 0, 0}; }
  /// Share in use of the fullest of its queues, 0 to 1; of all its places where it does not tell queues
  /// apart.
  virtual double fullest() const { return capacity() ? static_cast<double>(stored()) / capacity() : 0; }
  /// Flits thrown away by resets so far.
  std::uint64_t lost_in_reset() const { return lost_; }
  /// Flits sent so far.
  std::uint64_t forwarded() const { return forwarded_; }
  /// Adds what its mechanism counts.
  virtual void count(counters&) const {}

protected:
  /// `marked_outputs`: those that have pins for marks.
  explicit network_block(const sc_core::sc_module_name& name, unsigned marked_outputs = 0)
      : clocked(name), marking(marked_outputs, "out") {}

  /// The link of one of its ports, for checkers. Throws std::logic_error if it was connected to none.
  template <class Kind>
  Kind& connected(network_link* l) const {
    if (l) return link_cast<Kind>(*l);
    throw std::logic_error(std::string(name()) + ": its checkers look at all its ports, and one has no link");
  }
  bool marked() const { return marking.size() != 0; }  ///< whether it has pins for marks
  /// The flit as it leaves by output `o`.
  flit with_marks(unsigned o, flit f) const {
    if (f.head()) f.marks |= marking[o].marks.read();
    return f;
  }

  std::uint64_t lost_ = 0;       ///< flits thrown away by resets
  std::uint64_t forwarded_ = 0;  ///< flits sent
};

/// A switch of packet links.
class switch_block : public network_block {
public:
  row<packet_in> in;    ///< in0, in1, ...
  row<packet_out> out;  ///< out0, out1, ...

  void connect_input(unsigned port, network_link& l) override {
    link_cast<packet_link>(l).connect(in.at(port));
  }
  /// Throws std::logic_error unless `l` is a packet_link.
  void connect_output(unsigned port, network_link& l) override {
    link_cast<packet_link>(l).connect(out.at(port));
  }

protected:
  /// `marked`: heads get the marks that its pins are given.
  switch_block(const sc_core::sc_module_name& name, unsigned inputs, unsigned outputs, bool marked = false)
      : network_block(name, marked ? outputs : 0), in(inputs, "in"), out(outputs, "out") {}
};

}  // namespace spillway
