#pragma once
#include <map>
#include <memory>
#include <spillway/hw/links/packet_checker.hpp>
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <string>
#include <support/link_bench.hpp>
#include <support/topologies.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace spillway::testing_support {

/// For tests of topologies that run their routings.
struct routing_case {
  const char* routing;
  unsigned channels;
  kernel runs_on;
};
inline void PrintTo(const routing_case& c, std::ostream* out) { *out << c.routing; }

/// A packet to be made at a cycle.
struct planned {
  std::uint64_t cycle;
  std::uint32_t destination;
  std::uint16_t length;
  std::uint8_t network;
};

/// Makes the packets of one network out of a plan.
class planned_supply : public packet_supply {
public:
  explicit planned_supply(std::vector<planned> plan) : plan_(std::move(plan)) {}
  std::vector<planned> of(unsigned network) const {
    std::vector<planned> some;
    for (const planned& p : plan_)
      if (p.network == network) some.push_back(p);
    return some;
  }
  std::uint64_t due(std::uint64_t now, std::size_t) override {
    return next_ == plan_.size() ? never : std::max(now, plan_[next_].cycle);
  }
  packet_order take(std::uint64_t) override {
    const planned& p = plan_[next_++];
    packet_order order;
    order.destination = p.destination;
    order.length = p.length;
    order.network = p.network;
    return order;
  }
  bool exhausted() const override { return next_ == plan_.size(); }

private:
  const std::vector<planned> plan_;
  std::size_t next_ = 0;
};

/// A source and a sink for each of several networks; the service is that of the first, others take all.
class parallel_unit : public terminal_unit {
public:
  explicit parallel_unit(terminal_context c) {
    const auto& plan = dynamic_cast<const planned_supply&>(*c.supply);
    for (unsigned n = 0; n < c.networks; ++n) {
      const std::string number = std::to_string(c.terminal) + "_" + std::to_string(n);
      sources_.push_back(std::make_unique<source>(("source_" + number).c_str(), c.terminal,
                                                  std::make_unique<planned_supply>(plan.of(n)), c.observer,
                                                  c.routes, c.next, c.source_queue));
      sinks_.push_back(std::make_unique<sink>(("sink_" + number).c_str(), c.terminal,
                                              n ? sink_config{} : c.service, c.observer));
    }
  }
  void connect_output(unsigned network, network_link& l) override {
    link_cast<packet_link>(l).connect(sources_[network]->out);
  }
  void connect_input(unsigned network, network_link& l) override {
    link_cast<packet_link>(l).connect(sinks_[network]->in);
  }
  std::vector<clocked*> blocks() override {
    std::vector<clocked*> all;
    for (auto& s : sources_) all.push_back(s.get());
    for (auto& s : sinks_) all.push_back(s.get());
    return all;
  }
  std::uint64_t held_flits() const override {
    std::uint64_t held = 0;
    for (const auto& s : sources_) held += s->backlog_flits();
    return held;
  }
  std::uint64_t lost_in_reset() const override {
    std::uint64_t lost = 0;
    for (const auto& s : sources_) lost += s->lost_in_reset();
    return lost;
  }

private:
  std::vector<std::unique_ptr<source>> sources_;
  std::vector<std::unique_ptr<sink>> sinks_;
};

/// What became of a packet; by network, source and its number there.
struct packet_fate {
  std::uint64_t created = 0, head = 0, tail = 0;
  std::uint32_t destination = 0;
  std::uint16_t length = 1, arrived = 0;
  bool operator==(const packet_fate& o) const {
    return std::tie(created, head, tail, destination, arrived) ==
           std::tie(o.created, o.head, o.tail, o.destination, o.arrived);
  }
};

struct fate_log : endpoint_observer {
  using key = std::tuple<unsigned, std::uint32_t, std::uint32_t>;
  std::map<key, packet_fate> packets;
  std::uint64_t made = 0, taken = 0, faults = 0, overtaken = 0;  // flits; flits; flits; packets

  void created(std::uint64_t cycle, const flit& f) override {
    packet_fate& p = packets[{f.network, f.source, f.packet}];
    p.created = cycle;
    p.destination = f.destination;
    p.length = f.length;
    made += f.length;
  }
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t cycle, unsigned terminal, const flit& f) override {
    ++taken;
    const auto found = packets.find({f.network, f.source, f.packet});
    if (found == packets.end() || found->second.destination != terminal || found->second.arrived != f.index ||
        f.payload != check_value(f)) {
      ++faults;
      return;
    }
    packet_fate& p = found->second;
    ++p.arrived;
    if (f.head()) p.head = cycle;
    if (!f.tail()) return;
    p.tail = cycle;
    std::uint32_t& last = last_[{f.network, f.source, f.destination}];
    if (f.packet + 1 < last) ++overtaken;
    last = std::max(last, f.packet + 1);
  }

private:
  std::map<key, std::uint32_t> last_;  // by network and pair: packets that have come
};

class parallel_entry final : public interface_entry {
public:
  explicit parallel_entry(unsigned networks) : interface_entry("parallel"), networks_(networks) {}
  nlohmann::json schema() const override { return nlohmann::json::object(); }
  std::unique_ptr<terminal_unit> make(terminal_context c) const override {
    return std::make_unique<parallel_unit>(std::move(c));
  }
  network_uses networks(const nlohmann::json&) const override {
    return network_uses(networks_, network_use::packets);
  }

private:
  const unsigned networks_;
};

/// A platform of wormhole routers with terminals that follow plans; a checker on every link.
struct network_bench {
  network_plan plan;
  catalogue all = platform_catalogue();
  fate_log log;
  std::unique_ptr<platform> network;
  std::vector<std::unique_ptr<packet_checker>> checkers;
  std::vector<violation> violations;

  network_bench(const std::string& name, topology shape, const routing_choice& routes,
                const nlohmann::json& switches, unsigned networks, unsigned packet_length, kernel k,
                const std::function<std::vector<planned>(unsigned terminal)>& plans,
                const sink_config& service = {}, std::uint64_t seed = 1) {
    plan.config.seed = seed;
    plan.shape = std::move(shape);
    routing_choice choice = routes;
    nlohmann::json& section = plan.config.switches;
    section = {{"kind", "wormhole"}, {"virtual_channels", 1}, {"depth", 4}, {"latency", 1}};
    section.merge_patch(switches);
    fill_defaults(all.of<switch_entry>().at("wormhole"), section);
    choice.channels = section.at("virtual_channels");
    plan.routes = make_routing(plan.shape, choice);
    plan.config.runs_on = k == kernel::fast ? spillway::kernel::fast : spillway::kernel::signals;
    plan.config.packet_length = packet_length;
    plan.config.interfaces = {{"kind", "parallel"}};
    all.add<parallel_entry>(networks);
    network = std::make_unique<platform>(
        name.c_str(), plan, all,
        workload{[plans](unsigned t) { return std::make_unique<planned_supply>(plans(t)); },
                 [service](unsigned) { return service; }, log});
    for (network_link* const l : network->links()) {
      checkers.push_back(
          std::make_unique<packet_checker>((name + "_check_" + l->name()).c_str(), packet_checker_config{},
                                           [this](const violation& v) { violations.push_back(v); }));
      link_cast<packet_link>(*l).connect(*checkers.back());
      network->attach(*checkers.back());
    }
  }

  zero_load latency() const { return latency_of(plan, all).value(); }
  void expect_all_delivered() const {
    EXPECT_TRUE(violations.empty()) << violations.front().message;
    EXPECT_EQ(log.faults, 0u);
    EXPECT_EQ(log.taken, log.made);
    EXPECT_EQ(network->held_flits(), 0u);
  }
};

}  // namespace spillway::testing_support
