#include <spillway/hw/kernel/draw.hpp>
#include <spillway/tb/dram/module_map.hpp>

namespace spillway {

module_place module_map::place(std::uint64_t access) const {
  const std::uint64_t block = access / interleave, round = block / modules;
  const std::uint64_t first = hash ? scatter(round) % modules : 0;
  return {static_cast<std::uint32_t>((block + first) % modules), round * interleave + access % interleave};
}

}  // namespace spillway
