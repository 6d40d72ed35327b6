#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace spillway {

/// A message on the critical path.
struct path_message {
  std::uint32_t from = 0, to = 0;  ///< ranks
  std::uint64_t bytes = 0;
  std::uint64_t sent = 0, left = 0,
                arrived = 0;  ///< cycles: handed to the network interface, last packet made, all there
};

/// What led to a moment in a program: the chain of what was waited for last, each time, back to the start.
/// The cycles of hosts, of network interfaces and of the network on it add up to all cycles since then. Of
/// the messages on it the last ones are kept, `kept_messages` or more.
class path_of_time {
public:
  static constexpr unsigned kept_messages = 256;

  std::uint64_t host = 0, interface = 0, network = 0;  ///< cycles
  std::uint64_t messages = 0;

  void go_on(const path_message& message);
  /// From the earliest that is kept.
  std::vector<path_message> last_messages() const;

private:
  struct node {
    path_message message;
    std::shared_ptr<node> before;
    unsigned depth = 1;  // nodes from here back
  };
  std::shared_ptr<node> last_;
};

}  // namespace spillway
