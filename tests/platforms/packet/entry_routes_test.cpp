// Packet switches under a routing that writes the route part of heads.
#include <gtest/gtest.h>

#include <support/either_way.hpp>

#include "../wormhole/router_network_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

using test_kernel = spillway::testing_support::kernel;

struct entry_case {
  by looks_at;
  test_kernel runs_on;
};
void PrintTo(const entry_case& c, std::ostream* os) { *os << static_cast<int>(c.looks_at); }

/// Eight switches in a ring; packets go from node 0 to node 4, up through node 2 or down through node 6.
class entry_routes_of : public sc_test, public testing::WithParamInterface<entry_case> {
protected:
  static constexpr unsigned packets = 60;
  unsigned up = 0, down = 0;  // packets

  void run(std::vector<planned> of_node_7) {
    const std::shared_ptr<const routing> routes = std::make_shared<either_way>(GetParam().looks_at);
    sink_config slow;
    slow.interval = 8;
    const auto others = static_cast<unsigned>(of_node_7.size());
    network_bench t(
        "n", make_ring(8, true), routes,
        {{"kind", "packet"},
         {"buffering", "fifo"},
         {"assignment", "any"},
         {"arbiter", "round_robin"},
         {"switching", "cut_through"},
         {"depth", 8}},
        1, 4, GetParam().runs_on,
        [&](unsigned terminal) {
          if (terminal == 7) return of_node_7;
          return std::vector<planned>(terminal == 0 ? packets : 0, planned{200, 4, 4, 0});
        },
        slow);
    t.network->run(4000);
    t.expect_all_delivered();
    ASSERT_EQ(t.log.packets.size(), packets + others);
    up = static_cast<unsigned>(t.network->switches()[2]->forwarded()) / 4 - others;
    down = static_cast<unsigned>(t.network->switches()[6]->forwarded()) / 4;
    EXPECT_EQ(up + down, packets);
  }
};

}  // namespace

TEST_P(entry_routes_of, go_both_ways_where_one_is_full) {
  run({});
  if (GetParam().looks_at == by::nothing)
    EXPECT_EQ(down, 0u);
  else
    EXPECT_GE(std::min(up, down), packets / 4) << up << " up, " << down << " down";
}
INSTANTIATE_TEST_SUITE_P(choices, entry_routes_of,
                         testing::Values(entry_case{by::nothing, test_kernel::fast},
                                         entry_case{by::credits, test_kernel::fast},
                                         entry_case{by::credits, test_kernel::signals},
                                         entry_case{by::waiting, test_kernel::fast},
                                         entry_case{by::waiting, test_kernel::signals}));

namespace {

class either_way_entry final : public routing_entry {
public:
  either_way_entry() : routing_entry("either_way") {}
  nlohmann::json schema() const override { return {{"description", "Up or down."}}; }
  routing_fit fit(const topology&) const override { return routing_fit::general; }
  std::shared_ptr<const routing> make(const routing_context&) const override {
    return std::make_shared<either_way>(by::nothing);
  }
};

std::string complaint(const std::string& switches) {
  catalogue all = platform_catalogue();
  all.add<either_way_entry>();
  try {
    const document file = load_document_text(
        "name: e\ntopology: {kind: ring, terminals: 8}\nrouting: {kind: either_way}\nswitch: {" + switches +
            "}\ntraffic: [{pattern: uniform}]\n",
        "e.yaml", experiment_schema(all));
    check_blocks(read_network(file, all), all, file);
  } catch (const config_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST(entry_routes, are_refused_where_terminals_look_ahead) {
  EXPECT_EQ(complaint("kind: packet"), "");
  EXPECT_EQ(
      complaint("kind: packet, buffering: voq"),
      "e.yaml:3:10: routing: this routing writes a route into heads that enter the network, which comes "
      "too late where terminals look ahead to the switch's outputs: expected `buffering: fifo`");
}
