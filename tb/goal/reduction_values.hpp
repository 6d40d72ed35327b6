#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace spillway {

/// How a network reduces what ranks contribute.
struct goal_reduction {
  std::string kind;        ///< sum, minimum or maximum
  std::uint64_t word = 0;  ///< what it is asked for by, see packet_requests
  std::uint64_t seed = 1;  ///< of the contributions
};

/// What ranks contribute to reductions by the network, round after round, and what is to come of it.
class reduction_values {
public:
  reduction_values(goal_reduction how, std::uint32_t ranks) : how_(std::move(how)), ranks_(ranks) {}

  std::uint64_t word() const { return how_.word; }
  /// The data of a rank's contribution.
  std::uint32_t contribution(std::uint32_t rank, std::uint64_t round) const;
  /// The result of a round; each rank asks once.
  std::uint32_t result(std::uint64_t round);

private:
  struct open_round {
    std::uint32_t result = 0, asked = 0;
  };
  const goal_reduction how_;
  const std::uint32_t ranks_;
  std::map<std::uint64_t, open_round> open_;  // that some rank has asked for, and not all
};

}  // namespace spillway
