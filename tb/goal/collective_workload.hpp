#pragma once
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

/// `workload: {kind: collective, operation: all_reduce, ...}`.
class collective_workload final : public workload_entry {
public:
  collective_workload() : workload_entry("collective") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

}  // namespace spillway
