#include <gtest/gtest.h>

#include <boost/range/iterator_range.hpp>
#include <cmath>
#include <ctime>
#include <set>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <stdexcept>
#include <support/route.hpp>
#include <support/topologies.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

#ifdef NDEBUG
constexpr double slack = 1;
#else
constexpr double slack = 20;  // times of builds without optimization or with sanitizers only bound
#endif

/// Digits of a number, the most significant first.
std::vector<unsigned> digits(unsigned number, unsigned radix, unsigned count) {
  std::vector<unsigned> d(count);
  for (unsigned i = count; i-- > 0; number /= radix) d[i] = number % radix;
  return d;
}

/// No port holds two links and every terminal has one link each way.
void expect_well_wired(const topology& t) {
  for (const auto v : boost::make_iterator_range(vertices(t.g))) {
    std::set<unsigned> outs, ins;
    for (const auto e : boost::make_iterator_range(out_edges(v, t.g))) outs.insert(t.g[e].from_port);
    for (const auto e : boost::make_iterator_range(in_edges(v, t.g))) ins.insert(t.g[e].to_port);
    ASSERT_EQ(outs.size(), out_degree(v, t.g)) << t.name(v);
    ASSERT_EQ(ins.size(), in_degree(v, t.g)) << t.name(v);
    if (t.g[v].role == vertex::switch_) continue;
    ASSERT_EQ(outs.size(), 1u) << t.name(v);
    ASSERT_EQ(ins.size(), 1u) << t.name(v);
  }
  for (unsigned i = 0; i < t.switches.size(); ++i) ASSERT_EQ(t.g[t.switches[i]].index, i);
  for (unsigned i = 0; i < t.terminals.size(); ++i) ASSERT_EQ(t.g[t.terminals[i]].index, i);
}

template <class Hops>
void expect_hops(const topology& t, const routing& r, Hops hops) {
  for (unsigned a = 0; a < t.terminals.size(); ++a)
    for (unsigned b = 0; b < t.terminals.size(); ++b)
      ASSERT_EQ(walk(t, r, a, b).size(), hops(a, b)) << a << " to " << b;
}

struct size {
  unsigned radix, stages;
};

class multistage : public testing::TestWithParam<size> {};

TEST_P(multistage, complete_networks_use_every_port_and_reach_every_terminal) {
  const auto [radix, stages] = GetParam();
  const auto lines = static_cast<unsigned>(std::pow(radix, stages));
  for (const topology& t : {make_butterfly({radix, stages, lines}), make_omega({radix, stages, lines})}) {
    ASSERT_EQ(t.switches.size(), lines / radix * stages);
    expect_well_wired(t);
    for (const auto v : t.switches) {
      ASSERT_EQ(in_degree(v, t.g), radix);
      ASSERT_EQ(out_degree(v, t.g), radix);
    }
    const unsigned n = stages;
    expect_hops(t, *make_routing(t, "auto"), [n](unsigned, unsigned) { return n; });
    expect_hops(t, *make_routing(t, "table"), [n](unsigned, unsigned) { return n; });
  }
}

// Dally and Towles: at stage i the first i digits of a switch's number are already those of the destination.
TEST_P(multistage, butterfly_fixes_a_digit_a_stage) {
  const auto [radix, stages] = GetParam();
  const topology t = make_butterfly({radix, stages});
  const auto r = make_routing(t, "digit");
  for (unsigned a = 0; a < t.terminals.size(); ++a)
    for (unsigned b = 0; b < t.terminals.size(); ++b) {
      const auto from = digits(a, radix, stages), to = digits(b, radix, stages);
      const auto path = walk(t, *r, a, b);
      ASSERT_EQ(path.size(), stages);
      for (unsigned i = 0; i < stages; ++i) {
        unsigned row = 0;
        for (unsigned d = 0; d + 1 < stages; ++d) row = row * radix + (d < i ? to[d] : from[d]);
        ASSERT_EQ(path[i].node, i * (t.switches.size() / stages) + row) << a << " to " << b;
        ASSERT_EQ(path[i].port, to[i]);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(sizes, multistage,
                         testing::Values(size{2, 1}, size{2, 4}, size{2, 6}, size{3, 3}, size{4, 3},
                                         size{5, 2}));

// Farrens, Wetmore and Woodruff: line p of stage s-1 leads to queue ((p << 1) mod N) + bit n-1-s of the
// destination, of stage s.
TEST(omega, every_route_follows_the_shuffle) {
  const unsigned n = 8, lines = 256;
  const topology t = make_omega({2, n, lines});
  ASSERT_EQ(t.switches.size(), 1024u);
  const auto r = make_routing(t, "auto");
  for (unsigned a = 0; a < lines; ++a)
    for (unsigned b = 0; b < lines; ++b) {
      const auto path = walk(t, *r, a, b);
      ASSERT_EQ(path.size(), n);
      unsigned p = a;
      for (unsigned s = 0; s < n; ++s) {
        p = ((p << 1) % lines) + (b >> (n - 1 - s) & 1);
        ASSERT_EQ(path[s].node, s * 128 + p / 2) << a << " to " << b;
        ASSERT_EQ(path[s].port, p % 2);
      }
    }
}

TEST(multistage_sizes, a_thousand_terminals) {
  const topology part = make_butterfly({2, 10, 1000});
  EXPECT_EQ(part.terminals.size(), 1000u);
  EXPECT_EQ(part.switches.size(), 5120u);
  expect_well_wired(part);
  EXPECT_EQ(part.input_ports(part.switches[511]), 2u);  // its terminals are not there; its ports are
  EXPECT_EQ(in_degree(part.switches[511], part.g), 0u);
  const analysis a = analyse(part, *make_routing(part, "auto"));
  EXPECT_EQ(a.pairs, 1'000'000u);
  EXPECT_TRUE(a.sound()) << a.example;
  EXPECT_EQ(a.diameter, 10u);

  const topology whole = make_butterfly({10, 3, 1000});
  EXPECT_EQ(whole.switches.size(), 300u);
  expect_well_wired(whole);
  const analysis b = analyse(whole, *make_routing(whole, "auto"));
  EXPECT_EQ(b.pairs, 1'000'000u);
  EXPECT_TRUE(b.sound()) << b.example;
  EXPECT_EQ(b.max_ports, 10u);
  EXPECT_EQ(b.mean_hops, 3);
}

TEST(crossbar, is_one_switch) {
  const topology t = make_crossbar(7);
  ASSERT_EQ(t.switches.size(), 1u);
  expect_well_wired(t);
  expect_hops(t, *make_routing(t, "auto"), [](unsigned, unsigned) { return 1u; });
}

/// Switches on a shortest route of a grid, by its formula.
unsigned grid_hops(const std::vector<std::uint64_t>& sizes, bool wraps, unsigned a, unsigned b) {
  unsigned hops = 1;
  for (const std::uint64_t size : sizes) {
    const auto k = static_cast<unsigned>(size);
    const unsigned apart = a % k > b % k ? a % k - b % k : b % k - a % k;
    hops += wraps ? std::min(apart, k - apart) : apart;
    a /= k;
    b /= k;
  }
  return hops;
}

TEST(grids, routes_are_as_long_as_the_distance) {
  for (const std::vector<std::uint64_t>& d :
       {std::vector<std::uint64_t>{4, 3, 2}, {5, 4}, {2, 2}, {7}, {1, 6}, {3, 3, 3, 2}})
    for (const bool wraps : {false, true}) {
      const topology t = wraps ? make_torus(d) : make_mesh(d);
      expect_well_wired(t);
      const auto hops = [&](unsigned a, unsigned b) { return grid_hops(d, wraps, a, b); };
      expect_hops(t, *make_routing(t, "auto"), hops);
      expect_hops(t, *make_routing(t, "table"), hops);
    }
}

TEST(grids, dimensions_are_taken_in_order) {
  const topology t = make_mesh({4, 4});
  for (const step& s : walk(t, *make_routing(t, "auto"), 0, 15))
    if (s.node < 3) {
      EXPECT_EQ(s.port, 1u);
    } else if (s.node != 15) {
      EXPECT_EQ(s.port, 3u);
    }
}

TEST(grids, rings) {
  const topology one = make_ring(6, false), both = make_ring(6, true);
  expect_well_wired(one);
  expect_well_wired(both);
  expect_hops(one, *make_routing(one, "auto"), [](unsigned a, unsigned b) { return 1 + (b + 6 - a) % 6; });
  expect_hops(both, *make_routing(both, "auto"),
              [](unsigned a, unsigned b) { return grid_hops({6}, true, a, b); });
}

/// Each link of the cycle ends at the switch where the next begins.
void expect_closed(const std::vector<std::string>& cycle) {
  ASSERT_GE(cycle.size(), 2u);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::string &link = cycle[i], &next = cycle[(i + 1) % cycle.size()];
    const std::size_t arrow = link.find(" -> ");
    ASSERT_NE(arrow, std::string::npos) << link;
    const std::string to = link.substr(arrow + 4, link.rfind(':') - arrow - 4);
    EXPECT_EQ(to, next.substr(0, next.find(':'))) << link << ", then " << next;
  }
}

analysis analysis_by_auto(const topology& t) { return analyse(t, *make_routing(t, "auto")); }

TEST(deadlock, a_ring_can_and_its_cycle_is_given) {
  const analysis a = analysis_by_auto(make_ring(4, false));
  EXPECT_EQ(a.unreachable, 0u);
  EXPECT_FALSE(a.acyclic);
  EXPECT_EQ(std::set<std::string>(a.cycle.begin(), a.cycle.end()),
            (std::set<std::string>{"switch_0:1 -> switch_1:1", "switch_1:1 -> switch_2:1",
                                   "switch_2:1 -> switch_3:1", "switch_3:1 -> switch_0:1"}));
  expect_closed(a.cycle);
  EXPECT_NE(describe(a).find("switch_3:1 -> switch_0:1"), std::string::npos);
}

TEST(deadlock, a_torus_can_from_rings_of_four) {
  const analysis a = analysis_by_auto(make_torus({4, 4}));
  EXPECT_FALSE(a.acyclic);
  expect_closed(a.cycle);
  EXPECT_TRUE(analysis_by_auto(make_torus({3, 3})).acyclic);  // no packet takes two links of a ring
}

TEST(deadlock, a_mesh_and_a_butterfly_cannot) {
  for (const topology& t : {make_mesh({8, 8}), make_mesh({3, 4, 5}), make_mesh({9}),
                            make_butterfly({2, 5, 32}), make_crossbar(4)})
    EXPECT_TRUE(analysis_by_auto(t).sound()) << t.switches.size();
}

// Packets that meet head on wait for each other's pool, even where each link has its own direction.
TEST(deadlock, shared_pools_can_on_a_line_and_cannot_between_stages) {
  const topology line = make_mesh({3}), stages = make_omega({2, 3, 8}), star = make_crossbar(4);
  const analysis a = analyse(line, *make_routing(line, "auto"), {true});
  EXPECT_EQ(a.unreachable, 0u);
  EXPECT_FALSE(a.acyclic);
  ASSERT_EQ(a.cycle.size(), 2u);
  for (const std::string& name : a.cycle) EXPECT_EQ(name.rfind("switch_", 0), 0u) << name;
  EXPECT_TRUE(analyse(stages, *make_routing(stages, "auto"), {true}).sound());
  EXPECT_TRUE(analyse(star, *make_routing(star, "auto"), {true}).sound());
}

TEST(analysis, large_networks) {
  const std::clock_t start = std::clock();
  const analysis all = analysis_by_auto(make_omega({2, 10, 1024}));
  EXPECT_TRUE(all.sound());
  EXPECT_FALSE(all.sampled);
  EXPECT_EQ(all.pairs, 1024u * 1024u);
  const analysis grid = analysis_by_auto(make_mesh({32, 32}));
  EXPECT_TRUE(grid.sound());
  EXPECT_EQ(grid.diameter, 63u);
  EXPECT_NEAR(grid.mean_hops, 1 + 2 * (32.0 - 1.0 / 32) / 3, 1e-9);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 3.0 * slack);
}

TEST(generators, a_large_omega_takes_less_than_a_second) {
  const std::clock_t start = std::clock();
  const topology t = make_omega({2, 14, 1u << 14});
  EXPECT_EQ(t.switches.size(), 114'688u);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 1.0 * slack);
}

}  // namespace
