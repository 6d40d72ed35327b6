#include <algorithm>
#include <spillway/hw/dram/dram_banks.hpp>

namespace spillway {

dram_banks::dram_banks(const dram_timing& timing, const dram_geometry& geometry)
    : timing_(timing), banks_(geometry.banks) {
  timing.check();
  geometry.check();
}

void dram_banks::reset() {
  std::fill(banks_.begin(), banks_.end(), bank_state{});
  read_from_ = write_from_ = activate_from_ = 0;
  activations_ = {};
  next_activation_ = 0;
}

std::uint64_t dram_banks::earliest(dram_command command, unsigned bank) const {
  const auto& b = banks_[bank];
  switch (command) {
    case dram_command::activate:
      return std::max({b.activate_from, activate_from_, activations_[next_activation_]});
    case dram_command::precharge:
      return b.precharge_from;
    case dram_command::read:
      return std::max(b.column_from, read_from_);
    case dram_command::refresh:
      return std::max_element(banks_.begin(), banks_.end(),
                              [](const auto& x, const auto& y) { return x.activate_from < y.activate_from; })
          ->activate_from;
    case dram_command::write:
      break;
  }
  return std::max(b.column_from, write_from_);
}

std::uint64_t dram_banks::data_end(dram_command command, std::uint64_t now) const {
  return now + (command == dram_command::read ? timing_.tCL : timing_.tCWL) + timing_.tCCD;
}

void dram_banks::issue(dram_command command, unsigned bank, std::uint64_t now, std::uint32_t row) {
  auto& b = banks_[bank];
  const dram_timing& t = timing_;
  switch (command) {
    case dram_command::activate:
      b.row = row;
      b.column_from = now + t.tRCD;
      b.precharge_from = now + t.tRAS;
      activate_from_ = now + t.tRRD;
      activations_[next_activation_] = now + t.tFAW;
      next_activation_ = (next_activation_ + 1) % activations_.size();
      break;
    case dram_command::precharge:
      b.row.reset();
      b.activate_from = now + t.tRP;
      break;
    case dram_command::read:
      read_from_ = now + t.tCCD;
      // The data of a write may not meet those of the read on the bus.
      write_from_ = std::max(
          {write_from_, now + t.tRTW, std::max<std::uint64_t>(data_end(command, now), t.tCWL) - t.tCWL});
      b.precharge_from = std::max(b.precharge_from, now + t.tRTP);
      break;
    case dram_command::write:
      write_from_ = now + t.tCCD;
      read_from_ = std::max(read_from_, data_end(command, now) + t.tWTR);
      b.precharge_from = std::max(b.precharge_from, data_end(command, now) + t.tWR);
      break;
    case dram_command::refresh:
      for (bank_state& each : banks_) each.activate_from = now + t.tRFC;
      break;
  }
}

}  // namespace spillway
