#pragma once

namespace spillway {

/// A pool of places that the queues of a switch share, as an admission sees it.
struct pool_view {
  unsigned places = 0;         ///< of the pool, flits
  unsigned free = 0;           ///< that no packet has or has been promised
  unsigned queues = 0;         ///< that share it, one an output
  unsigned packet_length = 1;  ///< flits of the longest packet
};

/// Who may take a place of a pool that several queues share. A plain part without state that changes, asked
/// in every cycle.
class buffer_admission {
public:
  virtual ~buffer_admission() = default;
  /// Places that packets for queue `queue`, which holds so many flits, may take now; at most the free ones
  /// are given. A packet is admitted only with places for the longest, so an empty queue of an empty pool
  /// must be allowed as many.
  virtual unsigned allowed(const pool_view& pool, unsigned queue, unsigned held) const = 0;
};

}  // namespace spillway
