#pragma once
#include <cstdint>
#include <spillway/hw/links/flit.hpp>
#include <string>

namespace spillway {

/// What was seen on a link since the start.
struct link_counts {
  std::uint64_t flits = 0;    ///< that crossed
  std::uint64_t blocked = 0;  ///< cycles in which one waited and did not cross
};

/// Hears of the first flit of each packet that crosses a link.
class head_listener {
public:
  virtual ~head_listener() = default;
  /// At edge `cycle`; `link`: the number by which it was asked for. Each thread tells of its own links.
  virtual void head_crosses(std::uint64_t cycle, std::uint32_t link, const flit& head) = 0;
};

/// Who watches a link anyway, such as its checker, and counts what crosses it. To be asked between two edges.
class link_counter {
public:
  virtual ~link_counter() = default;
  /// Path of the link (network_link::path()).
  virtual const std::string& counted_link() const = 0;
  virtual link_counts counts() const = 0;  ///< up to the last edge
  /// Destinations, or sources, of which no packet may cross now, because the receiver has said so.
  virtual unsigned stopped() const { return 0; }
  /// From now on tells `to` of each head that crosses. Returns false if no packets cross such a link.
  virtual bool tell_heads(head_listener& /*to*/, std::uint32_t /*link*/) { return false; }
};

}  // namespace spillway
