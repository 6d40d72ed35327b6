#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/platforms/catalogue/entry.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/packet_requests.hpp>

namespace spillway {

/// What a planner of workloads is told.
struct workload_context {
  std::uint32_t terminals = 0;
  std::uint16_t packet_length = 1;  ///< flits, which are words here
  std::uint64_t seed = 1;
  const nlohmann::json& parameters;  ///< the `workload` section, defaults filled in
  packet_requests requests = {};     ///< what can be asked of the interfaces
};

/// A program that all terminals run, ready to be given to them.
struct workload_plan {
  std::function<std::unique_ptr<packet_supply>(std::uint32_t terminal)> make;
  bool barriers = false;  ///< it waits at barriers, so it needs processors that share one
  bool ends = true;       ///< it stops sending at some time
};

/// A program that terminals can run: `workload: {kind: NAME, ...}`.
class workload_entry : public catalogue_entry {
public:
  using axis_entry = workload_entry;
  static axis_place place() { return {"workload"}; }
  /// Throws std::invalid_argument when its parameters do not fit each other or the network.
  virtual workload_plan plan(const workload_context& context) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
