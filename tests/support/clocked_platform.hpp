#pragma once
#include <string>

#include "support/process.hpp"

namespace spillway::test {

/// A file of a small network with TLM sockets: a butterfly of four terminals with these ranges.
inline scratch_file clocked_platform(const std::string& map) {
  return scratch_file(
      "name: memories\n"
      "topology: {kind: butterfly, radix: 2, stages: 2}\n"
      "switch: {buffering: voq, depth: 16}\n"
      "packet: {length: 8}\n"
      "interface: {kind: tlm, queue: 2, map: " +
      map + "}\n");
}

}  // namespace spillway::test
