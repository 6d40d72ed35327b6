#pragma once
#include <atomic>

namespace spillway {

/// Puts the terminal's Ctrl-C or its end (SIGHUP), and a scheduler's SIGTERM, into a flag for as long as it
/// lives.
class interrupt_guard {
public:
  interrupt_guard();
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;

  static const std::atomic<bool>& flag();
};

}  // namespace spillway
