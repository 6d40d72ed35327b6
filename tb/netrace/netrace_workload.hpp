#pragma once
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

/// `workload: {kind: netrace, file: ...}`: a trace of memory traffic in the format of Netrace.
class netrace_workload final : public workload_entry {
public:
  netrace_workload() : workload_entry("netrace") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

}  // namespace spillway
