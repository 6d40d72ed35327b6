// The wiring of HyperX networks, the ways of their routings, and what frees them of deadlock.
#include <gtest/gtest.h>

#include <boost/range/iterator_range.hpp>
#include <map>
#include <set>
#include <spillway/platforms/hyperx/hyperx.hpp>
#include <support/region_routings.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

class hyperx_of : public testing::TestWithParam<std::pair<std::vector<unsigned>, unsigned>> {
protected:
  const hyperx_shape shape{GetParam().first, GetParam().second};
  const topology t = make_hyperx(shape);
};

std::vector<unsigned> place_of(const hyperx_shape& shape, unsigned node) {
  std::vector<unsigned> place;
  for (const unsigned size : shape.sizes) {
    place.push_back(node % size);
    node /= size;
  }
  return place;
}

unsigned differing(const std::vector<unsigned>& a, const std::vector<unsigned>& b) {
  unsigned count = 0;
  for (std::size_t d = 0; d < a.size(); ++d) count += a[d] != b[d];
  return count;
}

/// The switches that a head goes through, by the first of the channels that it may take.
std::vector<unsigned> travel(const topology& t, const routing& routes, flit f, unsigned channels) {
  std::vector<unsigned> switches;
  const unsigned p = t.facts<hyperx_shape>()->terminals;
  unsigned input = f.source % p;
  for (auto v = t.switches[f.source / p]; switches.size() < 9;) {
    const unsigned node = t.g[v].index;
    switches.push_back(node);
    const port_mask outputs = routes.outputs(node, input, f);
    EXPECT_EQ(__builtin_popcountll(outputs), 1);
    const auto output = static_cast<unsigned>(__builtin_ctzll(outputs));
    const channel_mask allowed =
        routes.channels(node, input, output, f) & ((channel_mask{1} << channels) - 1);
    for (const auto e : boost::make_iterator_range(out_edges(v, t.g)))
      if (t.g[e].from_port == output) {
        v = target(e, t.g);
        input = t.g[e].to_port;
        break;
      }
    if (t.g[v].role == vertex::terminal) {
      EXPECT_EQ(t.g[v].index, unsigned{f.destination});
      return switches;
    }
    EXPECT_NE(allowed, 0u);
    f.lane = static_cast<std::uint8_t>(__builtin_ctzll(allowed));
  }
  ADD_FAILURE() << "goes in a circle";
  return switches;
}

}  // namespace

TEST_P(hyperx_of, joins_all_switches_of_a_line) {
  std::map<unsigned, std::set<unsigned>> near;
  for (const auto e : boost::make_iterator_range(edges(t.g))) {
    const auto from = source(e, t.g), to = target(e, t.g);
    if (t.g[from].role == vertex::terminal) {
      EXPECT_EQ(t.g[from].index / shape.terminals, t.g[to].index);
      continue;
    }
    if (t.g[to].role == vertex::terminal) continue;
    EXPECT_EQ(differing(place_of(shape, t.g[from].index), place_of(shape, t.g[to].index)), 1u);
    EXPECT_TRUE(near[t.g[from].index].insert(t.g[to].index).second) << "two links";
    EXPECT_EQ(t.g[e].from_port, shape.port_towards(t.g[from].index, t.g[to].index));
  }
  unsigned others = 0;
  for (const unsigned size : shape.sizes) others += size - 1;
  for (const auto v : t.switches) {
    EXPECT_EQ(near[t.g[v].index].size(), others);
    EXPECT_EQ(t.output_ports(v), shape.terminals + others);
  }
}

TEST_P(hyperx_of, is_crossed_by_a_link_a_dimension) {
  const analysis straight = analysed(t, "minimal", 1);
  EXPECT_TRUE(straight.sound()) << describe(straight);
  EXPECT_FALSE(straight.sampled);
  unsigned dimensions = 0;
  for (const unsigned size : shape.sizes) dimensions += size > 1;
  EXPECT_EQ(straight.diameter, dimensions + 1);  // switches
}

TEST_P(hyperx_of, is_free_of_deadlock_by_way_of_switches) {
  for (const char* const kind : {"valiant", "ugal"})
    for (const unsigned channels : {2u, 3u}) {
      const analysis found = analysed(t, kind, channels);
      EXPECT_TRUE(found.sound()) << describe(found);
      EXPECT_FALSE(found.sampled);
    }
}
INSTANTIATE_TEST_SUITE_P(sizes, hyperx_of,
                         testing::Values(std::pair{std::vector<unsigned>{5}, 2u},
                                         std::pair{std::vector<unsigned>{4, 4}, 1u},
                                         std::pair{std::vector<unsigned>{2, 1, 3}, 3u},
                                         std::pair{std::vector<unsigned>{2, 3, 2}, 1u}));

TEST(hyperx, counts_its_bisection) {
  // Of 8 switches joined to each other 16 pairs are cut, of a 4 x 6 grid in lines of 4 or of 6.
  EXPECT_EQ(hyperx_shape({8}, 8).bisection(), 32u);
  EXPECT_EQ(hyperx_shape({4, 6}, 1).bisection(), 48u);
  EXPECT_EQ(hyperx_shape({3, 5}, 1).bisection(), 0u) << "not known";
}

TEST(hyperx, refuses_what_does_not_fit) {
  EXPECT_THROW(make_hyperx({{33, 32}, 2}), std::invalid_argument);
  EXPECT_EQ(size_of(make_hyperx({{3, 2}, 61})).ports, 64);
  EXPECT_THROW(make_hyperx({{3, 2}, 62}), std::invalid_argument);
  EXPECT_THROW(make_hyperx({{}, 1}), std::invalid_argument);
  EXPECT_THROW(make_hyperx({{4, 4}, 0}), std::invalid_argument);
  EXPECT_THROW(make_routing(make_hyperx({{4}, 1}), {"valiant", 1}), std::invalid_argument);
  EXPECT_THROW(make_routing(make_hyperx({{17, 16, 16}, 1}), {"ugal", 2}), std::invalid_argument)
      << "more switches than a head can name";
  EXPECT_THROW(make_routing(make_hyperx({{4}, 1}), {"ugal", 2, {{"progressive", true}}}),
               std::invalid_argument)
      << "a region is a single switch";
}

TEST(hyperx, valiant_goes_by_way_of_the_drawn_switch_and_no_farther) {
  const topology t = make_hyperx({{4, 3}, 2});
  const auto routes = make_routing(t, {"valiant", 2});
  std::map<unsigned, unsigned> drawn;
  for (unsigned packet = 0; packet < 1200; ++packet) {
    flit f = head_of(1, 22, packet);  // of switches 0 and 11
    f.route = routes->at_entry(0, 1, f, load_of());
    const auto switches = travel(t, *routes, f, 2);
    EXPECT_EQ(switches.front(), 0u);
    EXPECT_EQ(switches.back(), 11u);
    EXPECT_NE(std::find(switches.begin(), switches.end(), unsigned{f.route}), switches.end());
    const hyperx_shape& shape = *t.facts<hyperx_shape>();
    EXPECT_EQ(switches.size(), 1 + shape.distance(0, f.route) + shape.distance(f.route, 11));
    ++drawn[f.route];
  }
  EXPECT_EQ(drawn.size(), 12u) << "the ends of the way stand for the straight one";
  for (const auto& [by, times] : drawn) EXPECT_NEAR(times, 100, 40) << by;
}

TEST(hyperx, ugal_weighs_what_waits_by_the_links_of_the_way) {
  const topology t = make_hyperx({{4, 4}, 2});
  const auto routes = make_routing(t, {"ugal", 2}), valiant = make_routing(t, {"valiant", 2});
  const hyperx_shape& shape = *t.facts<hyperx_shape>();
  const unsigned last = 15, straight = shape.port_towards(0, last);  // two links
  unsigned tried = 0;
  for (unsigned packet = 0; packet < 80; ++packet) {
    const flit f = head_of(0, 2 * last, packet);
    EXPECT_EQ(routes->at_entry(0, 0, f, load_of()), last) << "nothing waits";
    const unsigned by = valiant->at_entry(0, 0, f, load_of());
    if (by == 0 || by == last) {
      EXPECT_EQ(routes->at_entry(0, 0, f, load_of({{straight, 9}})), last);
      continue;
    }
    const unsigned other = shape.port_towards(0, by);
    if (other == straight) continue;
    const unsigned links = shape.distance(0, by) + shape.distance(by, last);
    for (unsigned q = 0; q < 20; ++q, ++tried)
      EXPECT_EQ(routes->at_entry(0, 0, f, load_of({{straight, q}, {other, 6}})),
                q * 2 <= 6 * links ? last : by)
          << q << " over 2 links, 6 over " << links;
  }
  EXPECT_GT(tried, 400u);
}

TEST(hyperx, ugal_goes_straight_up_to_its_threshold) {
  const topology t = make_hyperx({{8}, 2});
  const auto routes = make_routing(t, {"ugal", 2, {{"threshold", 5}}});
  const unsigned straight = t.facts<hyperx_shape>()->port_towards(0, 7);
  unsigned round_about = 0;
  for (unsigned packet = 0; packet < 50; ++packet) {
    const flit f = head_of(0, 14, packet);
    EXPECT_EQ(routes->at_entry(0, 0, f, load_of({{straight, 5}})), 7u);
    round_about += routes->at_entry(0, 0, f, load_of({{straight, 6}})) != 7;
  }
  EXPECT_GT(round_about, 30u);
}

TEST(hyperx, straight_ways_have_all_channels_and_others_a_half_each_way) {
  const topology t = make_hyperx({{4, 4}, 1});
  const auto routes = make_routing(t, {"ugal", 4});
  flit f = head_of(0, 15, 0);
  f.route = 15;
  const unsigned first = t.facts<hyperx_shape>()->port_towards(0, 15);
  EXPECT_EQ(routes->channels(0, 0, first, f) & 15, 15u);
  f.route = 10;
  EXPECT_EQ(routes->channels(0, 0, first, f) & 15, 3u);
  const unsigned onward = t.facts<hyperx_shape>()->port_towards(10, 15);
  EXPECT_EQ(routes->channels(10, 5, onward, f) & 15, 12u);
  // A straight one that has come by a channel of the second class stays there.
  f.route = 15, f.lane = 2;
  EXPECT_EQ(routes->channels(3, 1, t.facts<hyperx_shape>()->port_towards(3, 15), f) & 15, 12u);
}
