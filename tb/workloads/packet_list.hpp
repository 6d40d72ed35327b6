#pragma once
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

/// `workload: {kind: packets, file: ...}`: packets from a table, each at its cycle or so many cycles after
/// the arrival of another one at its source. The measure `record` writes such tables.
class packets_workload final : public workload_entry {
public:
  packets_workload() : workload_entry("packets") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

}  // namespace spillway
