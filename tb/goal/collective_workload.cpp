#include <fmt/format.h>

#include <map>
#include <spillway/tb/goal/collective_program.hpp>
#include <spillway/tb/goal/collective_workload.hpp>
#include <spillway/tb/goal/goal_workload.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using operation = collective_operation;
using algorithm = collective_algorithm;

const std::map<std::string, operation> operation_names{
    {"all_reduce", operation::all_reduce},       {"barrier", operation::barrier},
    {"all_gather", operation::all_gather},       {"reduce_scatter", operation::reduce_scatter},
    {"all_to_all", operation::all_to_all},       {"mixture_of_experts", operation::mixture_of_experts},
    {"halo_exchange", operation::halo_exchange}, {"pipeline", operation::pipeline}};
const std::map<std::string, algorithm> algorithms{{"ring", algorithm::ring},
                                                  {"recursive_doubling", algorithm::recursive_doubling},
                                                  {"tree", algorithm::tree},
                                                  {"direct", algorithm::direct},
                                                  {"network", algorithm::network}};

/// The algorithms of each operation, first the one when none is named.
std::vector<std::string> algorithms_of(operation what) {
  switch (what) {
    case operation::all_reduce:
      return {"ring", "recursive_doubling", "tree", "network"};
    case operation::barrier:
      return {"tree", "recursive_doubling", "network"};
    case operation::all_gather:
    case operation::reduce_scatter:
      return {"ring", "recursive_doubling"};
    default:
      return {"direct"};
  }
}

algorithm chosen(const nlohmann::json& section, operation what) {
  const std::vector<std::string> known = algorithms_of(what);
  if (!section.contains("algorithm")) return algorithms.at(known.front());
  const auto name = section.at("algorithm").get<std::string>();
  std::string list;
  for (const std::string& each : known) {
    if (each == name) return algorithms.at(name);
    list += (list.empty() ? "" : ", ") + each;
  }
  throw std::invalid_argument(fmt::format("algorithm: expected one of {} for {}, found {}", list,
                                          section.at("operation").get<std::string>(), name));
}

/// What a network that reduces is asked for.
goal_reduction reduction_by_network(const workload_context& c, std::uint32_t ranks) {
  const auto kind = c.parameters.at("reduction").get<std::string>();
  const auto word = c.requests.reductions.find(kind);
  if (word == c.requests.reductions.end())
    throw std::invalid_argument(
        "algorithm: network is for networks that reduce: expected `switch: {kind: reduction}` and "
        "`interface: "
        "{kind: reduction}`");
  if (ranks != c.terminals || c.parameters.at("ranks_per_terminal") != 1)
    throw std::invalid_argument(fmt::format(
        "algorithm: network waits for all terminals: expected {} ranks, one each, found {}, of which a "
        "terminal may have {}",
        c.terminals, ranks, c.parameters.at("ranks_per_terminal").get<std::uint32_t>()));
  return {kind, word->second, c.seed, c.parameters.at("groups")};
}

}  // namespace

nlohmann::json collective_workload::schema() const {
  nlohmann::json schema = parse_schema(R"({
    "description": "A collective operation among ranks, step after step, on hosts as those of a GOAL trace.",
    "required": ["operation"],
    "properties": {
      "operation": {
        "enum": ["all_reduce", "barrier", "all_gather", "reduce_scatter", "all_to_all", "mixture_of_experts", "halo_exchange", "pipeline"],
        "description": "What the ranks do in each step; mixture_of_experts sends tokens to experts, one a rank, and back."
      },
      "algorithm": {
        "enum": ["ring", "recursive_doubling", "tree", "direct", "network"],
        "description": "How; the first that the operation has when left out. all_reduce: ring, recursive_doubling, tree, network (its switches reduce, one rank a terminal); barrier: tree, recursive_doubling, network; all_gather and reduce_scatter: ring, recursive_doubling; all others: direct."
      },
      "reduction": {
        "enum": ["sum", "minimum", "maximum"], "default": "sum",
        "description": "What the network makes of the words that ranks contribute, one a packet; every rank compares the result."
      },
      "groups": {
        "type": "integer", "minimum": 1, "maximum": 64, "default": 1,
        "description": "With algorithm network: groups that reduce apart and at once, as many as the switches have; a rank is in the one of its terminal."
      },
      "ranks": {
        "type": "integer", "minimum": 2, "maximum": 16777216,
        "description": "Ranks; as many as the terminals have room for when left out."
      },
      "bytes": {
        "type": "integer", "minimum": 1, "maximum": 281474976710656, "default": 1024,
        "description": "Bytes of the whole vector (a barrier has none); of a token for mixture_of_experts; of a message for halo_exchange and pipeline."
      },
      "repeat": {
        "type": "integer", "minimum": 1, "maximum": 1000000, "default": 1,
        "description": "Steps; a rank begins one when it is done with the one before."
      },
      "compute": {
        "type": "number", "minimum": 0, "maximum": 1e9, "default": 0,
        "description": "Nanoseconds for each byte that a rank reduces, or each token of an expert."
      },
      "think": {
        "type": "integer", "minimum": 0, "maximum": 1000000000000, "default": 0,
        "description": "Nanoseconds that each rank computes before each step."
      },
      "tokens": {
        "type": "integer", "minimum": 1, "maximum": 1000000, "default": 64,
        "description": "Tokens of a rank in a step, for mixture_of_experts."
      },
      "skew": {
        "type": "number", "minimum": 0, "maximum": 10, "default": 1,
        "description": "Exponent of Zipf's law for the popularity of experts; 0: all alike."
      },
      "change": {
        "type": "integer", "minimum": 0, "maximum": 1000000, "default": 0,
        "description": "Steps after which other experts are popular; 0: never."
      }
    }
  })");
  schema["properties"].update(host_settings::schema());
  return schema;
}

workload_plan collective_workload::plan(const workload_context& c) const {
  const nlohmann::json& section = c.parameters;
  collective_config config;
  config.operation = operation_names.at(section.at("operation"));
  config.algorithm = chosen(section, config.operation);
  const std::uint64_t room = room_for_ranks(c);
  const std::uint64_t ranks = section.value("ranks", room);
  if (ranks > room)
    throw std::invalid_argument(
        fmt::format("expected at most {} ranks, as {} terminals have {} each, found {}", room, c.terminals,
                    room / c.terminals, ranks));
  config.ranks = static_cast<std::uint32_t>(ranks);
  config.bytes = config.operation == operation::barrier ? 0 : section.at("bytes").get<std::uint64_t>();
  config.repeat = section.at("repeat");
  config.compute = section.at("compute");
  config.think = section.at("think");
  config.experts = {config.ranks, section.at("tokens"), section.at("skew"), section.at("change"), c.seed};
  const auto program = std::make_shared<collective_program>(config);
  if (config.algorithm != algorithm::network && section.at("groups") != 1)
    throw std::invalid_argument("groups are for `algorithm: network`, found " + section.at("groups").dump());
  if (config.algorithm == algorithm::network)
    return plan_of(program, c, reduction_by_network(c, config.ranks));
  return plan_of(program, c);
}

}  // namespace spillway
