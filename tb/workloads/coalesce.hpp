#pragma once
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

class coalesce_workload final : public workload_entry {
public:
  coalesce_workload() : workload_entry("coalesce") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

}  // namespace spillway
