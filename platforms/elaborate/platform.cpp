#include <boost/range/iterator_range.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <stdexcept>

namespace spillway {

platform::platform(const sc_core::sc_module_name& name, const topology& shape,
                   std::shared_ptr<const routing> routes, const platform_config& config,
                   const block_kinds& kinds, const nlohmann::json& switch_parameters,
                   const supply_maker& supplies, const sink_maker& sinks, endpoint_observer& observer)
    : sc_module(name), config_(config) {
  if (config_.runs_on == kernel::fast) {
    domain_ = std::make_unique<clock_domain>("clock", config_.period);
    reset_wire_ = std::make_unique<wire<bool>>(*domain_);
  } else {
    // First edge at half a period, as the clock domain's.
    clock_ = std::make_unique<sc_core::sc_clock>("clock", config_.period, 0.5, config_.period / 2);
    reset_signal_ = std::make_unique<sc_core::sc_signal<bool>>("reset");
  }
  make_switches(shape, routes, kinds, switch_parameters);
  const bool lanes = kinds.switches.at(switch_parameters.at("kind")).lanes(switch_parameters);
  for (unsigned t = 0; t < shape.terminals.size(); ++t) {
    const std::string number = std::to_string(t);
    link_end next;
    for (const auto e : boost::make_iterator_range(out_edges(shape.terminals[t], shape.g))) {
      const vertex& to = shape.g[target(e, shape.g)];
      next = {to.index, shape.g[e].to_port, lanes && to.role == vertex::switch_};
    }
    sources_.push_back(std::make_unique<source>(("source_" + number).c_str(), t, supplies(t), observer,
                                                routes, next, config_.source_queue));
    sinks_.push_back(std::make_unique<sink>(("sink_" + number).c_str(), t, sinks(t), observer));
    attach(*sources_.back());
    attach(*sinks_.back());
  }
  make_links(shape);
  tie_open_ports(shape);
}

platform::~platform() = default;

void platform::make_switches(const topology& shape, const std::shared_ptr<const routing>& routes,
                             const block_kinds& kinds, const nlohmann::json& parameters) {
  const switch_kind& kind = kinds.switches.at(parameters.at("kind"));
  const bool lanes = kind.lanes(parameters);
  for (const auto v : shape.switches) {
    const graph& g = shape.g;
    switch_context context{shape.name(v), g[v].index, 0, 0, routes, {}, config_.packet_length, parameters};
    context.inputs = shape.input_ports(v);
    context.outputs = shape.output_ports(v);
    context.neighbours.resize(context.outputs);
    for (const auto e : boost::make_iterator_range(out_edges(v, g))) {
      const vertex& to = g[target(e, g)];
      context.neighbours[g[e].from_port] = {to.index, g[e].to_port, lanes && to.role == vertex::switch_};
    }
    switches_.push_back(kind.make(context));
    attach(*switches_.back());
  }
}

void platform::attach(clocked& block) {
  if (domain_) {
    block.clk(*domain_);
    block.rst(*reset_wire_);
  } else {
    block.clk(*clock_);
    block.rst(*reset_signal_);
  }
}

namespace {

void give_wires(platform_link& link, clock_domain* domain) {
  if (domain)
    link.wires = std::make_unique<packet_wires>(*domain);
  else
    link.signals = std::make_unique<packet_signals>(link.name);
}

}  // namespace

void platform::make_links(const topology& shape) {
  const graph& g = shape.g;
  links_.reserve(num_edges(g));
  const auto place = [&](platform_link& link, graph::vertex_descriptor v, unsigned port, bool sends) {
    if (g[v].role == vertex::terminal) {
      if (sends)
        link.connect(sources_[g[v].index]->out);
      else
        link.connect(sinks_[g[v].index]->in);
    } else if (sends) {
      link.from_switch = static_cast<int>(g[v].index);
      link.connect(switches_[g[v].index]->out[port]);
    } else {
      link.to_switch = static_cast<int>(g[v].index);
      link.connect(switches_[g[v].index]->in[port]);
    }
  };
  // In the order of the vertices, so that a switch's wires lie beside each other.
  for (const auto v : boost::make_iterator_range(vertices(g))) {
    for (const auto e : boost::make_iterator_range(out_edges(v, g))) {
      links_.emplace_back();
      platform_link& link = links_.back();
      link.from_port = g[e].from_port;
      link.to_port = g[e].to_port;
      link.name = "link_" + shape.name(v) + "_" + std::to_string(link.from_port);
      give_wires(link, domain_.get());
      place(link, v, link.from_port, true);
      place(link, target(e, g), link.to_port, false);
    }
  }
}

void platform::tie_open_ports(const topology& shape) {
  const graph& g = shape.g;
  const auto tie = [&](const std::string& name, auto& end) {
    stubs_.emplace_back();
    stubs_.back().name = name;
    give_wires(stubs_.back(), domain_.get());
    stubs_.back().connect(end);
  };
  for (const auto v : boost::make_iterator_range(vertices(g))) {
    std::vector<bool> in_used(shape.input_ports(v)), out_used(shape.output_ports(v));
    for (const auto e : boost::make_iterator_range(in_edges(v, g))) in_used[g[e].to_port] = true;
    for (const auto e : boost::make_iterator_range(out_edges(v, g))) out_used[g[e].from_port] = true;
    const std::string open = "open_" + shape.name(v);
    if (g[v].role == vertex::terminal) {
      if (!in_used[0]) tie(open + "_in", sinks_[g[v].index]->in);
      if (!out_used[0]) tie(open + "_out", sources_[g[v].index]->out);
      continue;
    }
    switch_block& block = *switches_[g[v].index];
    for (unsigned i = 0; i < in_used.size(); ++i)
      if (!in_used[i]) tie(open + "_in" + std::to_string(i), block.in[i]);
    for (unsigned o = 0; o < out_used.size(); ++o)
      if (!out_used[o]) tie(open + "_out" + std::to_string(o), block.out[o]);
  }
}

void platform::drive_reset(bool active) {
  if (domain_)
    reset_wire_->write(active);
  else
    reset_signal_->write(active);
}

void platform::run(std::uint64_t cycles) {
  sc_core::sc_start(config_.period * static_cast<double>(cycles));
  cycle_ += cycles;
}

std::uint64_t platform::lost_in_reset() const {
  std::uint64_t lost = 0;
  for (const auto& s : switches_) lost += s->lost_in_reset();
  for (const auto& s : sources_) lost += s->lost_in_reset();
  return lost;
}

}  // namespace spillway
