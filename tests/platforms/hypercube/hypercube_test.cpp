#include <gtest/gtest.h>

#include <boost/range/iterator_range.hpp>
#include <set>
#include <spillway/hw/switching/wrapped_routing.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/distances.hpp>
#include <stdexcept>
#include <support/topologies.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

unsigned ones(unsigned bits) { return static_cast<unsigned>(__builtin_popcount(bits)); }

/// Links between two nodes of a hierarchical hypercube, from the paper's description.
unsigned hierarchical_distance(unsigned a, unsigned b, unsigned d, unsigned interface) {
  const unsigned low = (1u << d) - 1;
  if (a >> d == b >> d) return ones(a ^ b);
  return ones((a & low) ^ interface) + ones(a >> d ^ b >> d) + ones((b & low) ^ interface);
}

TEST(hypercube, joins_nodes_that_differ_in_one_bit) {
  const topology t = make_hypercube(5, 2);
  ASSERT_EQ(t.switches.size(), 32u);
  std::set<std::pair<unsigned, unsigned>> joined;
  for (const auto e : boost::make_iterator_range(edges(t.g))) {
    const vertex &from = t.g[boost::source(e, t.g)], &to = t.g[target(e, t.g)];
    if (from.role == vertex::terminal || to.role == vertex::terminal) {
      EXPECT_EQ(from.index, to.index);
      continue;
    }
    EXPECT_EQ(from.index ^ to.index, 1u << (t.g[e].from_port - 1));
    EXPECT_EQ(t.g[e].from_port, t.g[e].to_port);
    EXPECT_TRUE(joined.emplace(from.index, to.index).second);
  }
  EXPECT_EQ(joined.size(), 32u * 5);
}

TEST(hypercube, hierarchical_has_the_papers_degrees) {
  // Section 2: with 1024 nodes and d = 3, 128 nodes of degree 10 and 896 of degree 3.
  const topology t = make_hierarchical_hypercube(10, 3, 5);
  unsigned of_degree[12] = {};
  for (const auto v : t.switches) ++of_degree[out_degree(v, t.g) - 1];
  EXPECT_EQ(of_degree[10], 128u);
  EXPECT_EQ(of_degree[3], 896u);
  for (const auto v : t.switches) EXPECT_EQ(out_degree(v, t.g) == 11, (t.g[v].index & 7) == 5);
}

TEST(hypercube, deeper_hierarchies_join_the_interface_nodes_of_each_level) {
  const topology t = make_hierarchical_hypercube(6, 2, 0, {2, 2});
  unsigned of_degree[8] = {};
  for (const auto v : t.switches) ++of_degree[out_degree(v, t.g) - 1];
  EXPECT_EQ(of_degree[2], 48u);
  EXPECT_EQ(of_degree[4], 12u);
  EXPECT_EQ(of_degree[6], 4u);
  const distance_table distance(t);
  EXPECT_EQ(distance.from(0b000011, 0b110000), 2u + 2);
  EXPECT_EQ(distance.from(0b000111, 0b111101), 2u + 1 + 2 + 2 + 1) << "up, across and down";
  EXPECT_EQ(distance.longest(), 2u * (2 + 2) + 2);
}

TEST(hypercube, clusters_may_differ_in_size) {
  const topology t = make_hierarchical_hypercube(4, 2, 0, {}, {4, 2, 1, 4});
  ASSERT_EQ(t.switches.size(), 11u);
  const unsigned degrees[] = {4, 2, 2, 2, 3, 1, 2, 4, 2, 2, 2};
  for (unsigned i = 0; i < 11; ++i) EXPECT_EQ(out_degree(t.switches[i], t.g) - 1, degrees[i]) << i;
  const distance_table distance(t);
  EXPECT_EQ(distance.from(5, 6), 1u + 2);
  EXPECT_EQ(distance.from(3, 10), 2u + 2 + 2);
}

TEST(hypercube, parameters_out_of_range_are_refused) {
  EXPECT_THROW(make_hypercube(0, 0), std::invalid_argument);
  EXPECT_THROW(make_hypercube(29, 2), std::invalid_argument);
  EXPECT_THROW(make_hypercube(4, 5), std::invalid_argument);
  EXPECT_THROW(make_hierarchical_hypercube(4, 4, 0), std::invalid_argument);
  EXPECT_THROW(make_hierarchical_hypercube(4, 0, 0), std::invalid_argument);
  EXPECT_THROW(make_hierarchical_hypercube(4, 2, 4), std::invalid_argument);
  EXPECT_THROW(make_hierarchical_hypercube(4, 1, 0, {1, 1}), std::invalid_argument);
  EXPECT_THROW(make_hierarchical_hypercube(4, 2, 0, {2, 0}), std::invalid_argument);
  EXPECT_THROW(make_hierarchical_hypercube(4, 2, 0, {}, {4, 4, 4}), std::invalid_argument);
  EXPECT_THROW(make_hierarchical_hypercube(4, 2, 0, {}, {4, 4, 4, 3}), std::invalid_argument);
  EXPECT_THROW(make_hierarchical_hypercube(4, 2, 0, {}, {4, 4, 4, 8}), std::invalid_argument);
  EXPECT_THROW(make_hierarchical_hypercube(4, 2, 2, {}, {4, 4, 4, 2}), std::invalid_argument);
}

TEST(hypercube, distances_are_those_of_the_definition) {
  const topology bh = make_hypercube(6, 3), bhbh = make_hierarchical_hypercube(6, 2, 3);
  const distance_table plain(bh), hierarchical(bhbh);
  for (unsigned a = 0; a < 64; ++a)
    for (unsigned b = 0; b < 64; ++b) {
      ASSERT_EQ(plain.from(a, b), ones(a ^ b));
      ASSERT_EQ(hierarchical.from(a, b), hierarchical_distance(a, b, 2, 3));
      ASSERT_EQ(hierarchical.row(a)[b], hierarchical.from(a, b));
    }
}

TEST(hypercube, shortest_paths_offers_exactly_the_links_that_lead_nearer) {
  for (const topology& t : {make_hypercube(6, 3), make_hierarchical_hypercube(6, 2, 1),
                            make_hierarchical_hypercube(6, 2, 6, {1, 3}),
                            make_hierarchical_hypercube(5, 2, 1, {1, 2}, {4, 2, 2, 4, 4, 2, 4, 4})}) {
    const auto all = make_routing(t, "shortest_paths"), lowest = make_routing(t, "e_cube");
    EXPECT_FALSE(all->in_order());
    EXPECT_TRUE(lowest->in_order());
    const distance_table distance(t);
    for (const auto v : t.switches)
      for (unsigned to = 0; to < t.terminals.size(); ++to) {
        flit f;
        f.destination = to;
        const unsigned here = t.g[v].index;
        port_mask nearer = here == to ? 1 : 0;
        for (const auto e : boost::make_iterator_range(out_edges(v, t.g)))
          if (const vertex& next = t.g[target(e, t.g)];
              next.role == vertex::switch_ && distance.from(next.index, to) < distance.from(here, to))
            nearer |= port_mask{1} << t.g[e].from_port;
        ASSERT_EQ(all->outputs(here, 0, f), nearer)
            << num_edges(t.g) << " links: " << ' ' << here << " to " << to;
        ASSERT_EQ(lowest->outputs(here, 0, f), nearer & (~nearer + 1))
            << num_edges(t.g) << " links: " << ' ' << here << " to " << to;
      }
  }
}

TEST(hypercube, analysis_knows_size_and_shape) {
  const topology bh = make_hypercube(6, 3), bhbh = make_hierarchical_hypercube(6, 3, 0);
  const analysis plain = analyse(bh, *make_routing(bh, "auto"));
  EXPECT_EQ(plain.diameter, 7u);                   // switches: one more than the links between them
  EXPECT_DOUBLE_EQ(plain.mean_hops, 1 + 6 / 2.0);  // over all pairs, a node and itself included
  EXPECT_EQ(plain.bisection, 64u);
  const analysis hierarchical = analyse(bhbh, *make_routing(bhbh, "auto"));
  EXPECT_EQ(hierarchical.diameter, 1 + 3 + 3 + 3u);  // D + d links (paper, section 4)
  EXPECT_EQ(hierarchical.bisection, 8u);
}

TEST(hypercube, e_cube_alone_is_free_of_deadlock_and_any_shortest_path_is_not) {
  for (const topology& t : {make_hypercube(5, 2), make_hierarchical_hypercube(6, 3, 0)}) {
    const analysis lowest = analyse(t, *make_routing(t, "e_cube"));
    EXPECT_TRUE(lowest.sound()) << describe(lowest);
    const analysis any = analyse(t, *make_routing(t, "shortest_paths"));
    EXPECT_EQ(any.unreachable, 0u);
    EXPECT_FALSE(any.acyclic);
    EXPECT_GE(any.cycle.size(), 2u);
  }
}

TEST(hypercube, e_cube_alone_keeps_order_and_only_in_one_channel) {
  for (const topology& t : {make_hypercube(4, 2), make_hierarchical_hypercube(4, 2, 0)})
    for (const unsigned channels : {1u, 2u}) {
      EXPECT_EQ(make_routing(t, {"e_cube", channels})->in_order(), channels == 1);
      EXPECT_FALSE(make_routing(t, {"shortest_paths", channels})->in_order());
    }
}

TEST(hypercube, classes_of_buffers_free_it_of_deadlock) {
  for (const topology& t : {make_hypercube(5, 2), make_hierarchical_hypercube(5, 2, 0)}) {
    const auto routes = make_routing(t, "shortest_paths");
    const unsigned most = t.facts<cube_shape>()->hierarchical() ? 5 + 2 : 5;  // M
    analysis_options pool;
    pool.shared_pools = true;
    const analysis without = analyse(t, *routes, pool);
    EXPECT_FALSE(without.acyclic);
    EXPECT_NE(describe(without).find("switch_"), std::string::npos);
    for (const unsigned buffers : {most + 1, most + 9}) {
      analysis_options classes;
      classes.shared_pools = true;
      classes.hop_classes = buffers;
      const analysis with = analyse(t, *routes, classes);
      EXPECT_TRUE(with.sound()) << describe(with);
    }
    analysis_options too_few;
    too_few.hop_classes = most;
    const analysis short_of_one = analyse(t, *routes, too_few);
    EXPECT_GT(short_of_one.unreachable, 0u);
    EXPECT_NE(short_of_one.example.find("buffers"), std::string::npos) << short_of_one.example;
  }
}

/// Leads away from the destination once in a while: hops that are left grow again.
class wandering final : public wrapped_routing {
public:
  using wrapped_routing::wrapped_routing;
  port_mask outputs(unsigned node, unsigned input, const flit& f) const override {
    return node == f.destination ? 1 : wrapped_routing::outputs(node, input, f) | 0xe;
  }
};

TEST(hypercube, classes_do_not_help_where_messages_stray) {
  const topology t = make_hypercube(3, 3);
  const wandering routes(make_routing(t, "shortest_paths"));
  analysis_options classes;
  classes.hop_classes = 8;
  const analysis a = analyse(t, routes, classes);
  EXPECT_FALSE(a.acyclic);
  EXPECT_NE(describe(a).find(" buffer "), std::string::npos) << describe(a);
}

TEST(hypercube, queues_without_bound_never_wait) {
  const topology t = make_hypercube(4, 4);
  analysis_options unbounded;
  unbounded.unbounded = true;
  const analysis a = analyse(t, *make_routing(t, "shortest_paths"), unbounded);
  EXPECT_TRUE(a.sound());
  EXPECT_NE(describe(a).find("no bound"), std::string::npos);
}

}  // namespace
