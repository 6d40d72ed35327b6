#pragma once
#include <spillway/hw/dampening/assignment.hpp>
#include <spillway/hw/dampening/dampening_switch.hpp>
#include <spillway/hw/dampening/embargo_interface.hpp>
#include <spillway/platforms/catalogue/block_kinds.hpp>

namespace spillway {

/// Adds the switch of kind `dampening` and the interface of kind `embargo` (Kuszmaul and Kuszmaul).
void add_dampening_kinds(block_kinds& kinds);

/// Whether the links of the platform are embargo links, by what its switches have planned or by their
/// section.
bool has_embargoes(const std::shared_ptr<const switch_plan>& plan);
bool has_embargoes(const nlohmann::json& switch_section);

/// What holds back the embargoed between a terminal and its link into a network of dampening switches.
std::unique_ptr<embargo_interface> make_embargo_interface(const std::string& name, const terminal_context& c,
                                                          const embargo_interface_config& config);

/// The assignments of a platform of dampening switches as its `switch` section names them. Throws
/// std::invalid_argument when the section does not fit the network.
std::shared_ptr<const assignment_plan> make_assignment_plan(const switch_plan_context& context);
/// What the section says of one switch, but for its size.
dampening_switch_config dampening_config(const nlohmann::json& switch_section);

}  // namespace spillway
