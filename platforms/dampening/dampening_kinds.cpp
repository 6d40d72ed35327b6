#include <map>
#include <optional>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/platforms/dampening/dampening_kinds.hpp>
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
  flow_control flow = flow_control::sender_calculates;
};

const dampening_plan& plan_of(const std::shared_ptr<const switch_plan>& plan) {
  return dynamic_cast<const dampening_plan&>(*plan);
}

std::shared_ptr<const switch_plan> make_plan(const switch_plan_context& context) {
  need(context.packet_length == 1,
       "a buffer of a dampening switch holds one flit: expected packets of 1 flit, found " +
           std::to_string(context.packet_length));
  auto plan = std::make_shared<dampening_plan>();
  dampening_switch_config config = dampening_config(context.parameters);
  plan->flow = config.flow;
  for (const auto v : context.shape.switches) {
    config.inputs = std::max(config.inputs, context.shape.input_ports(v));
    config.outputs = std::max(config.outputs, context.shape.output_ports(v));
  }
  config.check();
  for (const char* const key : {"emergency", "extra"})
    need(plan->flow == flow_control::receiver_calculates || !context.parameters.contains(key),
         std::string("flow 'sender' has no emergency buffers and does not use the key '") + key + "'");
  plan->assignments = make_assignment_plan(context);
  return plan;
}

std::unique_ptr<network_block> make_switch(const switch_context& context) {
  dampening_switch_config config = dampening_config(context.parameters);
  config.inputs = context.inputs;
  config.outputs = context.outputs;
  return std::make_unique<dampening_switch>(context.name.c_str(), config, context.node, context.routes,
                                            context.neighbours, plan_of(context.plan).assignments,
                                            context.domain);
}

std::unique_ptr<network_link> make_embargo_link(const nlohmann::json& parameters, link_place place,
                                                clock_domain* domain) {
  // A terminal reports nothing.
  const bool reported = parameters.at("flow") == "sender" && place.to_switch >= 0;
  return std::make_unique<embargo_link>(std::move(place), domain, reported);
}

std::unique_ptr<assignment> image_for(const terminal_context& c) {
  const dampening_plan& plan = plan_of(c.switches);
  if (plan.flow == flow_control::receiver_calculates || c.next.terminal) return nullptr;
  return plan.assignments->make(c.next.node, c.next.input);
}

embargo_interface_config interface_config(const nlohmann::json& section) {
  return {section.at("depth").get<unsigned>(), section.at("queues") == "destination"};
}

/// A source and a sink, and between source and network what holds back the embargoed.
class embargo_unit final : public terminal_unit {
public:
  explicit embargo_unit(terminal_context c)
      : hears_(c.supply->listens()),
        interface_(make_embargo_interface("interface_" + std::to_string(c.terminal), c,
                                          interface_config(c.parameters))),
        source_(("source_" + std::to_string(c.terminal)).c_str(), c.terminal, std::move(c.supply), c.observer,
                std::move(c.routes), {}, c.source_queue),
        sink_(("sink_" + std::to_string(c.terminal)).c_str(), c.terminal, c.service, c.observer,
              hears_ ? &source_ : nullptr),
        from_source_({"link_source_" + std::to_string(c.terminal)}, c.domain) {
    from_source_.connect(source_.out), from_source_.connect(interface_->in);
  }

  void connect_output(unsigned, network_link& l) override {
    link_cast<embargo_link>(l).connect(interface_->out);
  }
  void connect_input(unsigned, network_link& l) override { link_cast<embargo_link>(l).connect(sink_.in); }
  std::vector<clocked*> blocks() override { return {&source_, interface_.get(), &sink_}; }
  std::vector<network_link*> links() override { return {&from_source_}; }
  std::uint64_t held_flits() const override { return source_.backlog_flits() + interface_->level(); }
  std::uint64_t lost_in_reset() const override {
    return source_.lost_in_reset() + interface_->lost_in_reset();
  }

private:
  const bool hears_;
  std::unique_ptr<embargo_interface> interface_;
  source source_;
  sink sink_;
  packet_link from_source_;
};

}  // namespace

bool has_embargoes(const std::shared_ptr<const switch_plan>& plan) {
  return dynamic_cast<const dampening_plan*>(plan.get()) != nullptr;
}

bool has_embargoes(const nlohmann::json& switches) { return switches.at("kind") == "dampening"; }

std::unique_ptr<embargo_interface> make_embargo_interface(const std::string& name, const terminal_context& c,
                                                          const embargo_interface_config& config) {
  return std::make_unique<embargo_interface>(
      name.c_str(), config, image_for(c),
      plan_of(c.switches).assignments->by_source(c.next.node, c.next.input));
}

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

void add_dampening_kinds(block_kinds& kinds) {
  switch_kind switches;
  switches.make = make_switch;
  switches.plan = make_plan;
  // Whatever the assignment, there is a set of waiting messages for which a pool is full.
  switches.shares_pool = [](const nlohmann::json&) { return true; };
  switches.make_link = make_embargo_link;
  switches.room = [](const nlohmann::json& p, unsigned inputs, unsigned, std::size_t terminals) {
    const bool own = p.at("assignment") == "p_buffer";
    const double pool = own ? static_cast<double>(terminals) * p.value("j", 1.0) : p.value("buffers", 0.0);
    return (p.at("pool") == "input" ? inputs : 1) *
           (pool + p.value("emergency", 0.0) + p.value("extra", 0.0));
  };
  switches.latency = [](const nlohmann::json& p, unsigned, unsigned) {
    zero_load z;
    z.fixed = 2;  // a cycle to the interface that holds back the embargoed, and one through it
    z.per_switch = p.at("latency");
    return z;
  };
  switches.link_kind = "embargo";
  kinds.switches["dampening"] = switches;
  interface_kind interfaces;
  interfaces.make = [](terminal_context c) { return std::make_unique<embargo_unit>(std::move(c)); };
  interfaces.link_kind = "embargo";
  kinds.interfaces["embargo"] = interfaces;
}

}  // namespace spillway
