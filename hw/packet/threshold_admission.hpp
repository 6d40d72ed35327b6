#pragma once
#include <algorithm>
#include <cstdint>
#include <spillway/hw/packet/buffer_admission.hpp>

namespace spillway {

/// Static thresholds: no queue of a shared pool holds more than `limit` flits (sharing with maximum queue
/// lengths; Kamoun and Kleinrock, IEEE Trans. Communications 28(7), 1980).
class static_threshold final : public buffer_admission {
public:
  /// `limit` at least the longest packet.
  explicit static_threshold(unsigned limit) : limit_(limit) {}

  unsigned allowed(const pool_view&, unsigned /*queue*/, unsigned held) const override {
    return held < limit_ ? limit_ - held : 0;
  }

private:
  const unsigned limit_;
};

/// Dynamic thresholds: a queue takes a packet while it holds fewer flits than alpha times the free places of
/// the pool (Choudhury and Hahne, IEEE/ACM Trans. Networking 6(2), 1998). Of M queues with more packets than
/// they may take each comes to hold alpha B/(1 + alpha M) of B places, and B/(1 + alpha M) stay free.
///
/// alpha is a ratio of whole numbers, so that the registers are compared as they are: for a power of two that
/// takes a shift. What other queues take at the same edge is seen at the next one.
class dynamic_threshold final : public buffer_admission {
public:
  /// A positive rational number.
  struct ratio {
    std::uint32_t numerator = 1;    ///< 1 to 65535
    std::uint32_t denominator = 1;  ///< 1 to 65535
  };
  /// `alpha`: flits that a queue may hold for each free place.
  explicit dynamic_threshold(ratio alpha) : alpha_(alpha) {}

  unsigned allowed(const pool_view& pool, unsigned /*queue*/, unsigned held) const override {
    const auto n = std::int64_t{alpha_.numerator}, d = std::int64_t{alpha_.denominator};
    const std::int64_t below = n * pool.free - d * held;
    if (below <= 0) return 0;
    // The next packet finds a longer queue in a fuller pool.
    const std::int64_t a_packet = (n + d) * pool.packet_length;
    const std::int64_t packets = (below + a_packet - 1) / a_packet;
    return static_cast<unsigned>(std::min<std::int64_t>(packets * pool.packet_length, pool.free));
  }

private:
  const ratio alpha_;
};

}  // namespace spillway
