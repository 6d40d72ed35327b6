#pragma once
#include <algorithm>
#include <cmath>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/tb/traffic/entries.hpp>

namespace spillway {

/// Exponential gaps (a Poisson process): several packets may come in a cycle.
class exponential_injection final : public injection {
public:
  /// `blocking`: a gap begins when the packet before has found room at the source.
  explicit exponential_injection(const offered_load& load, bool blocking = false)
      : p_(load.packets()), blocking_(blocking) {}

  std::shared_ptr<arrivals> start(std::uint32_t) const override {
    return std::make_unique<gaps>(p_, blocking_);
  }

private:
  class gaps final : public arrivals {
  public:
    gaps(double p, bool blocking) : p_(p), blocking_(blocking) {}
    std::uint64_t first(std::uint64_t begin, random_stream& random) override {
      clock_ = static_cast<double>(begin);
      return draw(random);
    }
    std::uint64_t next(std::uint64_t, std::uint64_t now, unsigned, random_stream& random) override {
      if (blocking_) clock_ = std::max(clock_, static_cast<double>(now));
      return draw(random);
    }

  private:
    std::uint64_t draw(random_stream& random) {
      if (p_ <= 0) return never;
      clock_ += -std::log1p(-uniform(random)) / p_;
      return cycles_of(clock_);
    }
    const double p_;
    const bool blocking_;
    double clock_ = 0;  // exact time of the next packet
  };
  const double p_;
  const bool blocking_;
};

class exponential_entry final : public injection_entry {
public:
  exponential_entry() : injection_entry("exponential") {}
  nlohmann::json schema() const override {
    return {{"description", "Exponential gaps: several packets may come into being in one cycle."}};
  }
  std::shared_ptr<const injection> make(const traffic_context&, const offered_load& load) const override {
    return std::make_shared<exponential_injection>(load);
  }
};

}  // namespace spillway
