#pragma once
#include <spillway/platforms/elaborate/switch_entry.hpp>
#include <spillway/platforms/packet/buffer_entries.hpp>
#include <spillway/platforms/switching/arbiter_entry.hpp>

namespace spillway {

/// `switch: {kind: packet}`: a buffer pool a switch; in the last stage memory queues, if asked for.
class packet_switch_entry final : public switch_entry {
public:
  /// Its buffers and arbiters are chosen from this catalogue.
  explicit packet_switch_entry(catalogue& all);

  nlohmann::json schema() const override;
  std::unique_ptr<network_block> make(const switch_context& context) const override;
  std::unique_ptr<network_link> make_link(const nlohmann::json& parameters, link_place place) const override;
  bool takes_long_links(const nlohmann::json& parameters) const override;
  bool looks_ahead(const nlohmann::json& parameters) const override;
  std::string writes_no_routes(const nlohmann::json& parameters) const override;
  std::string takes_no_marks(const nlohmann::json&) const override { return {}; }
  bool takes_the_lowest(const nlohmann::json& parameters) const override;
  std::shared_ptr<const switch_plan> plan(const switch_plan_context& context) const override;
  std::optional<double> room(const nlohmann::json& parameters, unsigned inputs, unsigned outputs,
                             std::size_t terminals) const override;
  std::optional<zero_load> latency(const latency_context& context) const override;
  void describe_buffers(const nlohmann::json& parameters, analysis_options& options) const override;
  std::vector<objection> object_to(const experiment_view& experiment) const override;
  std::optional<transaction_timing> transactions(const nlohmann::json& parameters) const override;

private:
  buffer_pool_config config_of(const nlohmann::json& parameters) const;

  const axis<buffering_entry>& bufferings_;
  const axis<assignment_entry>& assignments_;
  const axis<arbiter_entry>& arbiters_;
};

}  // namespace spillway
