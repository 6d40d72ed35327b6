// Networks of routers: fat trees of any numbers, multibutterflies, and routing that has a choice.
#include <gtest/gtest.h>

#include <boost/range/iterator_range.hpp>
#include <map>
#include <set>
#include <spillway/platforms/hyperx/hyperx.hpp>
#include <support/dice.hpp>
#include <support/route.hpp>
#include <support/topologies.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// A way on which each switch draws one of the outputs that the routing allows.
std::vector<step> random_way(const topology& t, const routing& r, unsigned from, unsigned to, dice& d) {
  return walk(t, r, from, to, [&d](unsigned ways) { return d.below(ways); });
}

/// With one channel, and with two, of which a switch takes any.
std::pair<bool, bool> keeps_order(const topology& t, const std::string& kind,
                                  const nlohmann::json& keys = {}) {
  return {make_routing(t, {kind, 1, keys})->in_order(), make_routing(t, {kind, 2, keys})->in_order()};
}

}  // namespace

TEST(xgft, has_the_switches_and_buffers_of_the_nifdy_paper) {
  // Table 3 counts two packets an input: 10 packets a processor in the full tree, so 320 inputs.
  const topology full = make_xgft({{4, 4, 4}, {4, 4}});
  EXPECT_EQ(full.terminals.size(), 64u);
  EXPECT_EQ(full.switches.size(), 48u);
  std::size_t inputs = 0;
  for (const auto v : full.switches) inputs += in_degree(v, full.g);
  EXPECT_EQ(inputs, 320u);
  // Two parents in the first two levels: 16, 8 and 4 switches.
  const topology cm5 = make_xgft({{4, 4, 4}, {2, 2}});
  std::map<unsigned, unsigned> level;
  for (const auto v : cm5.switches) ++level[cm5.g[v].stage];
  EXPECT_EQ(level, (std::map<unsigned, unsigned>{{0, 16}, {1, 8}, {2, 4}}));
}

TEST(xgft, every_way_goes_up_to_the_nearest_common_ancestor_and_down) {
  dice d(1);
  const std::vector<unsigned> children{3, 2, 4};
  const topology t = make_xgft({children, {2, 3}});
  const auto routes = make_routing(t, "auto");
  EXPECT_FALSE(routes->in_order());
  for (unsigned a = 0; a < t.terminals.size(); ++a)
    for (unsigned b = 0; b < t.terminals.size(); ++b) {
      unsigned levels = 1;
      for (unsigned x = a / 3, y = b / 3, l = 1; x != y; x /= children[l], y /= children[l], ++l) ++levels;
      std::set<std::vector<step>> ways;
      for (unsigned n = 0; n < 60; ++n) {
        ways.insert(random_way(t, *routes, a, b, d));
        ASSERT_EQ(ways.begin()->size(), 2 * levels - 1) << a << " to " << b;
      }
      // As many ways as there are ancestors: 1, 2 and 2 x 3.
      EXPECT_EQ(ways.size(), levels == 1 ? 1u : levels == 2 ? 2u : 6u) << a << " to " << b;
    }
}

TEST(xgft, one_parent_for_each_pair_keeps_packets_in_order) {
  dice d(2);
  const topology t = make_xgft({{4, 4}, {4}});
  const auto routes = make_routing(t, {"nearest_ancestor", 1, {{"up", "hashed"}}});
  EXPECT_TRUE(routes->in_order());
  EXPECT_FALSE(routes->memoryless()) << "an analysis has to ask for each source";
  std::set<unsigned> tops;
  for (unsigned a = 0; a < 16; ++a)
    for (unsigned b = 0; b < 16; ++b) {
      const auto way = random_way(t, *routes, a, b, d);
      ASSERT_FALSE(way.empty());
      EXPECT_EQ(way, random_way(t, *routes, a, b, d));
      if (way.size() == 3) tops.insert(way[1].node);
    }
  EXPECT_EQ(tops.size(), 4u) << "the pairs do not share one top switch";
}

TEST(xgft, one_parent_for_each_pair_is_drawn_by_both_ends) {
  dice d(2);
  const topology t = make_xgft({{4, 4}, {4}});
  const auto routes = make_routing(t, {"nearest_ancestor", 1, {{"up", "hashed"}}});
  const auto top = [&](unsigned a, unsigned b) { return random_way(t, *routes, a, b, d).at(1).node; };
  std::set<unsigned> of_a_source, of_a_destination;
  for (unsigned other = 4; other < 16; ++other) {
    of_a_source.insert(top(0, other));
    of_a_destination.insert(top(other, 0));
  }
  EXPECT_GE(of_a_source.size(), 3u);
  EXPECT_GE(of_a_destination.size(), 3u);
}

TEST(in_order, are_packets_that_have_one_way_and_one_channel) {
  using both = std::pair<bool, bool>;
  EXPECT_EQ(keeps_order(make_butterfly({2, 3, 8}), "digit"), both(true, false)) << "radix a power of two";
  EXPECT_EQ(keeps_order(make_omega({3, 2, 9}), "digit"), both(true, false)) << "any other";
  EXPECT_EQ(keeps_order(make_multibutterfly(4, 2, 1, 1), "digit"), both(true, false));
  EXPECT_EQ(keeps_order(make_multibutterfly(4, 2, 2, 1), "digit"), both(false, false)) << "several outputs";
  EXPECT_EQ(keeps_order(make_xgft({{4, 4}, {4}}), "nearest_ancestor", {{"up", "hashed"}}), both(true, false));
  EXPECT_EQ(keeps_order(make_xgft({{4, 4}, {4}}), "nearest_ancestor", {{"up", "any"}}), both(false, false));
  EXPECT_EQ(keeps_order(make_mesh({3, 3}), "table"), both(true, false));
  EXPECT_EQ(keeps_order(make_hyperx({{4, 4}, 1}), "minimal"), both(true, false));
  EXPECT_FALSE(make_routing(make_hyperx({{4, 4}, 1}), {"valiant", 2})->in_order());
}

TEST(dimension_order, keeps_packets_in_order_where_they_have_no_choice_of_channels) {
  const auto in_order = [](const topology& t, unsigned channels, bool dateline = true) {
    return make_routing(t, with_channels("auto", channels, dateline))->in_order();
  };
  EXPECT_TRUE(in_order(make_mesh({4, 4}), 1));
  EXPECT_FALSE(in_order(make_mesh({4, 4}), 2));
  EXPECT_TRUE(in_order(make_torus({4, 4}), 2)) << "one before the dateline, one after it";
  EXPECT_FALSE(in_order(make_torus({4, 4}), 2, false));
  EXPECT_FALSE(in_order(make_torus({4, 4}), 4));
}

TEST(multibutterfly, every_draw_of_outputs_arrives_after_as_many_switches_as_stages) {
  dice d(3);
  const topology t = make_multibutterfly(4, 3, 2, 7);
  const auto routes = make_routing(t, "auto");
  EXPECT_FALSE(routes->in_order());
  for (unsigned a = 0; a < 64; ++a)
    for (unsigned b = 0; b < 64; ++b) ASSERT_EQ(random_way(t, *routes, a, b, d).size(), 3u);
}

TEST(multibutterfly, outputs_of_a_digit_lead_to_different_switches_and_the_seed_draws_the_wiring) {
  const auto neighbours = [](const topology& t) {
    std::vector<unsigned> all;
    const auto& shape = *t.facts<multistage_shape>();
    for (const auto v : t.switches) {
      std::map<unsigned, unsigned> by_port;
      for (const auto e : boost::make_iterator_range(out_edges(v, t.g)))
        by_port[t.g[e].from_port] = t.g[target(e, t.g)].index;
      for (const auto& [port, next] : by_port) all.push_back(next);
      if (t.g[v].stage + 2 >= shape.stages) continue;  // beyond the last splitters a digit has one switch
      for (unsigned digit = 0; digit < shape.radix; ++digit)
        EXPECT_NE(by_port.at(2 * digit), by_port.at(2 * digit + 1)) << t.name(v);
    }
    return all;
  };
  const auto seven = neighbours(make_multibutterfly(4, 3, 2, 7));
  EXPECT_EQ(seven, neighbours(make_multibutterfly(4, 3, 2, 7)));
  EXPECT_NE(seven, neighbours(make_multibutterfly(4, 3, 2, 8)));
}

TEST(multibutterfly, without_dilation_there_is_one_way) {
  dice d(4);
  const topology t = make_multibutterfly(2, 4, 1, 3);
  const auto routes = make_routing(t, "auto");
  EXPECT_TRUE(routes->in_order());
  for (unsigned a = 0; a < 16; ++a)
    for (unsigned b = 0; b < 16; ++b)
      EXPECT_EQ(random_way(t, *routes, a, b, d), random_way(t, *routes, a, b, d));
}

TEST(adaptive, takes_any_shortest_way_and_escapes_in_dimension_order) {
  dice d(5);
  const topology t = make_mesh({4, 4});
  const auto adaptive = make_routing(t, with_channels("adaptive", 2));
  const auto ordered = make_routing(t, with_channels("dimension_order", 2));
  std::set<std::vector<step>> ways;
  for (unsigned n = 0; n < 500; ++n) ways.insert(random_way(t, *adaptive, 0, 15, d));
  EXPECT_EQ(ways.size(), 20u);  // 6 over 3
  EXPECT_EQ(ways.begin()->size(), 7u);
  for (unsigned node = 0; node < 16; ++node)
    for (unsigned to = 0; to < 16; ++to) {
      flit f;
      f.destination = to;
      const port_mask outputs = adaptive->outputs(node, 0, f);
      for (unsigned o = 0; o < 5; ++o) {
        if (!(outputs >> o & 1)) continue;
        const bool may_escape = adaptive->channels(node, 0, o, f) & adaptive->escape();
        EXPECT_EQ(may_escape, ordered->outputs(node, 0, f) == port_mask{1} << o) << node << " to " << to;
      }
    }
}

TEST(dimension_order, goes_up_where_both_ways_are_as_long) {
  const topology t = make_torus({8, 6});
  const auto routes = make_routing(t, with_channels("dimension_order", 2));
  for (unsigned from = 0; from < 48; ++from) {
    flit f;
    f.destination = (from + 4) % 8 + from / 8 * 8;
    EXPECT_EQ(routes->outputs(from, 0, f), port_mask{1} << 1) << from;
    f.destination = (from + 24) % 48;
    EXPECT_EQ(routes->outputs(from, 0, f), port_mask{1} << 3) << from;
  }
}

// Those that go round the end of a ring need the second class behind it; the others are dealt out.
TEST(dateline, gives_each_class_half_of_what_does_not_go_round) {
  const auto routes = make_routing(make_ring(8, true), with_channels("dimension_order", 2));
  std::map<channel_mask, unsigned> used;
  for (unsigned from = 0; from < 8; ++from)
    for (unsigned to = 0; to < 8; ++to) {
      flit f;
      f.source = from;
      f.destination = to;
      const port_mask output = routes->outputs(from, 0, f);
      const bool rises = output == 2, falls = output == 4;
      if ((rises && to > from) || (falls && to < from))
        ++used[routes->channels(from, 0, rises ? 1 : 2, f) & 3];
    }
  EXPECT_EQ(used, (std::map<channel_mask, unsigned>{{1, 20}, {2, 20}}));
}

TEST(dateline, uses_both_classes_and_keeps_order) {
  const topology t = make_torus({8, 8});
  const auto routes = make_routing(t, with_channels("dimension_order", 2));
  EXPECT_TRUE(routes->in_order());
  std::map<channel_mask, unsigned> used;
  for (unsigned from = 0; from < 64; ++from)
    for (unsigned to = 0; to < 64; ++to) {
      flit f;
      f.source = from;
      f.destination = to;
      const port_mask output = routes->outputs(from, 0, f);
      if (output != 1) ++used[routes->channels(from, 0, static_cast<unsigned>(__builtin_ctzll(output)), f)];
    }
  ASSERT_EQ(used.size(), 2u);
  EXPECT_TRUE(used.count(~channel_mask{1}) && used.count(1));
  for (const auto& [mask, pairs] : used) EXPECT_GT(pairs, 1000u);
}

// Destinations that only one root led to, or pairs that all met in the same one, would make the others dead
// copper.
TEST(xgft, every_root_of_three_levels_is_used) {
  const topology t = make_xgft({{2, 2, 2}, {2, 2}});
  for (const char* up : {"any", "hashed"}) {
    const auto routes = make_routing(t, {"nearest_ancestor", 1, {{"up", up}}});
    std::map<unsigned, unsigned> times;
    dice d(3);
    for (unsigned from = 0; from < 8; ++from)
      for (unsigned to = 0; to < 8; ++to)
        for (const step& s : random_way(t, *routes, from, to, d))
          if (t.g[t.switches[s.node]].stage == 2) ++times[s.node];
    EXPECT_EQ(times.size(), 4u) << up;
    // 32 pairs meet at the top: 8 a root on average.
    for (const auto& [root, count] : times) EXPECT_GE(count, 3u) << up << ' ' << root;
  }
}
