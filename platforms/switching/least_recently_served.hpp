#pragma once
#include <spillway/hw/switching/least_recently_served_arbiter.hpp>
#include <spillway/platforms/switching/arbiter_entry.hpp>

namespace spillway {

class least_recently_served_entry final : public arbiter_entry {
public:
  least_recently_served_entry() : arbiter_entry("least_recently_served") {}

  nlohmann::json schema() const override {
    return {{"description", "The input whose turn has been longest ago (a matrix arbiter)."}};
  }
  arbiter_maker maker(const nlohmann::json&) const override {
    return [](unsigned requesters) { return std::make_unique<least_recently_served_arbiter>(requesters); };
  }
};

}  // namespace spillway
