#pragma once
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

class messages_workload final : public workload_entry {
public:
  messages_workload() : workload_entry("messages") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

}  // namespace spillway
