#pragma once
#include <array>
#include <optional>
#include <spillway/hw/dram/dram_timing.hpp>
#include <vector>

namespace spillway {

/// A command of a memory device.
enum class dram_command : std::uint8_t { activate, precharge, read, write, refresh };

/// The banks of a memory device: which row each has open, and when it may have its next command. A plain
/// part.
class dram_banks {
public:
  /// Throws as the two's check().
  dram_banks(const dram_timing& timing, const dram_geometry& geometry);

  /// The row that a bank has open.
  std::optional<std::uint32_t> open_row(unsigned bank) const { return banks_[bank].row; }
  /// First cycle in which the bank may have the command, which must fit its state: activate a bank without an
  /// open row, precharge, read and write one with, refresh all banks, none with an open row.
  std::uint64_t earliest(dram_command command, unsigned bank) const;
  /// The bank has the command in cycle `now`, which is not before the earliest. `row`: of an activation.
  void issue(dram_command command, unsigned bank, std::uint64_t now, std::uint32_t row = 0);
  /// First cycle after the data of a read or write issued in `now`.
  std::uint64_t data_end(dram_command command, std::uint64_t now) const;
  /// All banks closed, and any command may come.
  void reset();

private:
  struct bank_state {
    std::optional<std::uint32_t> row;
    std::uint64_t activate_from = 0, column_from = 0, precharge_from = 0;  // first cycles
  };
  const dram_timing timing_;
  std::vector<bank_state> banks_;
  std::uint64_t read_from_ = 0, write_from_ = 0, activate_from_ = 0;  // of all banks
  std::array<std::uint64_t, 4> activations_{};                        // the last four, plus tFAW, in a ring
  unsigned next_activation_ = 0;
};

}  // namespace spillway
