#pragma once
#include <spillway/platforms/elaborate/switch_entry.hpp>

namespace spillway {

/// `switch: {kind: message_node}`: nodes whose links are queues with a rate (Dandamudi and Eager).
class message_node_entry final : public switch_entry {
public:
  message_node_entry() : switch_entry("message_node") {}

  nlohmann::json schema() const override;
  std::unique_ptr<network_block> make(const switch_context& context) const override;
  bool keeps_order(const nlohmann::json& parameters) const override;
  std::vector<objection> object_to(const experiment_view& experiment) const override;
  /// A bounded node grants a buffer to a head that is shown; stages show one only where there is room.
  bool takes_long_links(const nlohmann::json& parameters) const override {
    return parameters.at("buffers") == 0;
  }
  std::string changes_data(const nlohmann::json& parameters) const override;
  double longest_wait(const nlohmann::json& parameters) const override;
  std::shared_ptr<const switch_plan> plan(const switch_plan_context& context) const override;
  void describe_buffers(const nlohmann::json& parameters, analysis_options& options) const override;
};

}  // namespace spillway
