#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/links/flit.hpp>

namespace spillway {

/// How long messages are.
enum class message_length : std::uint8_t {
  fixed,    ///< all the same
  drawn,    ///< exponential, drawn once a message, which keeps it from link to link
  redrawn,  ///< exponential, drawn anew at each link (Kleinrock's independence assumption)
};

/// How long links take to transmit messages. A message bears its length as data in its payload, which the
/// node that draws it writes; both ends of a link read it there. A plain part.
struct message_service {
  message_length length = message_length::drawn;  ///< how long messages are
  /// Cycles of a time unit, at least 1: what rates are given in, and the mean length of a message.
  unsigned unit = 64;
  std::uint64_t seed = 1;  ///< of the lengths

  /// Cycles, at least `least`, on a link that transmits `rate` messages of mean length a time unit.
  std::uint64_t cycles(const flit& f, double rate, std::uint64_t least) const {
    return std::max(least, cycles_of(std::round(length_of(f) * unit / rate)));
  }
  /// Writes the length of what a host sends.
  void enter(flit& f) const {
    if (length != message_length::fixed) write(f, exponential(drawn_for(f)));
  }
  /// Writes it anew for a link, if it is drawn for each; `link`: any number of its own.
  void leave(flit& f, std::uint64_t link) const {
    if (length == message_length::redrawn) write(f, exponential(scatter(drawn_for(f) ^ scatter(link))));
  }

private:
  static constexpr double parts =
      1 << 26;  // that a mean length has as data, of which 2^32 are more than any length
  double length_of(const flit& f) const {
    return length == message_length::fixed ? 1 : static_cast<double>(data_of(f)) / parts;
  }
  static void write(flit& f, double length) {
    f.payload = static_cast<std::uint64_t>(std::round(length * parts));
    f.payload = check_value(f);
  }
  static double exponential(std::uint64_t word) {
    return -std::log1p(-static_cast<double>(word >> 11) * 0x1p-53);
  }
  std::uint64_t drawn_for(const flit& f) const {
    const std::uint64_t who = std::uint64_t{f.source} << 32 | f.destination;
    const std::uint64_t which =
        std::uint64_t{f.packet} << 16 | f.network << 8 | static_cast<std::uint64_t>(f.kind);
    return draw(seed, who, which);
  }
};

}  // namespace spillway
