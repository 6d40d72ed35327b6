// The fat tree against its description in section 3 of Strumpen and Krishnamurthy.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <set>
#include <spillway/hw/circuit/fat_tree.hpp>
#include <spillway/platforms/circuit/circuit_link_entry.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <stdexcept>
#include <support/topologies.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

graph::edge_descriptor link_from(const topology& t, graph::vertex_descriptor v, unsigned port) {
  for (const auto e : boost::make_iterator_range(out_edges(v, t.g)))
    if (t.g[e].from_port == port) return e;
  throw std::logic_error("an open port");
}

flit flit_for(std::uint32_t destination) {
  flit f;
  f.destination = destination;
  return f;
}

/// Terminals below a switch, through its ports a and b.
std::set<unsigned> below(const topology& t, graph::vertex_descriptor v, unsigned port) {
  const auto down = target(link_from(t, v, port), t.g);
  if (t.g[down].role == vertex::terminal) return {t.g[down].index};
  std::set<unsigned> all = below(t, down, port_a);
  all.merge(below(t, down, port_b));
  return all;
}

TEST(fat_tree, packets_of_a_pair_may_take_either_way_up_and_overtake_each_other) {
  const fat_tree_routing routes{fat_tree{3}};
  EXPECT_EQ(routes.outputs(0, port_a, flit_for(7)), port_mask{1} << port_c | port_mask{1} << port_d);
  EXPECT_FALSE(routes.in_order());
}

TEST(fat_tree, every_level_has_half_as_many_routers_as_terminals_and_nodes_double_upwards) {
  const fat_tree shape{5};
  std::map<std::uint32_t, std::map<std::uint32_t, unsigned>> routers;  // by level and node
  for (std::uint32_t i = 0; i < shape.routers(); ++i) {
    const fat_tree::place p = shape.at(i);
    EXPECT_EQ(shape.number(p), i);
    ++routers[p.level][p.node];
  }
  ASSERT_EQ(routers.size(), 5u);
  for (const auto& [level, nodes] : routers) {
    EXPECT_EQ(nodes.size(), 32u >> (level + 1));
    for (const auto& [node, count] : nodes) EXPECT_EQ(count, 1u << level) << level << ' ' << node;
  }
}

TEST(fat_tree, ports_a_lead_to_the_lower_half_and_b_to_the_upper) {
  const fat_tree shape{4};
  const topology t = make_fat_tree(16);
  for (std::uint32_t i = 0; i < shape.routers(); ++i) {
    const fat_tree::place p = shape.at(i);
    const unsigned half = 1u << p.level, first = p.node * 2 * half;
    for (const unsigned port : {port_a, port_b}) {
      const std::set<unsigned> found = below(t, t.switches[i], port);
      ASSERT_EQ(found.size(), half);
      EXPECT_EQ(*found.begin(), first + (port == port_b ? half : 0));
      EXPECT_EQ(*found.rbegin(), *found.begin() + half - 1);
    }
  }
}

TEST(fat_tree, links_lead_both_ways_through_the_same_ports_and_only_the_root_is_open) {
  const topology t = make_fat_tree(32);
  std::map<graph::vertex_descriptor, unsigned> used;
  for (const auto e : boost::make_iterator_range(edges(t.g))) {
    const auto back = link_from(t, target(e, t.g), t.g[e].to_port);
    EXPECT_EQ(target(back, t.g), boost::source(e, t.g));
    EXPECT_EQ(t.g[back].to_port, t.g[e].from_port);
    ++used[boost::source(e, t.g)];
  }
  for (const auto v : t.switches) {
    EXPECT_EQ(t.output_ports(v), 4u);
    EXPECT_EQ(used[v], t.g[v].stage == 4 ? 2u : 4u);
  }
}

TEST(fat_tree, every_choice_on_the_way_up_arrives_over_the_shortest_path) {
  const unsigned n = 16;
  const fat_tree shape{4};
  const topology t = make_fat_tree(n);
  const auto routes = make_routing(t, "auto");
  for (unsigned from = 0; from < n; ++from)
    for (unsigned to = 0; to < n; ++to)
      for (unsigned choices = 0; choices < 8; ++choices) {
        const unsigned turn = fat_tree::turn(from, to);
        flit f;
        f.source = from, f.destination = to;
        auto e = *out_edges(t.terminals[from], t.g).first;
        unsigned hops = 0, level = 0;
        for (; t.g[target(e, t.g)].role == vertex::switch_; ++hops) {
          ASSERT_LE(hops, 2 * turn);
          const auto v = target(e, t.g);
          level = hops <= turn ? hops : 2 * turn - hops;
          // The choices so far are the number of the router.
          const unsigned side = hops <= turn ? from : to;
          ASSERT_EQ(t.g[v].index, shape.number({level, side >> (level + 1), choices & ((1u << level) - 1)}));
          const port_mask ports = routes->outputs(t.g[v].index, t.g[e].to_port, f);
          unsigned port = 0;
          if (hops < turn) {
            ASSERT_EQ(ports, port_mask{1} << port_c | port_mask{1} << port_d);
            port = choices >> level & 1 ? port_d : port_c;
          } else {
            ASSERT_EQ(__builtin_popcountll(ports), 1);
            port = static_cast<unsigned>(__builtin_ctzll(ports));
          }
          e = link_from(t, v, port);
        }
        EXPECT_EQ(t.g[target(e, t.g)].index, to);
        EXPECT_EQ(hops, 2 * turn + 1);
      }
}

TEST(fat_tree, is_free_of_deadlock) {
  for (const unsigned n : {2u, 8u, 64u}) {
    const topology t = make_fat_tree(n);
    const auto routes = make_routing(t, "up_down");
    const analysis found = analyse(t, *routes);
    EXPECT_TRUE(found.sound());
    EXPECT_EQ(found.diameter, 2 * fat_tree::turn(0, n - 1) + 1);
  }
}

// Resident memory of `spillway run` without checkers, less the 20 MiB of an empty process.
TEST(fat_tree, needs_the_memory_that_was_measured) {
  for (const auto& [terminals, mebibytes] : {std::pair{1024, 147.0}, {2048, 327.0}, {4096, 709.0}}) {
    const topology_size shape = fat_tree_topology().size({{"terminals", terminals}}).value();
    const size_estimate size = estimate_pins(shape, {4, circuit_link_entry().bytes()}, false);
    EXPECT_NEAR(size.bytes / (1 << 20), mebibytes, 0.08 * mebibytes) << terminals;
  }
}

TEST(fat_tree, needs_a_power_of_two) {
  EXPECT_THROW(make_fat_tree(0), std::invalid_argument);
  EXPECT_THROW(make_fat_tree(1), std::invalid_argument);
  EXPECT_THROW(make_fat_tree(24), std::invalid_argument);
  EXPECT_THROW(make_routing(make_mesh({4}), "up_down"), std::invalid_argument);
}

TEST(fat_tree, can_be_terminals_only) {
  const topology t = make_fat_tree(1024, false);
  EXPECT_EQ(t.terminals.size(), 1024u);
  EXPECT_TRUE(t.switches.empty());
}

}  // namespace
