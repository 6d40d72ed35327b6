// A pattern, an injection and a workload of our own.
#pragma once
#include <algorithm>
#include <cmath>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/workloads/workload.hpp>
#include <vector>

namespace own {

/// Terminal k is as popular as (k + 1)^-skew.
class popular final : public spillway::pattern {
public:
  popular(std::uint32_t terminals, double skew) {
    double sum = 0;
    for (std::uint32_t k = 0; k < terminals; ++k) up_to_.push_back(sum += std::pow(k + 1, -skew));
  }
  void address(spillway::packet_order& packet, std::uint32_t, std::uint64_t,
               spillway::random_stream& random) const override {
    const auto at = std::lower_bound(up_to_.begin(), up_to_.end(), spillway::uniform(random) * up_to_.back());
    packet.destination = static_cast<std::uint32_t>(at - up_to_.begin());
  }
  std::vector<std::uint32_t> hotspots() const override { return {0}; }

private:
  std::vector<double> up_to_;
};

class zipf final : public spillway::pattern_entry {
public:
  zipf() : pattern_entry("zipf") {}
  nlohmann::json schema() const override {
    return spillway::parse_schema(R"({
      "description": "Terminal k is as popular as (k + 1)^-skew.",
      "properties": {"skew": {"type": "number", "minimum": 0, "maximum": 10, "default": 1, "description": "Exponent."}}})");
  }
  std::shared_ptr<const spillway::pattern> make(const spillway::traffic_context& c) const override {
    return std::make_shared<popular>(c.terminals, c.section().at("skew").get<double>());
  }
};

/// A volley of packets back to back every `every` cycles.
class volleys final : public spillway::injection {
public:
  volleys(std::uint64_t every, std::uint64_t size) : every_(every), size_(size) {}
  std::shared_ptr<spillway::arrivals> start(std::uint32_t) const override {
    return std::make_unique<times>(every_, size_);
  }

private:
  class times final : public spillway::arrivals {
  public:
    times(std::uint64_t every, std::uint64_t size) : every_(every), size_(size), left_(size) {}
    std::uint64_t first(std::uint64_t begin, spillway::random_stream&) override { return start_ = begin; }
    std::uint64_t next(std::uint64_t due, std::uint64_t, unsigned length, spillway::random_stream&) override {
      if (--left_) return due + length;
      left_ = size_;
      return start_ += every_;
    }

  private:
    const std::uint64_t every_, size_;
    std::uint64_t left_, start_ = 0;
  };
  const std::uint64_t every_, size_;
};

class volley final : public spillway::injection_entry {
public:
  volley() : injection_entry("volley") {}
  nlohmann::json schema() const override {
    return spillway::parse_schema(R"({
      "description": "Packets back to back, then a pause.",
      "properties": {
        "every": {"type": "integer", "minimum": 1, "default": 200, "description": "Cycles from volley to volley."},
        "size": {"type": "integer", "minimum": 1, "default": 4, "description": "Packets of one."}
      }})");
  }
  std::shared_ptr<const spillway::injection> make(const spillway::traffic_context& c,
                                                  const spillway::offered_load& load) const override {
    const std::uint64_t every = c.section().at("every"), size = c.section().at("size");
    if (static_cast<double>(size) * load.length > static_cast<double>(every))
      c.fail("every",
             "expected time for the packets of a volley, found " + std::to_string(every) + " cycles");
    return std::make_shared<volleys>(every, size);
  }
};

/// A packet that goes round all terminals `laps` times; each sends it on when it has come.
class relay final : public spillway::packet_supply {
public:
  relay(std::uint32_t terminal, std::uint32_t terminals, std::uint16_t length, std::uint32_t laps)
      : next_((terminal + 1) % terminals),
        length_(length),
        to_send_(terminal == 0),
        left_(laps - (terminal == 0)) {}

  std::uint64_t due(std::uint64_t now, std::size_t) override {
    return to_send_ ? std::max(now, not_before_) : never;
  }
  spillway::packet_order take(std::uint64_t) override {
    --to_send_;
    spillway::packet_order order;
    order.destination = next_;
    order.length = length_;
    return order;
  }
  void arrived(std::uint64_t now, const spillway::flit& f) override {
    if (f.index + 1u != f.length || left_ == 0) return;
    --left_, ++to_send_;
    not_before_ = now + 1;
  }
  bool exhausted() const override { return to_send_ == 0; }
  bool listens() const override { return true; }

private:
  const std::uint32_t next_;
  const std::uint16_t length_;
  std::uint32_t to_send_, left_;
  std::uint64_t not_before_ = 0;
};

class relay_workload final : public spillway::workload_entry {
public:
  relay_workload() : workload_entry("relay") {}
  nlohmann::json schema() const override {
    return spillway::parse_schema(R"({
      "description": "A packet that goes round all terminals.",
      "properties": {"laps": {"type": "integer", "minimum": 1, "maximum": 1000000, "default": 3, "description": "Times."}}})");
  }
  spillway::workload_plan plan(const spillway::workload_context& c) const override {
    spillway::workload_plan made;
    made.make = [n = c.terminals, length = c.packet_length,
                 laps = c.parameters.at("laps").get<std::uint32_t>()](std::uint32_t terminal) {
      return std::make_unique<relay>(terminal, n, length, laps);
    };
    return made;
  }
};

}  // namespace own
