#pragma once
#include <spillway/hw/dampening/cache_lines.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/arbiter.hpp>
#include <vector>

namespace spillway {

/// Bit of a reply's traffic class; its other bits are the request's.
constexpr std::uint8_t cache_hit = 8;

/// A cache that several threads share, each on a port of its own; looks up one address a cycle, the threads
/// in turn.
///
/// A request is a flit with the address as its payload. It is answered by a flit of kind `reply` with the
/// same fields, whose traffic class has the bit `cache_hit` on a hit. A thread has one request at a time
/// in the cache: a hit takes two edges from the request's acceptance to the reply, a miss `miss_cycles` more.
/// A line that is being brought in is a hit for other threads.
class shared_cache : public clocked {
public:
  row<packet_in> request;  ///< request<t>
  row<packet_out> reply;   ///< reply<t>

  /// `miss_cycles`: further edges to a reply on a miss. Throws as cache_config::check().
  shared_cache(const sc_core::sc_module_name& name, const cache_config& config, unsigned miss_cycles = 0);

  const cache_lines& lines() const { return lines_; }  ///< of all threads
  /// @{
  /// Of the requests of a thread so far.
  std::uint64_t hits(unsigned thread) const { return ports_[thread].hits; }
  std::uint64_t misses(unsigned thread) const { return ports_[thread].misses; }
  /// @}
  /// Requests and replies that it holds, and that resets have thrown away.
  unsigned level() const;
  std::uint64_t lost_in_reset() const { return lost_; }  ///< the second of these

private:
  enum class phase : std::uint8_t { idle, asked, waits, answers };
  struct port_state {
    phase now = phase::idle;
    flit data;
    std::uint64_t ready_at = 0;  // cycle in which the answer goes out
    bool open = false;           // what the ready pin shows
    std::uint64_t hits = 0, misses = 0;
  };

  void reset() override;
  void tick() override;
  void look_up(unsigned thread);

  cache_lines lines_;
  const unsigned miss_cycles_;
  std::vector<port_state> ports_;
  round_robin_arbiter turn_;
  std::uint64_t lost_ = 0;
};

}  // namespace spillway
