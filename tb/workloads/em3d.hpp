#pragma once
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

class em3d_workload final : public workload_entry {
public:
  em3d_workload() : workload_entry("em3d") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

}  // namespace spillway
