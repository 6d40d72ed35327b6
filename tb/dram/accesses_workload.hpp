#pragma once
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

/// `workload: {kind: accesses}`: processors whose caches miss, and whose misses an address map spreads over
/// memory modules.
class accesses_workload final : public workload_entry {
public:
  accesses_workload() : workload_entry("accesses") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

}  // namespace spillway
