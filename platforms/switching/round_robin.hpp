#pragma once
#include <spillway/platforms/switching/arbiter_entry.hpp>

namespace spillway {

class round_robin_entry final : public arbiter_entry {
public:
  round_robin_entry() : arbiter_entry("round_robin") {}

  nlohmann::json schema() const override { return {{"description", "By turns."}}; }
  arbiter_maker maker(const nlohmann::json&) const override { return {}; }
};

}  // namespace spillway
