#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/tb/built_in/built_in.hpp>
#include <spillway/tb/combining/combining_software.hpp>
#include <spillway/tb/dampening/guarantee_measure.hpp>
#include <spillway/tb/dram/accesses_workload.hpp>
#include <spillway/tb/goal/collective_workload.hpp>
#include <spillway/tb/goal/goal_workload.hpp>
#include <spillway/tb/hypercube/locality.hpp>
#include <spillway/tb/hypercube/messages_measure.hpp>
#include <spillway/tb/measure/recorder.hpp>
#include <spillway/tb/netrace/netrace_workload.hpp>
#include <spillway/tb/traffic/injections/batch.hpp>
#include <spillway/tb/traffic/injections/bernoulli.hpp>
#include <spillway/tb/traffic/injections/blocking.hpp>
#include <spillway/tb/traffic/injections/burst.hpp>
#include <spillway/tb/traffic/injections/exponential.hpp>
#include <spillway/tb/traffic/injections/saturated.hpp>
#include <spillway/tb/traffic/patterns/all_to_one.hpp>
#include <spillway/tb/traffic/patterns/bit_complement.hpp>
#include <spillway/tb/traffic/patterns/bit_reversal.hpp>
#include <spillway/tb/traffic/patterns/cshift.hpp>
#include <spillway/tb/traffic/patterns/group_shift.hpp>
#include <spillway/tb/traffic/patterns/hotspot.hpp>
#include <spillway/tb/traffic/patterns/matrix.hpp>
#include <spillway/tb/traffic/patterns/shift.hpp>
#include <spillway/tb/traffic/patterns/shuffle.hpp>
#include <spillway/tb/traffic/patterns/tornado.hpp>
#include <spillway/tb/traffic/patterns/trace.hpp>
#include <spillway/tb/traffic/patterns/transpose.hpp>
#include <spillway/tb/traffic/patterns/uniform.hpp>
#include <spillway/tb/traffic/software_entry.hpp>
#include <spillway/tb/workloads/coalesce.hpp>
#include <spillway/tb/workloads/cshift.hpp>
#include <spillway/tb/workloads/em3d.hpp>
#include <spillway/tb/workloads/jobs.hpp>
#include <spillway/tb/workloads/messages.hpp>
#include <spillway/tb/workloads/packet_list.hpp>
#include <spillway/tb/workloads/phases.hpp>
#include <spillway/tb/workloads/scan.hpp>

namespace spillway {

catalogue standard_catalogue() {
  catalogue all = platform_catalogue();

  all.add<uniform_entry>();
  all.add<hotspot_entry>();
  all.add<shift_entry>();
  all.add<group_shift_entry>();
  all.add<transpose_entry>();
  all.add<bit_reversal_entry>();
  all.add<bit_complement_entry>();
  all.add<tornado_entry>();
  all.add<shuffle_entry>();
  all.add<all_to_one_entry>();
  all.add<cshift_entry>();
  all.add<trace_entry>();
#if SPILLWAY_HAS_HYPERCUBE
  all.add<locality_entry>();
#endif
  all.add<matrix_entry>();

  all.add<bernoulli_entry>();
  all.add<exponential_entry>();
  all.add<saturated_entry>();
  all.add<burst_entry>();
  all.add<batch_entry>();
  all.add<blocking_entry>();

  all.add<phases_workload>();
  all.add<cshift_workload>();
  all.add<em3d_workload>();
  all.add<scan_workload>();
  all.add<coalesce_workload>();
  all.add<messages_workload>();
  all.add<packets_workload>();
  all.add<jobs_workload>();
#if SPILLWAY_HAS_DRAM
  all.add<accesses_workload>();
#endif
#if SPILLWAY_HAS_GOAL
  all.add<goal_workload>();
  all.add<collective_workload>();
#endif
#if SPILLWAY_HAS_NETRACE
  all.add<netrace_workload>();
#endif

  all.of<software_entry>();  // an axis, whatever is left out
#if SPILLWAY_HAS_COMBINING
  all.add<combining_software>();
#endif

  all.add<record_measure>();
#if SPILLWAY_HAS_DAMPENING
  all.add<guarantee_measure>();
#endif
#if SPILLWAY_HAS_HYPERCUBE
  all.add<messages_measure>();
#endif
  return all;
}

}  // namespace spillway
