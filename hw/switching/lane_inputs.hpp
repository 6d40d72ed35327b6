#pragma once
#include <cstdint>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/hw/switching/packet_length.hpp>

namespace spillway {

/// What crosses at the inputs of `block` goes to `admit(input, flit)`. `ready[i]`: what the pin of input i
/// shows. A packet of more than `longest` flits is an error, see check_length(). Returns the set of inputs at
/// which something has crossed.
template <class Inputs, class Ready, class Admit>
std::uint64_t take_flits(const sc_core::sc_object& block, const Inputs& in, const Ready& ready,
                         unsigned longest, Admit&& admit) {
  std::uint64_t crossed = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (!in[i].valid.read()) continue;
    const flit& f = in[i].data.read();
    if (!accepts(ready[i], f)) continue;
    check_length(block, i, f, longest);
    admit(i, f);
    crossed |= masks::bit(i);
  }
  return crossed;
}

/// Whether something crosses at an input at the next edge if the senders' pins stay as they are and
/// `ready[i]` is what input i shows from now on.
template <class Inputs, class Ready>
bool takes_next(const Inputs& in, const Ready& ready) {
  for (unsigned i = 0; i < in.size(); ++i)
    if (in[i].valid.read() && accepts(ready[i], in[i].data.read())) return true;
  return false;
}

}  // namespace spillway
