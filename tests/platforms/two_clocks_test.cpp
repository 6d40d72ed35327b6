// Two platforms in one simulation, each with its own clock, joined by a crossing each way, and a reset of
// one.
#include <gtest/gtest.h>

#include <spillway/hw/adapters/clock_crossing.hpp>
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/platforms/endpoints/plain_interface.hpp>
#include <support/link_bench.hpp>
#include <support/topologies.hpp>
#include <tuple>

using namespace spillway;
using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_US;
using testing_support::sc_test;

namespace {

constexpr unsigned places = 4, gate_a = 3, gate_b = 0, crossing_packets = 200;

/// A terminal that leads out of the network and into it.
class gateway : public terminal_unit {
public:
  gateway(clock_crossing& out_of, clock_crossing& into) : out_of_(out_of), into_(into) {}
  void connect_output(unsigned, spillway::network_link& l) override {
    link_cast<packet_link>(l).connect(into_.out);
  }
  void connect_input(unsigned, spillway::network_link& l) override {
    link_cast<packet_link>(l).connect(out_of_.in);
  }
  std::vector<clocked*> blocks() override { return {}; }

private:
  clock_crossing &out_of_, &into_;
};

/// A packet every third cycle, all to one terminal.
class regular_supply : public packet_supply {
public:
  explicit regular_supply(std::uint32_t destination) : destination_(destination) {}
  std::uint64_t due(std::uint64_t now, std::size_t) override {
    return made_ < crossing_packets ? std::max(now, next_) : never;
  }
  packet_order take(std::uint64_t now) override {
    ++made_;
    next_ = now + 3;
    packet_order order;
    order.destination = destination_;
    return order;
  }

private:
  const std::uint32_t destination_;
  std::uint64_t next_ = 0;
  unsigned made_ = 0;
};

struct gate_ledger : endpoint_observer {
  unsigned made = 0, came = 0;
  void created(std::uint64_t, const flit&) override { ++made; }
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned terminal, const flit& f) override {
    ++came;
    EXPECT_EQ(f.destination, terminal);
    EXPECT_EQ(f.payload, check_value(f));
  }
};

/// Plain terminals but for one, a gateway.
class gate_entry final : public interface_entry {
public:
  gate_entry(unsigned gate, clock_crossing& out_of, clock_crossing& into)
      : interface_entry("gate"), gate_(gate), out_of_(out_of), into_(into) {}
  nlohmann::json schema() const override { return nlohmann::json::object(); }
  std::unique_ptr<terminal_unit> make(terminal_context c) const override {
    if (c.terminal == gate_) return std::make_unique<gateway>(out_of_, into_);
    return plain_interface_entry().make(std::move(c));
  }

private:
  const unsigned gate_;
  clock_crossing &out_of_, &into_;
};

/// One platform; its terminal `gate` is a gateway, to which all others send.
struct half {
  catalogue all = platform_catalogue();
  gate_ledger book;
  std::unique_ptr<platform> net;

  half(const char* name, kernel k, double period, unsigned gate, clock_crossing& out_of,
       clock_crossing& into) {
    all.add<gate_entry>(gate, out_of, into);
    network_plan plan;
    plan.shape = make_omega({2, 2, places});
    plan.routes = testing_support::make_routing(plan.shape, "auto");
    plan.config.runs_on = k;
    plan.config.interfaces = {{"kind", "gate"}};
    plan.config.period_ns = period;
    plan.config.switches = {{"kind", "packet"},           {"buffering", "fifo"},      {"assignment", "any"},
                            {"switching", "cut_through"}, {"arbiter", "round_robin"}, {"depth", 4}};
    net =
        std::make_unique<platform>(name, plan, all,
                                   workload{[=](unsigned) { return std::make_unique<regular_supply>(gate); },
                                            [](unsigned) { return sink_config{}; }, book});
  }
};

struct joined {
  clock_crossing a_to_b{"a_to_b", 8}, b_to_a{"b_to_a", 8};
  half a, b;

  joined(kernel ka, double period_a, kernel kb, double period_b)
      : a("a", ka, period_a, gate_a, a_to_b, b_to_a), b("b", kb, period_b, gate_b, b_to_a, a_to_b) {
    a.net->drive(a_to_b.in_clk, a_to_b.in_rst), b.net->drive(a_to_b.out_clk, a_to_b.out_rst);
    b.net->drive(b_to_a.in_clk, b_to_a.in_rst), a.net->drive(b_to_a.out_clk, b_to_a.out_rst);
    reset(*a.net, true), reset(*b.net, true);
    sc_core::sc_start(100, SC_NS);
    reset(*a.net, false), reset(*b.net, false);
  }
  static void reset(platform& net, bool on) { net.drive_reset(on); }
  std::uint64_t lost() const {
    return a.net->lost_in_reset() + b.net->lost_in_reset() + a_to_b.lost_in_reset() + b_to_a.lost_in_reset();
  }
};

using setting = std::tuple<kernel, double, kernel, double>;
struct two_clocks : sc_test, testing::WithParamInterface<setting> {};

}  // namespace

TEST_P(two_clocks, every_packet_crosses) {
  const auto [ka, pa, kb, pb] = GetParam();
  joined all(ka, pa, kb, pb);
  sc_core::sc_start(50, SC_US);
  EXPECT_EQ(all.a.book.made, 3 * crossing_packets);
  EXPECT_EQ(all.b.book.made, 3 * crossing_packets);
  EXPECT_EQ(all.a.book.came, 3 * crossing_packets);
  EXPECT_EQ(all.b.book.came, 3 * crossing_packets);
  EXPECT_EQ(all.lost(), 0u);
}

TEST_P(two_clocks, a_reset_of_one_loses_only_what_it_counts) {
  const auto [ka, pa, kb, pb] = GetParam();
  joined all(ka, pa, kb, pb);
  sc_core::sc_start(1, SC_US);
  const unsigned before = all.b.book.came;
  EXPECT_GT(before, 0u);
  all.reset(*all.b.net, true);
  sc_core::sc_start(100, SC_NS);
  all.reset(*all.b.net, false);
  sc_core::sc_start(50, SC_US);
  EXPECT_GT(all.b.book.came, before + crossing_packets) << "both work on";
  EXPECT_EQ(all.a.net->lost_in_reset(), 0u) << "the other was not reset";
  EXPECT_GT(all.lost(), 0u);
  EXPECT_EQ(all.a.book.came + all.b.book.came + all.lost(), 6 * crossing_packets);
}

INSTANTIATE_TEST_SUITE_P(periods, two_clocks,
                         testing::Values(setting{kernel::signals, 10, kernel::signals, 7},
                                         setting{kernel::fast, 6, kernel::fast, 10},
                                         setting{kernel::fast, 10, kernel::fast, 10},
                                         setting{kernel::signals, 4, kernel::fast, 12}));
