#pragma once
#include <spillway/platforms/elaborate/interface_entry.hpp>

namespace spillway {

/// `switch: {kind: reduction}`: a tree of switches that make one of the contributions of all terminals.
class reduction_entry final : public switch_entry {
public:
  reduction_entry() : switch_entry("reduction") {}

  nlohmann::json schema() const override;
  std::unique_ptr<network_block> make(const switch_context& context) const override;
  bool reduces() const override { return true; }
  std::vector<network_course> courses(const network_uses& networks) const override;
  std::shared_ptr<const switch_plan> plan(const switch_plan_context& context) const override;
  std::vector<objection> object_to(const experiment_view& experiment) const override;
};

/// `interface: {kind: reduction}`: contributions through network 0, results through network 1.
class reduction_interface_entry final : public interface_entry {
public:
  reduction_interface_entry() : interface_entry("reduction") {}

  nlohmann::json schema() const override;
  std::unique_ptr<terminal_unit> make(terminal_context context) const override;
  network_uses networks(const nlohmann::json&) const override {
    return {network_use::packets, network_use::replies};
  }
  packet_requests requests(const nlohmann::json& parameters) const override;
  bool answers() const override { return true; }
  std::vector<objection> object_to(const experiment_view& experiment) const override;
};

}  // namespace spillway
