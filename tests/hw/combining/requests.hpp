// Requests that may be combined, and the replies to them.
#pragma once

#include <spillway/hw/endpoints/endpoints.hpp>
#include <support/link_bench.hpp>

namespace spillway::testing_support {

inline flit request(std::uint32_t source, std::uint32_t packet, std::uint32_t destination = 0,
                    flit_kind kind = flit_kind::combinable) {
  flit f = make_flit(source, destination, packet);
  f.kind = kind;
  f.payload = 0;
  f.payload = check_value(f);
  return f;
}

/// Of a line of the destination's memory.
inline flit read_of(std::uint32_t line, std::uint32_t source, std::uint32_t packet,
                    std::uint32_t destination = 0) {
  flit f = request(source, packet, destination);
  f.payload = line;
  f.payload = check_value(f);
  return f;
}

inline flit reply_to(const flit& asked) {
  flit f = make_flit(asked.destination, asked.source, asked.packet);
  f.kind = flit_kind::reply;
  f.network = 1;
  f.payload = data_of(asked);
  f.payload = check_value(f);
  return f;
}

/// The reply that a switch makes for `asked` from that to `survivor`: what others wrote into it stays.
inline flit branch_for(const flit& asked, const flit& survivor) {
  flit f = reply_to(survivor);
  f.destination = asked.source;
  f.packet = asked.packet;
  f.payload = check_value(f);
  return f;
}

}  // namespace spillway::testing_support
