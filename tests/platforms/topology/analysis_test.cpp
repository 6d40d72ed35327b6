// The analysis of what packets wait for: virtual channels, escape channels, samples, and the work that it
// takes.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <spillway/hw/switching/wrapped_routing.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/certificate.hpp>
#include <support/topologies.hpp>
#include <utility>
#include <vector>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

analysis analysed(const topology& t, const routing_choice& choice) {
  analysis_options options;
  options.channels = choice.channels;
  return analyse(t, *make_routing(t, choice), options);
}

/// On a line: channel 0 leads the short way only, channel 1 either way. From the last switch on it is not
/// offered if `complete` is false.
class turning_back final : public routing {
public:
  explicit turning_back(bool complete = true) : complete_(complete) {}
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    if (node == f.destination) return 1;
    return (node < 3 ? 2 : 0) | (node > 0 ? 4 : 0);
  }
  channel_mask channels(unsigned node, unsigned, unsigned output, const flit& f) const override {
    const bool short_way = (output == 1) == (f.destination > node);
    return short_way && (complete_ || node != 3) ? 3 : 2;
  }
  channel_mask escape() const override { return 1; }
  bool memoryless() const override { return true; }

private:
  const bool complete_;
};

/// A routing of which nothing is said that makes the analysis quick.
class with_a_memory final : public wrapped_routing {
public:
  using wrapped_routing::wrapped_routing;
  bool memoryless() const override { return false; }
};

/// On a line: what a terminal sends to itself goes to the next switch and back, from even switches upwards
/// and from odd ones downwards. So escape channels of two neighbours wait for each other, by two
/// destinations.
class swapping_sides final : public routing {
public:
  port_mask outputs(unsigned node, unsigned input, const flit& f) const override {
    if (node == f.destination) return input == 0 ? (node % 2 ? 4 : 2) : 1;
    return f.destination > node ? 2 : 4;
  }
  channel_mask channels(unsigned, unsigned, unsigned, const flit&) const override { return ~channel_mask{0}; }
  channel_mask escape() const override { return 1; }
  bool memoryless() const override { return true; }
};

/// Counts what it is asked, and keeps of whose packets.
class counting final : public wrapped_routing {
public:
  using wrapped_routing::wrapped_routing;
  port_mask outputs(unsigned node, unsigned input, const flit& f) const override {
    ++asked;
    sources.insert(f.source);
    return wrapped_routing::outputs(node, input, f);
  }

  mutable std::uint64_t asked = 0;
  mutable std::set<std::uint32_t> sources;
};

}  // namespace

TEST(adaptive, is_free_of_deadlock_by_its_escape) {
  const analysis a = analysed(make_mesh({4, 4}), with_channels("adaptive", 2));
  EXPECT_TRUE(a.sound()) << describe(a);
  EXPECT_THROW(make_routing(make_mesh({4, 4}), with_channels("adaptive", 1)), std::invalid_argument);
  EXPECT_THROW(make_routing(make_torus({4, 4}), with_channels("adaptive", 2)), std::invalid_argument);
}

TEST(dateline, breaks_the_cycles_of_tori_and_rings) {
  for (const topology& t : {make_torus({4, 4}), make_torus({5, 4}), make_torus({3, 4, 5}), make_ring(6, true),
                            make_ring(5, false)}) {
    for (const unsigned channels : {2u, 3u, 4u}) {
      EXPECT_TRUE(analysed(t, with_channels("dimension_order", channels)).sound())
          << t.switches.size() << ' ' << channels;
      const analysis without = analysed(t, with_channels("dimension_order", channels, false));
      EXPECT_FALSE(without.deadlock_free()) << t.switches.size() << ' ' << channels;
      ASSERT_FALSE(without.cycle.empty());
    }
    EXPECT_FALSE(analysed(t, with_channels("dimension_order", 1)).deadlock_free());
  }
}

// Where routes are followed pair by pair.
TEST(sample, of_sources_is_of_all_parts_of_the_network) {
  const topology t = make_mesh({8, 8});
  const counting routes(std::make_shared<with_a_memory>(make_routing(t, "auto")));
  analysis_options options;
  options.most = 8 * 64;  // pairs
  const analysis a = analyse(t, routes, options);
  EXPECT_EQ(a.pairs, options.most);
  EXPECT_NE(describe(a).find("of a sample of the sources"), std::string::npos);
  EXPECT_EQ(routes.sources, (std::set<std::uint32_t>{0, 8, 16, 24, 32, 40, 48, 56}));
}

// From one escape channel to the next there is no cycle, but there is one through channels that lead back in
// between.
TEST(adaptive, is_refused_for_a_cycle_that_goes_through_other_channels) {
  const topology line = make_mesh({4});
  const analysis a = analysed(line, {std::make_shared<turning_back>()});
  EXPECT_EQ(a.unreachable, 0u);
  analysis_options options;
  options.channels = 2;
  for (const std::shared_ptr<const routing>& routes :
       {std::shared_ptr<const routing>(std::make_shared<turning_back>()),
        std::shared_ptr<const routing>(std::make_shared<with_a_memory>(std::make_shared<turning_back>()))}) {
    const analysis found = analyse(line, *routes, options);
    EXPECT_EQ(found.no_escape, "");
    EXPECT_FALSE(found.acyclic);
    EXPECT_FALSE(found.sound());
    for (const std::string& channel : found.cycle)
      EXPECT_NE(channel.find("channel 0"), std::string::npos) << channel;
  }
}

// Else what each escape channel leads to is followed through all others: minutes at 2,048 terminals.
TEST(adaptive, of_a_network_too_large_to_follow_takes_no_more_work_than_is_allowed) {
  const topology t = make_mesh({16, 16});
  const counting routes(make_routing(t, with_channels("adaptive", 3)));
  analysis_options options;
  options.channels = 3;
  options.most = 4000;
  const analysis a = analyse(t, routes, options);
  EXPECT_TRUE(a.sampled && a.sound());
  EXPECT_NE(describe(a).find("only a sample"), std::string::npos);
  // The sources of sixty-four destinations, four times, are what its first rounds follow.
  const std::uint64_t channels = 3 * num_edges(t.g);
  EXPECT_LT(routes.asked, 4 * 64 * channels + 4 * 16 * options.most);
}

TEST(adaptive, is_refused_for_such_a_cycle_in_a_sample) {
  analysis_options options;
  options.channels = 2;
  options.most = 1;
  EXPECT_FALSE(analyse(make_mesh({4}), turning_back(), options).acyclic);
}

TEST(adaptive, has_an_order_that_is_said_to_be_of_all_only_if_all_were_followed) {
  const topology t = make_mesh({8, 8});
  const auto routes = make_routing(t, with_channels("adaptive", 3));
  analysis_options options;
  options.channels = 3;
  options.most = 64 * 64;  // the pairs that there are
  EXPECT_EQ(order_of_escapes(t, *routes, options), escape_order::of_all);
  options.most = 64;
  EXPECT_EQ(order_of_escapes(t, *routes, options), escape_order::of_a_sample);
  options.channels = 2;
  EXPECT_EQ(order_of_escapes(make_mesh({4}), turning_back(), options), escape_order::none);
}

// Orders that rise by two a round would take as many rounds as there are channels.
TEST(adaptive, gives_up_soon_where_there_is_no_order) {
  const topology line = make_mesh({64});
  const counting routes(std::make_shared<swapping_sides>());
  analysis_options options;
  options.channels = 32;
  EXPECT_EQ(order_of_escapes(line, routes, options), escape_order::none);
  // Sixty-four destinations, eight times.
  EXPECT_LT(routes.asked, 2 * 8 * 64 * options.channels * num_edges(line.g));
}

namespace {

/// Of a ring of one direction: what enters by channel 1 stays on channel 0 and so can deadlock; the rest has
/// the channels 2 and 3, with a dateline.
class by_entry final : public routing {
public:
  explicit by_entry(std::shared_ptr<const routing> inner) : inner_(std::move(inner)) {}
  port_mask outputs(unsigned node, unsigned input, const flit& f) const override {
    return inner_->outputs(node, input, f);
  }
  channel_mask channels(unsigned node, unsigned input, unsigned output, const flit& f) const override {
    const bool reckless = input == 0 ? f.lane == 1 : f.lane == 0;
    return reckless ? 1 : (inner_->channels(node, input, output, f) & 3) << 2;
  }
  bool memoryless() const override { return true; }

private:
  const std::shared_ptr<const routing> inner_;
};

}  // namespace

TEST(analysis, begins_with_every_channel_by_which_packets_enter) {
  const topology t = make_ring(4, false);
  const by_entry routes(make_routing(t, with_channels("dimension_order", 2)));
  analysis_options options;
  options.channels = 4;
  const analysis a = analyse(t, routes, options);
  EXPECT_EQ(a.unreachable, 0u);
  EXPECT_FALSE(a.deadlock_free());
  EXPECT_EQ(a.cycle.size(), 4u);
  EXPECT_THROW(certificate(t, routes, options), std::invalid_argument);
}

TEST(adaptive, is_refused_where_a_switch_offers_no_escape) {
  analysis_options options;
  options.channels = 2;
  const analysis found = analyse(make_mesh({4}), turning_back(false), options);
  EXPECT_EQ(found.no_escape, "switch_3 offers no escape from terminal 3 to 0");
  EXPECT_FALSE(found.deadlock_free());
}

TEST(analysis, of_all_sources_together_finds_what_that_of_each_pair_does) {
  struct network {
    const char* name;
    topology shape;
    routing_choice choice;
    bool sound;
  };
  const std::vector<network> networks{
      {"mesh", make_mesh({4, 3}), with_channels("auto", 1), true},
      {"mesh, adaptive", make_mesh({4, 3}), with_channels("adaptive", 3), true},
      {"torus", make_torus({4, 3}), with_channels("auto", 2), true},
      {"torus, a dateline for 4", make_torus({5, 2, 3}), with_channels("auto", 4), true},
      {"torus, no dateline", make_torus({4, 3}), with_channels("auto", 2, false), false},
      {"ring one way", make_ring(7, false), with_channels("auto", 2), true},
      {"ring", make_ring(8, true), with_channels("auto", 1), false},
      {"omega", make_omega({2, 3, 8}), with_channels("auto", 1), true},
      {"hypercube", make_hypercube(4, 4), with_channels("e_cube", 1), true},
      {"hypercube, any way", make_hypercube(3, 3), with_channels("shortest_paths", 1), false},
      {"tree", make_xgft({{3, 2, 2}, {2, 2}}), with_channels("auto", 1), true}};
  for (const network& n : networks) {
    const auto routes = make_routing(n.shape, n.choice);
    EXPECT_TRUE(routes->memoryless()) << n.name;
    analysis_options options;
    options.channels = n.choice.channels;
    const analysis together = analyse(n.shape, *routes, options),
                   apart = analyse(n.shape, with_a_memory(routes), options);
    EXPECT_TRUE(together.together && !apart.together) << n.name;
    EXPECT_EQ(together.pairs, apart.pairs) << n.name;
    EXPECT_EQ(together.unreachable, apart.unreachable) << n.name;
    EXPECT_EQ(together.diameter, apart.diameter) << n.name;
    EXPECT_DOUBLE_EQ(together.mean_hops, apart.mean_hops) << n.name;
    EXPECT_EQ(together.acyclic, apart.acyclic) << n.name;
    EXPECT_EQ(together.sound(), n.sound) << n.name;
    EXPECT_EQ(together.no_escape, apart.no_escape) << n.name;
  }
}

TEST(analysis, of_a_ring_asks_as_often_for_a_pair_however_long_the_ring_is) {
  const auto asked_for_a_pair = [](unsigned switches) {
    const topology t = make_ring(switches, true);
    const counting routes(make_routing(t, with_channels("auto", 2)));
    analysis_options options;
    options.channels = 2;
    EXPECT_EQ(analyse(t, routes, options).pairs, switches * switches);
    return static_cast<double>(routes.asked) / (switches * switches);
  };
  EXPECT_LE(asked_for_a_pair(300), 1.5 * asked_for_a_pair(30));
}
