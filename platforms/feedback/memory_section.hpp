#pragma once
#include <nlohmann/json.hpp>
#include <spillway/hw/endpoints/memory_module.hpp>
#include <spillway/hw/feedback/admission_arbiter.hpp>
#include <spillway/hw/feedback/feedback_interface.hpp>
#include <spillway/hw/feedback/memory_monitor.hpp>

namespace spillway::memory_section {

// What the keys of the interfaces `memory` and `feedback` say.

bool has_replies(const nlohmann::json& p);
bool has_nifdy(const nlohmann::json& p);

// Networks: 0 of the requests, then that of NIFDY's acknowledgements, then that of the replies.
constexpr unsigned unit_networks = 2;
unsigned reply_network(const nlohmann::json& p);

memory_config memory_of(const nlohmann::json& p);
/// Throws std::invalid_argument as temperature_rule::check(), of the lengths that the section has.
temperature_rule rule_of(const nlohmann::json& p);
feedback_interface_config interface_of(const nlohmann::json& p, unsigned terminals, std::uint64_t seed);
admission_limits limits_of(const nlohmann::json& p);

}  // namespace spillway::memory_section
