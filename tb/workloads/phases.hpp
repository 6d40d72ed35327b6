#pragma once
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

class phases_workload final : public workload_entry {
public:
  phases_workload() : workload_entry("phases") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

}  // namespace spillway
