#pragma once
#include <spillway/hw/hypercube/message_node.hpp>
#include <string>
#include <support/link_bench.hpp>
#include <vector>

// What tests of message nodes are built from: a chain of them with a terminal at each.

namespace spillway::testing_support {

/// A chain of nodes 0 .. n-1, each with a terminal (port 0), a link down (port 1) and one up (port 2).
class chain_routing final : public routing {
public:
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    if (f.destination == node) return 1;
    return f.destination > node ? 4 : 2;
  }
};

inline message_node_config node_of(unsigned unit, unsigned buffers = 0) {
  message_node_config c;
  c.inputs.resize(3);
  c.inputs[0].terminal = true;
  c.outputs = c.inputs;
  c.service.length = message_length::fixed;
  c.service.unit = unit;
  c.buffers = buffers;
  c.rule = buffer_rule::any;
  return c;
}

/// Nodes in a chain, a sender and a receiver at each; the open ends are silent.
struct chain {
  chain(kernel k, message_node_config config, unsigned nodes, unsigned percent = 100, unsigned takes = 100,
        const std::string& name = "bench")
      : b(k, name) {
    const auto routes = std::make_shared<chain_routing>();
    for (unsigned n = 0; n < nodes; ++n) {
      const std::string number = std::to_string(n);
      config.hops.clear();
      for (unsigned end = 0; end < nodes; ++end)
        config.hops.push_back(static_cast<std::uint16_t>(end > n ? end - n : n - end));
      node.push_back(&b.make<message_node>("node_" + number, config, n, routes, 7u));
      from.push_back(&b.make<sender>("from_" + number, percent, 10 + n));
      to.push_back(&b.make<receiver>("to_" + number, takes, 20 + n));
      any_link in = b.link("in_" + number), out = b.link("out_" + number);
      from[n]->out.bind(in), node[n]->in[0].bind(in);
      to[n]->in.bind(out), node[n]->out[0].bind(out);
    }
    for (unsigned n = 0; n + 1 < nodes; ++n) {
      any_link up = b.link("up_" + std::to_string(n)), down = b.link("down_" + std::to_string(n));
      node[n]->out[2].bind(up), node[n + 1]->in[1].bind(up);
      node[n + 1]->out[1].bind(down), node[n]->in[2].bind(down);
    }
    any_link left_in = b.bare_link("left_in"), left_out = b.bare_link("left_out");
    any_link right_in = b.bare_link("right_in"), right_out = b.bare_link("right_out");
    node.front()->in[1].bind(left_in), node.front()->out[1].bind(left_out);
    node.back()->in[2].bind(right_in), node.back()->out[2].bind(right_out);
  }
  std::size_t delivered() const {
    std::size_t all = 0;
    for (const receiver* r : to) all += r->got.size();
    return all;
  }

  bench b;
  std::vector<message_node*> node;
  std::vector<sender*> from;
  std::vector<receiver*> to;
};

}  // namespace spillway::testing_support
