#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/injections/exponential.hpp>

namespace spillway {

class blocking_entry final : public injection_entry {
public:
  blocking_entry() : injection_entry("blocking") {}
  nlohmann::json schema() const override {
    return {
        {"description", "Exponential gaps, each from when the packet before has found room at the source."}};
  }
  std::shared_ptr<const injection> make(const traffic_context&, const offered_load& load) const override {
    return std::make_shared<exponential_injection>(load, true);
  }
};

}  // namespace spillway
