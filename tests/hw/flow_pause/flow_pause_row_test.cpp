// Switches that pause flows in a row, with a gate before each input: nothing is lost, and a link stays busy.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <spillway/hw/flow_pause/flow_pause_switch.hpp>
#include <string>
#include <support/dice.hpp>
#include <support/flow_pause_bench.hpp>
#include <support/link_bench.hpp>
#include <utility>
#include <vector>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Two gates before two switches in a row, whose second one has two receivers.
struct row_bench {
  bench b;
  std::vector<sender*> from;
  std::vector<receiver*> to;
  flow_pause_switch *gates[2], *first, *last;
  std::vector<std::unique_ptr<clocked>> checkers;
  std::vector<std::uint32_t> packets = std::vector<std::uint32_t>(2);

  row_bench(kernel k, const std::string& name, const flow_pause_config& config, unsigned take_rate)
      : b(k, name), name_(name) {
    const std::vector<link_end> on(2, link_end{1, 0, 4, false}), end(2, link_end{2, 0, 1, true});
    flow_pause_config gate = config;
    gate.inputs = gate.outputs = gate.lanes = 1;
    first = &b.make<flow_pause_switch>("first", config, 0u, std::make_shared<bitwise_routing>(), on);
    last = &b.make<flow_pause_switch>("last", config, 1u, std::make_shared<bitwise_routing>(), end);
    for (unsigned p = 0; p < 2; ++p) {
      const std::string n = std::to_string(p);
      gates[p] = &b.make<flow_pause_switch>("gate" + n, gate, 1u, std::make_shared<straight>(),
                                            std::vector<link_end>{on[0]});
      from.push_back(&b.make<sender>("from" + n, 100, 10 + p));
      to.push_back(&b.make<receiver>("to" + n, take_rate, 50 + p));
      packet_link &in = link("in" + n), &before = link("before" + n), &between = link("between" + n),
                  &out = link("out" + n);
      in.connect(from[p]->out), gates[p]->connect_input(0, in);
      gates[p]->connect_output(0, before), first->connect_input(p, before);
      first->connect_output(p, between), last->connect_input(p, between);
      last->connect_output(p, out), out.connect(to[p]->in);
    }
    for (flow_pause_switch* s : {gates[0], gates[1], first, last})
      for (auto& one : b.checkers_of(*s)) checkers.push_back(std::move(one));
    for (packet_link* l : links) {
      checkers.push_back(l->make_checker(b.collect()));
      b.clock(*checkers.back());
    }
  }
  void send(unsigned i, unsigned destination, unsigned length = 1) {
    from[i]->add_packet(i, destination, packets[i]++, length);
  }
  unsigned level() const { return first->level() + last->level() + gates[0]->level() + gates[1]->level(); }

private:
  struct straight : routing {
    port_mask outputs(unsigned, unsigned, const flit&) const override { return 1; }
  };
  packet_link& link(const std::string& name) {
    links.push_back(&b.keep<packet_link>(link_place{name_ + name}));
    return *links.back();
  }
  const std::string name_;
  std::vector<packet_link*> links;
};

flow_pause_config row_config(unsigned threshold, unsigned length) {
  flow_pause_config c = flow_pause_config_of(4, threshold, length);
  c.flows = 8;  // some share a line
  return c;
}

}  // namespace

TEST_F(flow_pause_switch_test, loses_and_turns_round_nothing_and_runs_alike_on_both_kernels) {
  row_bench a(kernel::signals, "a", row_config(2, 3), 40), f(kernel::fast, "f", row_config(2, 3), 40);
  for (row_bench* t : {&a, &f}) {
    dice d(5);
    for (int n = 0; n < 400; ++n) t->send(d.below(2), d.below(4), d.between(1, 3));
    t->b.rst(true);
  }
  run(2);
  for (row_bench* t : {&a, &f}) t->b.rst(false);
  run(6000);
  for (row_bench* t : {&a, &f}) {
    EXPECT_TRUE(t->b.violations.empty()) << t->b.first_violation();
    EXPECT_EQ(t->level(), 0u);
    for (std::uint32_t s = 0; s < 2; ++s)
      for (std::uint32_t d = 0; d < 4; ++d) {
        std::vector<flit> sent, got;
        for (const passage& p : t->from[s]->sent)
          if (p.data.destination == d) sent.push_back(p.data);
        for (const receiver* r : t->to)
          for (const passage& p : r->got)
            if (p.data.destination == d && p.data.source == s) got.push_back(p.data);
        EXPECT_TRUE(sent == got) << s << " to " << d << ": " << sent.size() << " sent, " << got.size();
      }
  }
  for (unsigned o = 0; o < 2; ++o) EXPECT_TRUE(a.to[o]->got == f.to[o]->got) << "output " << o;
}

// The default threshold is a hop's round trip: a queue that pauses its sender does not run dry.
TEST_F(flow_pause_switch_test, keeps_a_link_busy_with_the_threshold_of_a_round_trip) {
  row_bench two(kernel::fast, "two", row_config(2, 1), 100), one(kernel::fast, "one", row_config(1, 1), 100);
  for (row_bench* t : {&two, &one}) {
    for (int n = 0; n < 300; ++n) t->send(0, 1), t->send(1, 1);  // one flow each, to one receiver
    t->b.rst(true);
  }
  run(2);
  for (row_bench* t : {&two, &one}) t->b.rst(false);
  run(220);
  const auto cycles = [](const row_bench& t) { return t.to[1]->got[200].cycle - t.to[1]->got[20].cycle; };
  ASSERT_GT(two.to[1]->got.size(), 200u);
  EXPECT_EQ(cycles(two), 180u);
  EXPECT_GT(two.first->level() + two.last->level(), 0u);
}
