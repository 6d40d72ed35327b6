#pragma once
#include <spillway/tb/traffic/entries.hpp>

namespace spillway {

/// As fast as the network takes them: always one packet waits.
class saturated_injection final : public injection {
public:
  std::shared_ptr<arrivals> start(std::uint32_t) const override { return arrivals_; }
  bool waits_for_room() const override { return true; }

private:
  class at_once final : public arrivals {
    std::uint64_t first(std::uint64_t begin, random_stream&) override { return begin; }
    std::uint64_t next(std::uint64_t, std::uint64_t now, unsigned, random_stream&) override { return now; }
  };
  const std::shared_ptr<arrivals> arrivals_ = std::make_shared<at_once>();
};

class saturated_entry final : public injection_entry {
public:
  saturated_entry() : injection_entry("saturated") {}
  nlohmann::json schema() const override {
    return {
        {"description", "As fast as the network takes them, whatever the `rate`: always one packet waits."}};
  }
  std::shared_ptr<const injection> make(const traffic_context&, const offered_load&) const override {
    return std::make_shared<saturated_injection>();
  }
};

}  // namespace spillway
