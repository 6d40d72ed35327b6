#pragma once
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

/// `workload: {kind: jobs, jobs: [{name: NAME, workload: {...}, ...}, ...]}`: several programs side by side,
/// each on terminals of its own, as if these were all that there are.
class jobs_workload final : public workload_entry {
public:
  jobs_workload() : workload_entry("jobs") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

}  // namespace spillway
