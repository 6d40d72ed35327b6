#pragma once
#include <spillway/tb/dram/access_stream.hpp>
#include <spillway/tb/dram/module_map.hpp>
#include <spillway/tb/report/latency_meter.hpp>
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

/// What processors do with their accesses.
struct accesses_plan {
  access_config what;
  module_map map;
  std::vector<std::uint32_t> processors, modules;  ///< their terminals
  std::uint32_t terminals = 0;
  std::uint64_t accesses = 0;                       ///< of each processor
  std::uint32_t outstanding = 1;                    ///< misses up to which a processor goes on
  std::uint64_t gap = 0;                            ///< cycles from one miss to the next at least
  double writes = 0;                                ///< share of the accesses that write
  std::uint16_t read_length = 1, write_length = 1;  ///< flits of a request
};

/// What a processor has seen.
struct processor_record {
  latency_meter latency;  ///< of its accesses: from the miss to the reply
  std::uint64_t end = 0;  ///< cycle of its last reply
  std::vector<std::uint64_t> by_module;
};

/// Processors in one run.
class accesses_run final : public workload_run {
public:
  explicit accesses_run(std::shared_ptr<const accesses_plan> plan);
  std::unique_ptr<packet_supply> supply(std::uint32_t terminal) override;
  std::vector<std::unique_ptr<measurement>> measures() override;

private:
  const std::shared_ptr<const accesses_plan> plan_;
  std::shared_ptr<const embedding_table> table_;
  std::vector<processor_record> records_;
};

}  // namespace spillway
