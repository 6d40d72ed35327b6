#pragma once
#include <spillway/tb/goal/goal_run.hpp>
#include <spillway/tb/workloads/workload.hpp>

namespace spillway {

/// `workload: {kind: goal, file: ...}`: the ranks of a GOAL file.
class goal_workload final : public workload_entry {
public:
  goal_workload() : workload_entry("goal") {}
  nlohmann::json schema() const override;
  workload_plan plan(const workload_context& context) const override;
};

/// A GOAL file, text or binary, as its first bytes say. Throws as goal_file and binary_goal.
std::shared_ptr<const goal_program> open_goal(const std::filesystem::path& path, std::uint64_t most_ranks,
                                              const std::string& limit);
/// Ranks that terminals have room for, and why no more, for a message.
std::uint64_t room_for_ranks(const workload_context& context);
/// The plan of a program whose ranks the section places. `reduces`: of programs that have the network reduce.
/// Throws std::invalid_argument and config_error.
workload_plan plan_of(std::shared_ptr<const goal_program> program, const workload_context& context,
                      std::optional<goal_reduction> reduces = {});

}  // namespace spillway
