#pragma once
#include <functional>
#include <map>
#include <memory>
#include <spillway/hw/dampening/banked_switch.hpp>
#include <spillway/hw/dampening/embargo_checker.hpp>
#include <spillway/hw/dampening/embargo_interface.hpp>
#include <string>
#include <support/link_bench.hpp>
#include <vector>

namespace spillway::testing_support {

/// The same assignment for every pool.
class same_everywhere final : public assignment_plan {
public:
  using maker = std::function<std::unique_ptr<assignment>()>;
  explicit same_everywhere(maker m) : maker_(std::move(m)) {}
  std::unique_ptr<assignment> make(unsigned, unsigned) const override { return maker_(); }

private:
  maker maker_;
};

inline std::shared_ptr<const assignment_plan> sets_everywhere(const buffer_sets& sets, unsigned buffers) {
  auto table = std::make_shared<set_table>(sets, buffers);
  return std::make_shared<same_everywhere>([table] { return std::make_unique<set_assignment>(table); });
}
inline std::shared_ptr<const assignment_plan> counting_everywhere(unsigned buffers, unsigned limit) {
  return std::make_shared<same_everywhere>(
      [=] { return std::make_unique<counting_assignment>(buffers, limit); });
}

/// An embargo link with its checker, on either kernel.
class checked_embargo_link {
public:
  checked_embargo_link(bench& b, const std::string& name, bool sender_calculates,
                       embargo_checker_config rules = {})
      : link_(b.keep<embargo_link>(link_place{name}, sender_calculates)) {
    rules.sender_calculates = sender_calculates;
    check = &b.make<embargo_checker>("check_" + name, rules,
                                     [&b](const violation& v) { b.violations.push_back(v); });
    link_.connect(*check);
  }
  template <class Bundle>
  void connect(Bundle& end) {
    link_.connect(end);
  }
  network_link& link() { return link_; }
  embargo_checker* check;

private:
  embargo_link& link_;
};

/// Output = destination modulo outputs.
struct modulo_routing : routing {
  explicit modulo_routing(unsigned n) : outputs_count(n) {}
  port_mask outputs(unsigned, unsigned, const flit& f) const override {
    return port_mask{1} << f.destination % outputs_count;
  }
  unsigned outputs_count;
};

/// What stands for the storage of a bench's switches, instead of what a platform has.
struct foreign_storage {
  /// Behind the places of a pool, which has so many.
  std::function<std::unique_ptr<flit_memory>(unsigned places)> memory;
  /// Takes the spill and refill links of a switch beside which no bank stands.
  std::function<void(bench& b, dampening_switch& pool, const std::string& name)> bank;
};

/// A switch whose inputs have a sender behind an embargo interface, and whose outputs lead to terminals or,
/// in `then`, to a second switch with terminals behind it.
struct dampening_bench {
  bench b;
  kernel k;
  dampening_switch_config config;
  std::vector<sender*> from;
  std::vector<embargo_interface*> interfaces;
  std::vector<dampening_switch*> switches;
  std::vector<receiver*> to;
  std::vector<std::unique_ptr<packet_link>> source_links;
  std::vector<std::unique_ptr<checked_embargo_link>> links;
  std::vector<std::uint32_t> packets;
  std::vector<std::unique_ptr<clocked>> checkers;  // of the switches

  /// `chain`: switches in a row; output o of one leads to input o of the next.
  dampening_bench(kernel which, const dampening_switch_config& c, std::shared_ptr<const assignment_plan> plan,
                  unsigned chain = 1, unsigned send_rate = 100, unsigned take_rate = 100,
                  const std::string& name = "b", unsigned depth = 64, const foreign_storage& storage = {})
      : b(which, name), k(which), config(c), packets(c.inputs) {
    const bool calculates = c.flow == flow_control::sender_calculates;
    const auto routes = std::make_shared<modulo_routing>(c.outputs);
    for (unsigned s = 0; s < chain; ++s) {
      std::vector<link_end> next(c.outputs);
      for (unsigned o = 0; o < c.outputs; ++o) {
        next[o].node = s + 1;
        next[o].input = o;
        next[o].terminal = s + 1 == chain;
      }
      switches.push_back(&make_switch("switch" + std::to_string(s), s, routes, next, plan, storage));
    }
    embargo_interface_config held;
    held.depth = depth;
    held.queue_a_destination = true;
    held.embargoes = c.embargoes(*plan->make(0, 0));
    for (unsigned i = 0; i < c.inputs; ++i) {
      from.push_back(&b.make<sender>("from" + std::to_string(i), send_rate, 10 + i));
      interfaces.push_back(&b.make<embargo_interface>("interface" + std::to_string(i), held,
                                                      calculates ? plan->make(0, i) : nullptr, false));
      source_links.push_back(b.make_part<packet_link>(link_place{name + "source" + std::to_string(i)}));
      source_links[i]->connect(from[i]->out), source_links[i]->connect(interfaces[i]->in);
      add_link("in" + std::to_string(i), calculates);
      links.back()->connect(interfaces[i]->out);
      switches[0]->connect_input(i, links.back()->link());
    }
    for (unsigned s = 0; s < chain; ++s)
      for (unsigned o = 0; o < c.outputs; ++o) {
        const bool last = s + 1 == chain;
        add_link("out" + std::to_string(s) + "_" + std::to_string(o), calculates && !last);
        links.back()->connect(switches[s]->out[o]);
        if (!last) {
          switches[s + 1]->connect_input(o, links.back()->link());
          continue;
        }
        to.push_back(&b.make<receiver>("to" + std::to_string(o), take_rate, 50 + o));
        links.back()->connect(to[o]->in);
      }
    for (dampening_switch* const s : switches)
      for (auto& checker : b.checkers_of(*s)) checkers.push_back(std::move(checker));
  }
  void send(unsigned i, std::uint32_t destination) { from[i]->add_packet(i, destination, packets[i]++); }

  unsigned level() const {
    unsigned flits = 0;
    for (const auto* i : interfaces) flits += i->level();
    for (const auto* s : switches) flits += s->level();
    return flits;
  }
  std::size_t sent() const {
    std::size_t n = 0;
    for (const auto* f : from) n += f->sent.size();
    return n;
  }
  std::size_t arrived() const {
    std::size_t n = 0;
    for (const auto* t : to) n += t->got.size();
    return n;
  }
  double counter(const std::string& name) const {
    counters all;
    for (const auto* s : switches) s->count(all);
    return all.at(name);
  }
  void expect_no_violation() const { EXPECT_TRUE(b.violations.empty()) << b.first_violation(); }
  /// All that was sent has arrived, in the order of each pair of source and destination.
  void expect_all_delivered() const {
    expect_no_violation();
    for (const auto* f : from) EXPECT_TRUE(f->todo.empty()) << f->todo.size() << " flits stuck in a sender";
    EXPECT_EQ(level(), 0u);
    std::map<std::pair<unsigned, unsigned>, std::vector<flit>> sent_between, got_between;
    for (const auto* f : from)
      for (const passage& p : f->sent) sent_between[{p.data.source, p.data.destination}].push_back(p.data);
    for (const auto* t : to)
      for (const passage& p : t->got) got_between[{p.data.source, p.data.destination}].push_back(p.data);
    EXPECT_TRUE(sent_between == got_between) << sent() << " sent, " << arrived() << " arrived";
  }

private:
  dampening_switch& make_switch(const std::string& name, unsigned node,
                                const std::shared_ptr<const routing>& routes,
                                const std::vector<link_end>& next,
                                const std::shared_ptr<const assignment_plan>& plan,
                                const foreign_storage& storage) {
    const bool banks = config.flow == flow_control::receiver_calculates;
    if (banks && !storage.bank && !storage.memory)
      return b.make<banked_switch>(name, config, node, routes, next, plan);
    std::unique_ptr<flit_memory> memory;
    if (storage.memory) memory = storage.memory(config.pools() * plan->make(node, 0)->buffers());
    auto& made = b.make<dampening_switch>(name, config, node, routes, next, plan, std::move(memory));
    if (banks) storage.bank(b, made, name);
    return made;
  }
  void add_link(const std::string& name, bool calculates) {
    links.push_back(std::make_unique<checked_embargo_link>(b, name, calculates));
  }
};

}  // namespace spillway::testing_support
