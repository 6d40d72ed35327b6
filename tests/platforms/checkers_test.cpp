// Who watches whom: each network has a checker of every link and of every block that has rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/core/demangle.hpp>
#include <map>
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <support/link_bench.hpp>
#include <support/small_networks.hpp>
#include <typeinfo>

using namespace spillway;
using testing_support::sc_test;

namespace {

struct unwatched : endpoint_observer {
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit&) override {}
};

struct no_traffic : packet_supply {
  std::uint64_t due(std::uint64_t, std::size_t) override { return never; }
  packet_order take(std::uint64_t) override { return {}; }
};

using checker_counts = std::map<std::string, unsigned>;

class network_checkers : public sc_test {
protected:
  std::unique_ptr<platform> made(const std::string& name, const std::string& lines) {
    const document file = load_document_text(
        "name: n\n" + lines + "checks: {deadlock: false}\ntraffic: [{pattern: uniform, messages: 1}]\n",
        "n.yaml", experiment_schema(all_));
    return std::make_unique<platform>(name.c_str(), read_network(file, all_), all_,
                                      workload{[](unsigned) { return std::make_unique<no_traffic>(); },
                                               [](unsigned) { return sink_config{}; }, observer_});
  }
  /// By the names of their classes.
  checker_counts of(const std::string& name, const std::string& lines) {
    const auto network = made(name, lines);
    checker_counts found;
    for (const auto& one : network->make_checkers({})) {
      const stepped& block = *one;
      const std::string full = boost::core::demangle(typeid(block).name());
      ++found[full.substr(full.rfind(':') + 1)];
    }
    return found;
  }
  /// It has these and no others.
  void expect(const char* name, const std::string& lines, const checker_counts& expected) {
    EXPECT_EQ(of(name, lines), expected) << name;
  }
  void expect(const char* name, const checker_counts& expected) {
    for (const small_network& n : small_networks())
      if (name == std::string(n.name)) return expect(name, n.lines, expected);
    ADD_FAILURE() << name << " is none of the small networks";
  }

private:
  const catalogue all_ = platform_catalogue();
  unwatched observer_;
};

constexpr const char* butterfly_of_8 = "topology: {kind: butterfly, radix: 2, stages: 3}\n";

}  // namespace

// Eight terminals; a butterfly and an omega network have 12 switches and 32 links, 4 x 2 routers 36 links.
TEST_F(network_checkers, watch_every_link_and_every_switch_that_has_rules) {
  expect("fifo", {{"packet_watcher", 32}});
  expect("dampening", {{"embargo_checker", 32}, {"pool_checker", 12}, {"packet_watcher", 8}});
  expect("dampening_tight", {{"embargo_checker", 32},
                             {"pool_checker", 12},
                             {"bank_checker", 24},
                             {"spill_checker", 24},
                             {"refill_checker", 24},
                             {"packet_watcher", 8}});
  expect("dampening_tight_pool", {{"embargo_checker", 32},
                                  {"pool_checker", 12},
                                  {"bank_checker", 12},
                                  {"spill_checker", 24},
                                  {"refill_checker", 24},
                                  {"packet_watcher", 8}});
  expect("combining", {{"packet_watcher", 2 * 32}, {"wait_buffer_checker", 12}});
  expect("circuits", {{"circuit_checker", 3 * 16}, {"packet_watcher", 2 * 8}});
  // Those two have a gate at each terminal, too.
  expect("isolation", std::string(butterfly_of_8) + "switch: {kind: isolation}\n",
         {{"isolation_checker", 32}, {"isolation_switch_checker", 12 + 8}, {"packet_watcher", 2 * 8}});
  expect("flow_pause", std::string(butterfly_of_8) + "switch: {kind: flow_pause}\n",
         {{"flow_pause_checker", 12 + 8}, {"packet_watcher", 32 + 2 * 8}});
  expect("message_nodes_that_combine",
         "topology: {kind: hypercube, dimension: 3}\nrouting: {kind: e_cube}\nendpoint: {replies: true}\n"
         "switch: {kind: message_node, unit: 4, length: fixed, combining: {}}\n",
         {{"packet_watcher", 24 + 2 * 8}, {"wait_buffer_checker", 8}});
  expect("reduction",
         "topology: {kind: xgft, children: [2, 2, 2]}\nswitch: {kind: reduction}\n"
         "interface: {kind: reduction}\n",
         {{"packet_watcher", 2 * 3 * 16}, {"reduction_checker", 7}});
}

// There a user finds each with its pins in the hierarchy.
TEST_F(network_checkers, are_modules_on_the_signals_kernel) {
  expect("signals", std::string(butterfly_of_8) + "kernel: signals\nswitch: {kind: packet}\n",
         {{"packet_checker", 32}});
}

// Links within a terminal: to a port of routers, which has all networks, and to and from each stage.
TEST_F(network_checkers, watch_what_a_terminal_sends_and_is_told) {
  constexpr unsigned nifdy_links = 15;
  expect("nifdy", {{"nifdy_checker", 8}, {"packet_watcher", 36 + 8 * nifdy_links}});
  expect("nifdy_lossy", {{"nifdy_checker", 8}, {"packet_watcher", 36 + 8 * (nifdy_links + 2)}});
  expect("ecn", {{"ecn_checker", 8}, {"packet_watcher", 2 * 32 + 8 * 2}});
  expect("ecn_nifdy", {{"ecn_checker", 8},
                       {"ecn_rider_checker", 8},
                       {"nifdy_checker", 8},
                       {"packet_watcher", 36 + 8 * (nifdy_links + 6)}});
  expect("srp", {{"srp_checker", 8}, {"packet_watcher", 32 + 8 * (2 * 4 + 2)}});
}

// A memory's queue has a link of its own instead of one for packets.
TEST_F(network_checkers, watch_the_announcements_of_hot_modules_and_who_hears_them) {
  const auto feedback = [](checker_counts others) {
    others["line_checker"] = others["memory_checker"] = 8;
    others["lines_checker"] = 1;
    others["packet_watcher"] = 2 * 32 - 8;
    return others;
  };
  expect("feedback", feedback({{"guard_checker", 8}}));
  expect("feedback_bus", feedback({{"guard_checker", 8}, {"bus_checker", 1}}));
  expect("feedback_grants", feedback({{"guard_checker", 8}, {"admission_checker", 1}}));
  expect("feedback_slots", feedback({{"bus_checker", 1}}));
  expect("feedback_admission", feedback({{"admission_checker", 1}}));
}

TEST_F(network_checkers, are_made_once_and_before_the_simulation_starts) {
  for (const std::string kernel : {"fast", "signals"}) {
    const auto network = made(kernel, butterfly_of_8 + ("kernel: " + kernel + "\n"));
    const auto first = network->make_checkers({});
    EXPECT_THAT([&] { network->make_checkers({}); },
                testing::ThrowsMessage<std::logic_error>(
                    kernel + ": make_checkers() was called before, expected once"));
  }
  const auto late = made("late", butterfly_of_8);
  late->run(1);
  EXPECT_THAT([&] { late->make_checkers({}); },
              testing::ThrowsMessage<std::logic_error>(
                  "late: make_checkers() was called in a simulation, expected before it starts"));
}

TEST_F(network_checkers, are_of_a_platform_whose_time_does_not_end) {
  const auto network = made("network", butterfly_of_8);
  network->run(3);
  for (const std::uint64_t cycles : {~std::uint64_t{0}, std::uint64_t{1} << 60})
    EXPECT_THAT([&] { network->run(cycles); },
                testing::ThrowsMessage<std::out_of_range>(
                    testing::AllOf(testing::HasSubstr("network: expected less than 18446744073709548 cycles"),
                                   testing::HasSubstr("found " + std::to_string(cycles)))));
  EXPECT_EQ(network->cycle(), 3u);
}
