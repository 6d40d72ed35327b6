#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <string>

namespace spillway {

/// What a planner of workloads is told.
struct workload_context {
  std::uint32_t terminals = 0;
  std::uint16_t packet_length = 1;  ///< flits, which are words here
  std::uint64_t seed = 1;
  const nlohmann::json& parameters;  ///< the `workload` section, defaults filled in
};

/// A program that all terminals run, ready to be given to them.
struct workload_plan {
  std::function<std::unique_ptr<packet_supply>(std::uint32_t terminal)> make;
  bool barriers = false;  ///< it waits at barriers, so it needs processors that share one
  bool ends = true;       ///< it stops sending at some time
};

/// Plans a program. Throws std::invalid_argument when its parameters do not fit each other or the network.
using workload_kind = std::function<workload_plan(const workload_context&)>;

/// Name to planner; each kind has a file of its own here, and its keys in yaml/schema.
std::map<std::string, workload_kind> standard_workloads();

workload_plan plan_phases(const workload_context& context);
workload_plan plan_cshift(const workload_context& context);
workload_plan plan_em3d(const workload_context& context);
workload_plan plan_scan(const workload_context& context);
workload_plan plan_coalesce(const workload_context& context);
workload_plan plan_messages(const workload_context& context);

}  // namespace spillway
