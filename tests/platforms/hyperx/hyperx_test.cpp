// The wiring of HyperX networks, the ways of their routings, and what frees them of deadlock.
#include <gtest/gtest.h>

#include <boost/range/iterator_range.hpp>
#include <map>
#include <set>
#include <spillway/platforms/hyperx/hyperx.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <support/topologies.hpp>

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

analysis analysed(const topology& t, const std::string& routing, unsigned channels) {
  analysis_options options;
  options.channels = channels;
  return analyse(t, *make_routing(t, {routing, channels}), options);
}

/// Switches with so many flits for one output, and else none.
class load_of : public output_load {
public:
  explicit load_of(unsigned output = 64, unsigned flits = 0) : output_(output), flits_(flits) {}
  unsigned credits(unsigned) const override { return 3; }
  unsigned waiting(unsigned output) const override { return output == output_ ? flits_ : 0; }

private:
  const unsigned output_, flits_;
};

flit head_of(unsigned source, unsigned destination, unsigned packet) {
  flit f;
  f.source = source;
  f.destination = destination;
  f.packet = packet;
  return f;
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
  EXPECT_THROW(make_hyperx({{}, 1}), std::invalid_argument);
  EXPECT_THROW(make_hyperx({{4, 4}, 0}), std::invalid_argument);
  EXPECT_THROW(make_routing(make_hyperx({{4}, 1}), {"valiant", 1}), std::invalid_argument);
  EXPECT_THROW(make_routing(make_hyperx({{17, 16, 16}, 1}), {"ugal", 2}), std::invalid_argument)
      << "more switches than a head can name";
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
  const topology t = make_hyperx({{8}, 2});
  const auto routes = make_routing(t, {"ugal", 2});
  const hyperx_shape& shape = *t.facts<hyperx_shape>();
  const unsigned straight = shape.port_towards(0, 7);
  const auto valiant = make_routing(t, {"valiant", 2});
  for (unsigned packet = 0; packet < 50; ++packet) {
    const flit f = head_of(0, 14, packet);
    EXPECT_EQ(routes->at_entry(0, 0, f, load_of()), 0u) << "nothing waits";
    const unsigned by = valiant->at_entry(0, 0, f, load_of());
    EXPECT_EQ(routes->at_entry(0, 0, f, load_of(straight, 1)), by == 7 ? 0 : by)
        << "one flit and one link against none";
    if (by != 0 && by != 7) {
      EXPECT_EQ(routes->at_entry(0, 0, f, load_of(shape.port_towards(0, by), 1)), 0u);
    }
  }
}

TEST(hyperx, ugal_goes_straight_up_to_its_threshold) {
  const topology t = make_hyperx({{8}, 2});
  const auto routes = make_routing(t, {"ugal", 2, {{"threshold", 5}}});
  const unsigned straight = t.facts<hyperx_shape>()->port_towards(0, 7);
  unsigned round_about = 0;
  for (unsigned packet = 0; packet < 50; ++packet) {
    const flit f = head_of(0, 14, packet);
    EXPECT_EQ(routes->at_entry(0, 0, f, load_of(straight, 5)), 0u);
    const unsigned by = routes->at_entry(0, 0, f, load_of(straight, 6));
    round_about += by != 0 && by != 7;
  }
  EXPECT_GT(round_about, 30u);
}
