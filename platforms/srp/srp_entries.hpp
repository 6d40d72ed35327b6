#pragma once
#include <spillway/platforms/elaborate/dropping_entry.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>

namespace spillway {

/// `dropping: {kind: srp}`: speculative packets have a time of life in every switch.
class srp_dropping_entry final : public dropping_entry {
public:
  srp_dropping_entry() : dropping_entry("srp") {}

  nlohmann::json schema() const override;
  std::shared_ptr<drop_rule> make(const dropping_context& context) const override;
};

/// `dropping: {kind: lhrp}`: the last switch reserves for what it drops.
class lhrp_dropping_entry final : public dropping_entry {
public:
  lhrp_dropping_entry() : dropping_entry("lhrp") {}

  nlohmann::json schema() const override;
  bool returns() const override { return true; }
  std::shared_ptr<drop_rule> make(const dropping_context& context) const override;
};

/// `stages: [{kind: srp}]`: a sender and a receiver at each terminal.
class srp_stage_entry final : public stage_entry {
public:
  srp_stage_entry() : stage_entry("srp") {}

  nlohmann::json schema() const override;
  std::unique_ptr<interface_stage> make(const stage_context& context) const override;
  network_uses networks(const nlohmann::json& parameters, const network_uses& inner) const override;
  port_queues queues(const nlohmann::json& parameters) const override;
  bool repeats() const override { return false; }
  std::vector<objection> object_to(const nlohmann::json& parameters, unsigned packet_length) const override;
  /// What is dropped comes after what was sent behind it.
  bool keeps_order(const nlohmann::json& /*parameters*/) const override { return false; }
  /// The sender takes packets whole, and sends the reservation before them.
  unsigned latency(const nlohmann::json& parameters, unsigned flits) const override;
};

}  // namespace spillway
