#pragma once
#include <cstdint>

namespace spillway {

/// Where an access of one space falls: a module, and its number there.
struct module_place {
  std::uint32_t module = 0;
  std::uint64_t access = 0;
};

/// How a space of accesses lies over memory modules: `interleave` of them on one, then the next; every access
/// has one place and every place one access.
struct module_map {
  std::uint32_t modules = 1;
  std::uint64_t interleave = 1;
  bool hash = false;  ///< each round of the modules begins at one that its number is hashed to, so that a
                      ///< stride meets all

  module_place place(std::uint64_t access) const;
};

}  // namespace spillway
