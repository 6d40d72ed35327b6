#pragma once
#include <string>
#include <vector>

namespace spillway::nifdy {

/// A field of what a packet carries on the wire beside its data.
struct wire_field {
  std::string name;  ///< what it tells
  unsigned bits;     ///< width, 0 where there is nothing to tell apart
};
using wire_format = std::vector<wire_field>;  ///< in the order on the wire

/// What the widths of the fields follow from.
struct wire_sizes {
  unsigned terminals = 64;  ///< of the network
  unsigned dialogs = 1;     ///< D; 0: no bulk mode, whose formats are empty
  unsigned window = 4;      ///< W
  bool lossy = false;       ///< packets bear a duplicate bit
};

/// The formats of Callahan and Goldstein's NIFDY, of its own fields only; docs/nifdy.md says where the
/// model's are wider. A destination is what any network needs of a packet.
wire_format scalar_format(const wire_sizes& s);
/// Sequence number and dialog stand for the source.
wire_format bulk_format(const wire_sizes& s);
/// Whose packet was taken, and what became of a request.
wire_format scalar_ack_format(const wire_sizes& s);
/// A sender has one dialog, so that the acknowledgement need not say whose it is.
wire_format bulk_ack_format(const wire_sizes& s);

unsigned bits_of(const wire_format& format);  ///< of all its fields
/// Flits of so many bits that the longer of the acknowledgements takes.
unsigned ack_flits(const wire_sizes& s, unsigned flit_bits);

}  // namespace spillway::nifdy
