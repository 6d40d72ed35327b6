#include <fmt/format.h>

#include <spillway/tb/goal/binary_goal.hpp>
#include <spillway/tb/goal/goal_file.hpp>
#include <spillway/tb/goal/goal_workload.hpp>
#include <stdexcept>

namespace spillway {

namespace {

placement place_ranks(const workload_context& c, std::uint32_t ranks) {
  const std::uint32_t each = c.parameters.at("ranks_per_terminal");
  const auto kind = c.parameters.at("placement").get<std::string>();
  const bool has_file = c.parameters.contains("placement_file");
  if (has_file != (kind == "file"))
    throw std::invalid_argument(has_file ? "a placement_file goes with placement: file"
                                         : "placement: file needs a placement_file");
  if (kind == "file") return read_placement(c.input("placement_file"), ranks, each, c.terminals);
  if (kind == "random") return place_at_random(ranks, each, c.terminals, c.seed);
  return place_in_line(ranks, each);
}

}  // namespace

std::shared_ptr<const goal_program> open_goal(const std::filesystem::path& path, std::uint64_t most_ranks,
                                              const std::string& limit) {
  if (binary_goal::is_one(path)) return std::make_shared<binary_goal>(path, most_ranks, limit);
  return std::make_shared<goal_file>(path, most_ranks, limit);
}

std::uint64_t room_for_ranks(const workload_context& c) {
  return std::uint64_t{c.terminals} * c.parameters.at("ranks_per_terminal").get<std::uint32_t>();
}

workload_plan plan_of(std::shared_ptr<const goal_program> program, const workload_context& c,
                      std::optional<goal_reduction> reduces) {
  c.expect_to_hear();
  c.expect_data();
  goal_plan plan;
  plan.terminals = c.terminals;
  plan.host = host_settings(c.parameters, c.period, c.packet_length);
  plan.requests = c.requests;
  plan.where = place_ranks(c, program->ranks());
  plan.program = std::move(program);
  plan.reduces = std::move(reduces);
  workload_plan result;
  result.used.resize(c.terminals);
  for (const std::uint32_t terminal : plan.where) result.used[terminal] = true;
  result.begin = [plan] { return std::make_unique<goal_run>(plan); };
  return result;
}

nlohmann::json goal_workload::schema() const {
  nlohmann::json schema = parse_schema(R"({
    "description": "A trace with dependencies: the ranks of a GOAL file, in the text or the binary format of LogGOPSim, on hosts with the parameters of LogGOPS.",
    "required": ["file"],
    "properties": {
      "file": {
        "type": "string", "minLength": 1, "x-path": true,
        "description": "GOAL file, relative to the experiment's file."
      }
    }
  })");
  schema["properties"].update(host_settings::schema());
  return schema;
}

workload_plan goal_workload::plan(const workload_context& c) const {
  const std::uint64_t room = room_for_ranks(c);
  const std::string why = fmt::format("as {} terminals have {} each", c.terminals,
                                      c.parameters.at("ranks_per_terminal").get<std::uint32_t>());
  return plan_of(open_goal(c.input("file"), room, why), c);
}

}  // namespace spillway
