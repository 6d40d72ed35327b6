#pragma once

namespace spillway {

/// Asks the cache for the line of memory at `address`; any address will do. The empty statement counts as an
/// effect: g++ takes a function that only asks for memory for one that does nothing, and drops its calls.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  asm volatile("");
}

}  // namespace spillway
