#pragma once
#include <algorithm>
#include <cmath>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/tb/traffic/entries.hpp>

namespace spillway {

/// In each cycle a packet with the same probability.
class bernoulli_injection final : public injection {
public:
  explicit bernoulli_injection(const offered_load& load) : coin_(std::make_shared<coin>(load.packets())) {}

  std::shared_ptr<arrivals> start(std::uint32_t) const override { return coin_; }

private:
  class coin final : public arrivals {
  public:
    explicit coin(double p) : p_(p), log_silent_(std::log1p(-p)) {}
    std::uint64_t first(std::uint64_t begin, random_stream& random) override { return from(begin, random); }
    std::uint64_t next(std::uint64_t due, std::uint64_t now, unsigned, random_stream& random) override {
      return from(std::max(due, now) + 1, random);
    }

  private:
    std::uint64_t from(std::uint64_t cycle, random_stream& random) const {
      const double gap = p_ >= 1 ? 0 : std::floor(std::log1p(-uniform(random)) / log_silent_);  // geometric
      return p_ <= 0 ? never : cycle + cycles_of(gap);
    }
    const double p_, log_silent_;
  };
  const std::shared_ptr<arrivals> coin_;
};

class bernoulli_entry final : public injection_entry {
public:
  bernoulli_entry() : injection_entry("bernoulli") {}
  nlohmann::json schema() const override {
    return {{"description", "In each cycle a packet with the same probability."}};
  }
  std::shared_ptr<const injection> make(const traffic_context& c, const offered_load& load) const override {
    need_at_most_one_a_cycle(c, load);
    return std::make_shared<bernoulli_injection>(load);
  }
};

}  // namespace spillway
