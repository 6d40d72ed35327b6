#pragma once
#include <spillway/platforms/elaborate/switch_entry.hpp>

namespace spillway {

/// `switch: {kind: combining}`: replies go back through the switches that their requests came through, so the
/// interfaces must have requests and replies.
class combining_entry final : public switch_entry {
public:
  combining_entry() : switch_entry("combining") {}

  nlohmann::json schema() const override;
  std::unique_ptr<network_block> make(const switch_context& context) const override;
  bool takes_the_lowest(const nlohmann::json&) const override { return true; }
  std::vector<network_course> courses(const network_uses& networks) const override;
  std::shared_ptr<const switch_plan> plan(const switch_plan_context& context) const override;
  bool keeps_order(const nlohmann::json& parameters) const override {
    return !parameters.at("overtakes").get<bool>();
  }
};

}  // namespace spillway
