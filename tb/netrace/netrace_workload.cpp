#include <fmt/format.h>

#include <spillway/tb/netrace/netrace_run.hpp>
#include <spillway/tb/netrace/netrace_workload.hpp>
#include <stdexcept>

namespace spillway {

namespace {

placement place_nodes(const workload_context& c, unsigned nodes) {
  const std::uint32_t each = c.parameters.at("nodes_per_terminal");
  if (nodes > std::uint64_t{each} * c.terminals)
    throw std::invalid_argument(
        fmt::format("the trace has {} nodes, {} terminals have room for {}: expected a network with more, or "
                    "more nodes_per_terminal",
                    nodes, c.terminals, std::uint64_t{each} * c.terminals));
  if (c.parameters.contains("placement_file"))
    return read_placement(c.input("placement_file"), nodes, each, c.terminals);
  return place_in_line(nodes, each);
}

}  // namespace

nlohmann::json netrace_workload::schema() const {
  return parse_schema(R"({
    "description": "A trace of memory traffic with dependencies, in the format of Netrace (as it is, or compressed by bzip2). A packet is sent at its cycle, or when those that it waits for have come.",
    "required": ["file"],
    "properties": {
      "file": {
        "type": "string", "minLength": 1, "x-path": true,
        "description": "The trace, relative to the experiment's file."
      },
      "region": {
        "type": "integer", "minimum": 0, "maximum": 99,
        "description": "Region to begin with, from 0 on; its cycles then begin at 0. The whole trace when left out."
      },
      "dependencies": {
        "type": "boolean", "default": true,
        "description": "Whether packets wait for those that the trace says; false: each is sent at its cycle."
      },
      "latency": {
        "type": "integer", "minimum": 1, "maximum": 1000000, "default": 1,
        "description": "Cycles from the arrival of a packet to the sending of what waits for it; Netrace's example takes 8."
      },
      "flit_bytes": {
        "type": "integer", "minimum": 1, "maximum": 72, "default": 8,
        "description": "Bytes of a flit; messages have 8, or 72 with a line of a cache."
      },
      "nodes_per_terminal": {
        "type": "integer", "minimum": 1, "maximum": 255, "default": 1,
        "description": "Nodes of the trace that a terminal has room for; packets between them do not enter the network."
      },
      "placement_file": {
        "type": "string", "minLength": 1, "x-path": true,
        "description": "Terminals of the nodes, one a line; in line when left out."
      }
    }
  })");
}

workload_plan netrace_workload::plan(const workload_context& c) const {
  netrace_plan plan;
  plan.file = c.input("file");
  plan.terminals = c.terminals;
  const netrace_file head(plan.file);
  plan.where = place_nodes(c, head.nodes());
  if (c.parameters.contains("region")) {
    const std::size_t region = c.parameters.at("region");
    if (region >= head.regions().size())
      throw std::invalid_argument(fmt::format("region: expected one of the trace's {}, from 0 on, found {}",
                                              head.regions().size(), region));
    plan.region = head.regions()[region];
    for (std::size_t r = 0; r < region; ++r) plan.from += head.regions()[r].cycles;
  }
  plan.dependencies = c.parameters.at("dependencies");
  if (plan.dependencies) {
    c.expect_to_hear();
    c.expect_data();
  }
  plan.latency = c.parameters.at("latency");
  plan.flit_bytes = c.parameters.at("flit_bytes");
  check_netrace(plan.file);
  workload_plan result;
  result.longest_packet = plan.flits(72);
  result.begin = [plan] { return std::make_unique<netrace_run>(plan); };
  return result;
}

}  // namespace spillway
