#include <spillway/hw/reduction/contribution.hpp>
#include <spillway/hw/reduction/contributor.hpp>
#include <spillway/hw/reduction/reduction_switch.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/reduction/reduction_entries.hpp>
#include <spillway/platforms/reduction/reduction_tree.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using nlohmann::json;
using pointer = json::json_pointer;

/// The source of contributions and the sink of results. Nothing comes by network 0, and nothing is sent into
/// network 1.
class reduction_unit final : public terminal_unit {
public:
  reduction_unit(terminal_context c, unsigned groups)
      : arrivals_(make_arrival_link(c)),
        source_(("source_" + std::to_string(c.terminal)).c_str(), c.terminal % groups, groups, c.terminal,
                std::move(c.supply), c.observer, std::move(c.routes), c.next, c.source_queue),
        sink_(("sink_" + std::to_string(c.terminal)).c_str(), c.terminal, c.service, c.observer,
              arrivals_ != nullptr) {
    if (arrivals_) arrivals_->connect(sink_.arrivals[0]), arrivals_->connect(source_.arrivals[0]);
  }

  void connect_output(unsigned network, network_link& l) override {
    if (network == 0) link_cast<packet_link>(l).connect(source_.out);
  }
  void connect_input(unsigned network, network_link& l) override {
    if (network == 1) link_cast<packet_link>(l).connect(sink_.in);
  }
  std::vector<clocked*> blocks() override { return {&source_, &sink_}; }
  std::vector<network_link*> links() override {
    if (!arrivals_) return {};
    return {arrivals_.get()};
  }
  std::uint64_t held_flits() const override { return source_.backlog_flits(); }
  std::uint64_t lost_in_reset() const override { return source_.lost_in_reset(); }

private:
  const std::unique_ptr<arrival_link> arrivals_;
  contributor source_;
  sink sink_;
};

}  // namespace

json reduction_entry::schema() const {
  return parse_schema(R"json({
  "description": "Switch of a tree that makes one of what its children contribute to a round, and gives each child the result (as SHARP and NVLS; the NYU Ultracomputer's combining made to wait for all). Contributions of one flit through one network, results back through another; needs the interface reduction and a workload with `algorithm: network`, or a table of contributions (`kind: packets`).",
  "properties": {
    "groups": {
      "type": "integer",
      "minimum": 1,
      "maximum": 64,
      "default": 1,
      "description": "Groups of terminals that reduce apart, each with a tree, a table and a lane of the links of its own: a terminal is in the one of its number modulo groups. As many as the workload has."
    },
    "rounds": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65536,
      "default": 16,
      "description": "Rounds under way that a switch has places for, one a child, of each group; contributions to later ones wait before it."
    },
    "root": {
      "type": "integer",
      "minimum": 0,
      "description": "Number of the switch that the tree has its root at; when left out the first switch of a stage (column), of these one that is nearest to the farthest terminal."
    }
  }
})json");
}

std::unique_ptr<network_block> reduction_entry::make(const switch_context& context) const {
  reduction_switch_config config;
  config.inputs = context.inputs;
  config.outputs = context.outputs;
  config.groups.clear();
  for (const reduction_tree& tree : context.plan->as<reduction_plan>().groups)
    config.groups.push_back(tree.switches.at(context.node));
  config.terminals = context.terminal_inputs;
  config.rounds = context.parameters.at("rounds");
  return std::make_unique<reduction_switch>(context.name.c_str(), config);
}

std::vector<network_course> reduction_entry::courses(const network_uses& networks) const {
  if (networks != network_uses{network_use::packets, network_use::replies})
    throw std::invalid_argument(
        "switches of kind reduction carry contributions and results: expected an interface with these two "
        "networks");
  return {{0, false}, {0, true}};
}

std::shared_ptr<const switch_plan> reduction_entry::plan(const switch_plan_context& c) const {
  if (c.packet_length != 1)
    throw std::invalid_argument(
        "switches of kind reduction take contributions of one flit, found packets of " +
        std::to_string(c.packet_length));
  std::optional<unsigned> root;
  if (c.parameters.contains("root")) root = c.parameters.at("root").get<unsigned>();
  const unsigned groups = c.parameters.at("groups");
  if (groups > c.shape.terminals.size())
    throw std::invalid_argument("expected at most as many groups as terminals, which are " +
                                std::to_string(c.shape.terminals.size()) + ", found " +
                                std::to_string(groups));
  auto plan = std::make_shared<reduction_plan>();
  for (unsigned g = 0; g < groups; ++g) plan->groups.emplace_back(c.shape, root, g, groups);
  return plan;
}

std::vector<objection> reduction_entry::object_to(const experiment_view& experiment) const {
  const json& root = experiment.root;
  const json& groups = root.at("/switch/groups"_json_pointer);
  if (const pointer key("/workload/groups"); root.contains(key) && root.at(key) != groups)
    return {{key.to_string(), "expected as many groups as the switches have, " + groups.dump() + ", found " +
                                  root.at(key).dump()}};
  return {};
}

json reduction_interface_entry::schema() const {
  return {{"description",
           "A source of contributions, which it numbers by round, and a sink of results, for switches of "
           "kind reduction."}};
}

std::vector<objection> reduction_interface_entry::object_to(const experiment_view& experiment) const {
  const json& root = experiment.root;
  if (root.value(pointer("/workload/algorithm"), std::string()) != "network" &&
      root.value(pointer("/workload/kind"), std::string()) != "packets")
    return {{root.contains("workload") ? "/workload" : "/interface/kind",
             "a network that reduces carries contributions alone: expected a workload with `algorithm: "
             "network`, or a table of them (`kind: packets`)"}};
  if (root.contains("software"))
    return {{"/software", "a network that reduces carries contributions alone: expected none"}};
  if (!root.at("resets").empty())
    return {{"/resets", "a round that a reset cuts short has no end: expected none"}};
  return {};
}

std::unique_ptr<terminal_unit> reduction_interface_entry::make(terminal_context context) const {
  const auto* const plan = dynamic_cast<const reduction_plan*>(context.switches.get());
  const auto groups = plan ? static_cast<unsigned>(plan->groups.size()) : 1;
  return std::make_unique<reduction_unit>(std::move(context), groups);
}

packet_requests reduction_interface_entry::requests(const json& /*parameters*/) const {
  packet_requests known;
  known.reductions = {{"sum", word_of(reduction::sum)},
                      {"minimum", word_of(reduction::minimum)},
                      {"maximum", word_of(reduction::maximum)}};
  return known;
}

}  // namespace spillway
