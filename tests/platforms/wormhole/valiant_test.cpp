// Routings that write the route part of a head where its packet enters the network: Valiant's, by an
// intermediate node, and one that looks at the load of the outputs.
#include <gtest/gtest.h>

#include <spillway/platforms/grid/dimension_order.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <support/either_way.hpp>

#include "router_network_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

using test_kernel = spillway::testing_support::kernel;

/// First to an intermediate node, which the packet's number decides, then to the destination; both in
/// dimension order, the second on the upper half of the channels (Valiant and Brebner 1981).
class valiant final : public routing {
public:
  valiant(const grid_shape& grid, unsigned channels)
      : nodes_(static_cast<unsigned>(grid.switches())),
        channels_(channels),
        order_(make_dimension_order(grid, 1, false)) {}

  static unsigned by_way_of(std::uint32_t source, std::uint32_t packet, unsigned nodes) {
    return (source * 7 + packet * 5 + 3) % nodes;
  }
  port_mask outputs(unsigned node, unsigned input, const flit& f) const override {
    flit leg = f;
    if (!second(node, input, f)) leg.destination = f.route;
    return order_->outputs(node, input, leg);
  }
  channel_mask channels(unsigned node, unsigned input, unsigned, const flit& f) const override {
    const channel_mask low = (channel_mask{1} << channels_ / 2) - 1;
    return second(node, input, f) ? ~low : low;
  }
  unsigned entry_routes() const override { return nodes_; }
  unsigned at_entry(unsigned, unsigned, const flit& head, const output_load&) const override {
    return by_way_of(head.source, head.packet, nodes_);
  }
  bool in_order() const override { return false; }

private:
  /// Port 0 is the terminal's: what comes from there has no channel of the network yet.
  bool second(unsigned node, unsigned input, const flit& f) const {
    return node == f.route || (input != 0 && f.lane % channels_ >= channels_ / 2);
  }
  const unsigned nodes_, channels_;
  const std::shared_ptr<const routing> order_;
};

class valiant_entry final : public routing_entry {
public:
  valiant_entry() : routing_entry("valiant_on_mesh") {}
  nlohmann::json schema() const override { return {{"description", "By way of a node at random."}}; }
  routing_fit fit(const topology& shape) const override {
    return shape.facts<grid_shape>() ? routing_fit::own : routing_fit::none;
  }
  std::shared_ptr<const routing> make(const routing_context& context) const override {
    return std::make_shared<valiant>(*context.shape.facts<grid_shape>(), context.channels);
  }
};

std::shared_ptr<const routing> made_valiant(const topology& shape) {
  catalogue all = platform_catalogue();
  all.add<valiant_entry>();
  return make_routing(all, shape, {{"kind", "valiant_on_mesh"}}, 2);
}

analysis analysed(const topology& shape) {
  analysis_options options;
  options.channels = 2;
  return analyse(shape, *made_valiant(shape), options);
}

unsigned apart(unsigned a, unsigned b) {  // on the 4x4 mesh
  const auto along = [](unsigned x, unsigned y) { return x > y ? x - y : y - x; };
  return along(a % 4, b % 4) + along(a / 4, b / 4);
}

}  // namespace

TEST(valiant, analysis_follows_every_route_that_may_be_written) {
  const analysis mesh = analysed(make_mesh({4, 4}));
  EXPECT_TRUE(mesh.sound()) << describe(mesh);
  EXPECT_FALSE(analysed(make_ring(6, true)).deadlock_free())
      << "each leg goes round the ring without a dateline";
}

class valiant_run : public sc_test, public testing::WithParamInterface<test_kernel> {};

TEST_P(valiant_run, every_packet_goes_by_way_of_the_node_in_its_head) {
  constexpr unsigned pause = 61, packets = 24;
  const topology shape = make_mesh({4, 4});
  network_bench t("n", shape, made_valiant(shape), {{"virtual_channels", 2}}, 1, 4, GetParam(),
                  [&](unsigned terminal) {
                    std::vector<planned> list;
                    for (unsigned p = 0; terminal % 5 == 0 && p < packets; ++p)
                      list.push_back({20 + (terminal / 5 * packets + p) * pause, p * 11 % 16, 4, 0});
                    return list;
                  });
  t.network->run(20 + 4 * packets * pause + 200);
  t.expect_all_delivered();
  ASSERT_EQ(t.log.packets.size(), 4u * packets);
  unsigned detours = 0;
  for (const auto& [key, p] : t.log.packets) {
    const unsigned from = std::get<1>(key), number = std::get<2>(key);
    const unsigned by = valiant::by_way_of(from, number, 16);
    const unsigned switches = apart(from, by) + apart(by, p.destination) + 1;
    EXPECT_EQ(p.head - p.created, switches + 1) << from << " by " << by << " to " << p.destination;
    detours += switches > apart(from, p.destination) + 1;
  }
  EXPECT_GT(detours, packets);
}
INSTANTIATE_TEST_SUITE_P(kernels, valiant_run, testing::Values(test_kernel::fast, test_kernel::signals));

namespace {

/// Eight routers; what of node 0's flits to node 4 goes up, through node 2, and down, through node 6.
class entry_by_load : public sc_test, public testing::WithParamInterface<by> {
protected:
  static constexpr unsigned packets = 20;

  void run(const std::vector<planned>& of_node_7) {
    const std::shared_ptr<const routing> routes = std::make_shared<either_way>(GetParam());
    sink_config slow;
    slow.interval = 8;
    network_bench t(
        "n", make_ring(8, true), routes, {{"virtual_channels", 2}, {"entry_latency", 4}}, 1, 4,
        test_kernel::fast,
        [&](unsigned terminal) {
          if (terminal == 7) return of_node_7;
          return std::vector<planned>(terminal == 0 ? packets : 0, planned{200, 4, 4, 0});
        },
        slow);
    t.network->run(3000);
    t.expect_all_delivered();
    ASSERT_EQ(t.log.packets.size(), packets + of_node_7.size());
    up = t.network->switches()[2]->forwarded() - 4 * of_node_7.size();
    down = t.network->switches()[6]->forwarded();
    EXPECT_EQ(up + down, 4u * packets);
  }
  std::uint64_t up = 0, down = 0;
};

}  // namespace

TEST_P(entry_by_load, goes_both_ways_where_one_is_full) {
  run({});
  if (GetParam() == by::nothing)
    EXPECT_EQ(down, 0u);
  else
    EXPECT_GT(std::min(up, down), packets) << "of " << 4 * packets;
}

TEST_P(entry_by_load, avoids_the_output_that_others_wait_for) {
  run(std::vector<planned>(40, planned{10, 3, 4, 0}));
  const std::uint64_t avoided = GetParam() == by::waiting ? up : GetParam() == by::nothing ? down : 0;
  EXPECT_EQ(avoided, 0u);
}
INSTANTIATE_TEST_SUITE_P(choices, entry_by_load, testing::Values(by::nothing, by::credits, by::waiting));

namespace {

/// The message of what is wrong with Valiant's routing on other switches and models, or nothing.
std::string valiant_complaint(const std::string& sections) {
  catalogue all = platform_catalogue();
  all.add<valiant_entry>();
  try {
    const document file = load_document_text(
        "name: v\ntopology: {kind: mesh, dimensions: [4, 4]}\nrouting: {kind: valiant_on_mesh}\n" + sections +
            "traffic: [{pattern: uniform}]\n",
        "e.yaml", experiment_schema(all));
    check_blocks(read_network(file, all), all, file);
  } catch (const config_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST(valiant, is_refused_where_nobody_writes_its_route) {
  EXPECT_EQ(valiant_complaint("switch: {kind: wormhole, virtual_channels: 2}\n"), "");
  EXPECT_EQ(
      valiant_complaint("level: transaction\n"),
      "e.yaml:3:10: routing: this routing writes a route into heads that enter the network, which networks "
      "without pins do not ask for");
}
