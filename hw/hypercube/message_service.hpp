#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/links/flit.hpp>

namespace spillway {

/// How long messages are.
enum class message_length : std::uint8_t {
  fixed,    ///< all the same
  drawn,    ///< exponential, drawn once a message, which keeps it from link to link
  redrawn,  ///< exponential, drawn anew at each link (Kleinrock's independence assumption)
};

/// How long links take to transmit messages. The length of a message is a function of what identifies it and
/// of the seed, so both ends of a link know it, as a field of the header would tell them. A plain part.
struct message_service {
  message_length length = message_length::drawn;
  unsigned unit = 64;  ///< cycles of a time unit: what rates are given in, and the mean length of a message
  std::uint64_t seed = 1;

  /// Cycles, at least `least`, on a link that transmits `rate` messages of mean length a time unit; `link`:
  /// any number of its own.
  std::uint64_t cycles(const flit& f, double rate, std::uint64_t link, std::uint64_t least) const {
    return std::max(least, cycles_of(std::round(length_of(f, link) * unit / rate)));
  }

private:
  double length_of(const flit& f, std::uint64_t link) const {
    if (length == message_length::fixed) return 1;
    const std::uint64_t who = std::uint64_t{f.source} << 32 | f.destination;
    const std::uint64_t which =
        std::uint64_t{f.packet} << 16 | f.network << 8 | static_cast<std::uint64_t>(f.kind);
    std::uint64_t word = draw(seed, who, which);
    if (length == message_length::redrawn) word = scatter(word ^ scatter(link));
    return -std::log1p(-static_cast<double>(word >> 11) * 0x1p-53);
  }
};

}  // namespace spillway
