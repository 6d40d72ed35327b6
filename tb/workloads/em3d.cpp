#include <map>
#include <spillway/tb/workloads/em3d.hpp>
#include <spillway/tb/workloads/em3d_graph.hpp>
#include <spillway/tb/workloads/message_supply.hpp>

namespace spillway {

namespace {

struct em3d_plan {
  em3d_graph graph;
  std::uint32_t halves, value_words;
  std::uint64_t compute;  // cycles of a half
};

/// EM3D (Callahan and Goldstein, section 4.4): in each half of an iteration a processor sends the values that
/// others need, waits for those that it needs, meets the others at a barrier, and computes. From its edges it
/// knows who sends to it; how much that is, each packet says.
class em3d_supply final : public message_supply {
public:
  em3d_supply(std::shared_ptr<const em3d_plan> plan, const message_library& library,
              std::uint16_t packet_length, std::uint32_t terminal)
      : message_supply(library, packet_length), plan_(std::move(plan)), terminal_(terminal) {}

  bool listens() const override { return true; }
  void arrived(std::uint64_t, const flit& f) override {
    if (!f.tail()) return;
    std::uint32_t& packets = under_way_[f.source];
    if (++packets < data_of(f)) return;
    under_way_.erase(f.source);
    ++arrived_;
  }
  std::uint32_t barriers() const override {
    const bool done = computed_ && between_messages() && next_ == sends().size() && arrived_ == expected_;
    return half_ == plan_->halves || !done ? half_ : half_ + 1;
  }
  void passed(std::uint64_t now, std::uint32_t barriers) override {
    for (; half_ < barriers; ++half_) expected_ += plan_->graph.senders(terminal_, (half_ + 1) % 2);
    next_ = 0;
    computes_until_ = now + plan_->compute;
    computed_ = plan_->compute == 0;
  }

private:
  const std::vector<em3d_graph::transfer>& sends() const { return plan_->graph.sends(terminal_, half_ % 2); }
  bool finished() const override { return half_ == plan_->halves && computed_; }
  std::uint64_t next_message(std::uint64_t now) override {
    computed_ = computed_ || now >= computes_until_;
    const bool sends_more = half_ < plan_->halves && next_ < sends().size();
    return sends_more || !computed_ ? computes_until_ : never;
  }
  message begin(std::uint64_t) override {
    const em3d_graph::transfer& t = sends()[next_++];
    return {t.processor, library().packets(t.values * plan_->value_words)};
  }

  const std::shared_ptr<const em3d_plan> plan_;
  const std::uint32_t terminal_;
  std::uint32_t half_ = 0;
  std::size_t next_ = 0;  // transfer of the half
  std::uint64_t computes_until_ = 0;
  bool computed_ = true;                              // what the half before gave to compute
  std::map<std::uint32_t, std::uint32_t> under_way_;  // packets that have come of a message, by its sender
  std::uint64_t arrived_ = 0, expected_ = plan_->graph.senders(terminal_, 0);  // messages since the start
};

}  // namespace

nlohmann::json em3d_workload::schema() const {
  nlohmann::json schema = parse_schema(R"({
  "description": "EM3D: iterations over a bipartite graph; in each half the values that other processors need are sent, and all meet.",
  "properties": {
    "library": true,
    "n_nodes": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000,
      "default": 200,
      "description": "Nodes of each of the two kinds that a processor has."
    },
    "d_nodes": {
      "type": "integer",
      "minimum": 0,
      "maximum": 10000,
      "default": 10,
      "description": "Edges into a node."
    },
    "local_p": {
      "type": "integer",
      "minimum": 0,
      "maximum": 100,
      "default": 80,
      "description": "Per cent of the edges that come from the same processor."
    },
    "dist_span": {
      "type": "integer",
      "minimum": 0,
      "maximum": 1000000,
      "default": 5,
      "description": "The other edges come from up to so many processors away, either way."
    },
    "iterations": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000000,
      "default": 10,
      "description": "Iterations, of two halves."
    },
    "value_words": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000,
      "default": 2,
      "description": "Words of a value."
    },
    "compute": {
      "type": "integer",
      "minimum": 0,
      "maximum": 1000000,
      "default": 0,
      "description": "Cycles of computation an edge."
    }
  }
  })");
  schema["properties"]["library"] = message_library::schema();
  return schema;
}

workload_plan em3d_workload::plan(const workload_context& c) const {
  const nlohmann::json& section = c.parameters;
  c.expect_data();
  const message_library library(section.at("library"), c.packet_length, c.requests);
  em3d_config config;
  config.processors = c.terminals;
  config.n_nodes = section.at("n_nodes");
  config.d_nodes = section.at("d_nodes");
  config.local_p = section.at("local_p");
  config.dist_span = section.at("dist_span");
  config.seed = c.seed;
  const std::uint32_t iterations = section.at("iterations");
  const std::uint64_t edges = std::uint64_t{config.n_nodes} * config.d_nodes;
  auto plan = std::make_shared<em3d_plan>(em3d_plan{em3d_graph(config), 2 * iterations,
                                                    section.at("value_words").get<std::uint32_t>(),
                                                    edges * section.at("compute").get<std::uint64_t>()});
  workload_plan result;
  result.barriers = true;
  result.make = [plan = std::shared_ptr<const em3d_plan>(plan), library,
                 length = c.packet_length](std::uint32_t terminal) {
    return std::make_unique<em3d_supply>(plan, library, length, terminal);
  };
  return result;
}

}  // namespace spillway
