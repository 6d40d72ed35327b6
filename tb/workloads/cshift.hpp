#pragma once
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

class cshift_workload final : public workload_entry {
public:
  cshift_workload() : workload_entry("cshift") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

}  // namespace spillway
