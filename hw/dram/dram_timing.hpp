#pragma once
#include <cstdint>
#include <string>

namespace spillway {

/// Least distances between the commands of a memory device, in cycles of the network's clock, by the names
/// that JEDEC's standards (such as JESD79-4, DDR4) have for them. One rank of banks that share a bus for
/// commands, one a cycle, and one for data; refreshed all at once; no groups of banks.
struct dram_timing {
  unsigned tRCD = 14;  ///< activation of a row to a read or write of it
  unsigned tRP = 14;   ///< precharge of a bank to its next activation
  unsigned tCL = 14;   ///< read to the first of its data
  unsigned tCWL = 10;  ///< write to the first of its data
  unsigned tRAS = 33;  ///< activation to the precharge of its bank
  unsigned tCCD = 4;   ///< read to read, or write to write; data take the bus for as long
  unsigned tRRD = 4;   ///< activation to activation of another bank
  unsigned tFAW = 16;  ///< in which at most four rows are activated
  unsigned tWTR = 8;   ///< last data of a write to a read
  unsigned tRTW = 8;   ///< read to write
  unsigned tRTP = 8;   ///< read to the precharge of its bank
  unsigned tWR = 15;   ///< last data of a write to the precharge of its bank

  unsigned tREFI = 0;   ///< from one refresh of all banks to the next, on average; 0: none
  unsigned tRFC = 280;  ///< refresh to the next activation

  unsigned tRC() const { return tRAS + tRP; }  ///< activation to activation of the same bank

  /// Throws std::invalid_argument with the rule and the value.
  void check() const;
};

/// Where an access falls in a module.
struct dram_place {
  unsigned bank = 0;      ///< from 0
  std::uint32_t row = 0;  ///< of the bank, from 0
};

/// The banks of a module, and the rows of accesses. An access is what a request reads or writes, such as a
/// line of a cache; accesses are numbered within the module.
struct dram_geometry {
  /// Which neighbours of an access share its row: the next ones, a row of each bank after another
  /// (`row_bank_column`); or one in so many as there are banks, so that neighbours lie in different banks
  /// (`row_column_bank`).
  enum class order : std::uint8_t { row_bank_column, row_column_bank };

  unsigned banks = 16;                 ///< a power of two
  unsigned columns = 32;               ///< accesses of a row, a power of two
  order map = order::row_bank_column;  ///< bits of an access, from the highest
  bool hash =
      false;  ///< the bank is its number exclusive-or the row's low bits, so that a stride meets all banks

  /// Where an access falls.
  dram_place place(std::uint32_t access) const;
  /// Throws std::invalid_argument with the rule and the value.
  void check() const;
};

/// What a request asks of a memory module, in the data of its packet: bit 31 says that it writes, the others
/// are the number of the access within the module.
struct dram_access {
  std::uint32_t access = 0;  ///< its number within the module, at most `most`
  bool write = false;        ///< else it reads

  static constexpr std::uint32_t most = (std::uint32_t{1} << 31) - 1;  ///< largest number
  /// The data of its packet.
  std::uint32_t data() const { return access | std::uint32_t{write} << 31; }
  /// What the data of a packet ask for.
  static dram_access of(std::uint32_t data) { return {data & most, (data >> 31) != 0}; }
};

}  // namespace spillway
