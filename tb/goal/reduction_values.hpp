#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace spillway {

/// How a network reduces what ranks contribute.
struct goal_reduction {
  std::string kind;        ///< sum, minimum or maximum
  std::uint64_t word = 0;  ///< what it is asked for by, see packet_requests
  std::uint64_t seed = 1;  ///< of the contributions
  unsigned groups = 1;     ///< of terminals, which reduce apart: by their numbers modulo groups
};

/// What ranks contribute to reductions by the network, round after round, and what is to come of it.
class reduction_values {
public:
  /// `where`: of each rank its terminal, where there is no other.
  reduction_values(goal_reduction how, const std::vector<std::uint32_t>& where);

  std::uint64_t word() const { return how_.word; }
  /// The data of a rank's contribution.
  std::uint32_t contribution(std::uint32_t rank, std::uint64_t round) const;
  /// The result of a round of the terminal's group; each terminal asks once.
  std::uint32_t result(std::uint32_t terminal, std::uint64_t round);

private:
  struct open_round {
    std::uint32_t result = 0, asked = 0;
  };
  const goal_reduction how_;
  struct group {
    std::vector<std::uint32_t> ranks;
    std::map<std::uint64_t, open_round> open;  // that some rank has asked for, and not all
  };
  std::vector<group> groups_;
};

}  // namespace spillway
