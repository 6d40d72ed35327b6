#include <fmt/format.h>

#include <boost/range/iterator_range.hpp>
#include <cmath>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <stdexcept>

namespace spillway {

namespace {

/// Numbers of the first ports that a vertex has in a network turned round.
unsigned first_output(const topology& shape, graph::vertex_descriptor v) {
  return shape.g[v].role == vertex::terminal ? 0 : shape.output_ports(v);
}
unsigned first_input(const topology& shape, graph::vertex_descriptor v) {
  return shape.g[v].role == vertex::terminal ? 0 : shape.input_ports(v);
}

const sc_core::sc_clock* clock_of(const platform_clock& outside) {
  return dynamic_cast<const sc_core::sc_clock*>(&outside.clk);
}

/// Blocks only follow a clock of the user's, which may be one that has no period.
sc_core::sc_time period_of(const platform_config& config, const platform_clock* outside) {
  if (!outside) return config.period();
  const auto* const clock = clock_of(*outside);
  return clock ? clock->period() : sc_core::sc_time(config.period_ns, sc_core::SC_NS);
}

/// Names of the first network are those of the graph.
std::string prefix(unsigned network) { return network ? "network_" + std::to_string(network) + "_" : ""; }

}  // namespace

void check_clock(const platform_config& config, const platform_clock& outside) {
  if (config.level == abstraction::pins) return;
  const auto* const clock = clock_of(outside);
  if (clock && clock->period() == config.period(false)) return;
  throw std::invalid_argument(
      "without pins the clock must be an sc_clock of the `period` that the file says, " +
      config.period(false).to_string() + ", found " +
      (clock ? clock->period().to_string() : std::string("another signal")));
}

platform::platform(const sc_core::sc_module_name& name, const network_plan& plan, const catalogue& all,
                   const workload& work, const platform_clock* outside)
    : sc_module(name),
      config_(plan.config),
      period_(period_of(config_, outside)),
      outside_(outside ? std::optional<platform_clock>(*outside) : std::nullopt),
      chain_(chain_of(all, config_)),
      marking_(config_.marking.is_null() ? nullptr : &all.of<marking_entry>().chosen(config_.marking)),
      dropping_(config_.dropping.is_null() ? nullptr : &all.of<dropping_entry>().chosen(config_.dropping)),
      ways_(chain_.ways()),
      copies_(chain_.copies()),
      switches_a_network_(plan.shape.switches.size()) {
  if (config_.has_long_links() && !chain_.switches->takes_long_links(config_.switches))
    throw std::invalid_argument("the links of these switches have no register stages or buffers");
  make_clock();
  switch_plan_ = chain_.switches->plan({plan.shape, plan.routes, chain_.longest, config_.seed,
                                        config_.switches, networks_a_copy(), chain_.queues});
  const bool pins = config_.level == abstraction::pins;
  for (unsigned n = 0; pins && n < copies_; ++n) make_switches(plan.shape, plan.routes, n);
  make_terminals(plan, work);
  for (unsigned w = 0; pins && w < ways_.size(); ++w)
    make_links(plan.shape, w, plan.routes && plan.routes->escape());
  for (unsigned w = 0; pins && w < ways_.size(); ++w) tie_open_ports(plan.shape, w);
  watch_switches(*observer_);
  for (const auto& l : links_) all_links_.push_back(l.get());
  for (const auto& l : marking_links_) all_links_.push_back(l.get());
  for (const auto& s : switches_)
    for (network_link* const l : s->links()) all_links_.push_back(l);
  if (shared_) adopt(*shared_);
  for (const auto& unit : terminals_) adopt(*unit);
}

void platform::make_clock() {
  if (config_.runs_on != kernel::signals) {
    domain_ = std::make_unique<clock_domain>("clock", period_);
    domain_->use_threads(config_.threads, config_.blocks_a_thread);
    if (config_.runs_on == kernel::doubting) domain_->doubt_sleepers();
    reset_wire_ = std::make_unique<wire<bool>>(*domain_);
    if (!outside_) return;
    domain_->clk(outside_->clk);
    SPILLWAY_HAS_PROCESS(platform);
    SC_METHOD(follow_reset);
    sensitive << outside_->rst.value_changed_event();
  } else if (!outside_) {
    // First edge at half a period, as the clock domain's.
    clock_ = std::make_unique<sc_core::sc_clock>("clock", period_, 0.5, period_ / 2);
    reset_signal_ = std::make_unique<sc_core::sc_signal<bool>>("reset");
  }
}

sc_core::sc_time platform::first_edge() const {
  if (!outside_ || config_.level == abstraction::pins) return period_ / 2;
  check_clock(config_, *outside_);
  const auto* const clock = clock_of(*outside_);
  // As sc_clock rounds it: what is left when it has been high.
  return clock->start_time() + (clock->posedge_first()
                                    ? sc_core::SC_ZERO_TIME
                                    : clock->period() - clock->period() * clock->duty_cycle());
}

/// Wires of the fast kernel wake those who read them; a signal of the user's would keep them all awake.
void platform::follow_reset() { reset_wire_->write(outside_->rst.read()); }

platform::~platform() {
  first_.go();
  tear_down(pipelines_);
  tear_down(buffers_);
  tear_down(stubs_);
  tear_down(links_);
  tear_down(terminals_);
  shared_.reset();
  tear_down(marking_links_);
  tear_down(markers_);
  tear_down(switches_);
}

unsigned platform::networks_a_copy() const { return static_cast<unsigned>(chain_.networks.size()) / copies_; }

std::shared_ptr<drop_rule> platform::make_drop_rule(unsigned outputs) const {
  if (!dropping_) return nullptr;
  return made_by(*dropping_, dropping_->make({static_cast<unsigned>(chain_.networks.size()), outputs,
                                              chain_.longest, config_.dropping, config_.stages}));
}

void platform::make_switches(const topology& shape, const std::shared_ptr<const routing>& routes,
                             unsigned network) {
  const bool lanes = chain_.switches->looks_ahead(config_.switches);
  const graph& g = shape.g;
  for (const auto v : shape.switches) {
    switch_context context{prefix(network) + shape.name(v),
                           network,
                           g[v].index,
                           g[v].stage,
                           shape.input_ports(v),
                           shape.output_ports(v),
                           static_cast<unsigned>(shape.terminals.size()),
                           routes,
                           {},
                           chain_.longest,
                           config_.seed,
                           config_.switches,
                           networks_a_copy(),
                           0,
                           0,
                           switch_plan_,
                           1 + config_.further_cycles(),
                           marking_ != nullptr,
                           make_drop_rule(shape.output_ports(v)),
                           std::vector<unsigned>(shape.output_ports(v))};
    for (const auto e : boost::make_iterator_range(in_edges(v, g)))
      if (g[boost::source(e, g)].role == vertex::terminal)
        context.terminal_inputs |= port_mask{1} << g[e].to_port;
    context.neighbours.resize(context.outputs);
    for (const auto e : boost::make_iterator_range(out_edges(v, g))) {
      const vertex& to = g[target(e, g)];
      const bool terminal = to.role == vertex::terminal;
      context.neighbours[g[e].from_port] = {
          to.index, g[e].to_port, lanes && !terminal ? shape.output_ports(target(e, g)) : 1, terminal};
      if (!terminal) continue;
      context.terminal_outputs |= port_mask{1} << g[e].from_port;
      for (const auto sent : boost::make_iterator_range(out_edges(target(e, g), g)))
        if (target(sent, g) == v) context.entries[g[e].from_port] = g[sent].to_port;
    }
    switches_.push_back(made_by(*chain_.switches, chain_.switches->make(context)));
    attach(*switches_.back());
    ++blocks_;
    if (marking_) mark(*switches_.back(), context);
  }
}

/// Puts a marker beside the switch.
void platform::mark(network_block& block, const switch_context& context) {
  markers_.push_back(
      made_by(*marking_, marking_->make({"marker_" + context.name, context.outputs, config_.marking})));
  output_marker& marker = *markers_.back();
  attach(marker);
  ++blocks_;
  for (unsigned o = 0; o < context.outputs; ++o) {
    link_place place;
    place.name = "marks_" + context.name + "_" + std::to_string(o);
    marking_links_.push_back(std::make_unique<marking_link>(std::move(place)));
    block.connect_marking(o, *marking_links_.back());
    marking_links_.back()->connect(marker.output[o]);
  }
}

void platform::make_terminals(const network_plan& plan, const workload& work) {
  const topology& shape = plan.shape;
  const auto terminals = static_cast<unsigned>(shape.terminals.size());
  shared_ = chain_.interface->share({terminals, config_.seed, config_.interfaces, *chain_.switches, plan,
                                     period_, first_edge(), domain_.get()});
  tells_late_ = work.only_observes && !shared_;
  observer_.emplace(domain_.get(), shared_ ? shared_->observer(work.observer) : work.observer, tells_late_);
  const bool lanes = chain_.switches->looks_ahead(config_.switches);
  for (unsigned t = 0; t < terminals; ++t) {
    auto supply = work.supply(t);
    const bool shares = supply && supply->shares();
    link_end next;
    for (const auto e : boost::make_iterator_range(out_edges(shape.terminals[t], shape.g))) {
      const auto v = target(e, shape.g);
      const bool terminal = shape.g[v].role == vertex::terminal;
      next = {shape.g[v].index, shape.g[e].to_port, lanes && !terminal ? shape.output_ports(v) : 1, terminal};
    }
    terminals_.push_back(std::make_unique<terminal_edge>(
        chain_,
        terminal_context{t, terminals, static_cast<unsigned>(chain_.own.size()), std::move(supply),
                         work.service(t), *observer_, plan.routes, next, chain_.longest, config_.source_queue,
                         config_.seed, config_.interfaces, shared_.get(), switch_plan_},
        config_.switches));
    if (shares && domain_)
      for (const clocked* const block : terminals_.back()->blocks()) domain_->keep_together(*block);
  }
}

void platform::watch_switches(endpoint_observer& observer) {
  for (const auto& s : switches_) s->observe(observer);
}

void platform::adopt(platform_part& part) {
  for (clocked* const block : part.blocks()) {
    attach(*block);
    ++blocks_;
  }
  for (network_link* const l : part.links()) all_links_.push_back(l);
}

std::vector<std::unique_ptr<stepped>> platform::make_checkers(const violation_handler& to) {
  const auto refuse = [this](const char* why) { throw std::logic_error(std::string(name()) + ": " + why); };
  if (has_checkers_) refuse("make_checkers() was called before, expected once");
  if (sc_core::sc_start_of_simulation_invoked())
    refuse("make_checkers() was called in a simulation, expected before it starts");
  has_checkers_ = true;
  const top_level_scope scope(domain_.get());  // in the memory that the domain steps
  violation_handler handler = to;
  if (domain_) {
    violations_ = std::make_unique<edge_log<violation>>(
        domain_.get(), [to](const violation& v) { report_violation(to, v); });
    handler = [this](const violation& v) { violations_->say(v); };
  }
  std::vector<std::unique_ptr<stepped>> all;
  const auto add = [this, &all](std::unique_ptr<clocked> checker) {
    attach(*checker);
    all.push_back(std::move(checker));
  };
  for (network_link* const l : all_links_) {
    if (auto watcher = domain_ ? l->make_watcher(*reset_wire_, handler) : nullptr)
      all.push_back(std::move(watcher));
    else if (auto checker = l->make_checker(handler))
      add(std::move(checker));
  }
  const auto add_all = [&](auto& owner) {
    for (auto& checker : owner.make_checkers(handler)) add(std::move(checker));
  };
  for (const auto& s : switches_) add_all(*s);
  if (shared_) add_all(*shared_);
  for (const auto& unit : terminals_) add_all(*unit);
  return all;
}

void platform::attach(clocked& block) {
  drive(block.clk, block.rst);
  if (!counts_) counts_ = &block;
}

void platform::drive(sc_core::sc_in<bool>& clk, input<bool>& rst) {
  if (domain_) {
    clk(*domain_);
    rst(*reset_wire_);
  } else if (outside_) {
    clk(outside_->clk);
    rst(outside_->rst);
  } else {
    clk(*clock_);
    rst(*reset_signal_);
  }
}

std::unique_ptr<network_link> platform::make_link(link_place place) {
  return chain_.switches->make_link(config_.switches, std::move(place));
}

void platform::connect(network_link& l, const vertex& v, unsigned way, unsigned port, bool sends) {
  if (v.role == vertex::terminal) {
    terminal_edge& edge = *terminals_[v.index];
    sends ? edge.connect_output(way, l) : edge.connect_input(way, l);
  } else {
    const std::size_t number = ways_[way].copy * switches_a_network_ + v.index;
    network_block& block = *switches_[number];
    sends ? block.connect_output(port, l) : block.connect_input(port, l);
    if (sends && marking_ && port < markers_[number]->link.size())
      l.connect_watch(markers_[number]->link[port]);
  }
}

/// What the last link joins.
network_edge platform::edge_of(const vertex& from, const vertex& to, unsigned way) const {
  const auto number = [&](const vertex& v) {
    return static_cast<int>(ways_[way].copy * switches_a_network_ + v.index);
  };
  network_edge e;
  e.link = links_.back().get();
  if (from.role == vertex::switch_)
    e.from_switch = number(from);
  else
    e.from_terminal = static_cast<int>(from.index);
  if (to.role == vertex::switch_)
    e.to_switch = number(to);
  else
    e.to_terminal = static_cast<int>(to.index);
  return e;
}

/// `escapes`: the routing has an escape channel.
void platform::make_links(const topology& shape, unsigned way, bool escapes) {
  const graph& g = shape.g;
  const auto join = [&](graph::vertex_descriptor from, unsigned from_port, graph::vertex_descriptor to,
                        unsigned to_port) {
    link_place place;
    place.network = way;
    place.from_port = from_port;
    place.to_port = to_port;
    if (g[from].role == vertex::switch_) place.from_switch = static_cast<int>(g[from].index);
    if (g[to].role == vertex::switch_) place.to_switch = static_cast<int>(g[to].index);
    place.name = prefix(way) + "link_" + shape.name(from) + "_" + std::to_string(from_port);
    links_.push_back(make_link(place));
    connect(*links_.back(), g[from], way, from_port, true);
    edges_.push_back(edge_of(g[from], g[to], way));
    // What lies between two channels that hold one packet at most counts as a part of the second.
    const bool one_packet = escapes && place.from_switch >= 0 && place.to_switch >= 0;
    if (auto buffer = config_.buffers) {
      buffer->one_packet = one_packet;
      lengthen(place, "buffer_", "_out", buffers_, *buffer);
    }
    if (auto stages = config_.links; stages.latency > 1) {
      stages.one_packet = one_packet;
      lengthen(place, "stages_", "_end", pipelines_, stages);
    }
    connect(*links_.back(), g[to], way, to_port, false);
  };
  // In the order of the vertices, so that a switch's wires lie beside each other.
  for (const auto v : boost::make_iterator_range(vertices(g))) {
    if (!ways_[way].turned)
      for (const auto e : boost::make_iterator_range(out_edges(v, g)))
        join(v, g[e].from_port, target(e, g), g[e].to_port);
    else
      for (const auto e : boost::make_iterator_range(in_edges(v, g)))
        join(v, first_output(shape, v) + g[e].to_port, boost::source(e, g),
             first_input(shape, boost::source(e, g)) + g[e].from_port);
  }
}

/// The last link is the sender's end of a longer one: puts a block behind it, and makes the receiver's end.
template <class Block, class Config>
void platform::lengthen(link_place& place, const char* what, const char* end,
                        std::vector<std::unique_ptr<Block>>& blocks, const Config& config) {
  blocks.push_back(std::make_unique<Block>((what + place.name).c_str(), config));
  Block& block = *blocks.back();
  attach(block);
  ++blocks_;
  link_cast<packet_link>(*links_.back()).connect(block.in);
  place.name += end;
  links_.push_back(make_link(place));
  link_cast<packet_link>(*links_.back()).connect(block.out);
  edges_.back().last = false;
  edges_.push_back(edges_.back());
  edges_.back().link = links_.back().get();
  edges_.back().first = false;
  edges_.back().last = true;
}

void platform::tie_open_ports(const topology& shape, unsigned way) {
  const graph& g = shape.g;
  const bool turned = ways_[way].turned;
  for (const auto v : boost::make_iterator_range(vertices(g))) {
    const bool terminal = g[v].role == vertex::terminal;
    std::vector<bool> in_used(terminal ? 1 : shape.input_ports(v));
    std::vector<bool> out_used(terminal ? 1 : shape.output_ports(v));
    for (const auto e : boost::make_iterator_range(in_edges(v, g))) in_used[g[e].to_port] = true;
    for (const auto e : boost::make_iterator_range(out_edges(v, g))) out_used[g[e].from_port] = true;
    const auto tie = [&](unsigned port, bool sends) {
      link_place place;
      place.name = prefix(way) + "open_" + shape.name(v) + (sends ? "_out" : "_in") + std::to_string(port);
      stubs_.push_back(make_link(std::move(place)));
      connect(*stubs_.back(), g[v], way, port, sends);
    };
    for (unsigned i = 0; i < in_used.size(); ++i)
      if (!in_used[i]) tie(turned ? first_output(shape, v) + i : i, turned);
    for (unsigned o = 0; o < out_used.size(); ++o)
      if (!out_used[o]) tie(turned ? first_input(shape, v) + o : o, !turned);
  }
}

void platform::drive_reset(bool active) {
  if (outside_)
    throw std::logic_error(std::string(name()) + ": the reset of this platform is the user's own");
  if (domain_)
    reset_wire_->write(active);
  else
    reset_signal_->write(active);
}

void platform::run(std::uint64_t cycles) {
  const double most = std::floor((sc_core::sc_max_time() - sc_core::sc_time_stamp()) / period_);
  if (static_cast<double>(cycles) >= most)
    throw std::out_of_range(
        fmt::format("{}: expected less than {:.0f} cycles, to the end of SystemC's time, found {}", name(),
                    most, cycles));
  sc_core::sc_start(period_ * static_cast<double>(cycles));
  if (domain_) domain_->catch_up();
}

std::uint64_t platform::cycle() const {
  if (domain_) return domain_->cycle();
  return counts_ ? counts_->cycle() : 0;
}

std::uint64_t platform::held_flits() const {
  std::uint64_t held = shared_ ? shared_->held_flits() : 0;
  for (const auto& s : switches_) held += s->level();
  for (const auto& b : buffers_) held += b->held_flits();
  for (const auto& p : pipelines_) held += p->held_flits();
  for (const auto& t : terminals_) held += t->held_flits();
  return held;
}

std::uint64_t platform::resting_flits() const {
  std::uint64_t rest = 0;
  for (const auto& t : terminals_) rest += t->resting_flits();
  return rest;
}

std::uint64_t platform::lost_in_reset() const {
  std::uint64_t lost = shared_ ? shared_->lost_in_reset() : 0;
  for (const auto& s : switches_) lost += s->lost_in_reset();
  for (const auto& b : buffers_) lost += b->lost_in_reset();
  for (const auto& p : pipelines_) lost += p->lost_in_reset();
  for (const auto& t : terminals_) lost += t->lost_in_reset();
  return lost;
}

std::uint64_t platform::forwarded() const {
  std::uint64_t sent = shared_ ? shared_->forwarded() : 0;
  for (const auto& s : switches_) sent += s->forwarded();
  return sent;
}

counters platform::count() const {
  counters all;
  for (const auto& s : switches_) s->count(all);
  for (const auto& m : markers_) m->count(all);
  for (const auto& t : terminals_) t->count(all);
  if (shared_) shared_->count(all);
  return all;
}

platform_size platform::size() {
  platform_size all;
  const auto add_blocks = [&all](platform_part& part) {
    for (const clocked* const block : part.blocks()) all.interfaces += block->storage();
  };
  for (const auto& s : switches_) all.switches += s->storage();
  for (const auto& m : markers_)
    if (m) all.switches += m->storage();
  for (const auto& b : buffers_) all.stages += b->storage();
  for (const auto& p : pipelines_) all.stages += p->storage();
  for (const auto& t : terminals_) add_blocks(*t);
  // Of a long link the sender's end alone: the other shows the same.
  for (const network_edge& e : edges_)
    if (e.first) all.wires += e.link->wires();
  if (!shared_) return all;
  add_blocks(*shared_);
  for (network_link* const l : shared_->links()) all.wires += l->wires();
  return all;
}

}  // namespace spillway
