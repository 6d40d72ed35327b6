#pragma once
#include <memory>
#include <spillway/hw/packet/buffer_pool.hpp>
#include <string>
#include <support/link_bench.hpp>
#include <vector>

namespace spillway::testing_support {

/// Output = destination, none from 64 on.
struct straight_routing : routing {
  port_mask outputs(unsigned, unsigned, const flit& f) const override {
    return f.destination < 64 ? port_mask{1} << f.destination : 0;
  }
};

/// A buffer pool with a sender at every input, a receiver at every output and a checker on every link.
struct pool_bench {
  bench b;
  buffer_pool& pool;
  std::vector<sender*> from;
  std::vector<receiver*> to;
  std::vector<any_link> in, out;
  std::vector<std::uint32_t> packets;  // sent so far by each input

  pool_bench(kernel k, const buffer_pool_config& config, const std::string& name = "b",
             unsigned send_rate = 100, unsigned take_rate = 100,
             const std::shared_ptr<const routing>& routes = std::make_shared<straight_routing>())
      : b(k, name),
        pool(b.make<buffer_pool>("pool", config, 0u, routes, std::vector<link_end>(config.outputs))),
        packets(config.inputs),
        lanes_(config.lanes()) {
    packet_checker_config rules;
    for (unsigned i = 0; i < config.inputs; ++i) {
      rules.lanes = lanes_ ? config.outputs : 1;
      in.push_back(b.link("in" + std::to_string(i), rules));
      from.push_back(&b.make<sender>("from" + std::to_string(i), send_rate, 10 + i));
      from[i]->out.bind(in[i]), pool.in[i].bind(in[i]);
    }
    for (unsigned o = 0; o < config.outputs; ++o) {
      rules.lanes = 1;
      out.push_back(b.link("out" + std::to_string(o), rules));
      to.push_back(&b.make<receiver>("to" + std::to_string(o), take_rate, 50 + o));
      pool.out[o].bind(out[o]), to[o]->in.bind(out[o]);
    }
  }
  void send(unsigned i, unsigned o, unsigned length = 1) {
    from[i]->add_packet(i, o, packets[i]++, length, lanes_ ? o : 0);
  }

  /// Nothing lost, duplicated or misordered between any input and output; packets in one piece.
  void expect_all_delivered() const {
    EXPECT_TRUE(b.violations.empty()) << b.first_violation();
    for (std::size_t i = 0; i < from.size(); ++i) {
      EXPECT_TRUE(from[i]->todo.empty()) << from[i]->todo.size() << " flits stuck at input " << i;
      for (std::size_t o = 0; o < to.size(); ++o) expect_same(i, o);
    }
    EXPECT_EQ(pool.level(), 0u);
  }

private:
  void expect_same(std::size_t i, std::size_t o) const {
    std::vector<flit> sent, got;
    for (const passage& p : from[i]->sent)
      if (p.data.destination == o) sent.push_back(p.data);
    for (flit& f : sent) f.lane = 0;
    for (const passage& p : to[o]->got)
      if (p.data.source == i) got.push_back(p.data);
    EXPECT_TRUE(sent == got) << "input " << i << " to output " << o << ": " << sent.size() << " sent, "
                             << got.size() << " arrived";
  }

  bool lanes_;
};

struct pool_kind {
  const char* name;
  buffering organisation;
  buffer_assignment assignment;
};
constexpr pool_kind pool_kinds[] = {
    {"fifo", buffering::fifo, buffer_assignment::any},
    {"voq", buffering::voq, buffer_assignment::any},
    {"output", buffering::output, buffer_assignment::any},
    {"shared", buffering::shared, buffer_assignment::any},
    {"partition", buffering::shared, buffer_assignment::partition},
    {"damq", buffering::damq, buffer_assignment::any},
};
inline void PrintTo(const pool_kind& k, std::ostream* os) { *os << k.name; }

inline buffer_pool_config pool_config(const pool_kind& kind, unsigned size, unsigned depth,
                                      unsigned length = 1, switching mode = switching::cut_through) {
  buffer_pool_config c;
  c.inputs = c.outputs = size;
  c.organisation = kind.organisation;
  c.assignment = kind.assignment;
  c.mode = mode;
  c.depth = kind.assignment == buffer_assignment::partition ? depth * size : depth;
  c.packet_length = length;
  return c;
}

}  // namespace spillway::testing_support
