#pragma once
#include <cstdint>
#include <string>

namespace spillway {

/// What was seen on a link since the start.
struct link_counts {
  std::uint64_t flits = 0;    ///< that crossed
  std::uint64_t blocked = 0;  ///< cycles in which one waited and did not cross
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
};

}  // namespace spillway
