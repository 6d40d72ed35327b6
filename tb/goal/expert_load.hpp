#pragma once
#include <cstdint>
#include <map>
#include <vector>

namespace spillway {

/// How a mixture of experts spreads its tokens.
struct expert_config {
  std::uint32_t ranks = 1;
  std::uint32_t tokens = 64;  ///< of a rank in a step
  double skew = 1;            ///< exponent of Zipf's law; 0: all experts alike
  std::uint32_t change = 0;   ///< steps after which other experts are popular; 0: never
  std::uint64_t seed = 1;
};

/// How many tokens each rank has for each expert, one expert a rank, in each step. The expert of place k in
/// popularity gets a token with a probability in proportion to 1 / k^skew; which expert has which place, the
/// seed says, and anew after every `change` steps.
class expert_load {
public:
  explicit expert_load(const expert_config& config);

  /// Tokens of a step by source, then by expert. Valid until the next call.
  const std::vector<std::vector<std::uint32_t>>& step(std::uint32_t number);
  /// By place in popularity.
  const std::vector<double>& popularity() const { return popularity_; }
  /// The experts by place in popularity, in a step.
  std::vector<std::uint32_t> order(std::uint32_t step) const;

private:
  const expert_config config_;
  std::vector<double> popularity_, up_to_;
  std::map<std::uint32_t, std::vector<std::vector<std::uint32_t>>> drawn_;  // the last steps asked for
};

}  // namespace spillway
