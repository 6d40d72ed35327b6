#pragma once
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

class scan_workload final : public workload_entry {
public:
  scan_workload() : workload_entry("scan") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

}  // namespace spillway
