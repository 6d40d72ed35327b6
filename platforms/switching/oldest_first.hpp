#pragma once
#include <spillway/hw/switching/oldest_first_arbiter.hpp>
#include <spillway/platforms/switching/arbiter_entry.hpp>

namespace spillway {

class oldest_first_entry final : public arbiter_entry {
public:
  oldest_first_entry() : arbiter_entry("oldest_first") {}

  nlohmann::json schema() const override {
    return {{"description", "The packet that came to the switch first."}};
  }
  arbiter_maker maker(const nlohmann::json&) const override {
    return [](unsigned) { return std::make_unique<oldest_first_arbiter>(); };
  }
};

}  // namespace spillway
