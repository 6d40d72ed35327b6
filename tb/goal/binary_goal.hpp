#pragma once
#include <spillway/tb/goal/goal_scanner.hpp>
#include <vector>

namespace spillway {

/// A GOAL file in the binary format that LogGOPSim's txt2bin writes: little-endian, without padding.
///
///     u64 4223, u32 ranks, u8 and u8 the largest cpu and nic; for each rank u64 begin and u64 end of its
///     part, counted from byte 8. A part: u32 operations, u32 of them that wait for nothing, those as u32;
///     for each operation u32 that it waits for, u8 kind (1 send, 2 recv, 3 calc), u32 peer, u64 size, u32
///     tag, u8 cpu, u8 nic, and twice, for those that wait for its end and those that wait for its start, u32
///     how many and u32 the first in the list of u32 with which the part ends.
///
/// As of a text file, one pass checks all of it; after that each rank is read on from its own place, and what
/// stays in memory is what has been read and still waits for others.
class binary_goal final : public goal_program {
public:
  /// Whether the file begins as one does, be it used up.
  static bool is_one(const std::filesystem::path& path);

  /// At most `most_ranks` ranks; `limit` says why. Throws config_error `file: byte N: message` for what
  /// txt2bin does not write: parts that overlap or lie outside, a kind, rank or operation that is not there,
  /// counts that do not fit each other, dependencies in a circle, a file that ends too soon or that LogGOPSim
  /// has used up.
  binary_goal(const std::filesystem::path& path, std::uint64_t most_ranks, const std::string& limit);

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(parts_.size()); }
  std::unique_ptr<rank_program> open(std::uint32_t rank) const override;
  std::string where(std::uint32_t rank, const goal_op& op) const override;
  double share(std::uint32_t rank, std::uint64_t done, std::uint32_t step) const override;
  std::uint64_t operations() const { return operations_; }

private:
  struct part {
    std::uint64_t begin = 0, end = 0;  // in bytes of the file
    std::uint32_t operations = 0, roots = 0;
  };
  [[noreturn]] void fail(std::uint64_t byte, const std::string& message) const;
  void read_parts(std::uint64_t ranks);
  void check(part& p);

  const std::shared_ptr<const goal_bytes> bytes_;
  std::vector<part> parts_;
  std::uint64_t operations_ = 0;
  friend class binary_rank;
};

}  // namespace spillway
