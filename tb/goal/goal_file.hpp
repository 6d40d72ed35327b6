#pragma once
#include <filesystem>
#include <spillway/tb/goal/goal_scanner.hpp>
#include <vector>

namespace spillway {

/// A GOAL file. One pass over it checks every line and notes where each rank begins; after that each rank is
/// read on from its own place, a window at a time, so that the memory needed is that of what waits, not that
/// of the file. (Labels that do not count up with the operations are kept by rank.)
class goal_file final : public goal_program {
public:
  /// At most `most_ranks` ranks; `limit` says why. Throws config_error `file:line:column` for what is not
  /// GOAL, a rank that is not there, stands twice or sends to one that is not, labels that are not known,
  /// dependencies in a circle, and a file that ends too soon.
  goal_file(const std::filesystem::path& path, std::uint64_t most_ranks, const std::string& limit);

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(starts_.size()); }
  std::unique_ptr<rank_program> open(std::uint32_t rank) const override;
  std::string where(std::uint32_t rank, const goal_op& op) const override;
  double share(std::uint32_t rank, std::uint64_t done, std::uint32_t step) const override;
  std::uint64_t operations() const { return operations_; }

private:
  struct rank_start {
    goal_place from;
    std::uint32_t reach = 0;  // operations that stand between one and the last line of what it waits for
    std::uint32_t operations = 0;
    bool known = false;
  };
  void read_rank(goal_scanner& in, std::uint32_t rank);
  std::uint32_t label_of(const goal_scanner& in, const class label_table& labels, std::string_view label,
                         std::uint32_t column) const;

  const std::shared_ptr<const goal_bytes> bytes_;
  std::vector<rank_start> starts_;
  std::uint64_t operations_ = 0;
};

}  // namespace spillway
