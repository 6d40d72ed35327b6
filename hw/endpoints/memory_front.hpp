#pragma once
#include <spillway/hw/endpoints/arrival_link.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>

namespace spillway {

/// What takes the requests of a memory module and says when one has been served: it shows the request's last
/// flit on its arrival pins, and the reply is sent the module's latency later.
class memory_front : public clocked {
public:
  packet_in in{"in"};         ///< requests, one lane
  row<arrival_out> arrivals;  ///< arrivals0

  /// Requests that it has taken and not served yet.
  virtual std::uint64_t held_requests() const = 0;
  virtual std::uint64_t lost_requests() const = 0;  ///< thrown away by resets so far
  /// Adds what it counts.
  virtual void count(counters&) const = 0;

protected:
  /// `name` of the module.
  explicit memory_front(const sc_core::sc_module_name& name) : clocked(name), arrivals(1, "arrivals") {}
};

}  // namespace spillway
