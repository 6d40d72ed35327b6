// The wiring of dragonflies, the ways of their routings, and what frees them of deadlock.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <spillway/platforms/dragonfly/dragonfly.hpp>
#include <spillway/platforms/topology/certificate.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>
#include <support/region_routings.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

struct dragonfly_case {
  unsigned a, p, h, groups;
  global_wiring wiring;
};
void PrintTo(const dragonfly_case& c, std::ostream* os) {
  *os << c.a << ' ' << c.p << ' ' << c.h << ' ' << c.groups << ' ' << static_cast<int>(c.wiring);
}

class dragonfly_of : public testing::TestWithParam<dragonfly_case> {
protected:
  const dragonfly_case c = GetParam();
  const dragonfly_shape shape{c.a, c.p, c.h, c.groups, c.wiring};
  const topology t = make_dragonfly(shape);
};

const nlohmann::json progressive{{"progressive", true}};

analysis analysed_progressive(const topology& t, unsigned channels) {
  analysis_options options;
  options.channels = channels;
  return analyse(t, *make_routing(t, {"ugal", channels, progressive}), options);
}

/// The groups that a head goes through, the first of its outputs at each switch; the links between switches.
struct journey {
  std::vector<unsigned> groups;
  unsigned links = 0;
};
journey travel(const topology& t, const routing& routes, const flit& f) {
  const auto& shape = *t.facts<dragonfly_shape>();
  journey j;
  for (auto v = t.switches[shape.switch_of_terminal(f.source)];;) {
    const unsigned group = shape.group_of(t.g[v].index);
    if (j.groups.empty() || j.groups.back() != group) j.groups.push_back(group);
    const port_mask outputs = routes.outputs(t.g[v].index, 0, f);
    auto to = v;
    for (const auto e : boost::make_iterator_range(out_edges(v, t.g)))
      if (outputs >> t.g[e].from_port & 1) to = target(e, t.g);
    if (t.g[to].role == vertex::terminal) {
      EXPECT_EQ(t.g[to].index, unsigned{f.destination});
      return j;
    }
    if (++j.links > 9 || to == v) {
      ADD_FAILURE() << "lost at " << t.name(v);
      return j;
    }
    v = to;
  }
}

}  // namespace

TEST_P(dragonfly_of, has_as_many_links_between_any_two_groups) {
  std::map<std::pair<unsigned, unsigned>, unsigned> links;
  for (const auto e : boost::make_iterator_range(edges(t.g))) {
    const auto from = source(e, t.g), to = target(e, t.g);
    if (t.g[from].role == vertex::terminal || t.g[to].role == vertex::terminal) continue;
    const unsigned a = shape.group_of(t.g[from].index), b = shape.group_of(t.g[to].index);
    if (a != b) ++links[{a, b}];
  }
  EXPECT_EQ(links.size(), std::size_t{c.groups} * (c.groups - 1));
  for (const auto& [pair, count] : links)
    EXPECT_EQ(count, c.a * c.h / (c.groups - 1)) << pair.first << " to " << pair.second;
}

TEST_P(dragonfly_of, joins_all_switches_of_a_group) {
  for (const auto v : t.switches) {
    std::vector<unsigned> near;
    unsigned terminals = 0, far = 0;
    for (const auto e : boost::make_iterator_range(out_edges(v, t.g))) {
      const auto to = target(e, t.g);
      if (t.g[to].role == vertex::terminal) {
        ++terminals;
        EXPECT_EQ(t.g[to].index / c.p, t.g[v].index);
      } else if (shape.group_of(t.g[to].index) == shape.group_of(t.g[v].index)) {
        near.push_back(t.g[to].index);
      } else {
        ++far;
      }
    }
    std::sort(near.begin(), near.end());
    EXPECT_EQ(std::unique(near.begin(), near.end()) - near.begin(), c.a - 1);
    EXPECT_EQ(terminals, c.p);
    EXPECT_LE(far, c.h);
    EXPECT_LE(t.output_ports(v), c.p + c.a - 1 + c.h);
    if (c.groups == c.a * c.h + 1) {
      EXPECT_EQ(far, c.h);
    }
  }
}

TEST_P(dragonfly_of, is_crossed_by_three_links_at_most) {
  const analysis straight = analysed(t, "minimal", 2);
  EXPECT_TRUE(straight.sound()) << describe(straight);
  EXPECT_FALSE(straight.sampled);
  EXPECT_EQ(straight.diameter, c.a == 1 ? 2u : 4u);  // switches
  EXPECT_EQ(size_of(t).links, shape.size().links);
  EXPECT_EQ(size_of(t).ports, shape.size().ports);
}

TEST_P(dragonfly_of, is_free_of_deadlock_by_way_of_groups) {
  for (const char* const kind : {"valiant", "ugal"}) {
    const analysis found = analysed(t, kind, 3);
    EXPECT_TRUE(found.sound()) << describe(found);
    EXPECT_FALSE(found.sampled);
    EXPECT_LE(found.diameter, 4u) << "the straight way is among those";
  }
}
TEST_P(dragonfly_of, is_free_of_deadlock_where_packets_decide_again) {
  const analysis found = analysed_progressive(t, 4);
  EXPECT_TRUE(found.sound()) << describe(found);
  EXPECT_FALSE(found.sampled);
}
INSTANTIATE_TEST_SUITE_P(wirings, dragonfly_of,
                         testing::Values(dragonfly_case{4, 2, 2, 9, global_wiring::palmtree},
                                         dragonfly_case{4, 2, 2, 9, global_wiring::absolute},
                                         dragonfly_case{4, 2, 2, 5, global_wiring::palmtree},
                                         dragonfly_case{4, 2, 2, 4, global_wiring::absolute},
                                         dragonfly_case{3, 1, 2, 7, global_wiring::palmtree},
                                         dragonfly_case{1, 2, 3, 4, global_wiring::absolute}));

TEST(dragonfly, wirings_are_those_of_their_sources) {
  // Palmtree: link j of a group leads to the group j + 1 before it; absolute: to the j-th of the others.
  const dragonfly_shape palmtree(4, 2, 2, 9), absolute(4, 2, 2, 9, global_wiring::absolute);
  for (unsigned g = 0; g < 9; ++g)
    for (unsigned j = 0; j < 8; ++j) {
      EXPECT_EQ(palmtree.place_of(g, (g + 9 - j - 1) % 9), j);
      EXPECT_EQ(absolute.place_of(g, j < g ? j : j + 1), j);
    }
}

TEST(dragonfly, has_the_1056_terminals_of_the_paper) {
  const topology t = make_topology(
      platform_catalogue(), {{"kind", "dragonfly"}, {"switches", 8}, {"terminals", 4}, {"global_links", 4}});
  EXPECT_EQ(t.terminals.size(), 1056u);
  EXPECT_EQ(t.switches.size(), 264u);
  EXPECT_EQ(size_of(t).ports, 15);
}

TEST(dragonfly, deadlocks_with_too_few_channels) {
  const topology t = make_dragonfly({4, 2, 2, 9});
  const analysis straight = analysed(t, "minimal", 1);
  EXPECT_FALSE(straight.acyclic);
  EXPECT_GE(straight.cycle.size(), 2u);
  for (const char* const kind : {"valiant", "ugal"})
    for (const unsigned channels : {1u, 2u})
      EXPECT_FALSE(analysed(t, kind, channels).acyclic) << kind << ' ' << channels;
  EXPECT_TRUE(analysed(t, "ugal", 7).acyclic);
}

// With three the links of those that may turn are those of packets that come by way of a group.
TEST(dragonfly, deadlocks_with_too_few_channels_to_decide_again) {
  const topology t = make_dragonfly({4, 2, 2, 9});
  for (const unsigned channels : {1u, 2u, 3u})
    EXPECT_FALSE(analysed_progressive(t, channels).acyclic) << channels;
  for (const unsigned channels : {4u, 6u, 9u})
    EXPECT_TRUE(analysed_progressive(t, channels).acyclic) << channels;
}

TEST(dragonfly, keeps_packets_in_order_where_they_have_one_way) {
  const auto in_order = [](unsigned groups, const char* kind, unsigned channels) {
    return make_routing(make_dragonfly({4, 2, 2, groups}), {kind, channels})->in_order();
  };
  EXPECT_TRUE(in_order(9, "minimal", 1));
  EXPECT_FALSE(in_order(5, "minimal", 1)) << "two links between groups";
  EXPECT_FALSE(in_order(9, "minimal", 2));
  EXPECT_FALSE(in_order(9, "valiant", 1));
}

TEST(dragonfly, may_have_one_group_or_two_and_then_goes_straight) {
  for (const unsigned groups : {1u, 2u}) {
    const topology t = make_dragonfly({4, 2, 1, groups});
    EXPECT_EQ(t.facts<dragonfly_shape>()->links_between_groups(), groups == 1 ? 0u : 4u);
    for (const char* const kind : {"minimal", "valiant", "ugal"}) {
      const analysis found = analysed(t, kind, 3);
      EXPECT_TRUE(found.sound()) << describe(found);
    }
    const auto routes = make_routing(t, {"valiant", 3});
    const unsigned last = static_cast<unsigned>(t.terminals.size()) - 1;
    for (unsigned packet = 0; packet < 20; ++packet) {
      flit f = head_of(0, last, packet);
      f.route = routes->at_entry(0, 0, f, load_of());
      EXPECT_LT(f.route, groups);
      EXPECT_EQ(travel(t, *routes, f).groups.size(), groups);
    }
  }
}

TEST(dragonfly, refuses_what_does_not_fit) {
  EXPECT_THROW(make_dragonfly({4, 2, 2, 10}), std::invalid_argument);
  EXPECT_THROW(make_dragonfly({40, 16, 16, 9}), std::invalid_argument);
  EXPECT_EQ(size_of(make_dragonfly({2, 31, 32, 2})).ports, 64);
  EXPECT_THROW(make_dragonfly({2, 32, 32, 2}), std::invalid_argument);
  EXPECT_THROW(make_dragonfly({4, 2, 2, 0}), std::invalid_argument);
  EXPECT_THROW(make_routing(make_mesh({4, 4}), {"ugal", 3}), std::invalid_argument);
  const topology t = make_dragonfly({4, 2, 2, 9});
  EXPECT_NO_THROW(certificate(t, *make_routing(t, {"ugal", 4}), {false, 4}));
  EXPECT_THROW(certificate(t, *make_routing(t, {"ugal", 4, progressive}), {false, 4}), std::invalid_argument)
      << "routes are written anew on the way";
}

TEST(dragonfly, valiant_goes_through_the_drawn_group) {
  const topology t = make_dragonfly({4, 2, 2, 9});
  const auto routes = make_routing(t, {"valiant", 3});
  std::map<unsigned, unsigned> drawn;
  for (unsigned packet = 0; packet < 700; ++packet) {
    flit f = head_of(3, 40, packet);  // of groups 0 and 5
    f.route = routes->at_entry(1, 0, f, load_of());
    const journey j = travel(t, *routes, f);
    EXPECT_EQ(j.groups, (std::vector<unsigned>{0, f.route, 5}));
    EXPECT_GE(j.links, 2u);
    EXPECT_LE(j.links, 5u);
    ++drawn[f.route];
  }
  EXPECT_EQ(drawn.size(), 7u) << "all but the source's and the destination's";
  for (const auto& [group, times] : drawn) EXPECT_NEAR(times, 100, 40) << group;
}

TEST(dragonfly, valiant_goes_straight_within_a_group) {
  const topology t = make_dragonfly({4, 2, 2, 9});
  const auto routes = make_routing(t, {"valiant", 3});
  flit f = head_of(3, 6, 0);
  f.route = routes->at_entry(1, 0, f, load_of());
  EXPECT_EQ(travel(t, *routes, f).links, 1u);
}

// Of every switch that has a link to the next group, or of its own links alone.
TEST(dragonfly, ways_to_a_group_are_all_of_its_links) {
  const dragonfly_shape shape{4, 1, 1, 3};  // two links between any two groups
  const topology t = make_dragonfly(shape);
  const auto routes = make_routing(t, {"minimal", 2});
  unsigned own = 0, others = 0;
  for (unsigned node = 0; node < 4; ++node) {
    const port_mask outputs = routes->outputs(node, 0, head_of(0, 4, 0));
    if (outputs >> shape.first_global_port()) {
      EXPECT_EQ(outputs, port_mask{1} << shape.first_global_port());
      ++own;
    } else {
      EXPECT_EQ(__builtin_popcountll(outputs), 2);
      ++others;
    }
  }
  EXPECT_EQ(own, 2u);
  EXPECT_EQ(others, 2u);
}

// Its own group and the last one both stand for the straight way, which has the last classes.
TEST(dragonfly, straight_ways_have_the_last_classes) {
  const dragonfly_shape shape{4, 2, 2, 9};
  const topology t = make_dragonfly(shape);
  const auto routes = make_routing(t, {"ugal", 6});
  unsigned local = 0, global = 0;
  for (unsigned node = 0; node < 4; ++node)
    for (const unsigned route : {0u, 5u}) {
      flit f = head_of(0, 40, 0);  // to group 5
      f.route = route;
      const port_mask outputs = routes->outputs(node, 0, f);
      ASSERT_EQ(outputs & (outputs - 1), 0u);
      const auto output = static_cast<unsigned>(__builtin_ctzll(outputs));
      const channel_mask channels = routes->channels(node, 0, output, f) & 0x3f;
      if (output < shape.first_global_port()) {
        EXPECT_EQ(channels, 0b001100u) << "local 1 of 3, route " << route;
        ++local;
      } else {
        EXPECT_EQ(channels, 0b111000u) << "global 1 of 2, route " << route;
        ++global;
      }
    }
  EXPECT_EQ(local, 6u);
  EXPECT_EQ(global, 2u);
}

TEST(dragonfly, ugal_goes_straight_unless_that_takes_longer) {
  const topology t = make_dragonfly({4, 2, 2, 9});
  const auto routes = make_routing(t, {"ugal", 3});
  unsigned round_about = 0;
  for (unsigned packet = 0; packet < 100; ++packet) {
    flit f = head_of(0, 40, packet);
    f.route = routes->at_entry(0, 0, f, load_of());
    EXPECT_EQ(travel(t, *routes, f).groups, (std::vector<unsigned>{0, 5}));
    const auto straight = static_cast<unsigned>(__builtin_ctzll(routes->outputs(0, 0, f)));
    f.route = routes->at_entry(0, 0, f, load_of({{straight, 2}}));
    const journey j = travel(t, *routes, f);
    if (j.groups.size() == 3)
      ++round_about;
    else  // the way round begins with the same link
      EXPECT_EQ(f.route, 5u);
  }
  EXPECT_GT(round_about, 50u);
}

TEST(dragonfly, ugal_weighs_what_waits_by_the_links_of_the_way) {
  const topology t = make_dragonfly({4, 2, 2, 9});
  const auto routes = make_routing(t, {"ugal", 3});
  flit f = head_of(0, 40, 0);
  f.route = 0;
  const auto straight = static_cast<unsigned>(__builtin_ctzll(routes->outputs(0, 0, f)));
  const unsigned links = travel(t, *routes, f).links;
  unsigned tried = 0;
  for (unsigned packet = 0; packet < 60; ++packet) {
    flit round = head_of(0, 40, packet);
    round.route = make_routing(t, {"valiant", 3})->at_entry(0, 0, round, load_of());
    const auto other = static_cast<unsigned>(__builtin_ctzll(routes->outputs(0, 0, round)));
    if (other == straight) continue;
    const unsigned far = travel(t, *routes, round).links;
    for (unsigned q = 0; q < 20; ++q) {
      const bool stays = q * links <= 6 * far;
      EXPECT_EQ(routes->at_entry(0, 0, round, load_of({{straight, q}, {other, 6}})) == 5, stays)
          << q << " over " << links << ", 6 over " << far;
      ++tried;
    }
  }
  EXPECT_GT(tried, 400u);
}

// Of groups 0 and 5.
TEST(dragonfly, progressive_ugal_decides_again_on_the_straight_way_out_of_the_first_group) {
  const dragonfly_shape shape{4, 2, 2, 9};
  const topology t = make_dragonfly(shape);
  const auto routes = make_routing(t, {"ugal", 4, progressive}), plain = make_routing(t, {"ugal", 4});
  for (unsigned node = 0; node < 36; ++node)
    for (const unsigned by : {5u, 3u}) {
      flit f = head_of(0, 40, 0);
      f.route = by;
      EXPECT_EQ(routes->decides_again(node, 3, f), by == 5 && shape.group_of(node) != 5) << node << ' ' << by;
      EXPECT_FALSE(plain->decides_again(node, 3, f));
    }
}

TEST(dragonfly, progressive_ugal_weighs_what_waits_where_the_packet_is) {
  const dragonfly_shape shape{4, 2, 2, 9};
  const topology t = make_dragonfly(shape);
  const auto routes = make_routing(t, {"ugal", 4, progressive}), valiant = make_routing(t, {"valiant", 4});
  unsigned gateway = 0, tried = 0;
  while (!(routes->outputs(gateway, 0, head_of(0, 40, 0)) >> shape.first_global_port())) ++gateway;
  for (unsigned packet = 0; packet < 40; ++packet) {
    flit f = head_of(gateway ? 0 : 2, 40, packet);
    const unsigned by = valiant->at_entry(f.source / 2, 0, f, load_of());
    f.route = by;
    const auto other = static_cast<unsigned>(__builtin_ctzll(routes->outputs(gateway, 3, f)));
    f.route = 5;
    const auto straight = static_cast<unsigned>(__builtin_ctzll(routes->outputs(gateway, 3, f)));
    if (other == straight) continue;
    EXPECT_EQ(routes->at_entry(gateway, 3, f, load_of()), 5u) << "nothing waits";
    EXPECT_EQ(routes->at_entry(gateway, 3, f, load_of({{straight, 30}})), by);
    EXPECT_EQ(routes->at_entry(gateway, 3, f, load_of({{straight, 30}, {other, 30}})), 5u);
    ++tried;
  }
  EXPECT_GT(tried, 20u);
}

// Local 0 while it may turn, then local 1, global 0, local 2, global 1, local 3.
TEST(dragonfly, what_turns_takes_classes_in_ascending_order) {
  const dragonfly_shape shape{4, 2, 2, 9};
  const topology t = make_dragonfly(shape);
  const auto routes = make_routing(t, {"ugal", 4, progressive});
  unsigned longest = 0;
  for (unsigned source = 0; source < 8; ++source)
    for (unsigned by = 1; by < 9; ++by) {
      flit f = head_of(source, 40, 0);
      std::vector<unsigned> order;
      f.route = 5;
      for (unsigned node = source / 2; node != 20;) {
        if (node != source / 2 && routes->decides_again(node, 3, f)) f.route = by;
        const port_mask outputs = routes->outputs(node, 3, f);
        const auto o = static_cast<unsigned>(__builtin_ctzll(outputs));
        const channel_mask channels = routes->channels(node, 3, o, f) & 0xf;
        // With 4 channels a local class is one, a global class two.
        const unsigned locals[] = {0, 1, 3, 5}, globals[] = {2, 4};
        const bool global = o >= shape.first_global_port();
        order.push_back(global ? globals[channels == 0b1100] : locals[__builtin_ctzll(channels)]);
        auto to = t.switches[node];
        for (const auto e : boost::make_iterator_range(out_edges(t.switches[node], t.g)))
          if (t.g[e].from_port == o) to = target(e, t.g);
        node = t.g[to].index;
        ASSERT_LE(order.size(), 6u);
      }
      EXPECT_TRUE(std::is_sorted(order.begin(), order.end())) << source << " by " << by;
      longest = std::max<unsigned>(longest, static_cast<unsigned>(order.size()));
    }
  EXPECT_EQ(longest, 6u);
}
