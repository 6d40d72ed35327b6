#pragma once
#include <memory>
#include <spillway/hw/isolation/isolation_switch.hpp>
#include <string>
#include <support/link_bench.hpp>
#include <vector>

namespace spillway::testing_support {

/// Four destinations behind a switch, node 0, and one at each of its outputs, nodes 1 and 2: the first looks
/// at the upper bit of the destination, the others at the lower one. Their outputs have the numbers 0 and 1,
/// 2 and 3, 4 and 5, so a packet to destination d ends at output d + 2.
struct two_levels : routing {
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    return port_mask{1} << (node == 0 ? f.destination / 2 : f.destination % 2);
  }
};

inline std::shared_ptr<const output_map> map_of_two_levels() {
  const std::vector<link_end> last(2, link_end{0, 0, 1, true});
  return std::make_shared<output_map>(
      std::make_shared<two_levels>(),
      std::vector<std::vector<link_end>>{{{1, 0, 1, false}, {2, 0, 1, false}}, last, last});
}

/// The same, and nodes 1 and 2 both lead to node 3 by their only outputs, numbers 2 and 3, before the
/// destinations, which node 3 tells apart by the lower bit: 0 and 2 are behind its output 0, number 4.
struct meeting_again : routing {
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    return port_mask{1} << (node == 0 ? f.destination / 2 : node == 3 ? f.destination % 2 : 0);
  }
};
constexpr std::uint32_t root_where_they_meet = 4;

inline std::shared_ptr<const output_map> map_of_meeting_again() {
  return std::make_shared<output_map>(
      std::make_shared<meeting_again>(),
      std::vector<std::vector<link_end>>{{{1, 0, 1, false}, {2, 0, 1, false}},
                                         {{3, 0, 1, false}},
                                         {{3, 1, 1, false}},
                                         std::vector<link_end>(2, link_end{0, 0, 1, true})});
}
constexpr std::uint32_t root_of(std::uint32_t destination) { return destination + 2; }

inline tree_message set(std::uint32_t root) { return {root, true, false}; }
inline tree_message clear(std::uint32_t root) { return {root, false, true}; }

/// Counts what a pin says, as a set of roots.
class tree_listener : public clocked {
public:
  input<tree_message> pin{"pin"};
  heard_roots now;
  unsigned words = 0;

  explicit tree_listener(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { now.clear(); }
  void tick() override {
    wake_at(cycle() + 1);
    now.hear(pin.read());
    words += pin.read().any();
  }
};

/// Says on a pin what it is given, a word a cycle.
class tree_teller : public clocked {
public:
  output<tree_message> pin{"pin"};
  std::deque<tree_message> todo;
  tree_message in_reset;

  explicit tree_teller(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { pin.write(in_reset); }
  void tick() override {
    wake_at(cycle() + 1);
    tree_message m;
    if (!todo.empty()) m = todo.front(), todo.pop_front();
    pin.write(m);
  }
};

/// The switch of node 0 with two senders and two receivers, and what stands for the switches around it; every
/// link has its checker, and the switch too.
struct isolation_bench {
  bench b;
  isolation_switch& block;
  std::vector<isolation_link*> in, out;
  std::vector<sender*> from;
  std::vector<receiver*> to;
  std::vector<tree_teller*> tokens_in, stops_out;
  std::vector<tree_listener*> stops_in, tokens_out;
  std::vector<std::unique_ptr<clocked>> checkers;
  std::vector<std::uint32_t> packets = std::vector<std::uint32_t>(2);

  isolation_bench(kernel k, const isolation_switch_config& config, const std::string& name = "b",
                  unsigned send_rate = 100, unsigned take_rate = 100,
                  const std::shared_ptr<const output_map>& map = map_of_two_levels())
      : b(k, name),
        block(b.make<isolation_switch>("switch", config, 0u, std::make_shared<two_levels>(), map,
                                       std::vector<link_end>{{1, 0, 1, false}, {2, 0, 1, false}})) {
    for (unsigned p = 0; p < 2; ++p) {
      const std::string n = std::to_string(p);
      in.push_back(&link(name + "_in" + n, config.queues));
      from.push_back(&b.make<sender>("from" + n, send_rate, 10 + p));
      in[p]->connect(from[p]->out), block.connect_input(p, *in[p]);
      out.push_back(&link(name + "_out" + n, 8));
      to.push_back(&b.make<receiver>("to" + n, take_rate, 50 + p));
      block.connect_output(p, *out[p]), out[p]->connect(to[p]->in);
      tokens_in.push_back(&b.make<tree_teller>("tokens_in" + n));
      in[p]->with([&](auto& w) { tokens_in[p]->pin(w.token); });
      stops_in.push_back(&b.make<tree_listener>("stops_in" + n));
      in[p]->with([&](auto& w) { stops_in[p]->pin(w.stop); });
      stops_out.push_back(&b.make<tree_teller>("stops_out" + n));
      out[p]->with([&](auto& w) { stops_out[p]->pin(w.stop); });
      tokens_out.push_back(&b.make<tree_listener>("tokens_out" + n));
      out[p]->with([&](auto& w) { tokens_out[p]->pin(w.token); });
    }
    checkers = b.checkers_of(block);
    for (isolation_link* const l : {in[0], in[1], out[0], out[1]}) {
      checkers.push_back(l->make_checker(b.collect()));
      b.clock(*checkers.back());
    }
  }
  void send(unsigned i, std::uint32_t destination, unsigned length = 1) {
    from[i]->add_packet(i, destination, packets[i]++, length);
  }
  std::size_t arrived(std::uint32_t destination) const {
    std::size_t n = 0;
    for (const receiver* r : to)
      for (const passage& p : r->got) n += p.data.destination == destination;
    return n;
  }
  void expect_all_delivered() const {
    EXPECT_TRUE(b.violations.empty()) << b.first_violation();
    for (std::uint32_t s = 0; s < 2; ++s) {
      EXPECT_TRUE(from[s]->todo.empty()) << from[s]->todo.size() << " flits stuck at input " << s;
      for (std::uint32_t d = 0; d < 4; ++d) {
        std::vector<flit> sent, got;
        for (const passage& p : from[s]->sent)
          if (p.data.destination == d) sent.push_back(p.data);
        for (const passage& p : to[d / 2]->got)
          if (p.data.destination == d && p.data.source == s) got.push_back(p.data);
        EXPECT_TRUE(sent == got) << s << " to " << d << ": " << sent.size() << " sent, " << got.size()
                                 << " arrived";
      }
    }
    EXPECT_EQ(block.level(), 0u);
  }

private:
  isolation_link& link(const std::string& name, unsigned queues) {
    return b.keep<isolation_link>(link_place{name}, queues);
  }
};

}  // namespace spillway::testing_support
