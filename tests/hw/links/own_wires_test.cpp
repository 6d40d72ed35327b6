// The wires of links that are not packet links alone, made by a testbench of one's own: they join both ends.
#include <gtest/gtest.h>

#include <spillway/hw/circuit/circuit_link.hpp>
#include <spillway/hw/dampening/embargo_link.hpp>
#include <spillway/hw/isolation/isolation_link.hpp>
#include <support/feedback_bench.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

class own_wires_on : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  /// `play(from, to, wires)` with what stands at the two ends, then a few cycles; what it returns must hold.
  template <class Out, class In, class Signals, class Wires, class Play>
  void join(Play&& play) {
    auto& from = b_.make<puppet<Out>>("from", "out");
    auto& to = b_.make<puppet<In>>("to", "in");
    const auto on = [&](auto& wires) {
      from.pins.bind(wires), to.pins.bind(wires);
      const auto holds = play(from, to, wires);
      b_.reset();
      run(4);
      EXPECT_TRUE(holds());
    };
    GetParam() == kernel::signals ? on(b_.keep<Signals>("own")) : on(b_.keep<Wires>(b_.domain()));
  }
  bench b_{GetParam()};
};

}  // namespace

TEST_P(own_wires_on, join_the_ends_of_a_circuit_link) {
  join<circuit_out, circuit_in, circuit_signals, circuit_wires>([](auto& from, auto& to, auto& wires) {
    from.act = [&from](std::uint64_t) { from.pins.request.write(true); };
    to.act = [&to](std::uint64_t) { to.pins.collision.write(to.pins.request.read()); };
    return [&wires] { return wires.request.read() && wires.collision.read() && !wires.acknowledge.read(); };
  });
}

TEST_P(own_wires_on, join_the_ends_of_an_embargo_link) {
  join<embargo_out, embargo_in, embargo_signals, embargo_wires>([](auto& from, auto& to, auto& wires) {
    from.act = [&from](std::uint64_t) { from.pins.place.write(7); };
    to.act = [&to](std::uint64_t) { to.pins.interdict.write(to.pins.place.read() == 7); };
    return [&wires] { return wires.interdict.read() && !wires.control.read().any(); };
  });
}

TEST_P(own_wires_on, join_the_ends_of_an_isolation_link) {
  join<tree_out, tree_in, isolation_signals, isolation_wires>([](auto& from, auto& to, auto& wires) {
    from.act = [&from](std::uint64_t) { from.pins.token.write({5, true, false}); };
    to.act = [&to](std::uint64_t) { to.pins.stop.write(to.pins.token.read()); };
    return [&wires] { return wires.stop.read() == wires.token.read() && wires.stop.read().root == 5; };
  });
}

INSTANTIATE_TEST_SUITE_P(kernels, own_wires_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
