#pragma once
#include <cstdint>
#include <spillway/hw/links/flit.hpp>

/// Congestion marks as InfiniBand has them (InfiniBand Architecture Specification, volume 1, annex A10), in
/// the marks part of a header: a switch sets `forward` at a congested output, the receiver tells the sender
/// with a notification, which bears `backward`.
namespace spillway::ecn {

constexpr std::uint32_t forward = 1;   ///< flit::marks of a packet that came through a congested output
constexpr std::uint32_t backward = 2;  ///< of what tells its source, a notification or an acknowledgement

/// A notification from the terminal to which marked packets come, one flit.
inline flit notification(std::uint32_t from, std::uint32_t to, unsigned network) {
  flit f;
  f.kind = flit_kind::acknowledge;
  f.source = from;
  f.destination = to;
  f.network = static_cast<std::uint8_t>(network);
  f.marks = backward;
  return f;
}
/// Whether it is one.
inline bool is_notification(const flit& f) {
  return f.kind == flit_kind::acknowledge && (f.marks & backward) != 0 && f.length == 1;
}

}  // namespace spillway::ecn
