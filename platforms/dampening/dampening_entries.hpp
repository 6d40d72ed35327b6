#pragma once
#include <spillway/hw/dampening/assignment.hpp>
#include <spillway/hw/dampening/dampening_switch.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>

namespace spillway {

/// `switch: {kind: dampening}` (Kuszmaul and Kuszmaul). Its port holds back the embargoed between packet
/// links of an interface and the network's embargo link.
class dampening_switch_entry final : public switch_entry {
public:
  dampening_switch_entry() : switch_entry("dampening") {}

  nlohmann::json schema() const override;
  std::unique_ptr<network_block> make(const switch_context& context) const override;
  std::string link_kind() const override { return "embargo"; }
  std::unique_ptr<network_link> make_link(const nlohmann::json& parameters, link_place place) const override;
  bool takes_the_lowest(const nlohmann::json&) const override { return true; }
  bool has_port() const override { return true; }
  std::unique_ptr<interface_stage> make_port(const port_context& context) const override;
  std::shared_ptr<const switch_plan> plan(const switch_plan_context& context) const override;
  std::optional<double> room(const nlohmann::json& parameters, unsigned inputs, unsigned outputs,
                             std::size_t terminals) const override;
  std::optional<zero_load> latency(const latency_context& context) const override;
  void describe_buffers(const nlohmann::json& parameters, analysis_options& options) const override;
  std::optional<transaction_timing> transactions(const nlohmann::json& parameters) const override;
  std::vector<objection> object_to(const experiment_view& experiment) const override;
};

/// `interface: {kind: embargo}`: a source, a sink, and what holds back the embargoed.
class embargo_interface_entry final : public interface_entry {
public:
  embargo_interface_entry() : interface_entry("embargo") {}

  nlohmann::json schema() const override;
  std::unique_ptr<terminal_unit> make(terminal_context context) const override;
  std::string link_kind() const override { return "embargo"; }
};

/// The assignments of a platform of dampening switches as its `switch` section names them. Throws
/// std::invalid_argument when the section does not fit the network.
std::shared_ptr<const assignment_plan> make_assignment_plan(const switch_plan_context& context);
/// What the section says of one switch, but for its size.
dampening_switch_config dampening_config(const nlohmann::json& switch_section);

}  // namespace spillway
