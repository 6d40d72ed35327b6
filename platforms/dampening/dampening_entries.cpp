#include <map>
#include <optional>
#include <spillway/hw/dampening/banked_switch.hpp>
#include <spillway/hw/dampening/embargo_interface.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/packet/fifo_queue.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/dampening/dampening_entries.hpp>
#include <spillway/platforms/dampening/square_root_plan.hpp>
#include <stdexcept>

namespace spillway {

using detail::need;

namespace {

const std::map<std::string, set_family>& families() {
  static const std::map<std::string, set_family> names{
      {"p_buffer", set_family::per_processor}, {"tuples", set_family::tuples},
      {"subsets", set_family::subsets},        {"double_hash", set_family::double_hash},
      {"unique", set_family::unique},          {"binary_digits", set_family::binary_digits},
      {"perfect", set_family::perfect}};
  return names;
}

unsigned value_of(const nlohmann::json& section, const char* key) {
  need(section.contains(key),
       "assignment '" + section.at("assignment").get<std::string>() + "' needs the key '" + key + "'");
  return section.at(key);
}

/// A key that this assignment would not look at is a mistake.
void refuse(const nlohmann::json& section, const char* key) {
  need(!section.contains(key),
       "assignment '" + section.at("assignment").get<std::string>() + "' does not use the key '" + key + "'");
}

/// One of the mappings of set_family, the same for all pools or one of its own for each switch.
class mapped_plan final : public assignment_plan {
public:
  mapped_plan(buffer_sets_config config, bool per_switch, unsigned switches) {
    const std::uint64_t seed = config.seed;
    for (unsigned node = 0; node < (per_switch ? switches : 1); ++node) {
      config.seed = draw(seed, 0x6461, node);  // a stream that nothing else draws from
      tables_.push_back(std::make_shared<set_table>(make_buffer_sets(config), config.buffers));
    }
  }
  std::unique_ptr<assignment> make(unsigned node, unsigned) const override {
    return std::make_unique<set_assignment>(tables_[tables_.size() == 1 ? 0 : node]);
  }

private:
  std::vector<std::shared_ptr<const set_table>> tables_;
};

/// Different subsets for the destinations that a pool meets, in the order in which it does.
class discovered_plan final : public assignment_plan {
public:
  discovered_plan(std::uint32_t terminals, std::uint32_t buffers) {
    buffer_sets_config config;
    config.family = set_family::unique;
    config.processors = terminals;
    config.buffers = buffers;
    table_ = std::make_shared<set_table>(make_buffer_sets(config), buffers);
  }
  std::unique_ptr<assignment> make(unsigned, unsigned) const override {
    return std::make_unique<discovered_assignment>(table_);
  }

private:
  std::shared_ptr<const set_table> table_;
};

/// The same rule of counting for all pools.
template <class Rule>
class counted_plan final : public assignment_plan {
public:
  counted_plan(unsigned buffers, unsigned j) : buffers_(buffers), j_(j) { make(0, 0); }
  std::unique_ptr<assignment> make(unsigned, unsigned) const override {
    return std::make_unique<Rule>(buffers_, j_);
  }

private:
  const unsigned buffers_, j_;
};

struct dampening_plan final : switch_plan {
  std::shared_ptr<const assignment_plan> assignments;
  dampening_switch_config widest;  // as wide as the widest switch
};

/// What holds back the embargoed before the link to `next`, with an image of the pool there where the sender
/// calculates.
std::unique_ptr<embargo_interface> make_gate(const std::string& name, const dampening_plan& plan,
                                             const link_end& next, embargo_interface_config config) {
  std::unique_ptr<assignment> image;
  if (!next.terminal) image = plan.assignments->make(next.node, next.input);
  if (image) config.embargoes = plan.widest.embargoes(*image);
  if (plan.widest.flow == flow_control::receiver_calculates) image = nullptr;
  return std::make_unique<embargo_interface>(name.c_str(), config, std::move(image),
                                             plan.assignments->by_source(next.node, next.input));
}

embargo_interface_config interface_config(const nlohmann::json& section) {
  embargo_interface_config config;
  config.depth = section.at("depth");
  config.queue_a_destination = section.at("queues") == "destination";
  return config;
}

/// A source and a sink, and between source and network what holds back the embargoed.
class embargo_unit final : public terminal_unit {
public:
  explicit embargo_unit(terminal_context c)
      : arrivals_link_(make_arrival_link(c)),
        interface_(make_gate("interface_" + std::to_string(c.terminal), c.switches->as<dampening_plan>(),
                             c.next, interface_config(c.parameters))),
        source_(("source_" + std::to_string(c.terminal)).c_str(), c.terminal, std::move(c.supply), c.observer,
                std::move(c.routes), {}, c.source_queue),
        sink_(("sink_" + std::to_string(c.terminal)).c_str(), c.terminal, c.service, c.observer,
              arrivals_link_ != nullptr),
        from_source_({"link_source_" + std::to_string(c.terminal)}) {
    from_source_.connect(source_.out), from_source_.connect(interface_->in);
    if (arrivals_link_)
      arrivals_link_->connect(sink_.arrivals[0]), arrivals_link_->connect(source_.arrivals[0]);
  }

  void connect_output(unsigned, network_link& l) override {
    link_cast<embargo_link>(l).connect(interface_->out);
  }
  void connect_input(unsigned, network_link& l) override { link_cast<embargo_link>(l).connect(sink_.in); }
  std::vector<clocked*> blocks() override { return {&source_, interface_.get(), &sink_}; }
  std::vector<network_link*> links() override {
    if (!arrivals_link_) return {&from_source_};
    return {&from_source_, arrivals_link_.get()};
  }
  std::uint64_t held_flits() const override { return source_.backlog_flits() + interface_->level(); }
  std::uint64_t lost_in_reset() const override {
    return source_.lost_in_reset() + interface_->lost_in_reset();
  }

private:
  const std::unique_ptr<arrival_link> arrivals_link_;
  std::unique_ptr<embargo_interface> interface_;
  source source_;
  sink sink_;
  packet_link from_source_;
};

/// Between the packet links of an interface and embargo links: what is sent waits until the network takes it,
/// what comes passes a queue.
class embargo_port final : public interface_stage {
public:
  explicit embargo_port(const port_context& c) {
    embargo_interface_config config;
    config.depth = c.queues.depth;
    config.queue_a_destination = c.queues.by_destination;
    for (unsigned n = 0; n < c.networks; ++n) {
      const std::string number = std::to_string(n) + "_" + std::to_string(c.terminal);
      gates_.push_back(make_gate("gate_" + number, c.plan->as<dampening_plan>(), c.next, config));
      arrivals_.push_back(std::make_unique<fifo_queue>(("gate_arrivals_" + number).c_str(), 2));
    }
  }

  void connect_sent(unsigned network, packet_link& l) override { l.connect(gates_[network]->in); }
  void connect_arrived(unsigned network, packet_link& l) override { l.connect(arrivals_[network]->out); }
  void connect_output(unsigned network, network_link& l) override {
    link_cast<embargo_link>(l).connect(gates_[network]->out);
  }
  void connect_input(unsigned network, network_link& l) override {
    link_cast<embargo_link>(l).connect(arrivals_[network]->in);
  }
  std::vector<clocked*> blocks() override {
    std::vector<clocked*> all;
    for (const auto& gate : gates_) all.push_back(gate.get());
    for (const auto& queue : arrivals_) all.push_back(queue.get());
    return all;
  }
  std::uint64_t held_flits() const override {
    std::uint64_t held = 0;
    for (const auto& gate : gates_) held += gate->level();
    for (const auto& queue : arrivals_) held += queue->level();
    return held;
  }
  std::uint64_t lost_in_reset() const override {
    std::uint64_t lost = 0;
    for (const auto& gate : gates_) lost += gate->lost_in_reset();
    for (const auto& queue : arrivals_) lost += queue->lost_in_reset();
    return lost;
  }

private:
  std::vector<std::unique_ptr<embargo_interface>> gates_;  // by network
  std::vector<std::unique_ptr<fifo_queue>> arrivals_;
};

}  // namespace

dampening_switch_config dampening_config(const nlohmann::json& section) {
  dampening_switch_config config;
  config.flow =
      section.at("flow") == "sender" ? flow_control::sender_calculates : flow_control::receiver_calculates;
  config.pool_per_input = section.at("pool") == "input";
  config.link_latency = section.at("latency");
  config.emergency = section.value("emergency", 0u);
  config.extra = section.value("extra", 0u);
  return config;
}

std::shared_ptr<const assignment_plan> make_assignment_plan(const switch_plan_context& context) {
  const nlohmann::json& section = context.parameters;
  const std::string name = section.at("assignment");
  const auto terminals = static_cast<std::uint32_t>(context.shape.terminals.size());
  if (name == "square_root" || name == "p_buffer") refuse(section, "buffers");
  if (name == "unrestricted" || name == "unique" || name == "binary_digits" || name == "discovered")
    refuse(section, "j");
  if (families().count(name) == 0 || name == "p_buffer")
    need(section.at("hash") == "common",
         "assignment '" + name + "' draws no buffers and has no `hash: per_switch`");
  if (name == "square_root")
    return std::make_shared<square_root_plan>(context.shape, *context.routes, section.at("pool") == "input",
                                              section.value("j", 1u));
  if (const auto family = families().find(name); family != families().end()) {
    buffer_sets_config config;
    config.family = family->second;
    config.processors = terminals;
    const bool own = config.family == set_family::per_processor;
    if (config.family != set_family::unique && config.family != set_family::binary_digits)
      config.choices = own ? section.value("j", 1u) : value_of(section, "j");
    config.buffers = own ? terminals * config.choices : value_of(section, "buffers");
    config.seed = context.seed;
    return std::make_shared<mapped_plan>(config, section.at("hash") == "per_switch",
                                         static_cast<unsigned>(context.shape.switches.size()));
  }
  const unsigned buffers = value_of(section, "buffers");
  if (name == "discovered") return std::make_shared<discovered_plan>(terminals, buffers);
  if (name == "modified_counting")
    return std::make_shared<counted_plan<modified_counting_assignment>>(buffers, value_of(section, "j"));
  const unsigned limit = name == "unrestricted" ? buffers : section.value("j", 1u);
  return std::make_shared<counted_plan<counting_assignment>>(buffers, limit);
}

nlohmann::json dampening_switch_entry::schema() const {
  return parse_schema(R"json({
  "description": "Switch of single-flit messages whose destination decides which buffers they may use: dampening, counting and unrestricted switches (Kuszmaul and Kuszmaul). Needs the interface embargo, or one that fits besides (tlm, nifdy).",
  "required": ["assignment"],
  "properties": {
    "assignment": {
      "enum": [
        "unrestricted",
        "p_buffer",
        "square_root",
        "counting",
        "modified_counting",
        "tuples",
        "subsets",
        "double_hash",
        "unique",
        "discovered",
        "binary_digits",
        "perfect"
      ],
      "description": "Which buffers a message may use: any (unrestricted); its destination's own (p_buffer); its source's own where few sources lead through, else its destination's own (square_root); any while its destination has fewer than j (counting); any while its destination is not among those that leave too few free (modified_counting); the j that its destination is hashed to, drawn with repetitions (tuples) or without (subsets), as a + i b (double_hash), or from the family H(j, B) (perfect); the half of all buffers that no other destination has (unique), in the order in which a pool meets the destinations (discovered); one of each two by the destination's binary digits (binary_digits)."
    },
    "buffers": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65534,
      "description": "B: buffers of a pool. Not for p_buffer and square_root, which need a certain number."
    },
    "j": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65534,
      "description": "Buffers that a destination may use; 1 when left out for counting, p_buffer and square_root. Not for unrestricted, unique, discovered and binary_digits."
    },
    "hash": {
      "enum": ["common", "per_switch"],
      "default": "common",
      "description": "Whether a destination has the same buffers in all switches, or others in each, where they are drawn."
    },
    "flow": {
      "enum": ["sender", "receiver"],
      "default": "sender",
      "description": "Who calculates: the sender, which hears of every message that leaves the pool; or the receiver, which embargoes destinations and has a bank of emergency buffers."
    },
    "pool": {
      "enum": ["input", "switch"],
      "default": "input",
      "description": "One pool an input port, or one pool a switch, which needs the flow receiver."
    },
    "latency": {
      "type": "integer",
      "minimum": 1,
      "maximum": 1000,
      "default": 1,
      "description": "Cycles that a link between switches takes each way."
    },
    "emergency": {
      "type": "integer",
      "minimum": 1,
      "maximum": 30000,
      "description": "Emergency buffers of a pool, with the flow receiver; as many as ordinary ones when left out."
    },
    "extra": {
      "type": "integer",
      "minimum": 1,
      "maximum": 30000,
      "description": "Emergency buffers beyond those, for messages under way when all senders are stopped; 2 latency + 1 an input of the pool when left out, and at least 2 latency."
    }
  }
})json");
}

std::shared_ptr<const switch_plan> dampening_switch_entry::plan(const switch_plan_context& context) const {
  need(context.packet_length == 1,
       "a buffer of a dampening switch holds one flit: expected packets of 1 flit, found " +
           std::to_string(context.packet_length));
  auto plan = std::make_shared<dampening_plan>();
  dampening_switch_config config = dampening_config(context.parameters);
  for (const auto v : context.shape.switches) {
    config.inputs = std::max(config.inputs, context.shape.input_ports(v));
    config.outputs = std::max(config.outputs, context.shape.output_ports(v));
  }
  config.check();
  plan->widest = config;
  for (const char* const key : {"emergency", "extra"})
    need(config.flow == flow_control::receiver_calculates || !context.parameters.contains(key),
         std::string("flow 'sender' has no emergency buffers and does not use the key '") + key + "'");
  plan->assignments = make_assignment_plan(context);
  return plan;
}

std::unique_ptr<network_block> dampening_switch_entry::make(const switch_context& context) const {
  dampening_switch_config config = dampening_config(context.parameters);
  config.inputs = context.inputs;
  config.outputs = context.outputs;
  const auto& plan = context.plan->as<dampening_plan>();
  config.widest = plan.widest.inputs;
  if (config.flow == flow_control::sender_calculates)
    return std::make_unique<dampening_switch>(context.name.c_str(), config, context.node, context.routes,
                                              context.neighbours, plan.assignments);
  return std::make_unique<banked_switch>(context.name.c_str(), config, context.node, context.routes,
                                         context.neighbours, plan.assignments);
}

std::unique_ptr<network_link> dampening_switch_entry::make_link(const nlohmann::json& parameters,
                                                                link_place place) const {
  // A terminal reports nothing.
  const bool reported = parameters.at("flow") == "sender" && place.to_switch >= 0;
  return std::make_unique<embargo_link>(std::move(place), reported, parameters.value("buffers", 0u));
}

std::unique_ptr<interface_stage> dampening_switch_entry::make_port(const port_context& context) const {
  return std::make_unique<embargo_port>(context);
}

std::optional<double> dampening_switch_entry::room(const nlohmann::json& p, unsigned inputs, unsigned,
                                                   std::size_t terminals) const {
  const bool own = p.at("assignment") == "p_buffer";
  const double pool = own ? static_cast<double>(terminals) * p.value("j", 1.0) : p.value("buffers", 0.0);
  return (p.at("pool") == "input" ? inputs : 1) * (pool + p.value("emergency", 0.0) + p.value("extra", 0.0));
}

std::optional<zero_load> dampening_switch_entry::latency(const latency_context& context) const {
  zero_load z;
  z.fixed = 2;                  // a cycle to the interface that holds back the embargoed, and one through it
  if (context.port) ++z.fixed;  // and through the queue of the arrivals
  z.per_switch = context.parameters.at("latency");
  return z;
}

void dampening_switch_entry::describe_buffers(const nlohmann::json& p, analysis_options& options) const {
  // Whatever the assignment, there is a set of waiting messages for which a pool is full; of an input's pool
  // all came by one link.
  options.shared_pools = p.at("pool") == "switch";
}

std::vector<objection> dampening_switch_entry::object_to(const experiment_view& experiment) const {
  const nlohmann::json& latency = experiment.root.at("switch").at("latency");
  if (experiment.root.at("level") != "transaction" || latency == 1) return {};
  return {{"/switch/latency",
           "the transaction level models links of one cycle: expected 1, found " + latency.dump()}};
}

std::optional<transaction_timing> dampening_switch_entry::transactions(const nlohmann::json& p) const {
  if (p.at("flow") == "sender") return std::nullopt;  // it waits for reports
  transaction_timing timing;
  timing.entry = 2;  // the gate, and the queue of the arrivals
  return timing;
}

nlohmann::json embargo_interface_entry::schema() const {
  return parse_schema(R"json({
  "description": "Holds messages back that the network does not take; for switches of kind dampening.",
  "properties": {
    "queues": {
      "enum": ["fifo", "destination"],
      "default": "fifo",
      "description": "One FIFO, whose head holds up the rest, or a queue for each destination."
    },
    "depth": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65536,
      "default": 2,
      "description": "Messages that it holds; 2 or more to send one a cycle."
    }
  }
})json");
}

std::unique_ptr<terminal_unit> embargo_interface_entry::make(terminal_context context) const {
  return std::make_unique<embargo_unit>(std::move(context));
}

}  // namespace spillway
