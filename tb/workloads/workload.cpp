#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

std::map<std::string, workload_kind> standard_workloads() {
  return {{"phases", plan_phases}, {"cshift", plan_cshift},     {"em3d", plan_em3d},
          {"scan", plan_scan},     {"coalesce", plan_coalesce}, {"messages", plan_messages}};
}

}  // namespace spillway
