#include <ostream>
#include <spillway/hw/links/flit.hpp>

namespace spillway {

flit_words to_bits(const flit& f) {
  const auto at = [](std::uint64_t v, unsigned shift) { return v << shift; };
  return {at(f.source, 0) | at(f.destination, 32), at(f.packet, 0) | at(f.index, 32) | at(f.length, 48),
          at(static_cast<std::uint8_t>(f.kind), 0) | at(f.lane, 8) | at(f.network, 16) | at(f.flags, 24) |
              at(f.sequence, 32) | at(f.dialog, 48),
          f.payload};
}

flit from_bits(const flit_words& bits) {
  flit f;
  f.source = static_cast<std::uint32_t>(bits[0]);
  f.destination = static_cast<std::uint32_t>(bits[0] >> 32);
  f.packet = static_cast<std::uint32_t>(bits[1]);
  f.index = static_cast<std::uint16_t>(bits[1] >> 32);
  f.length = static_cast<std::uint16_t>(bits[1] >> 48);
  f.kind = static_cast<flit_kind>(static_cast<std::uint8_t>(bits[2]));
  f.lane = static_cast<std::uint8_t>(bits[2] >> 8);
  f.network = static_cast<std::uint8_t>(bits[2] >> 16);
  f.flags = static_cast<std::uint8_t>(bits[2] >> 24);
  f.sequence = static_cast<std::uint16_t>(bits[2] >> 32);
  f.dialog = static_cast<std::uint16_t>(bits[2] >> 48);
  f.payload = bits[3];
  return f;
}

std::ostream& operator<<(std::ostream& os, const flit& f) {
  return os << f.source << '>' << f.destination << " #" << f.packet << ' ' << f.index << '/' << f.length;
}

void sc_trace(sc_core::sc_trace_file* tf, const flit& f, const std::string& name) {
  using sc_core::sc_trace;
  sc_trace(tf, f.source, name + ".source");
  sc_trace(tf, f.destination, name + ".destination");
  sc_trace(tf, f.packet, name + ".packet");
  sc_trace(tf, f.index, name + ".index");
  sc_trace(tf, f.length, name + ".length");
  // A trace file polls through a reference, so the kind is traced as the byte that it is.
  sc_trace(tf, reinterpret_cast<const std::uint8_t&>(f.kind), name + ".kind");
  sc_trace(tf, f.lane, name + ".lane");
  sc_trace(tf, f.network, name + ".network");
  sc_trace(tf, f.flags, name + ".flags");
  sc_trace(tf, f.sequence, name + ".sequence");
  sc_trace(tf, f.dialog, name + ".dialog");
  sc_trace(tf, f.payload, name + ".payload");
}

}  // namespace spillway
