#include <algorithm>
#include <cstdint>
#include <spillway/hw/nifdy/nifdy_format.hpp>

namespace spillway::nifdy {

namespace {

/// Bits that tell so many things apart.
unsigned width(unsigned things) {
  unsigned bits = 0;
  while (bits < 32 && std::uint64_t{1} << bits < things) ++bits;
  return bits;
}

/// Scalar or bulk, packet or acknowledgement.
const wire_field kind{"kind", 2};

wire_format addressed(const wire_sizes& s) { return {{"destination", width(s.terminals)}, kind}; }
void add_dialog(wire_format& format, const wire_sizes& s) {
  if (s.dialogs == 0) return;
  format.push_back({"dialog", width(s.dialogs)});
  // Tells a dialog from the one before it with that number.
  format.push_back({"epoch", 1});
}
void add_sequence(wire_format& format, const wire_sizes& s) {
  // Of 2W numbers: old and new packets of a window differ.
  format.push_back({"sequence", width(2 * s.window)});
}
void add_duplicate(wire_format& format, const wire_sizes& s) {
  if (s.lossy) format.push_back({"duplicate", 1});
}

}  // namespace

wire_format scalar_format(const wire_sizes& s) {
  wire_format format = addressed(s);
  format.push_back({"source", width(s.terminals)});
  if (s.dialogs) format.push_back({"request", 1});
  add_duplicate(format, s);
  return format;
}

wire_format bulk_format(const wire_sizes& s) {
  if (s.dialogs == 0) return {};
  wire_format format = addressed(s);
  add_dialog(format, s);
  add_sequence(format, s);
  format.push_back({"exit", 1});
  return format;
}

wire_format scalar_ack_format(const wire_sizes& s) {
  wire_format format = addressed(s);
  format.push_back({"acknowledging", width(s.terminals)});
  if (s.dialogs) format.push_back({"answer", 2});  // nothing asked, granted, refused
  add_dialog(format, s);
  add_duplicate(format, s);
  return format;
}

wire_format bulk_ack_format(const wire_sizes& s) {
  if (s.dialogs == 0) return {};
  wire_format format = addressed(s);
  add_dialog(format, s);
  add_sequence(format, s);
  format.push_back({"ended", 1});
  return format;
}

unsigned bits_of(const wire_format& format) {
  unsigned bits = 0;
  for (const wire_field& f : format) bits += f.bits;
  return bits;
}

unsigned ack_flits(const wire_sizes& s, unsigned flit_bits) {
  const unsigned bits = std::max(bits_of(scalar_ack_format(s)), bits_of(bulk_ack_format(s)));
  return (bits + flit_bits - 1) / flit_bits;
}

}  // namespace spillway::nifdy
