#pragma once
#include <algorithm>
#include <cmath>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/tb/traffic/entries.hpp>

namespace spillway {

/// On and off: bursts of packets, or of messages of several, back to back, with gaps between. Burst lengths
/// are geometric, gaps exponential.
class burst_injection final : public injection {
public:
  /// `packets`: of a burst, on average; messages, where these have several.
  burst_injection(const offered_load& load, double packets) : load_(load), packets_(packets) {}

  std::shared_ptr<arrivals> start(std::uint32_t) const override { return std::make_unique<bursts>(*this); }

private:
  class bursts final : public arrivals {
  public:
    explicit bursts(const burst_injection& of) : load_(of.load_), packets_(of.packets_) {}
    std::uint64_t first(std::uint64_t begin, random_stream& random) override {
      return load_.packets() <= 0 ? never : begin + gap(random);
    }
    std::uint64_t next(std::uint64_t due, std::uint64_t, unsigned length, random_stream& random) override {
      if (left_ > 1) {
        --left_;
        return due + length;
      }
      return due + length + gap(random);
    }

  private:
    /// Cycles before a burst, whose length is drawn with them.
    std::uint64_t gap(random_stream& random) {
      // Mean gap that gives the mean rate when a burst runs at full speed.
      const double quiet = std::max(0.0, packets_ * load_.length * (1 / load_.rate - 1));
      const double cycles = rest_ - std::log1p(-uniform(random)) * quiet;
      left_ = packets_ <= 1
                  ? 1
                  : 1 + static_cast<std::uint64_t>(std::log1p(-uniform(random)) / std::log1p(-1 / packets_));
      const std::uint64_t whole = cycles_of(cycles);
      rest_ = cycles < 1e15 ? cycles - static_cast<double>(whole) : 0;
      return whole;
    }
    const offered_load load_;
    const double packets_;
    std::uint64_t left_ = 0;  // of the burst, the next packet included
    double rest_ = 0;         // of a cycle, for the next gap: what is left out would raise the rate
  };
  const offered_load load_;
  const double packets_;
};

class burst_entry final : public injection_entry {
public:
  burst_entry() : injection_entry("burst") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "Bursts of packets back to back, with gaps between.",
      "properties": {
        "burst": {
          "description": "Shape of the bursts.",
          "type": "object", "default": {}, "additionalProperties": false,
          "properties": {
            "length": {
              "type": "integer", "minimum": 1, "maximum": 4294967295, "default": 16,
              "description": "Packets of a burst, on average; with `message` above 1, messages."
            }
          }
        }
      }
    })");
  }
  std::shared_ptr<const injection> make(const traffic_context& c, const offered_load& load) const override {
    need_at_most_one_a_cycle(c, load);
    return std::make_shared<burst_injection>(load, c.section().at("burst").at("length").get<double>());
  }
};

}  // namespace spillway
