#include <spillway/hw/dram/dram_timing.hpp>
#include <stdexcept>

namespace spillway {

void dram_timing::check() const {
  const auto least_one = [](const char* name, unsigned value) {
    if (value < 1) throw std::invalid_argument(std::string(name) + " is at least 1 cycle, found 0");
  };
  least_one("tRCD", tRCD), least_one("tRP", tRP), least_one("tCL", tCL), least_one("tCWL", tCWL);
  least_one("tRAS", tRAS), least_one("tCCD", tCCD), least_one("tRRD", tRRD);
  const std::uint64_t closed = std::uint64_t{tRFC} + tRP + tRAS;
  if (tREFI && tREFI <= closed)
    throw std::invalid_argument("refreshes leave time for others: tREFI " + std::to_string(tREFI) +
                                " is not more than tRFC, tRP and tRAS, " + std::to_string(closed) +
                                " together");
  if (tRAS < tRCD)
    throw std::invalid_argument("a row stays open for a read at least: tRAS " + std::to_string(tRAS) +
                                " is less than tRCD " + std::to_string(tRCD));
}

void dram_geometry::check() const {
  const auto power = [](const char* name, unsigned value) {
    if (value == 0 || (value & (value - 1)) != 0)
      throw std::invalid_argument(std::string(name) + " are a power of two, found " + std::to_string(value));
  };
  power("banks", banks), power("columns", columns);
}

dram_place dram_geometry::place(std::uint32_t access) const {
  dram_place p;
  p.row = access / columns / banks;
  p.bank = map == order::row_bank_column ? access / columns % banks : access % banks;
  if (hash) p.bank ^= p.row % banks;
  return p;
}

}  // namespace spillway
