#pragma once
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>

namespace spillway {

/// What every switch of packet links has: its links, and what a testbench may ask of it.
class switch_block : public clocked {
public:
  row<packet_in> in;    ///< in<i>
  row<packet_out> out;  ///< out<o>

  /// Flits that it holds now, and that it can hold.
  virtual unsigned level() const = 0;
  virtual unsigned capacity() const = 0;
  /// Flits thrown away by resets so far.
  std::uint64_t lost_in_reset() const { return lost_; }
  /// Flits sent so far.
  std::uint64_t forwarded() const { return forwarded_; }

protected:
  switch_block(const sc_core::sc_module_name& name, unsigned inputs, unsigned outputs)
      : clocked(name), in(inputs, "in"), out(outputs, "out") {}

  std::uint64_t lost_ = 0, forwarded_ = 0;
};

}  // namespace spillway
