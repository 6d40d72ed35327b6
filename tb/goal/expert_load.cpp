#include <algorithm>
#include <cmath>
#include <numeric>
#include <spillway/tb/goal/expert_load.hpp>
#include <spillway/tb/traffic/random.hpp>

namespace spillway {

namespace {

constexpr std::uint64_t popularity_stream = 22, tokens_stream = 23;
constexpr std::size_t kept_steps = 16;  // ranks are not all at the same

}  // namespace

expert_load::expert_load(const expert_config& config) : config_(config), popularity_(config.ranks) {
  for (std::uint32_t k = 0; k < config.ranks; ++k) popularity_[k] = std::pow(k + 1, -config.skew);
  const double all = std::accumulate(popularity_.begin(), popularity_.end(), 0.0);
  for (double& p : popularity_) p /= all;
  up_to_.resize(config.ranks);
  std::partial_sum(popularity_.begin(), popularity_.end(), up_to_.begin());
}

std::vector<std::uint32_t> expert_load::order(std::uint32_t step) const {
  std::vector<std::uint32_t> experts(config_.ranks);
  std::iota(experts.begin(), experts.end(), 0);
  random_stream random =
      make_stream(config_.seed, config_.change ? step / config_.change : 0, popularity_stream);
  for (std::uint32_t i = config_.ranks; i > 1; --i) std::swap(experts[i - 1], experts[below(i, random)]);
  return experts;
}

const std::vector<std::vector<std::uint32_t>>& expert_load::step(std::uint32_t number) {
  if (const auto found = drawn_.find(number); found != drawn_.end()) return found->second;
  if (drawn_.size() >= kept_steps) drawn_.erase(drawn_.begin());
  auto& load = drawn_[number];
  load.assign(config_.ranks, std::vector<std::uint32_t>(config_.ranks));
  const std::vector<std::uint32_t> experts = order(number);
  for (std::uint32_t source = 0; source < config_.ranks; ++source) {
    random_stream random =
        make_stream(config_.seed, std::uint64_t{number} * config_.ranks + source, tokens_stream);
    for (std::uint32_t token = 0; token < config_.tokens; ++token) {
      const auto place = std::upper_bound(up_to_.begin(), up_to_.end() - 1, uniform(random)) - up_to_.begin();
      ++load[source][experts[static_cast<std::size_t>(place)]];
    }
  }
  return load;
}

}  // namespace spillway
